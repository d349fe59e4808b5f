"""Rules that keep likely truths away from false premises, in numbers.

The world is open: what a graph does not state may still be true. Each rule is learned from the graph at hand; the numbers
here say when it applies. `tests/benchmarks/open_world.py` measures how many false premises turn out true all the same.
"""

from __future__ import annotations

__all__ = ["BESIDE", "IMPLIED_PAIRS", "IMPLIED_SHARE", "ONE_SUBJECT"]

IMPLIED_PAIRS, IMPLIED_SHARE = 5, 0.1
"""A relation counts as implying another if at least so many pairs, and this share of its pairs, stand under both."""

BESIDE = 2
"""A near candidate that stands beside a true object under the same relation for so many subjects is left out."""

ONE_SUBJECT = 1.5
"""A relation with at most so many subjects per object gets only candidates that already belong to another subject."""
