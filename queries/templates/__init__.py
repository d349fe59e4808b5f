"""Templates: SPARQL files with front matter, bound and never pasted together."""
