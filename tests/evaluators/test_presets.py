"""Presets: how each paper asked."""

from __future__ import annotations

import pytest

from evaluators.ask.presets import preset, presets
from evaluators.errors import PromptError
from evaluators.models import Decoding
from evaluators.prompts import open_setting
from queries.records.item import TASKS

GREEDY = Decoding(temperature=0.0)


@pytest.mark.parametrize(
    ("name", "decoding", "samples"),
    [
        ("erbench", GREEDY, 1),
        ("fpq", Decoding(temperature=0.6, top_p=0.9), 3),
        ("fact-bench", GREEDY, 1),
        ("llm-as-kb", Decoding(temperature=0.0, max_tokens=100), 1),
        ("autodebug", GREEDY, 1),
    ],
)
def test_decoding_and_samples_are_the_papers(name: str, decoding: Decoding, samples: int) -> None:
    found = preset(name)
    assert (found.name, found.decoding, found.samples) == (name, decoding, samples)


def test_these_are_all_of_them() -> None:
    assert presets() == ["autodebug", "erbench", "fact-bench", "fpq", "llm-as-kb"]


@pytest.mark.parametrize("name", presets())
def test_its_settings_can_be_opened_and_word_its_tasks(name: str) -> None:
    found = preset(name)
    assert found.source
    assert set(found.settings) <= set(TASKS)
    for task, setting in found.settings.items():
        item = {"id": "x", "task": task, "question": "Who?", "options": ["a", "b"], "context": "A text.", "group": "g"}
        assert "Who?" in open_setting(setting).messages(item)[-1].text


def test_a_wrong_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(PromptError, match="'factbench' is no preset; did you mean 'fact-bench'"):
        preset("factbench")


def test_a_preset_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        preset("fpq").settings["yes_no"] = "zero-shot"  # type: ignore[index]  # what types forbid too
