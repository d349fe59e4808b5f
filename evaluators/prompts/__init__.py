"""Settings: how a question is put to a model. One TOML file each, `zero-shot.toml` and its like (see README.md).

```
python -c 'from evaluators.prompts import settings; print(*settings(), sep="\n")'
python -m evaluators.ask items.jsonl --model replay:answers.jsonl --setting zero-shot --out - --dry-run
```
"""

from __future__ import annotations

from evaluators.errors import PromptError
from evaluators.models.identity import prompt_hash
from evaluators.prompts.exemplars import Exemplars
from evaluators.prompts.nearest import open_embedder
from evaluators.prompts.prompter import Passages, Prompter, SettingPrompter
from evaluators.prompts.setting import Setting, load_setting, settings
from queries.records import read
from queries.records.exemplar import Exemplar

__all__ = ["Prompter", "open_setting", "prompt_hash", "settings"]


def open_setting(
    name: str,
    *,
    exemplars: str | None = None,
    passages: str | None = None,
    shots: int | None = None,
    nearest: str | None = None,
    seed: int = 0,
) -> Prompter:
    """Return the prompter of a setting: one that comes with this room, or one's own file that ends in `.toml`.

    Parameters: `exemplars` and `passages` are the files of records that a setting may need; `shots` is how many
    exemplars an item sees (default: the setting's), `nearest` the embedder that chooses them (default: by hash of `seed`).
    Raises PromptError where the setting is unknown, lacks what it needs, or is given what it does not use.

    >>> cup = {"id": "x", "task": "premise", "question": "Who made {it}?", "options": None, "context": None, "group": "g"}
    >>> print(open_setting("fpq").messages(cup)[0].text)
    Question: Who made {it}?
    Answer in three sentences at the most.
    """
    setting = load_setting(name)
    shown = _exemplars(setting, exemplars, shots, nearest, seed)
    if setting.needs_passages and passages is None:
        raise PromptError(f"setting '{name}' shows passages", way_out="name their file with --passages passages.jsonl")
    if passages is not None and not setting.needs_passages:
        raise PromptError(f"setting '{name}' shows no passages", way_out="leave --passages out, or use knowledge")
    return SettingPrompter(setting, shown, Passages(passages) if passages is not None else None)


def _exemplars(setting: Setting, path: str | None, shots: int | None, nearest: str | None, seed: int) -> Exemplars | None:
    name = setting.setting
    if setting.shots is None:
        given = {"--exemplars": path, "--shots": shots, "--nearest": nearest}
        unused = next((flag for flag, value in given.items() if value is not None), None)
        if unused:
            raise PromptError(f"setting '{name}' shows no exemplars", way_out=f"leave {unused} out, or use few-shot")
        return None
    if path is None:
        raise PromptError(f"setting '{name}' shows exemplars", way_out="name their file with --exemplars exemplars.jsonl")
    if shots is not None and shots < 1:
        raise PromptError(f"--shots {shots} shows nothing", way_out="use zero-shot, or show at least one")
    records = read(path, Exemplar)
    # TF-IDF weighs words by how rare they are among the exemplars themselves.
    embedder = open_embedder(nearest, [exemplar.question for exemplar in records]) if nearest is not None else None
    return Exemplars(records, setting.shots.rules(shots), path=path, seed=seed, embedder=embedder)
