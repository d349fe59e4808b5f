"""What a text calls its answer, what it takes back, and where it goes on with questions of its own.

| in the text | is |
|---|---|
| "The answer is", "Final answer:", "So:", a heading "Answer" | declared: what follows, the last such |
| "Wait, no:", "X? No," | a turn: what stands before is taken back |
| "Question: ..." behind an answer | where it runs on: nothing from there is read |
"""

from __future__ import annotations

import re

from evaluators.verify.reading.cued import CuedPattern, cues
from evaluators.verify.reading.text import BREAK_OR_LINE, Span, Text, phrase
from evaluators.verify.reading.words import alternatives, word_list

# What a text calls its answer: "The answer is", "Final answer:", "A:", a heading "Answer". The last one counts.
_DECLARATION = CuedPattern(alternatives("declaration"), word_list("declaration_cues")["cues"], reach=80)
_LINE_DECLARATION = re.compile(rf"^(?:{alternatives('declaration_line')})", re.IGNORECASE | re.MULTILINE)
_CONDITION = re.compile(r"\b(?:if|whether|were)\b[^.!?\n]*\Z", re.IGNORECASE)
_CONDITION_REACH = 200


def declared(text: str) -> Span | None:
    declarations = [*_DECLARATION.finditer(text)]
    if ":" in text or "=" in text:
        declarations = sorted([*declarations, *_LINE_DECLARATION.finditer(text)], key=lambda match: match.end())
    for declaration in reversed(declarations):
        if "\n" in declaration[0] and ";" in text[text.rfind("\n", 0, declaration.start()) + 1 : declaration.start()]:
            continue  # the head of a table's column
        start = _SIGNS.match(text, declaration.end()).end()  # type: ignore[union-attr]  # it matches nothing, too
        before = text[max(0, declaration.start() - _CONDITION_REACH) : declaration.start()]
        if (
            start < len(text)
            and not _CONDITION.search(before)
            and not _ASKING.match(text, _sentence_start(text, declaration.start()))
        ):
            stop = BREAK_OR_LINE.search(text, start)
            return start, stop.end() if stop else len(text)
    return None


_ASKING = re.compile(
    r"[\s\"'(]*(?:would|could|should|can|does|do|did|is|are|was|were|has|have|will)\b[^.!?\n]*\?", re.IGNORECASE
)
"""A question ("Would a note that says 'answer: yes' make it so?"), in which nothing is declared."""


def _sentence_start(text: str, at: int) -> int:
    """Return where the sentence begins that holds a character."""
    return max(text.rfind(sign, max(0, at - _CONDITION_REACH), at) for sign in ".!?\n") + 1


_SIGNS = re.compile(r"[\s:\"'(]*")

# What takes back what was said before it. The last one counts.
_TURN = CuedPattern(rf"(?:\A|(?<=[^\w]))(?:{alternatives('turn')})[\s,.!:;—–-]*", word_list("turn_cues")["cues"], reach=40)
_THEN_NO = re.compile(r"[hmr][\s,.…—–-]+no\b[\s,.!:;—–-]*", re.IGNORECASE)
_NO = cues(["no"])
_UM = re.compile(r"\b(?:h+m+|u+m+|uh|er+|ah|oh)\Z", re.IGNORECASE)
_UM_REACH = 12


def turned(read: Text) -> Span:
    text, may_turn, may_hesitate = read.original, _may_turn(read), _may_hesitate(read)
    if not (may_turn or may_hesitate):
        return 0, 0  # as most texts
    turns = [turn.span() for turn in _TURN.finditer(text)] if may_turn else []
    for then in _THEN_NO.finditer(text) if may_hesitate else ():
        um = _UM.search(text, max(0, then.start() - _UM_REACH), then.start() + 1)
        if um:
            turns.append((um.start(), then.end()))
    turns = sorted([turn for turn in turns if text[turn[1] :].strip(" .!?\n\"')")])
    return turns[-1] if turns else (0, 0)


def _may_hesitate(text: Text) -> bool:
    """Tell whether a text may hesitate before a "no", behind a word like "hm", "uh" or "er"; hardly any does."""
    line = text.line
    return not _NO.isdisjoint(text.cues) and ("h no " in line or "m no " in line or "r no " in line)


def _may_turn(text: Text) -> bool:
    """Tell whether a text may take something back, by its words; most have none that do.

    >>> _may_turn(Text("It was Rome. Or rather, Ostia.")), _may_turn(Text("It was not Rome."))
    (True, False)
    """
    if "?" in text.original or not _TURN_WORDS.isdisjoint(text.cues):
        return True
    return " no not " in text.line or " no that" in text.line


_TURN_WORDS = cues(word_list("turn_words")["words"])


_RUN_ON = re.compile(r"\n\s*(?:question|q|passage|context|text|example|new question|next question)\s*:\s*(?=\S)", re.IGNORECASE)
_PROMPT = re.compile(r"\W*(?:passage|context|text|question|q|example)\s*:", re.IGNORECASE)


def run_on(text: str, asked: str) -> int:
    """Return where a text goes on with another question or passage behind its answer; 0 where it does not."""
    for found in _RUN_ON.finditer(text):
        before = text[: found.start()]
        same = phrase(asked) and phrase(text[found.end() :])[: len(phrase(asked))] == phrase(asked)
        answered = not _PROMPT.match(before) or "\n" in before.strip()
        if (
            any(map(str.isalnum, before))
            and not same
            and answered
            and ("?" in text[found.end() :] or "\n" in text[found.end() :])
        ):
            return found.start()
    return 0
