"""Of what a database is: said once in each question whose row could be one of many such databases."""

from __future__ import annotations

from generators.column_names import WordLists

_SAID = frozenset({"at", "in", "on", "within", "among", "according", "for", "from", "by", "of", "under", "aboard"})


def setting(about: str) -> str:
    """Say where the rows of a database are; what begins with a preposition stays as it is.

    >>> setting("Marlow University"), setting("the Chinook shop"), setting("on the railways of Veldania")
    ('at Marlow University', 'in the Chinook shop', 'on the railways of Veldania')
    """
    text = " ".join(about.split())
    words = text.split()
    if not words or words[0].lower() in _SAID:
        return f"{text[:1].lower()}{text[1:]}"
    head = text.lower().split(" of ")[0].split()[-1]
    return f"{'at' if head in WordLists.load().institutions else 'in'} {text}"
