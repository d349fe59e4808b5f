"""False-premise questions by editing true triples in six graded ways (KG-FPQ)."""
