"""What a writer or a judge was asked and said, kept in a file that anybody can read, share and replay.

The lines are response records whose `item` names the request by a hash of what is sent. What the file holds of a model is
not asked again; every new answer is appended and flushed as it comes, so that nothing that was paid for is lost. What failed
is asked again by the next run.

Texts that are wanted of a model (drafts) are asked for, and asked for again with what is wrong, until they can be used: who
wants them says of each reply what is wrong with it; which requests go out, and what stays in the conversation, is decided here.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from evaluators.errors import BudgetSpent
from evaluators.models.protocol import Decoding, Message, Model, Reply, Request, reply_of
from evaluators.models.quoted import visible
from evaluators.models.runs.terms import REPLAY, Terms
from kg.errors import InputError
from queries.records import Response, read
from queries.records.append import repair

if TYPE_CHECKING:
    from evaluators.models.prices import Price


class Recording:
    """A judge or a writer: a model that is asked, on terms, only what its file does not hold yet.

    Parameters: `path` is the file, or null to keep nothing. `known` counts the answers that were there already.
    Raises RecordError with file and line where the file is damaged, InputError where it cannot be written.

    >>> from evaluators.models import Message
    >>> class Yes:
    ...     name = "yes"
    ...     async def ask(self, request): return Reply("Yes.")
    ...     async def aclose(self): ...
    >>> [reply.text for reply in Recording(Yes(), None).replies([Request("a", 0, (Message("user", "Is it?"),))])]
    ['Yes.']
    """

    def __init__(
        self, model: Model, path: str | Path | None, terms: Terms = Terms(), price: Price | None = None, *, quiet: bool = True
    ) -> None:
        self._model, self._terms, self._price, self._quiet = model, terms, price, quiet
        self._recorded = model.name.startswith(REPLAY)
        # A recording that is replayed would only copy itself.
        self._path = None if path is None or self._recorded else str(path)
        self._replies: dict[_Key, Reply] = {}
        self._failures: dict[_Key, Reply] = {}
        self.known, self._usd, self._told = 0, 0.0, False
        if self._path is not None and Path(self._path).exists():
            _repair(Path(self._path))
            responses = read(self._path, Response, may_be_empty=True)
            self._replies = {(r.item, r.sample): reply_of(r) for r in responses if r.model == model.name and r.error is None}
        self._filed = set(self._replies)

    @classmethod
    def open(cls, spec: str, path: str | None, terms: Terms = Terms(), *, quiet: bool = True) -> Recording:
        """Open the model that `spec` names. Raises ModelError where there is none, InputError where a term is at fault."""
        terms.parameters  # noqa: B018 - what is wrong with them is told before anything is made
        price = terms.price(spec)
        return cls(terms.open(spec), path, terms, price, quiet=quiet)

    @property
    def name(self) -> str:
        """The name of the model itself."""
        return self._model.name

    @property
    def cost(self) -> str:
        """What was paid in this process, as a note that follows a count of requests."""
        return f" for ${self._usd:,.4f}" if self._usd else ""

    def replies(self, requests: Sequence[Request]) -> list[Reply]:
        """Ask what is not known, and return the replies in the order of the requests; what failed is a failure.

        Raises ModelError for what must stop at once: a broken key, an unknown model; BudgetSpent where the money ends.
        """
        self.ask(requests)
        keys = [(request.item, request.sample) for request in map(self._terms.on, requests)]
        return [self._replies[key] if key in self._replies else self._failures[key] for key in keys]

    def ask(self, requests: Iterable[Request]) -> None:
        """Ask what is not known, each request once, as a run does: paced, priced, in batches, each answer written as it comes.

        Parameters: `requests` is iterated over twice. Raises as `replies` does.
        """
        from evaluators.models.runs.batch import choose_way  # here: who asks no model need not wait for asyncio
        from evaluators.models.runs.display import ask_shown
        from evaluators.models.runs.run import Round

        fresh = _Fresh(requests, self)
        if not any(True for _ in fresh):
            return
        asked = Round(
            self._model, fresh, self._path or os.devnull, on_reply=self._keep, concurrency=self._terms.concurrency,
            price=self._price, budget=self._terms.budget, recorded=self._recorded,
        )  # fmt: skip
        choose_way(asked, self._terms, limited=True, quiet=self._quiet)
        # What failed before is asked again: of a judgement or a wording nothing is gained by keeping an error.
        brief, self._told = self._told, True
        (tally,) = ask_shown([asked], retry_errors=True, quiet=self._quiet or self._recorded, brief=brief)
        self._usd += tally.usd
        if tally.unaffordable:
            way_out = "the same command with a greater --budget goes on from there"
            raise BudgetSpent(f"the budget of ${self._terms.budget:,.2f} is spent", place=self.name, way_out=way_out)

    def fresh(self, request: Request) -> Request | None:
        """Return a request as it is sent; null where its answer is known, or it failed in this process."""
        sent = self._terms.on(request)
        key = (sent.item, sent.sample)
        if key in self._filed:
            self._filed.discard(key)
            self.known += 1
        return None if key in self._replies or key in self._failures else sent

    def _keep(self, request: Request, reply: Reply) -> None:
        answered = reply.error is None and reply.text is not None
        (self._replies if answered else self._failures)[request.item, request.sample] = reply


_Key = tuple[str, int]


class _Fresh:
    """Those of many requests that are not known, each once, as often as they are iterated over."""

    def __init__(self, requests: Iterable[Request], recording: Recording) -> None:
        self._requests, self._recording = requests, recording

    def __iter__(self) -> Iterator[Request]:
        seen: set[_Key] = set()
        for request in self._requests:
            sent = self._recording.fresh(request)
            if sent is not None and (sent.item, sent.sample) not in seen:
                seen.add((sent.item, sent.sample))
                yield sent


def _repair(path: Path) -> None:
    """Cut off a last line that a killed run left unfinished."""
    try:
        repair(path, Response)
    except OSError as error:
        problem = f"cannot be read ({error.strerror})"
        raise InputError(problem, place=str(path), way_out="choose another file") from error


def beside(path: str, what: str) -> str | None:
    """Name the recording after the file that it helped to make; stdout has none.

    >>> beside("made/art.jsonl.gz", "writer"), beside("-", "writer")
    ('made/art.writer.jsonl', None)
    """
    return None if path == "-" else f"{path.removesuffix('.gz').removesuffix('.jsonl')}.{what}.jsonl"


@dataclass
class Draft:
    """A text that is wanted: the conversation about it so far, and the name of its requests."""

    messages: tuple[Message, ...]
    name: str


D = TypeVar("D", bound=Draft)


def ask_drafts(
    model: Recording, drafts: Sequence[D], take: Callable[[D, Reply, int], str | None], tries: int, decoding: Decoding
) -> int:
    """Ask for each draft until it can be used, `tries` times at most; return how many requests that took.

    Parameters: `take` is given a draft, the reply and the turn. It keeps what can be used, and returns None where nothing is
    left to ask for, else what the model is told: it stays in the conversation, behind what the model said. Of nothing there is
    nothing to mend: after an empty text the same request goes out again, as another sample.

    Raises ModelError where the model cannot be asked at all, BudgetSpent where the money ends.

    >>> from evaluators.models import Message
    >>> class Learner:
    ...     name = "learner"
    ...     async def ask(self, request): return Reply("Bern" if len(request.messages) > 1 else "Bonn")
    ...     async def aclose(self): ...
    >>> draft = Draft((Message("user", "What is the capital of Switzerland?"),), "capital")
    >>> def take(draft, reply, turn): return None if reply.text == "Bern" else "No."
    >>> ask_drafts(Recording(Learner(), None), [draft], take, 3, Decoding())
    2
    >>> [message.text for message in draft.messages][1:]
    ['Bonn', 'No.']
    """
    left, requests = list(drafts), 0
    for turn in range(tries):
        if not left:
            break
        # Named by its first messages and the turn, so that a recording finds it again however the conversation went on.
        asked = [Request(draft.name, turn, draft.messages, decoding) for draft in left]
        requests += len(asked)
        replies = model.replies(asked)
        left = [draft for draft, reply in zip(left, replies, strict=True) if _goes_on(draft, reply, take(draft, reply, turn))]
    return requests


def _goes_on(draft: Draft, reply: Reply, fault: str | None) -> bool:
    """Say whether a draft is asked for again; then what came and what is wrong with it stay in its conversation."""
    if fault is None:
        return False
    said = "" if reply.error is not None else visible(reply.text or "").strip()
    if said:
        draft.messages = (*draft.messages, Message("assistant", said), Message("user", fault))
    return True
