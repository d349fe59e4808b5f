"""What would be sent, to be read before it is paid for.

```
python -m evaluators.ask items.jsonl --model openai:some-model --setting zero-shot --dry-run
python -m evaluators.ask items.jsonl --preset fpq --dry-run
```
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from evaluators.ask.requests import Wanted
from evaluators.models import Decoding, Message

__all__ = ["shown", "specimens"]


def specimens(wanted: Wanted) -> Iterator[str]:
    """Yield the prompt of the first item of each task and variant, ready to be printed."""
    seen: set[tuple[str, str]] = set()
    for item in wanted.items():
        sort = (item["task"], item["variant"])
        if sort not in seen:
            seen.add(sort)
            request = next(wanted.prompts.requests(item, 1))
            yield shown(f"{item['task']}, {item['variant']}: {item['id']}", request.messages, request.decoding)


def shown(title: str, messages: tuple[Message, ...], decoding: Decoding = Decoding()) -> str:
    r"""Write messages as a page that no terminal takes for commands; a picture is named.

    >>> print(shown("probe", (Message("user", "Is \x1b[31mit?", image="cup.png"),), Decoding(temperature=0.0)))
    ── probe (temperature 0.0)
    [user] picture: cup.png
    Is  [31mit?
    <BLANKLINE>
    """
    told = {name: value for name, value in asdict(decoding).items() if value is not None and value is not False}
    drawn = ", ".join(f"{name} {value}" for name, value in told.items())
    lines = [f"── {_clean(title)}{f' ({_clean(drawn)})' if drawn else ''}"]
    for message in messages:
        picture = f" picture: {_clean(message.image[:200])}" if message.image else ""
        lines += [f"[{message.role}]{picture}", _clean(message.text)]
    return "\n".join([*lines, ""])


def _clean(text: str) -> str:
    return "".join(c if c.isprintable() or c == "\n" else " " for c in text)
