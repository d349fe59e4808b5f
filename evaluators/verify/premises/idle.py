"""What in a text is talk: of the writer, the reader, or how it was written, and not of what the question is about.

| the sentence | example |
|---|---|
| is of the writer or of what he knows | "As an AI, I have no opinions of my own.", "My data ends in 2021." |
| is of the answer itself, or of what to do with it | "Confidence: 9/10", "It is wise to verify such details." |
| turns to another matter | "By the way, I hope the weather is pleasant." |
| is of what the writer does, or of how the text came about | "It wasn't easy to look this up." |

None of them has a word of the question's matter, names those whom it is about, calls the question wrong, or says that the
answer is not known. Labels ("Answer:", a heading "Response") and the marks of footnotes are left out with them. All is put as
blanks, so that every character keeps its place.
"""

from __future__ import annotations

import re
from itertools import pairwise

from evaluators.verify.premises.lists import listed, pattern
from evaluators.verify.premises.matter import FUNCTION, Matter
from evaluators.verify.reading.text import Sentence, Span, Text, read_text
from evaluators.verify.reading.unknowing import professions

_TALK, _FIRST_PERSON = listed("talk"), listed("first_person") | {"me", "my", "lets"}
_LABELS, _MARKING = listed("labels"), listed("labels") | listed("making") | _TALK | _FIRST_PERSON
_ELSEWHERE, _FALLIBLE, _TALKING = pattern("elsewhere"), pattern("fallible"), pattern("talking")
_KEPT = [pattern(name) for name in ("kept", "pointing", "pointing_back", "disbelief", "unknowing")]
_TURNING_AWAY = listed("turning_away")
_PERSONS = frozenset({"he", "she", "him", "her", "they", "them", "his", "their"})
_LABEL = re.compile(
    r"^[ ]*(?:(?:my|the|a|final|short|brief|direct|correct|model|full|quick) )*"
    rf"(?:{'|'.join(sorted(_LABELS))})[ ]*(?::[ ]*|$)",
    re.IGNORECASE | re.MULTILINE,
)
_SMALL = re.compile(r"(?<=\w{2}\w)[.!?]\s+(?=[a-z])")
_SIGNS = 4
"""So many signs may open a sentence."""
_OPENING = re.compile(r"[(\[\"'*]+\Z")
_NOTE = re.compile(r"\[\^?\d{1,2}\^?\]")


def without_talk(text: str, matter: Matter) -> str:
    """Blank out talk, labels and the marks of footnotes, where anything else is left.

    >>> without_talk("I did not use any tools. He died in 1955[1].", Matter("When did Einstein die in Ulm?")).split()
    ['He', 'died', 'in', '1955', '.']
    >>> without_talk("I don't know.", Matter("When did Einstein die in Ulm?"))
    "I don't know."
    """
    if "[" in text:
        text = _NOTE.sub(lambda note: " " * len(note[0]), text)
    read = read_text(text)
    if _MARKING.isdisjoint(read.words):
        return text
    if not _LABELS.isdisjoint(read.words):
        text = _blanked(text, [label.span() for label in _LABEL.finditer(text)])
        read = read_text(text)
    return _blanked(text, _Talk(read, matter).spans())


def _blanked(text: str, spans: list[Span]) -> str:
    """Put blanks for some characters, in order, unless no word would be left."""
    pieces, last = [], 0
    for start, end in spans:
        pieces += [text[last:start], re.sub(r"[^\n]", " ", text[start:end])]
        last = end
    blanked = "".join([*pieces, text[last:]])
    return blanked if any(map(str.isalnum, blanked)) else text


class _Talk:
    """The talk of a text."""

    def __init__(self, read: Text, matter: Matter) -> None:
        self.read, self.matter = read, matter
        self._kept = {
            n
            for said in professions(read)
            for n in range(said.first, said.last)
            if said.kind not in ("doubt", "ignorance")
            or not _FALLIBLE.search(read.original[slice(*read.span(said.first, said.last))])
        }

    def spans(self) -> list[Span]:
        """Return the characters of the sentences that are talk, in order."""
        pieces = [piece for sentence in self.read.sentences for piece in self._cut(sentence)]
        return [self._characters(first, last) for first, last in pieces if self._is_talk(first, last)]

    def _cut(self, sentence: Sentence) -> list[tuple[int, int]]:
        """Cut a sentence where a full stop stands before a small letter, as hasty writers leave it."""
        cuts = [self.read.word_at(stop.end()) for stop in _SMALL.finditer(self.read.original, sentence.start, sentence.end)]
        return [*pairwise([sentence.first, *cuts, sentence.last])]

    def _characters(self, first: int, last: int) -> Span:
        """Return the characters of some words, with the signs before and behind them."""
        starts, ends = self.read.starts, self.read.ends
        before = _OPENING.search(
            self.read.original, max(ends[first - 1] if first else 0, starts[first] - _SIGNS), starts[first]
        )
        return before.start() if before else starts[first], starts[last] if last < len(starts) else len(self.read.original)

    def _is_talk(self, first: int, last: int) -> bool:
        words = self.read.words[first:last]
        if _MARKING.isdisjoint(words) and words[0] not in _TURNING_AWAY:
            return False
        if any(word in self.matter.names or (word not in FUNCTION and self.matter.tells(word)) for word in words):
            return False
        said = self.read.original[slice(*self.read.span(first, last))]
        if _TALKING.search(said) or (words[0] in _TURNING_AWAY and _ELSEWHERE.match(said)):
            return True
        if not (_PERSONS.isdisjoint(words) and self._kept.isdisjoint(range(first, last))):
            return False
        if _TALK.isdisjoint(words) and (_FIRST_PERSON.isdisjoint(words) or not self._is_of_writer(first, last)):
            return False
        return not any(kept.search(said) for kept in _KEPT)

    def _is_of_writer(self, first: int, last: int) -> bool:
        """Tell whether the writer says something of himself, and nothing of anybody else: no name, no number, no "he"."""
        read, words = self.read, self.read.words[first:last]
        if "it" in words:
            return False
        return any(word not in FUNCTION for word in words) and not any(
            read.words[n][0].isdigit() or read.original[read.starts[n]].isupper()
            for n in range(first + 1, last)
            if read.words[n] not in _FIRST_PERSON
        )
