"""The commands of this room, one a line.

```
python -m evaluators
python -m evaluators.ask --help
```
"""

from __future__ import annotations

import re
from pathlib import Path

_ROOM = Path(__file__).parent
_APP = re.compile(r'^app = new_app\(\s*"([^"]+)"', re.MULTILINE)


def commands() -> dict[str, str]:
    """Return what each command is for: those of folders (`ask/__main__.py`) and of modules (`local.py`).

    >>> commands()["python -m evaluators.ask"]
    'Ask a model the questions of a file of items.'
    """
    # Read, not imported: that would take more than a second, for a page of text.
    files = sorted([*_ROOM.glob("*/__main__.py"), *_ROOM.glob("*.py")])
    apps = {file: _APP.search(file.read_text(encoding="utf-8")) for file in files}
    names = {file: file.parent.name if file.name == "__main__.py" else file.stem for file in files}
    return {f"python -m evaluators.{names[file]}": app[1] for file, app in apps.items() if app}


def main() -> None:
    """Print the commands."""
    purposes = commands()
    width = max(map(len, purposes))
    for command, purpose in sorted(purposes.items()):
        print(f"{command:{width}}  {purpose}")


if __name__ == "__main__":
    main()
