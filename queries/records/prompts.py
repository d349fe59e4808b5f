"""The prompts of a file of responses, each text of which stands there once.

The first answer to a prompt carries it. Prompts of one setting share their system prompt and demonstrations, in turns of their
own or as paragraphs of one text. So a paragraph that stands in an earlier prompt of the file is not written again: its place is
held by the beginning of its sha256.

Only answers carry what later lines rest on: a line with an error may be taken out when its item is asked again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from queries.records.keys import Keys
from queries.records.response import Piece, Response, Turn

_BREAK = "\n\n"
_LONG = 48  # characters from which on a name is shorter than the paragraph


class Prompts:
    """What prompts and paragraphs a file holds.

    >>> first = Response(schema="kgprobe.response/1", item="a", model="m", sample=0, text="No.", prompt="sha256:1", messages=[
    ...     Turn("system", "Be brief, and say that you do not know where you do not."), Turn("user", "Is Linz a capital?")])
    >>> second = replace(first, item="b", prompt="sha256:2", messages=[first.messages[0], Turn("user", "Is Bonn a capital?")])
    >>> prompts = Prompts()
    >>> prompts.enter(prompts.shortened(first))
    >>> lean = prompts.shortened(second)
    >>> lean.messages[0].pieces, lean.messages[1].text
    ([Piece(text=None, same='456950c03ca7b9d0')], 'Is Bonn a capital?')
    >>> whole(lean.messages, dict(named(first.messages))) == second.messages
    True
    """

    def __init__(self) -> None:
        self._prompts, self._paragraphs = Keys(), Keys()

    def enter(self, response: Response) -> None:
        """Take note of the prompt in a line of the file."""
        if response.error is None and response.prompt and response.messages:
            self._prompts.add(response.prompt, line=0)
            for paragraph in _paragraphs(response.messages):
                self._paragraphs.add(paragraph, line=0)

    def shortened(self, response: Response) -> Response:
        """Return a response as it is written: without a prompt, or paragraphs of one, that the file has."""
        if response.messages is None or not response.prompt:
            return response
        if self._prompts.find(response.prompt) is not None:
            return replace(response, messages=None)
        return replace(response, messages=[self._lean(turn) for turn in response.messages])

    def _lean(self, turn: Turn) -> Turn:
        pieces: list[Piece] = []
        fresh: list[str] = []
        for paragraph in (turn.text or "").split(_BREAK):
            if len(paragraph) < _LONG or self._paragraphs.find(paragraph) is None:
                fresh.append(paragraph)
                continue
            pieces += [Piece(_BREAK.join(fresh))] if fresh else []
            pieces.append(Piece(same=_name(paragraph)))
            fresh = []
        if not pieces:
            return turn
        return replace(turn, text=None, pieces=[*pieces, Piece(_BREAK.join(fresh))] if fresh else pieces)


def named(messages: Sequence[Turn]) -> Iterator[tuple[str, str]]:
    """Yield the paragraphs that later prompts of a file may leave out, by what holds their place."""
    for paragraph in _paragraphs(messages):
        yield _name(paragraph), paragraph


def whole(messages: Sequence[Turn], paragraphs: Mapping[str, str]) -> list[Turn]:
    """Return a prompt with the paragraphs that stand in earlier ones (see `named`). Raises KeyError where one is not there."""
    return [
        turn if turn.pieces is None else replace(turn, pieces=None, text=_BREAK.join(
            paragraphs[piece.same] if piece.same else piece.text or "" for piece in turn.pieces))
        for turn in messages
    ]  # fmt: skip


def _paragraphs(messages: Sequence[Turn]) -> Iterator[str]:
    for turn in messages:
        for text in [turn.text] if turn.pieces is None else [piece.text for piece in turn.pieces]:
            yield from (paragraph for paragraph in (text or "").split(_BREAK) if len(paragraph) >= _LONG)


def _name(paragraph: str) -> str:
    return hashlib.sha256(paragraph.encode()).hexdigest()[:16]
