"""The generators' command line: `python -m generators` lists them, `python -m generators NAME` runs one.

```
python -m generators
python -m generators fpq --domain art --n 20
```
"""

from __future__ import annotations

import sys

from kg import cli

GENERATORS = cli.Plugins("generators", first=("fpq", "family", "erbench", "factbench", "unseenqa", "autodebug"))
"""The generators of the project in the order of its pages, then those that other packages offer."""

app = cli.new_app("Facts turned into questions, each with the queries that prove it.", plugins=[GENERATORS])


def main() -> None:
    """Run the command line."""
    cli.run(app, "python -m generators", sys.argv[1:] or ["--help"])


if __name__ == "__main__":
    main()
