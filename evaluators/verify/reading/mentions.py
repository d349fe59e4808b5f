"""Where a text names an option of a choice, and how.

| kind | in the text |
|---|---|
| `label` | a number, letter or ordinal that can only be an option's: "option 2", "statement B", "(b)", "the third", "#2"; |
| | or what an option is about: "the claim about literature" |
| `mark` | a number or letter at the beginning of a line, or before a bracket: "2. ", "B) " |
| `text` | the option itself: its words, another form of a name, number or date, "none of these" |
| `part` | words that only one option has |
| `bare` | a number or letter that is an option's where a sentence says so: "The answer is 2" |

A label with the option's own words beside it is one mention. A mark before the words of another option numbers a list of the
text's own; it names nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice, pairwise

from evaluators.verify.reading.option_labels import bare, labelled
from evaluators.verify.reading.option_words import by_content, parts, said_of_all, worded
from evaluators.verify.reading.options import NONE, Kind, Mention, Options, small
from evaluators.verify.reading.text import read_text
from evaluators.verify.reading.words import NUMERALS

_RANK: dict[str, int] = {"label": 0, "text": 1, "mark": 2, "part": 3, "bare": 4}
_MOST = 1500
"""So many mentions of one kind are looked at; nobody names more in earnest."""
_BESIDE = re.compile(
    r"[\s.:),;(\"'“”‘’=>–—-]*(?:(?:option|choice|answer|number|no\.|statement|i\.e\.|namely|that is),?\s*)?[\s(\"'“:]*\Z"
)
_HEAD = 4
"""So many characters at most stand between the mark of a list and the words that it numbers."""
_GAP = 14
"""So many characters at most stand between a label and the option's words."""


def mentions(text: str, options: Options) -> list[Mention]:
    """Find where a text names options, in order; no two overlap.

    >>> hues = Options(("red", "blue"), "Which hue is it?")
    >>> [(m.options, m.kind) for m in mentions("Not the first (red), but option B.", hues)]
    [((1,), 'label'), ((2,), 'label')]
    """
    read, low = read_text(text), small(text)
    finders = [labelled(text, low, options), worded(read, options), said_of_all(low, options), parts(read, options)]
    finders += [bare(text, low, options), *([by_content(low, options)] if options.statements else [])]
    found = [mention for finder in finders for mention in islice(finder, _MOST)]
    kept = _without_overlaps(found)
    if any(m.options == (options.none or NONE,) for m in kept):
        kept = [m for n, m in enumerate(kept) if not _is_of_others(low, kept, n, options)]
    return _joined(low, _own_numbering(low, kept), statements=options.statements)


_OF_THEM = re.compile(r"(?:none|neither|not one|nothing) of (?:those|these|them|which)(?: (?P<count>two|three|four|five|\d))?")


def _is_of_others(low: str, found: Sequence[Mention], at: int, options: Options) -> bool:
    """Tell whether "none of them" is said of some options named before, not of all."""
    of_them = _OF_THEM.match(low, found[at].start) if found[at].options == (options.none or NONE,) else None
    if of_them is None:
        return False
    before, after = ({n for m in part for n in m.options if n in options.regular} for part in (found[:at], found[at + 1 :]))
    count = of_them["count"]
    many = int(count) if count and count.isdigit() else NUMERALS.get(count or "", 0)
    return 1 < len(before) < len(options.regular) and (many == len(before) or bool(after - before))


def _without_overlaps(found: Sequence[Mention]) -> list[Mention]:
    """Keep of mentions that overlap the longer one, and of equal ones the surer one."""
    kept: list[Mention] = []
    for mention in sorted(found, key=lambda m: (m.start, m.start - m.end, _RANK[m.kind])):
        last = kept[-1] if kept else None
        if last is None or mention.start >= last.end:
            kept.append(mention)
        elif _stronger(mention, last):
            kept[-1] = mention
    return kept


def _stronger(mention: Mention, last: Mention) -> bool:
    if (last.kind, mention.kind) == ("mark", "text"):
        return True  # where the options are numbers, "4." is one of them
    return mention.end - mention.start > last.end - last.start and _RANK[mention.kind] <= _RANK[last.kind]


def _joined(low: str, found: Sequence[Mention], *, statements: bool) -> list[Mention]:
    """Make one of a label and the option's own words beside it."""
    joined: list[Mention] = []
    for mention in found:
        last = joined[-1] if joined else None
        if last and _belong(low, last, mention):
            end = mention.end + (low[mention.end : mention.end + 1] == ")" and "(" in low[last.end : mention.start])
            joined[-1] = Mention(last.start, end, last.options, _joined_kind(last, mention, statements=statements))
        else:
            joined.append(mention)
    return joined


def _belong(low: str, last: Mention, mention: Mention) -> bool:
    """Tell whether one of two mentions of an option is its label, the other its words, and nothing stands between."""
    if last.options != mention.options or len(mention.options) > 1 or mention.start - last.end >= _GAP:
        return False
    if _side(last) == _side(mention) or {last.kind, mention.kind} == {"bare", "part"}:
        return False
    return _BESIDE.match(low[last.end : mention.start]) is not None


def _joined_kind(first: Mention, then: Mention, *, statements: bool) -> Kind:
    """Return the kind of a label with the option's words: a statement before its label ("he was born in Rome (1)") is made."""
    if _side(first) == "text" and statements:
        return "text"
    kind = then.kind if _side(first) == "text" else first.kind
    return "label" if kind == "bare" else kind


def _side(mention: Mention) -> str:
    return "text" if mention.kind in ("text", "part") else "label"


_ENTRY_END = re.compile(r"[\"'”’)*]*\s*(?:[.,;:!–—\n(-]|\Z)")


def _is_said_again(found: Sequence[Mention], then: Mention) -> bool:
    """Tell whether an option's words stand again behind a place ("(3) Rome is what I would say. Yes: Rome.")."""
    return any(m.start > then.end and m.options == then.options and m.kind == "text" for m in found)


def _own_numbering(low: str, found: list[Mention]) -> list[Mention]:
    """Leave out the marks of a list of the text's own: one of them stands before the words of another option."""
    several = sum(mention.kind == "mark" for mention in found) > 1
    strange = any(
        _marks(mark)
        and (
            several or _ENTRY_END.match(low, then.end) or _is_said_again(found, then)
        )  # "A. Portuguese is a minority language there" picks A
        and then.kind == "text"
        and mark.options != then.options
        and _BESIDE.match(low[mark.end : then.start])
        for mark, then in pairwise(found)
        if then.start - mark.end < _HEAD
    )
    return [mention for mention in found if not strange or not _marks(mention)]


def _marks(mention: Mention) -> bool:
    """Tell whether a mention is no more than a number or letter, as lists have them."""
    return mention.kind == "mark" or (mention.kind == "label" and mention.end - mention.start < _HEAD)
