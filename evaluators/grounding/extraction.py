"""Claims that a model reads from answers, beside those that the rules read; the graph says of both how they stand.

The model is told which relations the things around a question have, and lists what an answer says, with the words that say
it. What it lists is held to the text and to the graph: words that the answer does not have, relations that were not offered,
and names that nothing bears are left out and counted. How a claim stands is never the model's to say.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import resources
from itertools import islice
from types import TracebackType
from typing import NamedTuple

import msgspec

from evaluators.grounding.ground import Grounding
from evaluators.grounding.reading import Claim
from evaluators.models import Decoding, Message, Request
from evaluators.models.identity import request_name
from evaluators.models.quoted import quoted
from evaluators.models.runs import Recording
from evaluators.verify.question import Question
from evaluators.verify.stream import Answer, Piece
from kg.cli import note
from kg.text import fold
from queries.records import claim as record
from queries.records.record import decoder

_LONG = 4000
"""Tokens for a report, and for the thoughts of a model that thinks before it."""
_OFFERED = 80
"""So many relations are offered at most: those of what the question names, then the most frequent beside that."""
_MOST = 60
"""Claims of one answer that are taken."""
_NO_REPORT = "no report"
_CHUNK = 256
"""Answers that are read together."""


class Told(msgspec.Struct, forbid_unknown_fields=True):
    """A claim as a model tells it."""

    quote: str
    subject: str
    relation: str
    object: str
    denied: bool


class _Report(msgspec.Struct, forbid_unknown_fields=True):
    claims: list[Told]


class _Waiting(NamedTuple):
    """An answer on disk: behind which line its claims stand, how many of them are its own, and what it is."""

    at: int
    own: int
    item: str
    model: str
    sample: int
    text: str


@dataclass(frozen=True)
class _Prompt:
    cited: str
    system: str
    user: str


@cache
def _prompt() -> _Prompt:
    data = (resources.files("evaluators.grounding") / "extraction.toml").read_bytes()
    fields = tomllib.loads(data.decode())
    return _Prompt(f"claims/{fields['version']}@{hashlib.sha256(data).hexdigest()[:12]}", fields["system"], fields["user"])


def _schema() -> str:
    texts = {name: {"type": "string"} for name in ("quote", "subject", "relation", "object")}
    one = {"type": "object", "properties": {**texts, "denied": {"type": "boolean"}}, "additionalProperties": False}
    several = {"type": "array", "items": one | {"required": [*texts, "denied"]}}
    return json.dumps(
        {"type": "object", "properties": {"claims": several}, "required": ["claims"], "additionalProperties": False}
    )


def read_claims_told(text: str | None) -> list[Told] | None:
    r"""Return the claims that a model lists; null where its report is none: one JSON object, alone or in a fence.

    >>> claim = '{"quote": "by X", "subject": "S", "relation": "director", "object": "X", "denied": false}'
    >>> [told.object for told in read_claims_told('```json\n{"claims": [' + claim + ']}\n```')]
    ['X']
    >>> read_claims_told("There are none."), read_claims_told('{"claims": [{"subject": "S"}]}')
    (None, None)
    """
    body = (text or "").rpartition("</think>")[2].strip()
    body = body.removeprefix("```json").removeprefix("```").removesuffix("```")
    try:
        return msgspec.json.decode(body.strip(), type=_Report).claims[:_MOST]
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return None


@dataclass
class Extraction:
    """A model that reads claims, and the answers it is to read: the claims of the rules wait on disk until it did."""

    grounding: Grounding
    model: Recording
    questions: Mapping[str, Question]
    quiet: bool = False
    left_out: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._lines = tempfile.TemporaryFile()  # noqa: SIM115 - closed by __exit__
        self._answers = tempfile.TemporaryFile()  # noqa: SIM115
        self._written, self._asked = 0, 0

    def __enter__(self) -> Extraction:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._lines.close()
        self._answers.close()

    def add(self, piece: Piece) -> None:
        """Keep the claims of a piece, and the answers of which a model is to read more."""
        for at, own, answer in piece.explained:
            waiting = _Waiting(self._written + at, own, answer.item, answer.model, answer.sample, answer.text or "")
            if self._offered(waiting):
                self._answers.write(json.dumps(waiting).encode() + b"\n")
                self._asked += 1
        self._lines.write(piece.claims)
        self._written += piece.claims.count(b"\n")

    def __iter__(self) -> Iterator[Request]:
        """Yield what the model has to be asked, as often as that is wanted."""
        return map(self._request, self._waiting())

    def _waiting(self) -> Iterator[_Waiting]:
        self._answers.seek(0)
        return (_Waiting(*json.loads(line)) for line in self._answers)

    def claims(self) -> Iterator[bytes]:
        """Yield all claims in the order of the answers, in pieces: behind those of the rules what the model read besides.

        Raises ModelError where the model cannot be asked at all.
        """
        answers = f"{self._asked:,} {'answer' if self._asked == 1 else 'answers'}"
        note(f"{self.model.name} reads what {answers} {'claims' if self._asked == 1 else 'claim'}", self.quiet)
        self.model.ask(self)  # all at once, so that one budget, one pace and one batch serve all of them
        self._lines.seek(0)
        waiting, done = self._waiting(), 0
        while chunk := list(islice(waiting, _CHUNK)):
            replies = self.model.replies([self._request(each) for each in chunk])
            for each, reply in zip(chunk, replies, strict=True):
                lines = list(islice(self._lines, each.at - done))
                more = self._more(each, None if reply.error else reply.text, lines[len(lines) - each.own :])
                yield b"".join([*lines, *(claim.line().encode() + b"\n" for claim in more)])
                done = each.at
        while rest := list(islice(self._lines, _CHUNK)):
            yield b"".join(rest)
        self._note_left_out()

    def _note_left_out(self) -> None:
        if failed := self.left_out.pop(_NO_REPORT, 0):  # never silently, not even with --quiet: answers are left unread
            note(f"{self.model.name}: of {failed:,} of {self._asked:,} answers came no list of claims that can be read")
        if self.left_out:
            told = ", ".join(f"{n:,} {why}" for why, n in sorted(self.left_out.items()))
            note(f"left out of what {self.model.name} lists: {told}", self.quiet)

    def _request(self, waiting: _Waiting) -> Request:
        relations = "\n".join(json.dumps(label, ensure_ascii=False) for label in self._offered(waiting))
        material = {"relations": relations, "question": self.questions[waiting.item].text, "answer": waiting.text}
        prompt = _prompt()
        texts = prompt.system.strip(), prompt.user.format_map(quoted(material)).strip()
        messages = (Message("system", texts[0]), Message("user", texts[1]))
        decoding = Decoding(temperature=0.0, max_tokens=_LONG, schema=_schema())
        return Request(request_name("judge.claims", messages, decoding), 0, messages, decoding)

    def _offered(self, waiting: _Waiting) -> list[str]:
        """Return the labels of relations of what a question names, and of what lies beside that."""
        place, facts = self.grounding.place_of(self.questions[waiting.item]), self.grounding.facts
        named = {facts.relations[p].label for entity in place.named for p in self._relations_of.get(entity, ())}
        beside = Counter(facts.relations[p].label for entity in place.near for p in self._relations_of.get(entity, ()))
        frequent = sorted(beside, key=lambda label: (-beside[label], label))
        return list(dict.fromkeys([*sorted(named), *frequent]))[:_OFFERED]

    @cached_property
    def _relations_of(self) -> Mapping[int, Set[int]]:
        found: dict[int, set[int]] = defaultdict(set)
        for (s, p), objects in self.grounding.facts.objects.items():
            for entity in (s, *objects):
                found[entity].add(p)
        for s, p in self.grounding.facts.values:
            found[s].add(p)
        return found

    @cached_property
    def _by_label(self) -> Mapping[str, Sequence[int]]:
        found: dict[str, list[int]] = defaultdict(list)
        for number, relation in enumerate(self.grounding.facts.relations):
            found[fold(relation.label)].append(number)
        return found

    def _more(self, waiting: _Waiting, report: str | None, own: Sequence[bytes]) -> list[record.Claim]:
        """Return what a model read that the rules did not; what it cannot show by the text and the graph is counted."""
        told = read_claims_told(report)
        if told is None:
            self.left_out[_NO_REPORT] += 1
            return []
        question = self.questions[waiting.item]
        offered = {fold(label) for label in self._offered(waiting)}
        near = self.grounding.place_of(question).near
        claims = [claim for each in told if (claim := self._claim(each, waiting.text, offered, near))]
        read = [decoder(record.Claim)(line) for line in own]
        answer = Answer(0, waiting.item, waiting.model, waiting.sample, waiting.text)
        return self.grounding.more(answer, question, claims, read, by=f"{self.model.name} {_prompt().cited}")

    def _claim(self, told: Told, text: str, offered: Set[str], near: Set[int]) -> Claim | None:
        quote = told.quote.strip()
        at = text.find(quote) if quote else -1
        if at < 0:
            self.left_out["with words that the answer does not have"] += 1
            return None
        if fold(told.relation) not in offered:
            self.left_out["of a relation that was not offered"] += 1
            return None
        readings = self.grounding.reader.readings(self._by_label[fold(told.relation)], told.subject, told.object, near)
        if not readings:
            self.left_out["of names that nothing of its kind bears"] += 1
            return None
        return Claim(readings, told.denied, open=False, span=(at, at + len(quote)))
