"""Items for other harnesses, each with its prompt, and a scorer that is our verifier.

```
python -m evaluators.export items.jsonl --to inspect --out fpq-inspect
python -m evaluators.export items.jsonl --to hf --setting zero-shot --out fpq-dataset
```
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import Annotated, Literal

import typer

from evaluators.ask import AskOptions
from evaluators.export.formats import FORMATS, Files
from evaluators.export.samples import read_samples
from kg.cli import Quiet, new_app, note, run
from kg.errors import InputError

app = new_app("Write items for another harness, scored by our verifier.")

_To = Literal["inspect", "lm-eval", "hf", "promptfoo", "openai-evals", "csv"]


@app.command()
def export(
    items: Annotated[Path, typer.Argument(metavar="ITEMS", help="items.jsonl; gzip is understood.")],
    to: Annotated[_To, typer.Option("--to", help="For which harness.")],
    out: Annotated[Path, typer.Option("--out", help="The folder to make; it must not be there, or be empty.")],
    name: Annotated[str | None, typer.Option(help="What the task is called (the file's name).")] = None,
    setting: Annotated[str, typer.Option(help="How questions are put (zero-shot).")] = "",
    preset: Annotated[str, typer.Option(help="Put them as a paper did.")] = "",
    exemplars: Annotated[str | None, typer.Option(help="exemplars.jsonl, for settings that show some.")] = None,
    passages: Annotated[str | None, typer.Option(help="passages.jsonl, for settings that show some.")] = None,
    only: Annotated[list[str] | None, typer.Option(help="stratum=value, task=..., variant=...; may be repeated.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="The first so many items.")] = None,
    quiet: Quiet = False,
) -> None:
    """Write items for another harness: a folder with its task or data, and with our verifier as scorer where it takes one.

    \b
    Example:
      kgprobe fpq --domain art --n 20 --out items.jsonl
      kgprobe export items.jsonl --to csv --out items-csv
    """
    options = AskOptions(
        str(items), setting=setting, preset=preset, exemplars=exemplars, passages=passages, only=only, limit=limit
    )
    samples = read_samples(options)
    files = FORMATS[to](name or items.name.split(".")[0], samples)
    write_folder(out, files)
    note(f"{len(samples):,} items in {out}: {', '.join(sorted(files))}", quiet)


def write_folder(out: Path, files: Files) -> None:
    """Make a folder of files in one step. Raises InputError where it holds something already, or cannot be made."""
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError("is there already", place=str(out), way_out="name a new folder")
    try:
        folder = Path(tempfile.mkdtemp(prefix=f".{out.name}.", dir=out.absolute().parent))
    except OSError as error:
        raise InputError(
            f"cannot be made ({error.strerror})", place=str(out), way_out="name a folder whose parent exists"
        ) from error
    try:
        for name, content in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
        folder.chmod(0o755)
        if out.exists():
            out.rmdir()
        os.replace(folder, out)  # noqa: PTH105
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def main() -> None:
    """Run the command line."""
    run(app, "evaluators.export")


if __name__ == "__main__":
    main()
