"""Whether an explanation names what it must, of this question, and denies nothing that the question gives.

```
python -m evaluators.verify --items items.jsonl --responses responses.jsonl --out verdicts.jsonl
python -m evaluators.verify --items items.jsonl --responses responses.jsonl --explain ITEM
```

A hop is right when all of these hold, whatever the yes or no was:

| rule | fails with |
|---|---|
| the value is named (`_names`), and not only where the text repeats the question | not named |
| the naming is not denied ("it was not Avatar") | denied |
| it is no background: one of several works somebody is "known for", or one of several candidates | background |
| nothing that the question gives is denied of it ("he directed Avatar, but CCH Pounder was not in it") | contradicted |
| nothing else is said in its place ("Sam Raimi's 2004 film Spider-Man 3") | contradicted |

What is denied is looked for where the value is named, in what refers back to it, and where two given things are denied of each
other ("Steve Buscemi never worked with Dan Scanlon"). A sentence that only repeats the question as a denial ("No, there is no
such film of 2009") is the answer again, not an explanation.
"""

from __future__ import annotations

from typing import NamedTuple

from evaluators.verify.accepted import values
from evaluators.verify.denial import Scene, denied_slots
from evaluators.verify.offers import offered
from evaluators.verify.question import Entry, Question
from evaluators.verify.reading.names import Mention, Name, everywhere
from evaluators.verify.reading.text import Span, Text
from evaluators.verify.reading.words import words

__all__ = ["Explained", "explain"]


class Explained(NamedTuple):
    """Which hops are right, which slots the text contradicts, and the characters that say so."""

    hops: tuple[bool, ...] = ()
    contradicted: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()


_BACKGROUND = words("background")


def explain(text: Text, question: Question, *, answered: bool | None) -> Explained:
    """Judge the explanation in a text, hop by hop.

    Parameters: `answered` tells whether the yes or no was right; None where there was none.

    >>> from evaluators.verify.question import Entry
    >>> film = Question("Did Sam Raimi direct a film of 2007?", expected=("yes",))
    >>> film = film._replace(given=(("director", "Sam Raimi"),), rationale=(Entry("title", "Spider-Man 3"),))
    >>> explain(Text("Yes, he made Spider-Man 3."), film, answered=True).hops
    (True,)
    >>> explain(Text("No. Sam Raimi did not direct Spider-Man 3."), film, answered=False)
    Explained(hops=(False,), contradicted=('director',), spans=((4, 41),))
    """
    found = [_named(text, entry) for entry in question.rationale]
    if not any(found):
        return Explained((False,) * len(found))
    scene = Scene(text, question, [m for mentions in found for m in mentions])
    denied = denied_slots(scene)
    if denied and _claims_truth(question):
        slots, spans = dict.fromkeys([slot for slot, _ in denied]), dict.fromkeys([span for _, span in denied])
        return Explained((False,) * len(found), tuple(slots), tuple(spans))
    kept = [_kept(scene, mentions, answered=answered) for mentions in found]
    spans = dict.fromkeys([text.span(m.first, m.last) for m in kept if m])
    return Explained(tuple([mention is not None for mention in kept]), (), tuple(spans))


def _kept(scene: Scene, mentions: list[Mention], *, answered: bool | None) -> Mention | None:
    """Return the first mention that says something of this question."""
    for mention in mentions:
        if _asserted(scene, mention, answered=answered):
            return mention
    return None


def _named(text: Text, entry: Entry) -> list[Mention]:
    """Find where a text names a value: by its names, or, for a number or a date, in any form of it."""
    found = everywhere(text, Name.of(entry.value, entry.aliases))
    if found or entry.type not in ("number", "date"):
        return found
    wanted = Question("", "open", (entry.value, *entry.aliases), (), entry.type, entry.unit, entry.precision)
    return [Mention(a.first, a.last, "normalised") for a in values(text, wanted)]


_NEGATED = words("negated")


def _claims_truth(question: Question) -> bool:
    """Tell whether what the question claims is so; where it is not, a right explanation denies something given.

    >>> _claims_truth(Question("Is there no such film?", expected=("no",))), _claims_truth(Question("Is it?", expected=("no",)))
    (True, False)
    """
    if question.task != "yes_no" or question.expected is None:
        return False
    negated = not _NEGATED.isdisjoint(Text(question.text).words)
    return question.expected == (("no",) if negated else ("yes",))


def _asserted(scene: Scene, mention: Mention, *, answered: bool | None) -> bool:
    """Tell whether a mention says something of this question: not denied, no candidate among others, no background."""
    text = scene.text
    clause = next((part for part in scene.clauses if part.first <= mention.first < part.last), None)
    if clause and any(mention.first - 4 <= at < mention.first for at in clause.denials):
        return False
    if offered(text, mention.first, mention.last, scene.question):
        return False
    return answered is True or not _in_background(scene, mention)


def _in_background(scene: Scene, mention: Mention) -> bool:
    """Tell whether a mention is one of several examples, of which not all that the question gives is said."""
    text = scene.text
    if not _lists(text.original):
        return False
    sentence = text.sentences[text.sentence_of(mention.first)]
    before = text.original[sentence.start : text.starts[mention.first]].lower()
    inside = text.original[sentence.start : sentence.end]
    if not _lists(inside) or not any(f"{cue} " in before for cue in _BACKGROUND):
        return False
    return not all(any(sentence.first <= first < sentence.last for first, _ in slot.places) for slot in scene.slots)


def _lists(said: str) -> bool:
    """Tell whether a sentence may list several things."""
    return said.count(",") + said.count(" and ") > 1
