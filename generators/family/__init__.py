"""Questions from any family that a user writes (ERBench's method)."""
