"""The templates that ship: views the engine runs (`khop`), and families of questions (`erbench/movie`).

```
python -m queries list
python -c 'from queries.templates.library import versioned; print(versioned("khop"))'
```
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

from kg.errors import nearest
from queries.errors import TemplateError
from queries.templates.template import Template, from_bytes, load

__all__ = ["find", "find_version", "names", "versioned"]


def names() -> list[str]:
    """Return the names of all shipped templates, sorted: those of the library, then `method/name` of the families."""
    return sorted(_files(), key=lambda name: ("/" in name, name))


@cache
def _files() -> dict[str, Traversable]:
    room = resources.files("queries")
    found = {_stem(file): file for file in _rq_files(room / "library")}
    families = room / "families"
    for method in families.iterdir() if families.is_dir() else ():
        found |= {f"{method.name}/{_stem(file)}": file for file in _rq_files(method)}
    return found


def _rq_files(folder: Traversable) -> list[Traversable]:
    return [file for file in folder.iterdir() if file.name.endswith(".rq")] if folder.is_dir() else []


def _stem(file: Traversable) -> str:
    return file.name.removesuffix(".rq")


@cache
def _shipped(name: str) -> Template:
    file = _files()[name]
    return from_bytes(file.read_bytes(), str(file))


def find(name: str) -> Template:
    """Return a template by its name, or by the path of a `.rq` file.

    Raises TemplateError where there is none, naming the nearest; SourceError where the file cannot be read.
    """
    if name in _files():
        return _shipped(name)
    if name.endswith(".rq"):
        return load(name)
    way_out = f"{nearest(name, _files())} (`python -m queries list`); a file's name ends in .rq"
    raise TemplateError(f"there is no template '{name}'", way_out=way_out)


def versioned(name: str) -> str:
    """Return a template's name and version, as proofs cite it: `fact@1a2b3c4d`.

    Raises what `find` raises.
    """
    return f"{name}@{find(name).version}"


def find_version(reference: str) -> Template:
    """Return the template that a proof cites as `name@version`.

    Raises TemplateError where the installed file is of another version, and what `find` raises.
    """
    name, at, version = reference.rpartition("@")
    if not at:
        way_out = f"write it as '{reference}@VERSION', or give the SPARQL itself"
        raise TemplateError(f"'{reference}' names no version of its template", way_out=way_out)
    template = find(name)
    if template.version != version:
        problem = f"'{name}' is here in version {template.version}, not {version}"
        way_out = "make the items again, or use the release that made them"
        raise TemplateError(problem, place=reference, way_out=way_out)
    return template
