"""A model of known behaviour in this process, for what a server on loopback need not be asked about."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from evaluators.models import Reply, Request
from queries.records.response import Failure


@dataclass
class Scripted:
    """It answers as `says` has it; None means that the server fails."""

    says: Callable[[Request], str | None]
    name: str = "scripted"
    heard: list[Request] = field(default_factory=list)

    async def ask(self, request: Request) -> Reply:
        self.heard.append(request)
        text = self.says(request)
        if text is None:
            return Reply(error=Failure(kind="server", status=500, message="it broke down"))
        return Reply(text=text, finish="stop")

    async def aclose(self) -> None: ...
