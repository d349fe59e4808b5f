"""Texts that are wanted of a model: asked for, and asked for again with what is wrong, until they can be used.

Writers, authors and helpers bring their drafts and say of each reply what is wrong with it; which requests go out, under which
names, and what stays in the conversation is decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from evaluators.models.protocol import Decoding, Message, Reply, Request
from evaluators.models.quoted import visible
from evaluators.models.runs.recording import Recording


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
