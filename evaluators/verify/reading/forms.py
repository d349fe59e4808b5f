"""Forms of English sentences over folded words: "i ..2 not ..2 {know}" is "I really do not quite remember".

A form is a row of elements with blanks between them. It is looked for in a line that holds the words of a text with their
contractions written out ("don't" is "do not") and a mark for each sign that parts them.

| element | what it stands for |
|---|---|
| `know`, `know*` | this word; any word that begins so |
| `{know}` | one of the words or phrases of this class |
| `know?`, `{know}?` | it may be there |
| `..3` | up to three words, no mark and no "I", "we", "he" or "she" among them |
| `..3!{article}` | the same, none of this class among them |
| `,` | a mark within a sentence, or its end (`,?`: it may be there) |
| `!know`, `!{know}` | what follows is none of these |
| `^`, `$` | here a clause begins or ends: at a mark, or at the beginning or end of the text |
| `?` | the end of a question |
"""

from __future__ import annotations

import functools
import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from evaluators.verify.reading.text import Text
from evaluators.verify.reading.words import word_list
from kg.patterns import late

_CONTRACTIONS: dict[str, str] = word_list("contractions")
_APOSTROPHES: dict[str, str] = word_list("apostrophes")
_PARTING = re.compile(r"[,;:()\[\]{}|…—–]|\s-+\s")
_ASKED = re.compile(r"\?")
_END, _SUBJECT_END = "<", ">"
"""One stands behind each word of a line, and behind it the marks of the classes that the word is of, or of which a phrase
begins with it, a character each: a form looks for one character, not for each of a hundred words and phrases, and its pattern
is compiled in a tenth of the time."""
_SUBJECTS = frozenset(("i", "we", "he", "she"))
_REST = "[^ ]*"
"""What may follow the beginning of a word, its end and marks included."""
_WORD = f"[^ ,.?][^ {_SUBJECT_END}]* "
"""A word in between; none that would be another subject."""
_SIGNS = frozenset(",.?")


class Line(NamedTuple):
    """The words of a text and the marks between them, each with a blank behind it.

    A full stop ends a sentence, a question mark ends one that asks, a comma stands for any other sign that parts.
    `marked` is the same with the marks of its classes behind each word; `places` says where each piece starts in that, `words`
    which word of the text each piece stands for.
    """

    content: str
    marked: str
    places: list[int]
    words: list[int]

    @classmethod
    def of(cls, text: Text) -> Line:
        """Write a text as a line.

        >>> Line.of(Text("Sorry - I can't say. Who could?")).content
        '. sorry , i can not say . who could ? '
        """
        original, starts, ends = text.original, text.starts, text.ends
        begins = {sentence.first for sentence in text.sentences}
        pieces, of = ["."], [0]
        for n, word in enumerate(text.words):
            between = original[ends[n - 1] : starts[n]] if n else " "
            if between != " ":
                mark = _mark(between, ends_sentence=n in begins)
                if mark:
                    pieces.append(mark)
                    of.append(n)
            # "ill" and "id" are words too: only the apostrophe makes them "I will" and "I would".
            written_out = _CONTRACTIONS.get(word)
            if written_out is None and word in _APOSTROPHES and not original[starts[n] : ends[n]].isalnum():
                written_out = _APOSTROPHES[word]
            for piece in (word,) if written_out is None else written_out.split():
                pieces.append(piece)
                of.append(n)
        if ends:
            pieces.append(_mark(original[ends[-1] :], ends_sentence=True) or ".")
            of.append(len(ends) - 1)
        marked, places, at = [_marked(piece) for piece in pieces], [], 0
        for n, piece in enumerate(pieces):
            for others, mark in _phrases_by_first().get(piece, ()):
                if _are(pieces[n + 1 : n + 1 + len(others)], others):
                    marked[n] += mark
        for piece in marked:
            places.append(at)
            at += len(piece) + 1
        return cls(" ".join(pieces) + " ", " ".join(marked) + " ", places, of)

    def word_span(self, start: int, end: int) -> tuple[int, int]:
        """Return the range of the text's words that pieces of the line stand for."""
        first = self.words[bisect_right(self.places, start) - 1]
        return first, max(first, self.words[bisect_right(self.places, end - 1) - 1]) + 1


def _mark(between: str, *, ends_sentence: bool) -> str | None:
    if ends_sentence:
        return "?" if _ASKED.search(between) else "."
    return "," if _PARTING.search(between) else None


class Forms(NamedTuple):
    """Forms of one kind, and words of which a text has one if it holds any of them."""

    needs: frozenset[str]
    pattern: re.Pattern[str]

    def found(self, line: Line) -> Iterator[tuple[int, int]]:
        """Yield the characters of a line, as it is marked, that have one of the forms."""
        return (match.span() for match in self.pattern.finditer(line.marked) if match.end() > match.start())


def forms(table: str) -> dict[str, Forms]:
    """Return the groups of forms of a word list; each says which words a text `needs` to have, one of them.

    >>> line = Line.of(Text("I am not at all sure."))
    >>> line.word_span(*next(forms("doubt")["unsure"].found(line)))
    (0, 6)
    """
    return {name: _compiled(group["needs"], group["forms"]) for name, group in word_list(table).items()}


