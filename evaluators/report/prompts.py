"""The prompts that were sent, for the page: those of each item in scripts of their own, and apart from them what several share.

A prompt is a list: its hash, and its turns, each of role, pieces and picture. A piece is a text or the number of a shared one,
null where the file lacks it (see `queries.records.prompts`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import msgspec
import polars as pl

from queries.records import Response
from queries.records.prompts import named
from queries.records.response import Turn

SHARED = 100
"""Shared texts in a script."""


class JsonByItem(NamedTuple):
    """What is written of each item as JSON, one text after the other, and where that of each stands."""

    blob: bytes
    places: dict[str, tuple[int, int]]

    def of(self, item: str) -> str:
        """Return what is written of an item; empty where there is nothing."""
        start, stop = self.places.get(item, (0, 0))
        return self.blob[start:stop].decode()


class Sent(NamedTuple):
    """A prompt as a line carries it: its turns as JSON, and the names of the paragraphs that stand in earlier lines."""

    turns: str
    same: str

    @classmethod
    def of(cls, response: Response) -> Sent | None:
        """Take it from a response; null where it carries none."""
        if not response.messages or response.prompt is None:
            return None
        same = [piece.same for turn in response.messages for piece in turn.pieces or () if piece.same]
        return cls(msgspec.json.encode(response.messages).decode(), " ".join(same))


class SentPrompts(NamedTuple):
    """The prompts of each item, and the texts that several share."""

    by_item: JsonByItem
    shared: list[str]

    @classmethod
    def of(cls, responses: pl.DataFrame) -> SentPrompts:
        """Take them from responses with the columns `turns` and `same`, as `Sent` has them."""
        sent = responses.filter(pl.col("turns").is_not_null()).unique("prompt", maintain_order=True)
        wanted = {name for names in sent["same"] for name in names.split()}
        texts: dict[str, str] = {}
        for turns in sent["turns"] if wanted else ():
            texts |= {name: text for name, text in named(msgspec.json.decode(turns, type=list[Turn])) if name in wanted}
        # A prompt stands in one line, and may have been sent for other items too.
        asked = responses.select("item", "prompt").unique().join(sent.select("prompt", "turns"), on="prompt")
        numbers = {name: number for number, name in enumerate(texts)}
        return cls(_by_item(asked.sort("item", "prompt"), numbers), list(texts.values()))


def _by_item(asked: pl.DataFrame, numbers: Mapping[str, int]) -> JsonByItem:
    blob, places = bytearray(), {}
    for item, rows in groupby(asked.iter_rows(buffer_size=5000), key=itemgetter(0)):
        start, prompts = (
            len(blob),
            [[prompt, [_shown(turn, numbers) for turn in json.loads(turns)]] for _, prompt, turns in rows],
        )
        blob += json.dumps(prompts, ensure_ascii=False, separators=(",", ":")).encode()
        places[item] = start, len(blob)
    return JsonByItem(bytes(blob), places)


def _shown(turn: Mapping[str, Any], numbers: Mapping[str, int]) -> list[Any]:
    """Return a turn as the page reads it."""
    pieces = turn.get("pieces") or [{"text": turn["text"]}]
    texts = [numbers.get(piece["same"]) if "same" in piece else piece.get("text", "") for piece in pieces]
    return [turn["role"], texts, *([turn["image"]] if turn.get("image") else [])]
