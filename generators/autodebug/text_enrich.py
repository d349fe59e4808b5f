"""Category 2 on free text, without a model: sentences of retrieved passages, put around the evidence.

Two queries, as in the paper (§2.2): the evidence itself, and the question; by BM25 (Robertson, Zaragoza: The Probabilistic
Relevance Framework, 2009; the library bm25s). Three passages of different pages, of each the first sentence or the first two. A
sentence is not taken where it holds the answer, most of the question's words (it might answer it otherwise), or, the first,
where it names nothing or begins with a word that needs another before it ("He", "This").
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from generators.autodebug.qa_files import Asked, json_lines, text_of
from generators.autodebug.text_edits import mentions, sentences, support_of
from generators.items import short_hash
from kg.errors import SourceError
from kg.text import fold

if TYPE_CHECKING:
    from generators.autodebug.embeddings import Embedder

PAGES = 3
_SENTENCES = 2
_RETRIEVED = 24
_ALIKE = 0.5
"""Share of common words from which on two passages are one."""
_RELATED = 0.2
"""Share of the best passage's score that another must have."""
_LEANS = re.compile(
    r"^[\"“'‘]?(?:he|she|it|they|his|her|its|their|this|that|these|those|such|here|there|then|but|and|however|also|both|another|later"
    r"|in addition|for example|as a result|instead|the (?:film|song|book|series|album|show|former|latter))\b",
    re.IGNORECASE,
)
_NAMES = re.compile(r"\s[\"“‘(]?[A-Z]")
_LONGEST = 45
_CLOSED = re.compile(r"[.!?][\"”’')\]]*$")
_UNNAMED = re.compile(r"(?:The|An?) (?:\d+-year-old|(?:[^A-Z\s]+ ){4})")
"""A sentence that begins with "The striker …" and names nobody soon is about somebody whom a sentence before it named."""


class Page(NamedTuple):
    """A passage that can be retrieved, and the page it is of."""

    page: str
    text: str


def read_pages(path: str) -> list[Page]:
    """Read passages, JSON Lines with `text` and `title` or `id`. Raises SourceError naming file and line."""
    pages = []
    for number, (place, record) in enumerate(json_lines(text_of(path), path), start=1):
        if not isinstance(record, dict) or not isinstance(record.get("text"), str):
            raise SourceError("the field 'text' is missing", place=place, way_out="a passage has `text` and `title` or `id`")
        if record["text"].strip():
            pages.append(Page(str(record.get("title") or record.get("id") or number), " ".join(record["text"].split())))
    if not pages:
        raise SourceError("there is no passage", place=path, way_out="JSON Lines, each with `text` and `title`")
    return pages


@dataclass(frozen=True)
class Retriever:
    """The nearest passages, by embeddings where there is an embedder, else by BM25."""

    pages: Sequence[Page]
    embedder: Embedder | None = None

    def best(self, queries: Sequence[str]) -> list[list[Page]]:
        """Return for each query the passages nearest to it, the best first.

        >>> Retriever([Page("a", "cats and dogs"), Page("b", "rivers and lakes")]).best(["a dog or two dogs"])[0][0].page
        'a'
        """
        if not self.pages or not queries:
            return [[] for _ in queries]
        if self.embedder is not None:
            near = self.embedder.vectors(queries) @ self.embedder.vectors([page.text for page in self.pages]).T
            order = np.argsort(-near, axis=1, kind="stable")[:, :_RETRIEVED]
            return [[self.pages[int(place)] for place in row] for row in order]
        import bm25s  # here: it takes a quarter of a second to load

        index = bm25s.BM25()
        texts = bm25s.tokenize([fold(page.text) for page in self.pages], stopwords="en", show_progress=False)
        index.index(texts, show_progress=False)
        asked = bm25s.tokenize([fold(query) for query in queries], stopwords="en", show_progress=False)
        places, scores = (
            np.asarray(part) for part in index.retrieve(asked, k=min(_RETRIEVED, len(self.pages)), show_progress=False)
        )
        # Of a small file the nearest passages may have nothing to do with the query.
        related = scores > np.maximum(0, _RELATED * scores[:, :1])
        return [[self.pages[int(place)] for place in row[kept]] for row, kept in zip(places, related, strict=True)]


