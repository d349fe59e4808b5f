"""Families proposed from a database's keys and foreign keys, and asked (ERBench)."""
