"""The command line of this folder."""

from __future__ import annotations

from generators.fpq.make import app, main

__all__ = ["app", "main"]

if __name__ == "__main__":
    main()
