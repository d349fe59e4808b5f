"""A model that words questions by the template: once for each family, each text checked before it is used.

A generator brings a `WordingTask` for each family: its rule's own texts with their placeholders, and what the model is to know.
A `Writer` asks for better ones, several tasks a request, and gives back for each task the texts to use, by variant: the model's
where all checks hold, the rule's elsewhere. It counts both, and says why a text was no use.

```
writer = open_writer("openai:MODEL", tries=2, recording=beside("items.jsonl", "writer"), quiet=False)
wordings = writer.word(tasks)          # one `Worded` a task, in their order: texts, and the variants that are the model's
note("\\n".join(writer.summary()), quiet)
```

The recording beside the items holds each answer: `--writer replay:FILE` makes the same bytes of it without a network.

>>> from generators.writer import WordingTask, check_text
>>> task = WordingTask("capital", {"basic": "What is the capital of {country:the}?"})
>>> check_text("Which city is the capital of {country:the}?", task, "basic") is None
True
>>> check_text("Which city is the capital of Norway?", task, "basic").why
'a placeholder does not stand in it as it was given: "{country:the}"'

Source: Zhu et al.: KG-FPQ (2025), §3.2: a model words the question and other names take the places of its own; Oh et al.:
ERBench (2024), §3: one wording for all rows of a relation.
"""

from __future__ import annotations

from generators.writer.asking import Worded, Writer, open_writer
from generators.writer.checks import Flaw, WordingTask, check_text

__all__ = ["Flaw", "Worded", "WordingTask", "Writer", "check_text", "open_writer"]
