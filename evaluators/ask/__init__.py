"""Ask a model the questions of a file of items."""
