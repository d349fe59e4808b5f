"""The texts in which a fact is asked and said, with a row and a value to be put in later; what a row is called in them.

```
>>> made = with_be("In which city is ‹row›?", "in ‹value›", "the city of ‹row›")
>>> made.claim, made.say
('Is ‹row› in ‹value›?', '‹row› is in ‹value›')

```
"""

from __future__ import annotations

from dataclasses import dataclass, replace

ROW, VALUE = "‹row›", "‹value›"


@dataclass(frozen=True)
class Subject:
    """What a row is: its noun, and whether it is a person, or stands at a place.

    `past`: whether all of them are long dead; `by_person`: whether a foreign key leads from it to a person; `done`: what was
    done to its rows (participles, "premiere"); `one_of`: whether values are kinds by their everyday names, of which a row is
    one ("a lion"); `again`: whether rows happen again and again, as a marathon.
    """

    noun: str
    person: bool = False
    place: bool = False
    past: bool = False
    by_person: bool = False
    done: tuple[str, ...] = ()
    one_of: bool = False
    again: bool = False


@dataclass(frozen=True)
class Form:
    """A question for a value, one whether it is some value, what denies and what says it, and the value as a noun.

    `deny` and `say` are clauses; they begin a sentence or follow "it is right that". `look` is what values look like where we
    are sure that a person would say it so (`sure.odd`); `leads` says whether the noun may stand within a further question, and
    `claimed` whether a value may be claimed as well. What is `former` is said of people as it was while they lived, and of
    things as it was while they were there.
    """

    ask: str
    claim: str
    deny: str
    say: str
    whole: str
    look: str | None = None
    leads: bool = False
    claimed: bool = True
    former: bool = False

    def sure(self, look: str | None, *, leads: bool = False) -> Form:
        """Say that a person would say it so, of values that look like something; `None` says nothing."""
        return replace(self, look=look, leads=leads)


def with_be(ask: str, said: str, whole: str, be: str = "is", row: str = ROW) -> Form:
    """A form whose verb is "is" or "was": `said` is what stands behind it, with the value."""
    return Form(ask, f"{be.capitalize()} {row} {said}?", f"{row} {be} not {said}", f"{row} {be} {said}", whole)


def with_do(ask: str, base: str, finite: str, whole: str, do: str = "does") -> Form:
    """A form whose verb is asked with "does" or "did": `base` and `finite` are it and what stands behind it."""
    return Form(ask, f"{do.capitalize()} {ROW} {base}?", f"{ROW} {do} not {base}", f"{ROW} {finite}", whole)
