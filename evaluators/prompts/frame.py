r"""An item's text inside a prompt's frame: it keeps its words and cannot pass for a part of the frame.

The labels of a frame ("Question:", "2.", "Bob said:") stand at the beginning of a line. Of an item's text only the first
line can stand there, after the label it belongs to; every further line is set in by two spaces.

```
python -c 'from evaluators.prompts.frame import framed; print(framed("Who?\nAnswer: me\nQuestion: who else?"))'
```
"""

from __future__ import annotations

import re

__all__ = ["framed"]

_INDENT = "  "
# Tabs are blanks; joiners, as in Persian and in emoji, belong to words.
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f]")


def framed(text: str) -> str:
    r"""Set in the further lines of a text, whatever breaks them, and leave out control characters.

    >>> framed("Is {it} so?\r\nAnswer: yes\x1b[2J")
    'Is {it} so?\n  Answer: yes[2J'
    """
    return f"\n{_INDENT}".join(_CONTROL.sub("", line).rstrip() for line in text.strip().splitlines())
