"""The pages of the reference, from what the program says of itself: help of commands, schemas of records, docstrings."""

from __future__ import annotations

import html
import importlib
import inspect
import pkgutil
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from generators.cli import app
from queries.records import RECORDS, json_schema
from site_sources import Page, SiteError, escaped

ROOMS = ("kg", "queries", "generators", "evaluators")
FIELDS = Path(__file__).with_name("fields.toml")


def commands() -> dict[str, list[tuple[str, Any]]]:
    """Return the commands of `kgprobe` under their first word, each with all its words: what `kgprobe --help` leads to."""
    verbs: dict[str, list[tuple[str, Any]]] = {}
    for words, command in _leaves(typer.main.get_command(app), ()):
        verbs.setdefault(words[0], []).append((" ".join(words), command))
    return dict(sorted(verbs.items()))


def _leaves(command: Any, words: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    below = command.list_commands(None) if hasattr(command, "commands") else []
    if words and (not below or command.invoke_without_command):
        yield words, command
    for name in below:
        yield from _leaves(command.get_command(None, name), (*words, name))


def command_pages() -> list[Page]:
    """Return a page for each verb, with its usage, what it does, examples and options, as `--help` has them."""
    pages = []
    for verb, leaves in commands().items():
        texts = [f"# kgprobe {verb}", *(_command(name, command, len(leaves) > 1) for name, command in leaves)]
        pages.append(Page(f"reference/commands/{verb}.md", f"reference/commands/{verb}.md", "\n\n".join(texts) + "\n"))
    return pages


def command_table() -> str:
    """Return the table of all commands, each with the first sentence of its help."""
    rows = [
        f"| [`kgprobe {name}`](commands/{verb}.md{'' if len(leaves) == 1 else '#kgprobe-' + name.replace(' ', '-')}) "
        f"| {_summary(command.help)} |"
        for verb, leaves in commands().items()
        for name, command in leaves
    ]
    return "\n".join(["| command | what it does |", "|---|---|", *rows])


def _summary(text: str | None) -> str:
    return escaped(" ".join((text or "").split("\n\n")[0].split())).replace("|", "&#124;")


def _command(name: str, command: Any, among_others: bool) -> str:
    context = command.make_context(f"kgprobe {name}", [], resilient_parsing=True)
    said, _, examples = (command.help or "").partition("\b\n")
    parts = [f"## kgprobe {name}"] if among_others else []
    parts.append(f"```text\n{' '.join(command.get_usage(context).split())}\n```")
    for paragraph in re.split(r"\n{2,}", said.strip()):
        parts.append(escaped(paragraph))
    if examples.strip():
        head, *lines = examples.replace("\b\n", "").strip().split("\n")
        parts.append(f"{head.strip()}\n\n```text\n{inspect.cleandoc(chr(10).join(lines))}\n```")
    records = [record for param in command.get_params(context) if (record := param.get_help_record(context))]
    rows = [f"| <code>{_cell(option)}</code> | {_cell(_limits_in_words(meaning))} |" for option, meaning in records]
    return "\n\n".join([*parts, "\n".join(["| option | meaning |", "|---|---|", *rows])])


def _limits_in_words(meaning: str) -> str:
    """Say in words between what an option's value has to lie.

    >>> _limits_in_words("How many. [default: 5; 1<=x<=5]"), _limits_in_words("So many. [1<=x<=9007199254740992]")
    ('How many. [default: 5; 1 to 5]', 'So many. [at least 1]')
    >>> _limits_in_words("A share. [0<=x<1]"), _limits_in_words("Seconds. [x>=0]")
    ('A share. [0 to less than 1]', 'Seconds. [at least 0]')
    """
    most = rf"(?:<=x<={2**53}|<=x)(?=[\];])"  # as many as JSON can count
    meaning = re.sub(rf"([\d.]+){most}|x>=([\d.]+)", lambda found: f"at least {found[1] or found[2]}", meaning)
    return re.sub(
        r"([\d.]+)<=x<(=?)([\d.]+)", lambda found: f"{found[1]} to {'' if found[2] else 'less than '}{found[3]}", meaning
    )


def _cell(text: str) -> str:
    return html.escape(" ".join(text.split()), quote=False).replace("|", "&#124;").replace("*", "&#42;").replace("_", "&#95;")


def formats() -> str:
    """Return what the records are: for each a table of its fields, and of the fields of what stands in them."""
    meanings = tomllib.loads(FIELDS.read_text("utf-8"))
    return "\n\n".join(_record(name, json_schema(record), meanings.get(name, {})) for name, record in RECORDS.items())


def _record(name: str, schema: dict[str, Any], meanings: dict[str, str]) -> str:
    parts = [f"## {name}", escaped(schema["description"]), _fields(schema, meanings)]
    for title, part in schema.get("$defs", {}).items():
        parts += [
            f"### {title} in {'an' if name[0] in 'aei' else 'a'} {name}",
            escaped(part.get("description", "")),
            _fields(part, {}),
        ]
    return "\n\n".join(parts)


def _fields(schema: dict[str, Any], meanings: dict[str, str]) -> str:
    head = ["| field | type | meaning |", "|---|---|---|"] if meanings else ["| field | type |", "|---|---|"]
    rows = []
    for field, value in schema["properties"].items():
        required = "" if field in schema.get("required", []) else ", may be left out"
        row = f"| `{field}` | {_type(value)}{required} |"
        if meanings and field not in meanings:
            raise SiteError(
                f"{FIELDS.name} does not say what the field '{field}' of {schema['title']} means; write a line for it"
            )
        rows.append(f"{row} {escaped(meanings[field])} |" if meanings else row)
    return "\n".join([*head, *rows])


def _type(value: dict[str, Any]) -> str:
    """Return a schema in words.

    >>> _type({"anyOf": [{"items": {"type": "string"}, "type": "array"}, {"type": "null"}]})
    'list of string, or null'
    """
    if "anyOf" in value:
        return ", or ".join(_type(part) for part in value["anyOf"])
    if "$ref" in value:
        return str(value["$ref"]).rpartition("/")[2]
    if "const" in value:
        return f"`{value['const']}`"
    if "enum" in value:
        return " ".join(f"`{word}`" for word in value["enum"])
    if "prefixItems" in value:
        return f"{value['minItems']} of {_type(value['prefixItems'][0])}"
    if value.get("type") == "array":
        return f"list of {_type(value['items'])}"
    if value.get("type") == "object":
        return "object of strings"
    return str({"integer": "whole number"}.get(value["type"], value["type"]))


def library_pages() -> list[Page]:
    """Return a page for each room: what the room and each of its folders offer by `__all__`, with signatures and docstrings."""
    pages = []
    for room in ROOMS:
        package = importlib.import_module(room)
        found = (module.name for module in pkgutil.walk_packages(package.__path__, f"{room}.") if module.ispkg)
        modules = [module for name in (room, *found) if hasattr(module := importlib.import_module(name), "__all__")]
        shown: set[int] = set()
        parts = [f"# {room}", *(_module(module, shown) for module in modules)]
        pages.append(Page(f"reference/library/{room}.md", f"reference/library/{room}.md", "\n\n".join(parts) + "\n"))
    return pages


def library_table() -> str:
    """Return the table of the rooms' public faces."""
    rows = []
    for room in ROOMS:
        module = importlib.import_module(room)
        rows.append(
            f"| [`{room}`](library/{room}.md) | {escaped((module.__doc__ or '').split(chr(10))[0])} | {len(module.__all__)} |"
        )
    return "\n".join(["| room | | names |", "|---|---|---|", *rows])


def _module(module: Any, shown: set[int]) -> str:
    """Return a section for a package; what an earlier one has shown, under whatever name of a module, is not shown again."""
    parts = [f"## {module.__name__}", _docstring(module)]
    for name in module.__all__:
        value = getattr(module, name)
        if not (inspect.isclass(value) or inspect.isfunction(value)) or id(value) in shown:
            continue
        shown.add(id(value))
        parts += [f"### {module.__name__}.{name}", f"```python\n{_signature(name, value)}\n```", _docstring(value)]
    return "\n\n".join(parts)


def _signature(name: str, value: Any) -> str:
    """Return the signature as it is written: a default that is no plain value is an ellipsis."""
    kind = "class" if inspect.isclass(value) else "def"
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return f"{kind} {name}"
    plain = (str, int, float, bool, tuple, type(None))
    parameters = [
        part if part.default is part.empty or isinstance(part.default, plain) else part.replace(default=...)
        for part in signature.parameters.values()
    ]
    text = str(signature.replace(parameters=parameters)).replace("'", "").replace("=Ellipsis", "=...")
    if len(text) > 96:
        text = re.sub(r"^\(", "(\n    ", re.sub(r", (?=[*\w]+[:,=)])", ",\n    ", text)).replace(") ->", ",\n) ->")
    return f"{kind} {name}{text}"


def _docstring(value: Any) -> str:
    """Return a docstring as Markdown: examples become fenced, and angle brackets outside code are escaped."""
    parts = []
    for paragraph in re.split(r"\n{2,}", inspect.getdoc(value) or ""):
        if paragraph.startswith(">>>"):
            parts.append(f"```pycon\n{paragraph}\n```")
        elif "```" in paragraph or paragraph.startswith("    "):
            parts.append(paragraph)
        else:
            parts.append(escaped(paragraph))
    return "\n\n".join(parts)
