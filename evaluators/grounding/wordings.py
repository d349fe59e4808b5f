"""In which words a relation is stated: patterns made of the questions that ask about it, in both directions.

A wording of `queries/phrasing` asks ("Was {subject} directed by {object}?"). Without its verb of asking it is a statement:
words before the first name, between the two and after the second, all in one form ("directs", "directed", "directing" are
"direct"), and without the words that say nothing of a relation (articles, auxiliaries). From each statement follow others
that say the same: the active from the passive, "the director of S is O", "S's director O" from "O is the director of S", "O,
where S was born" from "S was born in O". A relation without a wording of its own is stated by its label alone ("mascot": "the
mascot of S is O").

>>> patterns = Wordings.shipped().patterns("director")
>>> Pattern((), ("direct", "by"), (), True) in patterns, Pattern((), ("'s", "director"), (), True) in patterns
(True, True)
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any, NamedTuple

from evaluators.verify.reading.text import phrase
from evaluators.verify.reading.words import FIRST_FORMS
from kg.text import fold

SUBJECT, OBJECT = "\x01", "\x02"
POSSESSIVE = "'s"
WHO = "who"
"""What stands for who, which and whose, in patterns and in texts."""

_SLOT = re.compile(r"\{(subject|object)[^{}]*\}")
_VERB = re.compile(r"\{(?:is|does)[^{}]*\}")
_NO_WORDINGS = ("articles.toml", "fallback.toml", "ranges.toml", "tense.toml")
_ASKING = frozenset(["is", "are", "was", "were", "do", "does", "did", "has", "have", "had", "can", "could"])
EMPTY = frozenset(
    [
        "a",
        "an",
        "the",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "being",
        "am",
        "has",
        "have",
        "had",
        "having",
        "do",
        "does",
        "did",
        "ever",
        "also",
        "it",
        "its",
        "that",
        "there",
        "can",
        "could",
        "one",
    ]
)
"""Words that say nothing of a relation: they are in no pattern, and are read over in a text."""
_WHO = frozenset(("who", "which", "whom", "whose"))
_NO_ADVERBS = frozenset(("family", "assembly", "monopoly", "anomaly", "butterfly"))
_NOUN_LINKS = frozenset(("of", "on", "for", "in", "behind", "to"))
_OFFICES = (("serve", "as"), ("work", "as"), ("act", "as"), ("become",))
_PLACED = frozenset(("in", "at"))
PREPOSITIONS = frozenset(
    [
        "about",
        "after",
        "against",
        "as",
        "at",
        "before",
        "behind",
        "by",
        "during",
        "for",
        "from",
        "in",
        "into",
        "of",
        "off",
        "on",
        "onto",
        "over",
        "through",
        "to",
        "toward",
        "towards",
        "under",
        "until",
        "upon",
        "via",
        "with",
        "within",
        "without",
        "like",
        "than",
        "since",
        "between",
        "among",
        "near",
        "outside",
        "inside",
    ]
)
_ARTICLES = frozenset(("a", "an", "the", "among", "one"))


class Pattern(NamedTuple):
    """The words before, between and after two names, and whether the first of them is the subject."""

    before: tuple[str, ...]
    between: tuple[str, ...]
    after: tuple[str, ...]
    subject_first: bool

    @property
    def is_empty(self) -> bool:
        """Whether it has no word."""
        return not (self.before or self.between or self.after)


@functools.lru_cache(maxsize=65536)
def form(word: str) -> str:
    """Return the one form of a word that patterns and texts are compared in; empty for a word that says nothing.

    >>> form("directed"), form("composing"), form("wrote"), form("countries"), form("the")
    ('direct', 'compos', 'writ', 'country', '')
    """
    if word in EMPTY or (word.endswith("ly") and len(word) > 5 and word not in _NO_ADVERBS):
        return ""
    if word in _WHO:
        return WHO
    word = FIRST_FORMS.get(word, word)
    if not word.isalpha() or len(word) < 4 or word in PREPOSITIONS:
        return word
    for ending, put in (("ies", "y"), ("ied", "y"), ("ing", ""), ("ed", ""), ("s", "")):
        if word.endswith(ending) and len(word) - len(ending) > 2 and not word.endswith(("ss", "us", "is")):
            word = word.removesuffix(ending) + put
            if ending in ("ing", "ed") and len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
                word = word[:-1]
            break
    return word.removesuffix("e") if len(word) > 3 else word


def is_irregular(word: str) -> bool:
    """Tell whether a word is a form of an irregular verb.

    >>> is_irregular("wrote"), is_irregular("filmmaker")
    (True, False)
    """
    return word in FIRST_FORMS


def forms(text: str) -> tuple[str, ...]:
    """Return the forms of a text's words, without those that say nothing.

    >>> forms("the place of birth")
    ('plac', 'of', 'bear')
    """
    return tuple([shape for shape in map(form, phrase(text)) if shape])


@dataclass(frozen=True)
class Wordings:
    """The statements of all relations that are worded, by folded label; `verbs` are the words that statements turn on."""

    by_label: Mapping[str, frozenset[Pattern]]

    @classmethod
    @functools.cache
    def shipped(cls) -> Wordings:
        """Read `queries/phrasing`."""
        by_label: dict[str, set[Pattern]] = {}
        for entry in _entries():
            _enter(by_label, entry)
        return cls({label: frozenset(patterns) for label, patterns in by_label.items()})

    def patterns(self, label: str) -> frozenset[Pattern]:
        """Return the patterns of a relation: those of its wordings, and those that its label makes.

        >>> Pattern(("mascot", "of"), (), (), True) in Wordings.shipped().patterns("mascot")
        True
        """
        return self.by_label.get(fold(label.replace("_", " ")), frozenset()) | frozenset(_of_label(label))


@functools.cache
def _entries() -> tuple[Mapping[str, Any], ...]:
    """The entries of all wordings that ship."""
    files = [file for file in (resources.files("queries") / "phrasing").iterdir() if file.name.endswith(".toml")]
    files.append(resources.files("evaluators.grounding") / "statements.toml")
    texts = [file.read_text("utf-8") for file in sorted(files, key=lambda file: file.name) if file.name not in _NO_WORDINGS]
    return tuple([entry for text in texts for entry in tomllib.loads(text).values()])


def _enter(by_label: dict[str, set[Pattern]], entry: Mapping[str, Any]) -> None:
    names = [entry["relation"], *entry.get("other", ())]
    texts = [*entry.get("yes_no", ()), *entry.get("statements", ())]
    patterns = {pattern for text in texts for pattern in statements(text)}
    patterns |= {pattern for name in names for pattern in _of_label(name)}
    for name in names:
        by_label.setdefault(fold(name), set()).update(patterns)


@functools.cache
def _names() -> Mapping[str, frozenset[str]]:
    """The names that one wording is for, by each of them."""
    found: dict[str, frozenset[str]] = {}
    for entry in _entries():
        names = frozenset(map(fold, (entry["relation"], *entry.get("other", ()))))
        for name in names:
            found[name] = found.get(name, frozenset()) | names
    return found


def names_of(label: str) -> frozenset[str]:
    """Return the folded names that a relation goes by in the wordings, its own among them.

    >>> sorted(names_of("Director"))
    ['directed by', 'director', 'film director']
    """
    own = fold(label.replace("_", " "))
    return _names().get(own, frozenset()) | {own}


def statements(wording: str) -> Iterator[Pattern]:
    """Yield the patterns of one wording.

    >>> sorted(p.between for p in statements("Did {object:the} direct {subject}?"))
    [(), ('direct',), ('direct', 'by')]
    """
    text = _SLOT.sub(lambda slot: f" {SUBJECT if slot[1] == 'subject' else OBJECT} ", _VERB.sub("", wording))
    words = text.rstrip("?. ").split()
    asked = words[0].lower() if words else ""
    if asked in _ASKING:
        words = words[1:]
    elif len(words) > 1 and words[1] in _ASKING:  # a statement: "{subject} did border {object}"
        asked = words.pop(1)
    places = [n for n, word in enumerate(words) if word in (SUBJECT, OBJECT)]
    if len(places) != 2:
        return
    first, second = places
    before, between, after = map(_joined, (words[:first], words[first + 1 : second], words[second + 1 :]))
    plain = Pattern(before, between, after, words[first] == SUBJECT)
    if plain.is_empty:
        return
    yield plain
    active = asked in ("did", "does", "do")
    yield from _turned(plain, not active and _is_noun(words[first + 1 : second]), active=active)


def _joined(words: Iterable[str]) -> tuple[str, ...]:
    return forms(" ".join(words))


def _is_noun(between: list[str]) -> bool:
    """Tell whether a statement calls the first name something: "… a founder of …"."""
    plain = [word for word in between if word.lower() not in ("ever", "been", "the", "among", "one", "of")]
    return bool(between) and bool(plain) and any(word in _ARTICLES for word in between[:3])


def _turned(plain: Pattern, noun: bool, *, active: bool) -> Iterator[Pattern]:
    """Yield what says the same as a statement in another order."""
    before, between, after, subject_first = plain
    if after or not between:
        return
    if (
        between[-1] == "by" and len(between) > 1
    ):  # S direct by O, the score for S compose by O: O direct S, O compose score for S
        yield from _active((*between[:-1], *before), not subject_first)
    if before:
        return
    if noun and between[-1] in _NOUN_LINKS and len(between) > 1:
        yield from of_noun(between[:-1], between[-1], not subject_first)
    elif active and len(between) == 1:
        yield Pattern((), (*between, "by"), (), not subject_first)
        yield Pattern((WHO, *between), (), (), not subject_first)
    elif len(between) == 2 and between[1] in ("by", "from", *_PLACED):  # born in O, S; directed by O, S
        yield Pattern(between, (",",), (), not subject_first)
    elif active and len(between) > 2 and between[-1] in _NOUN_LINKS:  # O write screenplay for S: screenplay for S write by O
        yield Pattern(between[1:], (between[0], "by"), (), not subject_first)
    if len(between) == 2 and between[1] in _PLACED:  # S bear in O: in O S bear; O where S bear; O is the place where S bear
        yield Pattern((between[1],), (), between[:1], not subject_first)
        yield Pattern((), ("wher",), between[:1], not subject_first)
        yield Pattern((), (form("place"), "wher"), between[:1], not subject_first)


def _active(verb: tuple[str, ...], subject_first: bool) -> Iterator[Pattern]:
    yield Pattern((), verb, (), subject_first)
    yield Pattern((WHO, *verb), (), (), not subject_first)


def of_noun(noun: tuple[str, ...], link: str, holder_is_subject: bool) -> Iterator[Pattern]:
    """Yield the ways to say that one name is the noun of another, its holder.

    >>> Pattern(("director", "of"), (), (), True) in list(of_noun(("director",), "of", True))
    True
    """
    first = not holder_is_subject
    yield Pattern((), (*noun, link), (), first)
    yield Pattern((*noun, link), (), (), not first)
    yield Pattern((), (POSSESSIVE, *noun), (), not first)
    yield Pattern((), (), (POSSESSIVE, *noun), first)
    yield Pattern((), ("as", *noun, link), (), first)
    yield Pattern((), (), ("as", *noun), not first)
    yield Pattern((), (":", *noun, ":"), (), not first)
    yield Pattern(("for",), (",", *noun), (), not first)
    yield Pattern((), ("(", *noun, ":"), (), not first)
    yield from (Pattern((), (*office, *noun, link), (), first) for office in _OFFICES)


def _of_label(label: str) -> Iterator[Pattern]:
    """Yield what a relation's label says by itself: a noun of the object, or what stands before it."""
    words = forms(label.replace("_", " ").split("/")[0])
    raw = phrase(label)
    if not words:
        return
    if words[-1] in PREPOSITIONS:
        yield Pattern((), words, (), True)
        yield from _turned(Pattern((), words, (), True), noun=False, active=False)
        if words[-1] == "of" and len(words) > 1:
            yield from of_noun(words[:-1], "of", False)
    elif raw[-1].endswith("ing") and len(raw) == 1 and len(words[0]) > 3:
        yield Pattern((), words, (), True)
        yield Pattern((), (*words, "in"), (), False)
    else:
        yield from of_noun(words, "of", True)
        yield from of_noun(words, "for", True)


def heads(label: str) -> tuple[str, ...] | None:
    """Return the noun that a label makes, as a text says it before a colon ("Director: …"); null where it makes none.

    >>> heads("place of birth"), heads("founded by")
    (('plac', 'of', 'bear'), None)
    """
    words = forms(label.replace("_", " ").split("/")[0])
    return None if not words or words[-1] in PREPOSITIONS else words