def near_pages(asked: Asked, retrieved: Sequence[Page]) -> list[Page]:
    """Return of the nearest passages, three at most and of different pages, the first sentences that can be woven in."""
    said = {fold(sentence) for sentence in sentences(asked.evidence)}
    taken: dict[str, Page] = {}
    for page in _others(asked, retrieved):
        begin = sentences(page.text)[:_SENTENCES]
        if page.page in taken or fold(begin[0]) in said or not _stands_alone(begin[0]) or not _usable(begin[0], asked):
            continue
        chosen = begin if all(_usable(sentence, asked) for sentence in begin) else begin[:1]
        taken[page.page] = Page(page.page, " ".join(chosen))
        said |= {fold(sentence) for sentence in chosen}
        if len(taken) == PAGES:
            break
    return list(taken.values())


def whole_pages(asked: Asked, retrieved: Sequence[Page]) -> list[Page]:
    """Return the nearest passages, three at most and of different pages, that do not hold the answer."""
    taken: dict[str, Page] = {}
    for page in _others(asked, retrieved):
        if len(taken) < PAGES and not mentions(asked.answer).search(page.text):
            taken.setdefault(page.page, page)
    return list(taken.values())


def _others(asked: Asked, retrieved: Sequence[Page]) -> list[Page]:
    """Leave out what is the evidence itself, or much of it."""
    return [page for page in retrieved if page.text and _overlap(page.text, asked.evidence) <= _ALIKE]


def woven(asked: Asked, pages: Sequence[Page], seed: int, expansion: str) -> str:
    """Put sentences of passages before the evidence and behind it, as drawn by hash."""
    return _merged(sentences(asked.evidence), [[page.text] for page in pages], f"{seed}\0{asked.question}\0{expansion}")


def _merged(own: list[str], added: list[list[str]], key: str) -> str:
    # The evidence stays in one piece: "with him" and "two years later" lean on what is before, and no rule sees all that does.
    places = [0] if not _LEANS.match(own[0]) else []
    places += [len(own)] if _CLOSED.search(own[-1]) else []
    places = places or [0]
    slots: dict[int, list[str]] = {}
    for number, taken in enumerate(added):
        slot = places[int(short_hash(f"{key}\0{number}"), 16) % len(places)]
        slots.setdefault(slot, []).extend(taken)
    parts = [sentence for place in range(len(own) + 1) for sentence in [*slots.get(place, []), *own[place : place + 1]]]
    return " ".join(parts)


def _stands_alone(sentence: str) -> bool:
    """Say whether a sentence names what it is about."""
    return not _LEANS.match(sentence) and not _UNNAMED.match(sentence) and _NAMES.search(sentence) is not None


def _usable(sentence: str, asked: Asked) -> bool:
    words = set(fold(sentence).split())
    wanted = {word for word in fold(asked.question).split() if len(word) > 3}
    whole = 5 <= len(sentence.split()) <= _LONGEST and sentence[0].isupper() and sentence[-1] in ".!?"
    told = bool(wanted) and len(wanted & words) * 3 >= 2 * len(wanted)
    return whole and not told and f" {fold(asked.answer)} " not in f" {fold(sentence)} "


def _overlap(a: str, b: str) -> float:
    one, other = set(fold(a).split()), set(fold(b).split())
    return len(one & other) / max(1, min(len(one), len(other)))


def support_text(asked: Asked) -> str:
    """Return the sentence that supports the answer, as it stands."""
    return sentences(asked.evidence)[support_of(asked)]
