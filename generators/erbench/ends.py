"""What has two ends: a distance and the place that it is to; foreign keys called "from" and "to"; verbs from row to row.

```
>>> distance("nearest town", "kilometres").ask, called("from station"), needs_end("distance km", "volcano")
('How far is ‹row› from its nearest town, in kilometres?', 'starting station', True)
>>> needs_end("distance to sea km", "city"), needs_end("distance km", "race")
(False, False)
>>> verb("replaces", "class").claim, verb("dean", "lecturer")
('Does ‹row› replace ‹value›?', None)

```
"""

from __future__ import annotations

from collections.abc import Iterable

from generators.column_names import WordLists, unit_of
from generators.erbench.sentences import ROW, VALUE, Form
from generators.nouns import is_plural, is_word, singular

_ENDS = {"from": "starting", "to": "end", "start": "starting", "end": "end"}
_NEAR = ("nearest", "closest")
_TO = ("from", "to", "between")


def called(name: str) -> str:
    """Say a foreign key that is called by which end it is; others stay as they are."""
    first, *rest = name.split()
    return f"{_ENDS[first]} {' '.join(rest)}" if first in _ENDS and rest else name


def needs_end(name: str, table: str) -> bool:
    """Tell whether a column is a distance, and says neither from what nor of what way."""
    lists, words = WordLists.load(), name.split()
    what = unit_of(name)[0].split()
    apart = what[-1] in lists.two_ended or words[-1] in lists.two_ended
    return apart and not {*words} & {*_TO} and table.split()[-1] not in lists.ways


def end_of(names: Iterable[str]) -> str | None:
    """Find the one column that says what a row is near to; None where there is none, or several."""
    near = [name for name in names if name.split()[0] in _NEAR and len(name.split()) > 1]
    return near[0] if len(near) == 1 else None


def distance(end: str, unit: str) -> Form:
    """Ask how far a row is from what its other column names."""
    said = f"{VALUE} {unit} from its {end}"
    whole = f"the distance of {ROW} from its {end} in {unit}"
    return Form(
        f"How far is {ROW} from its {end}, in {unit}?", f"Is {ROW} {said}?", f"{ROW} is not {said}", f"{ROW} is {said}", whole
    )


def verb(name: str, to: str) -> Form | None:
    """Ask what a row does to another one, where its foreign key is a verb: to one row, a plural is none."""
    base = singular(name)
    if " " in name or not name.endswith("s") or not is_plural(name) or not is_word(base) or base == to.split()[-1]:
        return None
    ask, claim = f"Which {to} does {ROW} {base}?", f"Does {ROW} {base} {VALUE}?"
    return Form(ask, claim, f"{ROW} does not {base} {VALUE}", f"{ROW} {name} {VALUE}", f"the {to} that {ROW} {name}")
