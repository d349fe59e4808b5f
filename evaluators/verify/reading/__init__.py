"""What a text says: its words, clauses, names and labels."""
