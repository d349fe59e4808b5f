"""Loaders: one module per kind of source, each a function from files to a `kg.build.Load`."""
