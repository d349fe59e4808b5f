"""What can go wrong in this room, in one tree.

```
kg.errors.InputError
├── ProgramError          a KoPL program, or a step of it, is at fault
├── RecordError           a line of a JSON Lines file is no valid record, or there is none
└── TemplateError         a `.rq` file, its front matter, or a value given to it is at fault
    └── LexerError        text that is no SPARQL token: a string never closed, a stray character
```

Every message is one line: file and line, what, and the way out.

>>> str(TemplateError("unknown key 'sumary'", place="a.rq:2", way_out="did you mean 'summary'?"))
"a.rq:2: unknown key 'sumary'; did you mean 'summary'?"
"""

from __future__ import annotations

from kg.errors import InputError

__all__ = ["LexerError", "ProgramError", "RecordError", "TemplateError"]


class ProgramError(InputError):
    """A KoPL program, or a step of it, is at fault."""


class RecordError(InputError):
    """A line of a JSON Lines file is no valid record, or there is none."""


class TemplateError(InputError):
    """A `.rq` file, its front matter, or a value given to it is at fault."""


class LexerError(TemplateError):
    """Text that is no SPARQL token."""
