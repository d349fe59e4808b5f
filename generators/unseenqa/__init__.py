"""Questions that nobody can answer yet, questions that a model has seen answered, and each answer asked for again.

```
python -m generators.unseenqa --out unseenqa.jsonl
python -m generators.unseenqa --seen 200 --out both.jsonl
python -m generators.unseenqa consistency responses.jsonl --items both.jsonl --out again.jsonl
```

Source: Zheng, Lapata, Pan: How Reliable are LLMs as Knowledge Bases? (2024).
"""

from __future__ import annotations

from generators.unseenqa.make import Options, Result, generate
from generators.unseenqa.occasions import Occasion, occasion
from generators.unseenqa.templates import Template, load_templates

__all__ = ["Occasion", "Options", "Result", "Template", "generate", "load_templates", "occasion"]
