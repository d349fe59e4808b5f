"""The command line of the records.

```
python -m queries.records schema item
python -m queries.records check items.jsonl
```
"""

from __future__ import annotations

import json
from typing import Any

import typer

from kg.cli import new_app, note, run
from kg.errors import InputError
from queries.records import RECORDS, Record, RecordError, find_faults, numbered_lines, repeated, version_of
from queries.records.item import Item

app = new_app("Check records and print their JSON Schemas.")


@app.command()
def schema(record: str = typer.Argument(help="item, exemplar, passage, response or verdict")) -> None:
    """Print the JSON Schema of a record: `python -m queries.records schema item`."""
    if record not in RECORDS:
        raise InputError(f"'{record}' is no record", way_out=f"known: {', '.join(RECORDS)}")
    print(json.dumps(RECORDS[record].model_json_schema(by_alias=True), indent=2))


@app.command()
def check(files: list[str] = typer.Argument(metavar="FILE...", help="JSON Lines files; `-` is stdin")) -> None:
    """Check files line by line and print every fault: `python -m queries.records check items.jsonl`."""
    faulty = [path for path in files if _check(path)]
    if faulty:
        raise InputError(f"{len(faulty)} of {len(files)} files have faults", way_out="mend the lines named above")


def _check(path: str) -> int:
    """Print the faults of a file and return how many there are."""
    seen: dict[tuple[Any, ...], int] = {}
    lines, told = 0, 0
    model: type[Record] | None = None
    for lines, line in enumerate(numbered_lines(path), 1):  # noqa: B007
        model = model or _model_of(line.text, f"{path}:{line.number}")
        faults = find_faults(model, line.text)
        again = None if faults else repeated(seen, model.model_validate_json(line.text), line.number)
        for fault in [*faults, *([again] if again else [])]:
            print(fault.error(f"{path}:{line.number}"))
            told += 1
    if not lines:
        raise RecordError("holds no record", place=path, way_out="name a file of records")
    note(f"{path}: {lines} lines, {told} faults")
    return told


def _model_of(line: bytes, place: str) -> type[Record]:
    """Tell which record a line is by its `schema`."""
    known = {version_of(model): model for model in RECORDS.values()}
    try:
        version = json.loads(line)["schema"]
        return known[version]
    except ValueError:
        raise find_faults(Item, line)[0].error(place) from None
    except (KeyError, TypeError):
        raise RecordError(
            "is no record: its 'schema' is missing or unknown", place=place, way_out=f"known: {', '.join(known)}"
        ) from None


def main() -> None:
    """Run the command line."""
    run(app, "python -m queries.records")


if __name__ == "__main__":
    main()
