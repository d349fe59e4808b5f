"""What a text describes as what: whoever is asked about a painter, and describes a singer, knows somebody else.

A probe says what its topic is ("the painter Remedios Varo", "Dettifoss, a waterfall in Iceland"). A text that claims to know it
says so too, in other words: "a surrealist artist". Words for people and things stand in families (`reading/words/kinds.toml`);
a description whose words are all of other families is one of something else.

| asked | the text | describes |
|---|---|---|
| the painter X | "X was a Spanish surrealist", "X, the artist" | the same |
| the painter X | "X was an Argentine tango singer" | something else |
| the painter X | "X was a teacher" (of no family), "X was a singer, and a painter" | the same, as far as is told |
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

from evaluators.verify.reading.text import Span, phrase
from evaluators.verify.reading.words import word_list

_FAMILIES: dict[str, str] = {word: family for family, words in word_list("kinds").items() for word in words}
_IS = r"(?:,? (?:is|was|are|were|'s|has been)|'s)(?: \w+ly)? "
_NOUNS = r"(?:(?:an?|the|one of the|some)(?: (?:pair|group|series|set) of)? )(?P<nouns>[^.;:!?\n(]{3,80})"
# "Bo Hart, born in 1908, is ...", "Bo Hart in Wales, a part of Britain, is ..."
_APART = (
    r"(?: in (?:[A-Z][\w-]+ ?){1,3}(?<! ))?"
    r"(?:,[^,.;:!?\n]{1,60},|,(?: [A-Z][^\W\d_]+){1,3},?)?"
)
_DENIED = re.compile(r"\b(?:not|never|no|n't|nor|neither|hardly)\b", re.IGNORECASE)
_STOP = re.compile(
    r",? \b(?:who|whose|which|that|where|of|in|on|at|from|for|by|with|best|known|famous|made|based|whom|when|to|near|about)\b|,"
)
_APPOSED = re.compile(r",? (?:an?|the|one of the) (?P<nouns>[^.;:!?\n(]{3,80})")


def family_of(words: str) -> str | None:
    """Return the family of what some words call something, by the last of them that has one.

    >>> family_of("Argentine tango singer"), family_of("waterfalls"), family_of("friend")
    ('performing', 'water', None)
    """
    found = None
    for word in phrase(words):
        found = _FAMILIES.get(word) or _FAMILIES.get(word.removesuffix("s")) or found
    return found


@functools.lru_cache(maxsize=4096)
def asked_family(question: str, topic: str) -> str | None:
    """Return the family of what a probe says its topic is, before its name or behind it.

    >>> asked_family("Do you know the painter Bo Hart, born in 1908?", "Bo Hart")
    'picturing'
    >>> asked_family("Do you know Dettifoss, a waterfall in Iceland?", "Dettifoss")
    'water'
    """
    before, _, behind = question.partition(topic)
    called = before.rpartition(" the ")[2] if " the " in before else ""
    apposed = _APPOSED.match(behind)
    return family_of(called.removesuffix(" of ")) or (family_of(_own(apposed["nouns"])) if apposed else None)


def _own(nouns: str) -> str:
    """Return the words up to what only tells more of them."""
    stop = _STOP.search(f" {nouns}")
    return nouns[: max(0, stop.start() - 1)] if stop else nouns


def described_otherwise(text: str, question: str, topic: str) -> Span | None:
    """Return the words that describe a probe's topic as something else, where nothing describes it as what it is.

    >>> asked = "Do you know the painter Bo Hart?"
    >>> described_otherwise("Yes, Bo Hart was a tango singer.", asked, "Bo Hart")
    (19, 31)
    >>> described_otherwise("Yes, Bo Hart was a singer. He was a fine artist, too.", asked, "Bo Hart")
    """
    family = asked_family(question, topic) if topic else None
    if family is None or any(family_of(word) == family for word in phrase(text)):
        return None
    for start, end in _descriptions(text, topic):
        found = family_of(_own(text[start:end]))
        if found is not None and found != family:
            return start, start + len(_own(text[start:end]))
    return None


def described_as_asked(text: str, question: str, topic: str) -> bool:
    """Tell whether a text describes a probe's topic as what the question calls it.

    >>> described_as_asked("Bo Hart, born in 1908, is a Welsh painter.", "Do you know the painter Bo Hart?", "Bo Hart")
    True
    """
    family = asked_family(question, topic)
    return family is not None and any(family_of(_own(text[start:end])) == family for start, end in _descriptions(text, topic))


def _descriptions(text: str, topic: str) -> Iterator[Span]:
    """Yield what a text says that its topic is, without its article."""
    name = "|".join(re.escape(part) for part in sorted({topic, topic.split()[-1], topic.split()[0]}, key=len, reverse=True))
    pattern = re.compile(rf"\b(?:{name}|[Ii]t|[Hh]e|[Ss]he|[Tt]hey|[Tt]his|[Tt]hat)(?:{_APART}{_IS}|, ){_NOUNS}")
    for match in pattern.finditer(text):
        if not _DENIED.search(text, match.start(), match.start("nouns")):
            yield match.span("nouns")
