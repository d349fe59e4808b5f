"""A model under a name of the user's own: two runs of one model with other parameters are two models to a report."""

from __future__ import annotations

from evaluators.models.protocol import Model, Reply, Request


class Named:
    """A model that the records call by another name.

    >>> from evaluators.models.replay import Replay
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = pathlib.Path(folder, "answers.jsonl").write_text('{"item": "a", "text": "Yes."}')
    ...     Named(Replay(f"{folder}/answers.jsonl"), "hot").name
    'hot'
    """

    def __init__(self, model: Model, name: str) -> None:
        self.model, self.name = model, name

    @property
    def identity(self) -> str:
        """What tells the model from all others, whatever it is called."""
        return str(getattr(self.model, "identity", self.model.name))

    async def ask(self, request: Request) -> Reply:
        """Answer one request."""
        return await self.model.ask(request)

    async def aclose(self) -> None:
        """Close what is open."""
        await self.model.aclose()
