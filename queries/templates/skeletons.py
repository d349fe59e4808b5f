"""Families to begin with: each is sound and asks the starter graph, until a person writes other tables and words into it.

```
python -m queries new my-family.rq --like choice
python -m queries preview my-family.rq
```
"""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

from kg.errors import InputError, nearest
from kg.files import write_bytes
from queries.templates.template import Template, from_bytes

__all__ = ["kinds", "new_family"]


def kinds() -> list[str]:
    """Return the names of the families to begin with.

    >>> kinds()
    ['choice', 'claim', 'hops', 'open', 'yes_no']
    """
    folder = resources.files("queries.templates") / "skeletons"
    return sorted(file.name.removesuffix(".rq") for file in folder.iterdir() if file.name.endswith(".rq"))


def new_family(path: Path, kind: str) -> Template:
    """Write a family to begin with, named like its file.

    Raises InputError where the file is there already, its name does not end in .rq, or there is no such kind.
    """
    if kind not in kinds():
        raise InputError(f"there is no family like '{kind}'", place="--like", way_out=nearest(kind, kinds()))
    if path.suffix != ".rq" or not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", path.stem):
        way_out = "take letters, digits, '.', '_' and '-', and end it in .rq"
        raise InputError("is no name for a family", place=str(path), way_out=way_out)
    if path.exists():
        raise InputError("is there already", place=str(path), way_out="take another name, or delete it")
    skeleton = (resources.files("queries.templates") / "skeletons" / f"{kind}.rq").read_bytes()
    data = f"#+ name: {path.stem}\n".encode() + skeleton
    template = from_bytes(data, str(path))
    write_bytes(path, data)
    return template
