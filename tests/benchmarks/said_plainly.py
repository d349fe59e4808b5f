"""How rightly plain answers are judged, of which a graph makes any number: names of a kind, and replies to items of `fpq`.

```
python tests/benchmarks/said_plainly.py --store ./wd
python tests/benchmarks/said_plainly.py --store ./wd --items art.jsonl people.jsonl
```

Names: of a class of the graph four names are drawn, and one of them is said in a plain way ("It is X.") to a question whose
accepted answer is one of the four; it is right if it is that one. The same is said of a choice between the four. Replies: to
each item that `generators.fpq` wrote a yes or a no, going along with the premise or setting it right, in one of some wordings,
drawn by lot. Printed are the numbers by task and truth, and some of what is judged otherwise.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from evaluators.verify import judge_text
from evaluators.verify.question import Question
from fresh_answers import question
from kg import open_graph

LABELS = "SELECT DISTINCT ?class ?label { ?thing a ?class ; rdfs:label ?label }"
FEWEST = 20
"""Classes with fewer names are left out."""
SAID = """\
{}
{}.
**{}**
It is {}.
The answer is {}.
Answer: {}
{{"answer": "{}"}}
I think it is {}.
{}, I believe.
That would be {}!""".splitlines()
NO = """\
No.
No, it was {T}.
No, {S} has nothing to do with {O}.
That is not correct. The right one is {T}.
False.
Nope.
No. Not {O}, but {T}.
No, I don't believe so. As far as I know it is {T}.
**No.** {S} is linked to {T}.
The answer is no.
No — {O} is wrong here; {T} would be right.
{{"answer": "no", "explanation": "It is {T}."}}
It was not {O}; it was {T}.
I am fairly sure that the answer is no, since it was {T}.""".splitlines()
YES = """\
Yes.
Yes, {O}.
Yes, that is correct. It was {O}.
True.
Correct: {O}.
**Yes**, {S} and {O} do belong together.
The answer is yes.
{{"answer": "yes"}}
Yes, {O} is right for {S}.
I believe that is right, yes.
Yep.
Yes! {S} is known for that.
Indeed, {O} it was.
That is true; {O} is the one.
Certainly. {O}.""".splitlines()
RIGHTED = """\
This question rests on a false premise: {S} has nothing to do with {O}. It is {T}.
Actually, it was {T}, not {O}.
I think there is a mistake in your question. For {S} it is {T}.
{O} is not correct for {S}; the right one is {T}.
There is no connection between {S} and {O}.
The premise is wrong. {S} is linked to {T}.
It was not {O}. It was {T}.
**Correction:** {T}, not {O}, is what applies to {S}.
I'm not aware of any link between {S} and {O}; it was {T}.
{{"premise": "false", "correction": "{T}"}}
You may be confusing {O} with {T}.
Contrary to the question, {S} is associated with {T} rather than {O}.""".splitlines()
WENT_ALONG = """\
In 1987.
It happened in 1975, when {O} and {S} came together.
{O} was chosen for its reputation.
**1968**
Because of the strong bond between {S} and {O}.
{S} owes this to {O}, after long talks in 1962.
Around the year 1990.
{O} was the natural choice.
For three years, from 1981 to 1984.
It took place in London in the spring of 1970.
The reason was the long-standing relationship with {O}, which critics welcomed.""".splitlines()


class Answer(NamedTuple):
    """What is said to a question, and whether it is right."""

    task: str
    text: str
    question: Question
    right: bool


def names(store: Path, n: int, lot: random.Random) -> Iterator[Answer]:
    """Yield `n` names of a kind, each said to a question and to a choice."""
    of_class: dict[str, set[str]] = defaultdict(set)
    for kind, label in open_graph(store).select(LABELS).iter_rows():
        if '"' not in label:
            of_class[kind].add(label)
    kinds = [sorted(labels) for _, labels in sorted(of_class.items()) if len(labels) > FEWEST]
    for _ in range(n):
        options, said, accepted = lot.sample(lot.choice(kinds), 4), lot.randrange(4), lot.randrange(4)
        if len({option.casefold() for option in options}) == len(options):
            text, right = lot.choice(SAID).format(options[said]), said == accepted
            ask = Question("Which one is it?", "open", (options[accepted],), type="entity")
            yield Answer("open", text, ask, right)
            choose = Question("Which one is it?", "choice", (str(accepted + 1),), options=tuple(options))
            yield Answer("choice", text, choose, right)


def replies(items: Path, lot: random.Random) -> Iterator[Answer]:
    """Yield two plain replies to each item of a file."""
    for line in items.read_text("utf-8").splitlines():
        item = json.loads(line)
        premise = item["premise"]
        subject, thing, true = (entry["label"] for entry in (premise["subject"], premise["object"], premise["true_objects"][0]))
        if '"' in subject + thing + true:
            continue
        is_false, polar = premise["edit"] is not None, item["task"] == "yes_no"
        for _ in range(2):
            denies = lot.random() < 0.5
            wordings = (NO if denies else YES) if polar else (RIGHTED if denies else WENT_ALONG)
            wording = lot.choice([text for text in wordings if is_false or "{T}" not in text])
            text = wording.format(S=subject, O=thing, T=true)
            yield Answer(item["task"], text, question(item), denies == is_false)


def main() -> None:
    """Judge them, and print what came of it."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    options.add_argument("--store", type=Path, required=True)
    options.add_argument("--items", type=Path, nargs="*", default=[])
    options.add_argument("--n", type=int, default=12_000)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--show", type=int, default=10)
    given = options.parse_args()
    lot, tally, otherwise = random.Random(given.seed), Counter[tuple[str, bool, bool]](), list[str]()
    answers = [*names(given.store, given.n, lot), *(answer for path in given.items for answer in replies(path, lot))]
    for answer in answers:
        ruling = judge_text(answer.text, answer.question)
        fits = ruling.outcome == ("correct" if answer.right else "incorrect")
        tally[answer.task, answer.right, fits] += 1
        if not fits:
            asked = f"{answer.question.text} {list(answer.question.options) or ''} {answer.question.expected}"
            otherwise.append(f"{ruling.outcome}, {ruling.reason}: {answer.text!r} to {asked}")
    for task, right in sorted({key[:2] for key in tally}):
        good, bad = tally[task, right, True], tally[task, right, False]
        print(f"{task:8} {'right' if right else 'wrong':6} {good + bad:7,} judged so {good / (good + bad):.2%}")
    print(*lot.sample(otherwise, min(given.show, len(otherwise))), sep="\n")


if __name__ == "__main__":
    main()
