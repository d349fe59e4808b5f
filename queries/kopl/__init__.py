"""KoPL, a language of functions that programs are written in, compiled to SPARQL.

```
python -m queries kopl program.json
python -m queries kopl program.json --store ./kopl --run
```
"""

from queries.kopl.compile import compile_program
from queries.kopl.program import Program, Step, read_programs

__all__ = ["Program", "Step", "compile_program", "read_programs"]
