"""Which of the things that a question gives a text denies, or falsifies, of the entity it names.

```
python -m pytest tests/evaluators/test_verify_rationale.py -q
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from evaluators.verify.question import Question
from evaluators.verify.reading.clauses import Clause, Text, denying_clauses
from evaluators.verify.reading.lazy import lazy
from evaluators.verify.reading.names import Mention
from evaluators.verify.reading.text import Sentence, Span
from evaluators.verify.reading.words import words
from evaluators.verify.slots import Stated, stated_slots, year_of

__all__ = ["Denial", "Scene", "denied_slots"]

_POINTERS = frozenset(words("pointers")["words"])
_ASIDE = frozenset(words("aside")["words"])
_REACH = 2
"""A denial may refer back to the entity over this many sentences."""

_EXISTENCE = re.compile(
    r"\bthere (?:is|are|was|were|do|does|did|has|have)(?:n't| not| no)?\b|\b(?:statement|claim|premise|assertion)\b"
    r"|\b(?:could|can|did|do)(?:n't| ?not) (?:find|see|recall|appear|seem)|\bit (?:is|'s) (?:not )?(?:true"
    r"|false|correct|possible)\b"
    r"|\bno (?:evidence|record|records|indication|mention|results?)\b",
    re.IGNORECASE,
)
_UNTRUE = re.compile(r"\b(?:false|untrue|incorrect|not (?:true|correct|right|the case))\b", re.IGNORECASE)
_YEAR_AFTER = re.compile(
    r"[\"'”’*,]*\s*(?:\(|in\s|,?\s?(?:which |that )?(?:was |came out )?(?:released |published "
    r"|recorded )?in\s)\s*(?:\w+\s(?:\d{1,2},?\s)?)?((?:19|20)\d\d)\b"
)
_YEARS = re.compile(r"(?:19|20)\d\d")
_YEAR_BEFORE = re.compile(r"\b((?:19|20)\d\d)\s(?:\w+\s){0,4}[\"'“‘*]*\Z")
_NUMBERED = ("#", "number ", "no. ", "jersey ")
_NUMBER_BESIDE = re.compile(r"[\s(,][^.;\n]*?(?:#|\bnumber |\bno\. |\bjersey )(\d{1,3})\b")


class Denial(NamedTuple):
    """A slot that the text contradicts, and the characters that do it."""

    slot: str
    span: Span


class Scene:
    """What all rules look at: a text, what it is asked, and where it names the entity; the rest is found when it is needed."""

    def __init__(self, text: Text, question: Question, mentions: list[Mention]) -> None:
        self.text, self.question, self.mentions = text, question, mentions

    @lazy
    def slots(self) -> list[Stated]:
        """What the question gives, as the text says it."""
        return stated_slots(self.text, self.question)

    @lazy
    def measured(self) -> list[Stated]:
        """Those that are years, dates or numbers, of which the text may say another one."""
        return [slot for slot in self.slots if slot.kind != "name" and self._other_said(slot)]

    def _other_said(self, slot: Stated) -> bool:
        """Tell whether it is worth looking for another year or number beside the entity."""
        if slot.kind == "number":
            return any(cue in self.text.original for cue in _NUMBERED)
        right = year_of(slot.value)
        return any(year[0] != right for year in self.years)

    @lazy
    def years(self) -> list[re.Match[str]]:
        """All that looks like a year."""
        return [*_YEARS.finditer(self.text.original)]

    @lazy
    def clauses(self) -> list[Clause]:
        """The clauses of the sentences that hold a word that may deny.

        Denials that belong to a name ("Tomorrow Never Dies") are forgotten.
        """
        found = denying_clauses(self.text)
        if not any(clause.denials for clause in found):
            return found
        names = [*(place for slot in self.slots for place in slot.places), *((m.first, m.last) for m in self.mentions)]
        inside = {n for first, last in names for n in range(first, last)}
        return [part._replace(denials=tuple(n for n in part.denials if n not in inside)) for part in found]

    @lazy
    def named_in(self) -> frozenset[int]:
        """The sentences that name the entity."""
        return frozenset(self.text.sentence_of(m.first) for m in self.mentions)


def denied_slots(scene: Scene) -> list[Denial]:
    """Find the given slots that a text denies or falsifies of the entity it names."""
    return [*_denied(scene), *_falsified(scene)]


def _denied(scene: Scene) -> Iterator[Denial]:
    for at, clause in enumerate(scene.clauses):
        if clause.denials and not (_aside(scene.text, clause) or _contrasted(scene, at) or _repeats(scene, clause)):
            found = list(_about_entity(scene, at)) if _near(scene, clause) else []
            yield from found or _about_each_other(scene, at)


def _aside(text: Text, clause: Clause) -> bool:
    """Tell whether a clause speaks of other cases ("no other film")."""
    return not _ASIDE.isdisjoint(text.words[clause.first : clause.last])


def _repeats(scene: Scene, clause: Clause) -> bool:
    """Tell whether a sentence only answers again: it says that there is no such thing, or that the claim is false."""
    sentence = scene.text.sentences[clause.sentence]
    if len(clause.denials) > 1 and _UNTRUE.search(scene.text.original, *scene.text.span(clause.first, clause.last)):
        return True
    early = clause.sentence < min(scene.named_in)
    whole = early and all(any(sentence.first <= p[0] < sentence.last for p in slot.places) for slot in scene.slots)
    if clause.sentence in scene.named_in:
        return all(_inside(slot, clause) for slot in scene.slots) and not _names_entity(scene, clause)
    return whole or _EXISTENCE.search(scene.text.original, sentence.start, sentence.end) is not None


def _names_entity(scene: Scene, clause: Clause) -> bool:
    return any(clause.first <= mention.first < clause.last for mention in scene.mentions)


def _near(scene: Scene, clause: Clause) -> bool:
    """Tell whether a clause is about the entity: in a sentence that names it, or pointing back to one."""
    if clause.sentence in scene.named_in:
        return True
    back = any(clause.sentence - n in scene.named_in for n in range(1, _REACH + 1))
    return back and not _POINTERS.isdisjoint(scene.text.words[clause.first : clause.last])


def _inside(slot: Stated, clause: Clause) -> list[tuple[int, int]]:
    return [place for place in slot.places if clause.first <= place[0] < clause.last]


def _about_entity(scene: Scene, at: int) -> Iterator[Denial]:
    """Slots whose value, or whose own word ("directed"), stands in a clause that denies."""
    clause = scene.clauses[at]
    named = [slot for slot in scene.slots if _inside(slot, clause)]
    inside = {word[:5] for word in scene.text.words[clause.first : clause.last]}
    by_word = [slot for slot in scene.slots if slot.kind == "name" and slot.stems & inside]
    for slot in named or by_word:
        yield Denial(slot.slot, scene.text.span(clause.first, clause.last))


def _contrasted(scene: Scene, at: int) -> bool:
    """Tell whether "not B" only sets one given thing off from another ("directed by A, not B")."""
    clause, before = scene.clauses[at], scene.clauses[at - 1] if at else None
    if before is None or before.sentence != clause.sentence or scene.text.words[clause.first] != "not":
        return False
    whole = {slot.slot for slot in scene.slots if (clause.first + 1, clause.last) in slot.places}
    last = {slot.slot for slot in scene.slots for place in _inside(slot, before) if place[1] == before.last}
    return bool(whole) and bool(last - whole)


def _about_each_other(scene: Scene, at: int) -> Iterator[Denial]:
    """Slots denied of one another, away from the entity ("Buscemi never worked with Scanlon")."""
    clause = scene.clauses[at]
    sentence = scene.text.sentences[clause.sentence]
    named = [slot for slot in scene.slots if any(sentence.first <= p[0] < sentence.last for p in slot.places)]
    here = [slot for slot in named if _inside(slot, clause)]
    if here and 2 <= len(named) < len(scene.slots):
        for slot in here:
            yield Denial(slot.slot, scene.text.span(clause.first, clause.last))


def _falsified(scene: Scene) -> Iterator[Denial]:
    for slot in scene.measured:
        for mention in scene.mentions:
            span = _other_value(scene, slot, mention)
            if span:
                yield Denial(slot.slot, span)
                break


def _other_value(scene: Scene, slot: Stated, mention: Mention) -> Span | None:
    """Find another year or number that the text gives the entity, where the right one is not in the same sentence."""
    if not _beside(scene, slot, mention):
        return None
    sentence = scene.text.sentences[scene.text.sentence_of(mention.first)]
    found = (_number_beside if slot.kind == "number" else _year_beside)(scene.text, sentence, slot.value, mention)
    if found is None or any(sentence.first <= place[0] < sentence.last for place in slot.places):
        return None
    return found


def _beside(scene: Scene, slot: Stated, mention: Mention) -> bool:
    """Tell whether a year or number stands beside the entity at all, wherever its sentence ends."""
    text = scene.text.original
    start, end = scene.text.span(mention.first, mention.last)
    if slot.kind == "number":
        return _NUMBER_BESIDE.match(text, end) is not None
    if _YEAR_AFTER.match(text, end):
        return True
    return any(_YEAR_BEFORE.match(text, year.start(), start) for year in scene.years if year.end() <= start)


def _number_beside(text: Text, sentence: Sentence, value: str, mention: Mention) -> Span | None:
    found = _NUMBER_BESIDE.match(text.original, text.ends[mention.last - 1], sentence.end)
    return found.span(1) if found and found[1] != value else None


def _year_beside(text: Text, sentence: Sentence, value: str, mention: Mention) -> Span | None:
    start, end = text.span(mention.first, mention.last)
    before = _YEAR_BEFORE.search(text.original[sentence.start : start])
    found = _YEAR_AFTER.match(text.original, end, sentence.end) or before
    if found is None or found[1] == year_of(value):
        return None
    shift = sentence.start if found is before else 0
    return found.start(1) + shift, found.end(1) + shift
