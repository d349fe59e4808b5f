"""The columns of a family's frames: what a slot has beside its value, and what one step adds for the next.

A frame of rows or of facts has a column for each slot, under the slot's own name. A slot may have any name, so every name that
is ours holds a NUL, which no slot can.
"""

from __future__ import annotations


def term(slot: str) -> str:
    """Name the column of a slot's terms, as N-Triples writes them."""
    return f"{slot}\0term"


def norm(slot: str) -> str:
    """Name the column of a slot's normal forms, by which values are compared."""
    return f"{slot}\0norm"


def aliases(slot: str) -> str:
    """Name the column of a slot's other names (lists); a slot of several values has the further ones among them."""
    return f"{slot}\0aliases"


def others(slot: str) -> str:
    """Name the column of the values that a slot of several values has beside the first (lists)."""
    return f"{slot}\0others"


def stated(slot: str) -> str:
    """Name the column of what an option says of a slot: the slot's own value, or the false one that was drawn."""
    return f"\0stated {slot}"


def listed(slot: str) -> str:
    """Name the column of all values of a slot in one text: "1908, 1948 and 2012"."""
    return f"\0listed {slot}"


def with_article(column: str, article: str) -> str:
    """Name the column of a column's values with their articles ("a" or "the")."""
    return f"{column}\0article {article}"


# --- rows and facts

ASKED = "kgprobe_asked"
"""Whether a row is asked about (`ask`). A variable of the query has this name, so it is the one without a NUL."""
ROW_KEY = "\0row key"
"""The hash of all that a row says, where columns of it were left out since."""
KEY = "\0key"
"""The number of what the key says: rows that say the same by their keys, in any spelling, are of one fact."""
GROUP = "\0group"
"""The group of a fact: `method.family.HASH`. Its items share it."""
DRAW = "\0draw"
"""The hash by which a fact is drawn, and which its own draws begin with."""
PROVED = "\0proved"
"""What the family's SELECT returns for the key of a fact: lists of plain texts, as a proof holds them."""

# --- what is asked of a fact

TRUE = "\0true"
"""Whether what the basic variant asks is true."""
CLAIMED = "\0claimed"
"""The term of the value that is claimed; null where the claim is a limit or a step."""
FALSE_SLOT = "\0false slot"
"""The number of the slot that a choice says something false of; -1 where all its statements are true."""
FALSE_VALUE = "\0false value"
FALSE_TERM = "\0false term"
POSITION = "\0position"
"""Where the false statement stands among the options, from 0 on."""
NEAR = "\0near"
"""Whether some row has the false value together with the fact's most telling other value."""
QUESTION = "\0question"
EXPLANATION = "\0explanation"
"""The sentences that explain the answer."""
PROOF = "\0proof"
CORRECTION = "\0correction"
"""What is true instead of a value that was exchanged: "It was another year: 1997."."""
ENTITY = "\0entity"
"""What a fact is about, for the other families of a run: the entity its key begins with, or all of its key."""
