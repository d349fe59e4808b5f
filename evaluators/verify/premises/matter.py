"""What a question asks and takes for granted: the words of its matter, whom it names, the kind of thing that it asks for.

A record of the premise adds who and what it is about and the relation between them. Without one, all words of the question are
its matter. One row of words (`premise_kin`) tells a relation in several forms: "author", "wrote", "written".
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from typing import Literal, Protocol

from evaluators.verify.premises.lists import listed
from evaluators.verify.premises.things import GENERIC, NOTHING, Thing
from evaluators.verify.reading.clauses import denials
from evaluators.verify.reading.text import Text, phrase
from evaluators.verify.reading.words import stem, word_list

Asked = Literal["number", "date", "reason", "option", "yes_no", "open"]

FUNCTION = listed("function")
"""Words that carry no matter."""
_KIN = [frozenset(row) for row in word_list("premise_kin").values()]
_IRREGULAR = [frozenset([verb, *forms]) for verb, forms in word_list("irregular").items()]


def _families(rows: Iterable[frozenset[str]]) -> dict[str, frozenset[str]]:
    """Map each word to all words of its rows."""
    families: dict[str, frozenset[str]] = {}
    for row in rows:
        families.update({word: row | families.get(word, frozenset()) for word in row})
    return families


_FORMS, _FAMILIES = _families(_IRREGULAR), _families([*_KIN, *_IRREGULAR])
"""For each word the other forms of the verb; for each word that has kin, all of them too."""
_ASKING = listed("asking")
_COUNTED = re.compile(
    r"\bhow (?:many|much|long|old|often|far|tall|big|high|deep|large|wide|heavy)\b|\b(?:at )?what (?:age|height)\b",
    re.IGNORECASE,
)
_DATED = re.compile(
    r"\Awhen\b|\bwhen (?:did|was|were|will|do|does|is|are|can)\b|\b(?:which|what) (?:year|date|day|month|century|decade)s?\b"
    r"|\b(?:list|name) the (?:date|time|year)\b",
    re.IGNORECASE,
)
_ALTERNATIVES = re.compile(r"\bor (?!other|more|less)", re.IGNORECASE)
_KINDS = listed("kinds")
_AUXILIARIES = listed("auxiliaries")
_WH = listed("question_words")
_LATER_AUXILIARY = re.compile(rf",\s*(?:{'|'.join(sorted(_AUXILIARIES))})\b", re.IGNORECASE)
_AGENT = re.compile(r"(?<=\w{4})(?:ors?|ers?|ed|ion|ing|es|e|s)\Z")


class Labelled(Protocol):
    """Somebody or something with other names."""

    @property
    def label(self) -> str:
        """Its name."""

    @property
    def aliases(self) -> Sequence[str]:
        """Its other names."""


class Fact(Protocol):
    """What a question takes for granted, as an item records it."""

    @property
    def subject(self) -> str:
        """Whom or what it is about."""

    @property
    def relation(self) -> str:
        """What is said."""

    @property
    def object(self) -> str:
        """Of whom or what it is said."""

    @property
    def true_objects(self) -> Sequence[Labelled]:
        """Of whom or what it is true."""


class Matter:
    """What a question asks and takes for granted.

    >>> matter = Matter("When did Einstein die in Ulm?")
    >>> matter.asked, matter.tells("died"), matter.tells("born")
    ('date', True, False)
    """

    def __init__(self, question: str, record: Fact | None = None) -> None:
        """Read a question and the record of its premise."""
        self.words = phrase(question)
        self.recorded = record is not None
        self.asked = _asked(question, self.words, offers=record is None)
        self.has_question_marks = record is not None and any(
            "?" in name for name in (record.subject, record.object, *(o.label for o in record.true_objects))
        )
        self.negated = _is_negated(question)
        self.preposition = "" if record is None else _preposition(self.words, phrase(record.object))
        self.counted = _counted(self.words)
        self.subject = self.object = NOTHING
        self.truths: tuple[Thing, ...] = ()
        self.names = relation = ends = post = frozenset[str]()
        if record is not None:
            others = _others(record)
            rivals = [o.label for o in others]
            own = next((o for o in record.true_objects if o not in others), None)
            self.subject = Thing.of(record.subject, (), (record.object, *rivals), given=True)
            self.object = Thing.of(record.object, (own.label, *own.aliases) if own else (), (record.subject, *rivals))
            self.object = self.object.told_apart(record.object, rivals, (record.subject,))
            truths = [Thing.of(o.label, o.aliases, (record.subject, record.object), self.words) for o in others]
            asked = record.subject, question
            self.truths = tuple([t.told_apart(o.label, [record.object], asked) for t, o in zip(truths, others, strict=True)])
            relation = _matter_words(phrase(record.relation), frozenset())
            ends = frozenset([*phrase(record.subject), *phrase(record.object)])
            told = frozenset(word for o in record.true_objects for name in (o.label, *o.aliases) for word in phrase(name))
            self.names = (ends | told) - FUNCTION
            post = frozenset(phrase(record.object)) - FUNCTION
        self.kinds = (_KINDS & post) - frozenset(self.words[:4])
        self._own = _Words(frozenset(self.words) - FUNCTION, kin=False)
        self._relation, self._post = _Words(relation), _Words(post, kin=False)
        self._all = _Words(_matter_words(self.words, ends) | relation)
        self._roots = {_root(word) for word in relation}

    def tells(self, word: str) -> bool:
        """Tell whether a word is one of the question's matter, in any form, or kin to one."""
        return word in self._all

    def repeats(self, word: str) -> bool:
        """Tell whether a word of the question is part of a recorded name."""
        return word in self.names and word in self.words

    def asks(self, words: Iterable[str]) -> bool:
        """Tell whether one of some words is the question's own, in any form, or a form of its verb."""
        return any(word in self._own for word in words)

    def relates(self, word: str) -> bool:
        """Tell whether a word is one of the recorded relation, or kin to one; without a record, one of the matter."""
        return word in (self._relation if self.recorded else self._all)

    def names_post(self, words: Sequence[str]) -> bool:
        """Tell whether words name the recorded object in part, as a post or a title is named ("Chancellor")."""
        named = {word for word in words if word not in FUNCTION and word in self._post}
        return len(named) > 1 or not named <= GENERIC

    def names_relation(self, word: str) -> bool:
        """Tell whether a word is the recorded relation's own, in any form ("directed" for "director")."""
        return _root(word) in self._roots


