"""The command line of the records.

```
python -m queries.records schema item
python -m queries.records check items.jsonl
```
"""

from __future__ import annotations

import json

import typer

from kg.cli import new_app, note, run
from kg.errors import InputError
from queries.records import RECORDS, Line, Record, RecordError, json_schema, lines, version_of
from queries.records.io import repeated
from queries.records.keys import Keys
from queries.records.record import LineError, decoder, parse_json

app = new_app("Check records and print their JSON Schemas.")


@app.command()
def schema(record: str = typer.Argument(help="item, exemplar, passage, response, verdict or claim")) -> None:
    """Print the JSON Schema of a record: `python -m queries.records schema item`."""
    if record not in RECORDS:
        raise InputError(f"'{record}' is no record", way_out=f"known: {', '.join(RECORDS)}")
    print(json.dumps(json_schema(RECORDS[record]), indent=2))


@app.command()
def check(files: list[str] = typer.Argument(metavar="FILE...", help="JSON Lines files; `-` is stdin")) -> None:
    """Check files line by line and print every fault: `python -m queries.records check items.jsonl`."""
    faulty = [path for path in files if _check(path)]
    if faulty:
        raise InputError(f"{len(faulty)} of {len(files)} files have faults", way_out="mend the lines named above")


def _check(path: str) -> int:
    """Print the faults of a file and return how many there are."""
    keys, record = Keys(), None
    count = faulty = 0
    for line in lines(path):
        place = f"{path}:{line.number}"
        record = record or _record_of(line.text, place)
        errors = _errors(record, line, place, keys)
        print(*errors, sep="\n", end="\n" if errors else "")
        count, faulty = count + 1, faulty + len(errors)
    if not count:
        raise RecordError("holds no record", place=path, way_out="name a file of records")
    note(f"{path}: {count} lines, {faulty} faults")
    return faulty


def _errors(struct: type[Record], line: Line, place: str, keys: Keys) -> list[RecordError]:
    """List what is wrong with a line; its key is entered into `keys`."""
    try:
        record = decoder(struct)(line.text)
    except LineError as error:
        return [fault.error(place) for fault in error.faults]
    first = keys.add(record.key(), line=line.number)
    return [] if first is None else [repeated(record, place, first)]


def _record_of(line: bytes, place: str) -> type[Record]:
    """Tell which record a line is by its `schema`."""
    known = {version_of(record): record for record in RECORDS.values()}
    try:
        return known[parse_json(line)["schema"]]
    except LineError as error:
        raise error.faults[0].error(place) from None
    except (KeyError, TypeError):
        raise RecordError(
            "is no record: its 'schema' is missing or unknown", place=place, way_out=f"known: {', '.join(known)}"
        ) from None


def main() -> None:
    """Run the command line."""
    run(app, "python -m queries.records")


if __name__ == "__main__":
    main()
