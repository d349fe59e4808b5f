"""The templates that ship: views the engine runs (`khop`), families of questions (`erbench/movie`), and families to begin with.

A template is found by its name, or cited as `name@version`: a proof cites the version it was made with, and is never answered
by another one.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from kg.archive import template_cited
from kg.errors import InputError, nearest
from kg.files import write_bytes
from queries.errors import TemplateError
from queries.templates.template import Template, from_bytes, load


def names() -> list[str]:
    """Return the names of all shipped templates, sorted: those of the library, then `method/name` of the families."""
    return sorted(_files(), key=lambda name: ("/" in name, name))


@cache
def _files() -> dict[str, Traversable]:
    room = resources.files("queries")
    files = {_stem(file): file for file in _rq_files(room / "library")}
    families = room / "families"
    for method in families.iterdir() if families.is_dir() else ():
        files |= {f"{method.name}/{_stem(file)}": file for file in _rq_files(method)}
    return files


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

    Another version than the installed one is taken from a bundle that was read and brings it along.
    Raises TemplateError where there is none of that version, and what `find` raises.
    """
    name, at, version = reference.rpartition("@")
    if not at:
        way_out = f"write it as '{reference}@VERSION', or give the SPARQL itself"
        raise TemplateError(f"'{reference}' names no version of its template", way_out=way_out)
    brought = template_cited(reference)
    if brought is not None and (name not in _files() or _shipped(name).version != version):
        return _brought(reference, brought)
    template = find(name)
    if template.version != version:
        problem = f"'{name}' is here in version {template.version}, not {version}"
        way_out = "make the items again, or use the release that made them"
        raise TemplateError(problem, place=reference, way_out=way_out)
    return template


@cache
def _brought(reference: str, data: bytes) -> Template:
    return from_bytes(data, reference)


def kinds() -> list[str]:
    """Return the names of the families to begin with.

    >>> kinds()
    ['choice', 'claim', 'hops', 'open', 'yes_no']
    """
    return sorted(map(_stem, _rq_files(_skeletons())))


def _skeletons() -> Traversable:
    return resources.files("queries.templates") / "skeletons"


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
    skeleton = (_skeletons() / f"{kind}.rq").read_bytes()
    data = f"#+ name: {path.stem}\n".encode() + skeleton
    template = from_bytes(data, str(path))  # before it is written: what is no template is no file either
    write_bytes(path, data)
    return template
