"""Runs: models asked many requests on terms, with money, pace and batches, each answer written as it comes.

`evaluators.ask` runs items, judges and writers (`Recording`) what they have to ask: by the same code, with the same options.
"""

from __future__ import annotations

from evaluators.models.runs.recording import Draft, Recording, ask_drafts, beside
from evaluators.models.runs.terms import Terms, with_terms

__all__ = ["Draft", "Recording", "Terms", "ask_drafts", "beside", "with_terms"]
