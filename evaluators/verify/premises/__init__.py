"""What a question takes for granted, what in a text denies it or sets it right, and what answers all the same."""
