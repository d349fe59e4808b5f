"""What several tests share: graphs, servers, scripted models, oracles."""