class _Words:
    """Words with their kin, met in any form."""

    def __init__(self, words: frozenset[str], *, kin: bool = True) -> None:
        families = _FAMILIES if kin else _FORMS
        self._words = words.union(*(families[word] for word in words if word in families))
        self._stems = frozenset(stem(word) for word in words)
        self._known: dict[str, bool] = {}

    def __contains__(self, word: str) -> bool:
        known = self._known.get(word)
        if known is None:
            known = self._known[word] = (
                word in self._words or stem(word) in self._stems or any(_begin_alike(word, stem) for stem in self._stems)
            )
        return known


def _others(record: Fact) -> list[Labelled]:
    """Return the true objects that the question does not name; none where it names one: then another denies nothing."""
    named = phrase(record.object)
    own = any(phrase(name) == named for o in record.true_objects for name in (o.label, *o.aliases))
    return [] if own else list(record.true_objects)


def _matter_words(words: list[str], without: frozenset[str]) -> frozenset[str]:
    return frozenset(word for word in words if word not in FUNCTION and word not in _ASKING and word not in without)


def _begin_alike(word: str, other: str) -> bool:
    """Tell whether two words of some length begin alike.

    >>> _begin_alike("compose", "composer"), _begin_alike("die", "diet")
    (True, False)
    """
    return (
        min(len(word), len(other)) >= 4
        and abs(len(word) - len(other)) < 5
        and (word.startswith(other) or other.startswith(word))
    )


def _root(word: str) -> str:
    """Drop the ending of an agent or an act.

    >>> _root("director"), _root("directed")
    ('direct', 'direct')
    """
    return _AGENT.sub("", word)


def _is_negated(question: str) -> bool:
    """Tell whether a question denies; a word with a capital within it belongs to a name ("No Country for Old Men").

    >>> _is_negated("Why did he not build it?"), _is_negated("How did he build it without mortar?")
    (True, False)
    """
    asked = Text(question)
    found = [at for at in denials(asked, 0, len(asked.words)) if asked.words[at] != "without"]
    return any(not at or not asked.original[asked.starts[at]].isupper() for at in found)


def _counted(words: list[str]) -> frozenset[str]:
    """Return the stems of the words for what is counted.

    >>> sorted(_counted(["how", "many", "lives", "does", "a", "cat", "have"]))
    ['live']
    """
    start = next((n + 2 for n in range(len(words) - 1) if words[n] == "how" and words[n + 1] in ("many", "much")), len(words))
    end = next((n for n in range(start, len(words)) if words[n] in FUNCTION), len(words))
    return frozenset(stem(word) for word in words[start:end])


def _preposition(words: list[str], name: list[str]) -> str:
    """Return the word that stands before a name in the question, without its article ("for Brazil")."""
    at = next((n for n in range(1, len(words)) if words[n : n + len(name)] == name), 0)
    before = [word for word in words[max(0, at - 2) : at] if word not in ("the", "a", "an")]
    return before[-1] if before else ""


def _asked(question: str, words: list[str], *, offers: bool = True) -> Asked:
    """Return the kind of thing that a question asks for; one made from a record offers no alternatives.

    >>> _asked("Is it red or blue?", ["is", "it", "red", "or", "blue"]), _asked("Why?", ["why"])
    ('option', 'reason')
    """
    if offers and _ALTERNATIVES.search(question):
        return "option"
    if words[:1] and (words[0] in _AUXILIARIES or (_WH.isdisjoint(words) and _LATER_AUXILIARY.search(question))):
        return "yes_no"
    if _COUNTED.search(question):
        return "number"
    if _DATED.search(question):
        return "date"
    return "reason" if words[:1] == ["why"] else "open"


@functools.lru_cache(maxsize=1024)
def matter_of(question: str, record: Fact | None) -> Matter:
    """Return what a question asks and takes for granted; many answers are judged for one question."""
    return Matter(question, record)