def _compiled(needs: list[str], rows: list[str]) -> Forms:
    words = {phrase.split()[0] for name in needs for phrase in _phrases(name) if not phrase.endswith("*")}
    # A word of a contraction stands in the text in its short form.
    short = {form for each in (_CONTRACTIONS, _APOSTROPHES) for form, long in each.items() if words.intersection(long.split())}
    return Forms(frozenset(words | short), late(rf"(?<![^ ]){_of_forms([row.split() for row in rows])}"))


def _phrases(name: str) -> list[str]:
    """Return the phrases of a class, and of the classes in it; a word is its own phrase."""
    if not name.startswith("{"):
        return [name]
    return [phrase for entry in word_list("classes")[name.strip("{}")] for phrase in _phrases(entry)]


def _of_forms(rows: list[list[str]]) -> str:
    """Return one pattern for forms; what several of them begin with is looked for once, or it takes three times as long."""
    branches: dict[str, list[list[str]]] = {}
    for row in rows:
        branches.setdefault(row[0] if row else "", []).append(row[1:])
    found = [_of_element(first) + _of_forms(rest) if first else "" for first, rest in branches.items()]
    return found[0] if len(found) == 1 else f"(?:{'|'.join(found)})"


@functools.cache
def _of_element(element: str) -> str:
    if element.startswith(".."):
        count, _, without = element[2:].partition("!")
        return f"(?:{f'(?!{_one_of(without)})' if without else ''}{_WORD}){{0,{int(count)}}}?"
    if element in ("^", "$", "?"):
        return {"^": r"(?<=[,.?] )", "$": r"(?=[,.?])", "?": r"\? "}[element]
    if element.startswith("!"):
        return f"(?!{_one_of(element[1:])})"
    optional = element.endswith("?")
    bare = element.removesuffix("?")
    found = r"[,.?] " if bare == "," else _one_of(bare)
    found = f"(?:{found})" if optional or "|" in found else found
    return f"{found}?" if optional else found


def _one_of(name: str) -> str:
    """Return the pattern of a word or class: the phrases of a class, the longest first, then its words, all by their marks."""
    if not name.startswith("{"):
        return f"{_as_written(name)} "
    marks = sorted(((size, mark) for (of, size), mark in _mark_of().items() if of == name.strip("{}")), reverse=True)
    return "|".join([f"{_REST}{mark}{f'{_REST} ' * size}" for size, mark in marks])


def _as_written(word: str) -> str:
    return re.escape(word).replace(r"\*", _REST) + ("" if word.endswith("*") else _end_of(word) + _REST)


def _end_of(word: str) -> str:
    return _SUBJECT_END if word in _SUBJECTS else _END


@functools.cache
def _mark_of() -> dict[tuple[str, int], str]:
    """Return the mark of each class for its phrases of so many words, which stands behind the first of these."""
    sizes = {(name, len(phrase.split())): None for name in word_list("classes") for phrase in _phrases(f"{{{name}}}")}
    return {of: chr(0xE000 + place) for place, of in enumerate(sizes)}


@functools.cache
def _phrases_by_first() -> dict[str, list[tuple[list[str], str]]]:
    """Map the first word of a phrase to the others and the phrase's mark; "*" is any word."""
    found: dict[str, list[tuple[list[str], str]]] = {}
    for (name, size), mark in _mark_of().items():
        for first, *others in dict.fromkeys(tuple(phrase.split()) for phrase in _phrases(f"{{{name}}}")):
            if len(others) + 1 == size > 1:
                found.setdefault(first, []).append((others, mark))
    return found


def _are(pieces: list[str], words: list[str]) -> bool:
    alike = (piece == word or (word == "*" and piece not in _SIGNS) for piece, word in zip(pieces, words, strict=False))
    return len(pieces) == len(words) and all(alike)


class _Members(NamedTuple):
    """The marks of words, of beginnings and of ends of words."""

    whole: dict[str, str]
    begun: dict[str, str]
    ended: dict[str, str]


@functools.cache
def _members() -> _Members:
    members = _Members({}, {}, {})
    for (name, size), mark in _mark_of().items():
        for word in dict.fromkeys(_phrases(f"{{{name}}}")):
            if len(word.split()) == size == 1:
                kind = members.ended if word.startswith("*") else members.begun if word.endswith("*") else members.whole
                kind[word.strip("*")] = kind.get(word.strip("*"), "") + mark
    return members


@functools.lru_cache(maxsize=65536)
def _marked(word: str) -> str:
    """Return a word with its end and the marks of its classes; a sign has none."""
    if word in _SIGNS:
        return word
    members, size = _members(), len(word)
    begun = [members.begun.get(word[:end], "") for end in range(1, size + 1)]
    ended = [members.ended.get(word[start:], "") for start in range(size)]
    return "".join([word, _end_of(word), members.whole.get(word, ""), *begun, *ended])
