"""A model that changes evidence, as in the paper: it proposes answers, exchanges them, condenses and merges passages.

Source: Yu et al.: AutoDebug (2023), §2.1, §2.2 and tables 11 and 12. Each text that comes is checked (`author_checks`); one
that cannot be used is asked for again with the reason, and after the last try the question is left out, for that reason.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Generic, TypeVar

from evaluators.models import Decoding, Message, Reply, Request
from evaluators.models.identity import request_name
from evaluators.models.quoted import quoted, visible
from evaluators.models.runs import Draft, Recording, Terms, ask_drafts
from generators.autodebug import author_checks as checks
from generators.autodebug.author_checks import NOTHING, Refusal
from generators.autodebug.qa_files import Asked
from generators.autodebug.text_edits import Edit
from generators.autodebug.text_enrich import Page, support_text
from generators.items import short_hash
from kg.formats import shipped_toml

T = TypeVar("T")

_BATCH = 20
"""Questions for which answers are asked in one request."""
_DECODING = Decoding(max_tokens=1500)
UNANSWERED = Refusal("the model failed to answer")


@cache
def prompts() -> dict[str, str]:
    """Read `prompts.toml`."""
    return shipped_toml("generators.autodebug", "prompts.toml")


@dataclass
class _Draft(Draft, Generic[T]):
    """A text that is wanted: its check, and what came of it."""

    check: Callable[[str], T | Refusal]
    made: T | Refusal = NOTHING


@dataclass
class Author:
    """A model asked for changed evidence, up to `tries` times for each text, with so many requests under way at once.

    `refused` counts texts that were no use, by step and reason; those asked for again too.
    """

    model: Recording
    tries: int = 2
    refused: Counter[str] = field(default_factory=Counter)

    @property
    def name(self) -> str:
        """How the items name the author: the model, and its prompts with version and hash."""
        digest = hashlib.sha256(json.dumps(prompts(), sort_keys=True).encode()).hexdigest()
        return f"{self.model.name} author/{prompts()['version']}@{digest[:12]}"

    def swaps(self, asked: Sequence[Asked]) -> list[Edit | Refusal]:
        """Have another answer proposed for each question and put into its evidence (table 11)."""
        answers = self._proposals(asked)
        proposed = [(one, new) for one, new in zip(asked, answers, strict=True) if not isinstance(new, Refusal)]
        drafts: list[_Draft[Edit | Refusal]] = [
            _draft("replace", {"passage": one.evidence, "old": one.answer, "new": new}, partial(checks.edited, one, new), one)
            for one, new in proposed
        ]
        made = iter(self._written("replace", drafts))
        return [new if isinstance(new, Refusal) else next(made) for new in answers]

    def _proposals(self, asked: Sequence[Asked]) -> list[str | Refusal]:
        """Ask for many answers at once; those that cannot be used are asked for again, together."""
        made: list[str | Refusal] = [NOTHING] * len(asked)
        for turn in range(self.tries):
            open_ = [number for number, new in enumerate(made) if isinstance(new, Refusal)]
            batches = [open_[start : start + _BATCH] for start in range(0, len(open_), _BATCH)]
            drafts = [_draft("propose", {"texts": _listed([asked[n] for n in batch])}, str) for batch in batches]
            # What is left is batched anew: its conversation begins again.
            requests = [Request(draft.name, turn, draft.messages, _DECODING) for draft in drafts]
            for batch, reply in zip(batches, self.model.replies(requests) if requests else [], strict=True):
                text = UNANSWERED if reply.error is not None else visible(reply.text or "")
                lines = {} if isinstance(text, Refusal) else checks.numbered_lines(text)
                for place, number in enumerate(batch, start=1):
                    new = text if isinstance(text, Refusal) else checks.proposal(asked[number], lines.get(place, ""))
                    made[number] = new
                    self.refused.update([f"propose: {new}"] if isinstance(new, Refusal) else [])
        return made

    def supports(self, asked: Sequence[Asked]) -> list[str]:
        """Have the supporting sentence of each question chosen; where none can be used, that of the rule stays."""
        drafts = [
            _draft(
                "select",
                {"question": one.question, "answer": one.answer, "passage": one.evidence},
                partial(checks.selected, one),
            )
            for one in asked
        ]
        made = self._written("select", drafts)
        return [support_text(one) if isinstance(new, Refusal) else new for one, new in zip(asked, made, strict=True)]

    def merges(self, asked: Sequence[tuple[Asked, str, Sequence[Page]]]) -> list[str | Refusal]:
        """Have passages condensed, and the supporting sentence merged into what comes (table 12)."""
        condensed = self._written(
            "summarise",
            [
                _draft("summarise", _texts(pages), partial(checks.summary, one, [page.text for page in pages]), one)
                for one, _, pages in asked
            ],
        )
        drafts = [
            _draft("merge", {"support": support, "summary": told}, partial(checks.merged, one, support, told), one)
            for (one, support, _), told in zip(asked, condensed, strict=True)
            if not isinstance(told, Refusal)
        ]
        made = iter(self._written("merge", drafts))
        return [told if isinstance(told, Refusal) else next(made) for told in condensed]

    def _written(self, step: str, drafts: Sequence[_Draft[T]]) -> list[T | Refusal]:
        """Ask for each draft until it can be used, or for the last time."""

        def take(draft: _Draft[T], reply: Reply, turn: int) -> str | None:
            draft.made = UNANSWERED if reply.error is not None else draft.check(visible(reply.text or ""))
            if not isinstance(draft.made, Refusal):
                return None
            self.refused[f"{step}: {draft.made}"] += 1
            return prompts()["again"].format(fault=draft.made)

        ask_drafts(self.model, drafts, take, self.tries, _DECODING)
        return [draft.made for draft in drafts]

    def summary(self) -> list[str]:
        """Say which texts could not be used, in lines."""
        return [f"{self.name}{self.model.cost}", *(f"  not used, {why}: {count}" for why, count in self.refused.most_common())]


def open_author(spec: str, tries: int, recording: str | None, terms: Terms = Terms(), *, quiet: bool = True) -> Author:
    """Open the model that `spec` names as an author whose answers are kept in the file `recording`.

    Raises ModelError where there is no such model, InputError where a term is at fault.
    """
    return Author(Recording.open(spec, recording, terms, quiet=quiet), tries)


def _draft(step: str, texts: Mapping[str, str], check: Callable[[str], T | Refusal], about: Asked | None = None) -> _Draft[T]:
    words = prompts()
    asked = words[step].format_map(quoted(texts)).strip()
    messages = (Message("system", words["system"].strip()), Message("user", asked))
    name = request_name(f"autodebug.{step}", messages, _DECODING)
    # Two questions may have the same passages condensed; what is not used is told of one of them alone.
    return _Draft(messages, name if about is None else f"{name}.{short_hash(chr(0).join(about), 8)}", check)


def _listed(asked: Sequence[Asked]) -> str:
    lines = [(" ".join(one.question.split()), one.answer) for one in asked]
    return "\n".join(f"{n}. {question} | {answer}" for n, (question, answer) in enumerate(lines, start=1))


def _texts(pages: Sequence[Page]) -> dict[str, str]:
    return {"texts": "\n\n".join(f"[{number}] {page.text}" for number, page in enumerate(pages, start=1))}
