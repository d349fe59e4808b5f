"""Edits of an answer that mean nothing: who reads with care understands the same before and after.

| group | edits |
|---|---|
| layout | blanks and line breaks, capitals, the last full stop, an emoji, a sentence a line |
| Unicode | curly quotes, dashes, decomposed accents, invisible and non-breaking blanks, full-width digits, look-alikes |
| talk | lead-ins, closings, disclaimers, remarks on other matters, negations of other matters |
| thoughts | marked in four ways, neutral or contrary: they name another answer than the text does |
| wrappers | emphasis, headings, lists, quotes, fences, JSON, tables, tags, LaTeX, labels, the question repeated |
| options | the label of a choice in other writings |

An edit is a function from an answer to the edited text, or to None where it cannot be applied (no digits, no accents, ...).
What is said in words is drawn from a few wordings by the hash of the answer's key, so that no edit stands for one sentence.
"""

from __future__ import annotations

import calendar
import hashlib
import json
import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import NamedTuple

from evaluators.verify.question import Question


class Answer(NamedTuple):
    """An answer: its key, its text and question, what is understood of it, and a name that answers another question."""

    key: str
    text: str
    question: Question
    understood: str | None = None
    right: bool = True
    rival: str = "Nobody"


Edit = Callable[[Answer], str | None]

_MONTHS = "|".join((*calendar.month_name[1:], *calendar.month_abbr[1:]))
_LONE_NUMBER = re.compile(rf"(?<![\w.,$/'-])(?<!\d )(?!(?:\d+) (?:{_MONTHS})\b)\d+(?:\.\d+)?(?![\w%/-]|[.,]\d)")
_DATE = re.compile(rf"\b(?:{_MONTHS})\.? *\d")
_NAMES = re.compile(r"(?<=[a-z,] )(?:[A-Z][\w'-]*\w|\d+(?!\w|[.,]\d))(?: (?:[A-Z][\w'-]*\w|\d+(?!\w|[.,]\d)))*")
_SENTENCE_END = re.compile(r"(?<=[a-z)][a-z)][a-z)][.!?]) +(?=[A-Z])")
_LABEL = re.compile(r"\b([Oo]ption) (\d)\b")
_LETTERS = str.maketrans("ABCEHKMOPTXaceopxy", "АВСЕНКМОРТХасеорху")
_FULL_WIDTH = str.maketrans("0123456789", "０１２３４５６７８９")
_ORDINARY = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def pick(choices: Sequence[str], *keys: str) -> str:
    """Choose one by the hash of some keys, always the same.

    >>> pick(["a", "b"], "key") == pick(["a", "b"], "key")
    True
    """
    digest = hashlib.blake2b("\x1f".join(keys).encode(), digest_size=8).digest()
    return choices[int.from_bytes(digest, "big") % len(choices)]


def changed(text: str, edited: str) -> str | None:
    """Return the edited text, or None where nothing was edited.

    >>> changed("a", "b"), changed("a", "a")
    ('b', None)
    """
    return edited if edited != text else None


# Layout


def crlf(answer: Answer) -> str:
    """End lines as Windows does."""
    return re.sub(r"\r?\n", "\r\n", answer.text) + "\r\n"


def sentence_a_line(answer: Answer) -> str | None:
    """Put each sentence in a paragraph of its own.

    >>> sentence_a_line(Answer("a", "He was a baker. She was not.", Question("Who?")))
    'He was a baker.\\n\\nShe was not.'
    """
    return changed(answer.text, _SENTENCE_END.sub("\n\n", answer.text))


def first_letter(answer: Answer) -> str | None:
    """Begin with a capital instead of a small letter, or with a small letter instead of a capital."""
    first, rest = answer.text[0], answer.text[1:]
    return changed(answer.text, (first.lower() if first.isupper() else first.upper()) + rest)


def no_full_stop(answer: Answer) -> str | None:
    """Leave the last full stop out."""
    return changed(answer.text, re.sub(r"(?<=[\w)])\.\s*\Z", "", answer.text))


# Unicode


def curly(answer: Answer) -> str | None:
    """Curl the quotes.

    >>> curly(Answer("a", 'It isn\\'t "Dune".', Question("Is it?")))
    'It isn’t “Dune”.'
    """
    opened = re.sub(r'(?<![^\s(])"', "“", answer.text).replace('"', "”")
    return changed(answer.text, re.sub(r"(?<![^\s(])'", "‘", opened).replace("'", "’"))


def dashes(answer: Answer) -> str | None:
    """Write dashes between words as en dashes, the hyphen within a word as one that does not break, a minus as a minus.

    >>> dashes(Answer("a", "A well-known case - at -12.5 degrees.", Question("Is it?")))
    'A well‑known case – at −12.5 degrees.'
    """
    dashed = re.sub(r"(?<=\w)-(?=[^\W\d])", "‑", answer.text.replace(" - ", " – ").replace("--", "—"))
    return changed(answer.text, re.sub(r"(?<![\w-])-(?=\d)", "−", dashed))


def look_alike(answer: Answer) -> str | None:
    """Write two words in Cyrillic letters of the same shape."""
    words = {word for word in re.findall(r"[A-Za-z]{3,}", answer.text) if word.translate(_LETTERS) != word}
    chosen = sorted(words, key=lambda word: hashlib.blake2b(f"{answer.key} {word}".encode()).digest())[:2]
    edited = answer.text
    for word in chosen:
        edited = re.sub(rf"\b{word}\b", word.translate(_LETTERS), edited)
    return changed(answer.text, edited)


# Talk

BEFORE = {
    "praise before": ("Great question! ", "That's an interesting question! ", "Good question. ", "What a fun question! "),
    "lead-in before": (
        "Sure! Here's the answer:\n\n", "Certainly! ", "Of course. Let me help you with that.\n\n", "Sure thing! ",
        "Absolutely, I'd be happy to help with this one.\n\n", "Here is my response:\n", "Okay, let's see. ",
    ),
    "nature of a model before": (
        "As an AI language model, I rely on what I was trained on. ", "As an AI, I do not have opinions of my own. ",
        "I'm a language model without access to the internet, but here is what I can tell you.\n\n",
    ),
}  # fmt: skip

AFTER = {
    "hope after": ("I hope this helps!", "Hope that helps!", "I hope that answers your question.", "Happy to help!"),
    "offer after": (
        "Let me know if you have any other questions.", "Feel free to ask if you would like more details!",
        "Would you like to know more about this topic?", "If you need anything else, just ask.",
        "Is there anything else I can help you with?",
    ),
    "doubt after": (
        "I may be mistaken, so please verify.", "Please double-check this with a reliable source.",
        "I could be wrong, so treat this with some care.", "It is always wise to verify such details independently.",
        "Note that my information may be incomplete.",
    ),
    "knowledge cutoff after": (
        "Please note that my training data has a cutoff date, so newer information may be missing.",
        "Please note that my knowledge only goes up to September 2021.",
        "This is based on information available up to my last update, and things may have changed since.",
    ),
    "unrelated after": (
        "By the way, I hope the weather is pleasant where you are.",
        "On another note, remember to take a break from the screen now and then.",
        "As an aside, this conversation is kept in your history.",
        "Unrelated, but you can change the colours of this chat in the settings.",
    ),
    "idle negation after": (
        "It wasn't easy to look this up.", "No further details are needed here.", "I did not use any tools for this.",
        "Don't hesitate to ask for more.", "There is no need to thank me.", "I'm not paid to say so, of course.",
    ),
    "confidence after": ("I am fairly confident in this answer.", "(Confidence: high)", "Confidence: 9/10"),
}  # fmt: skip

EMOJI = ("😊", "🎉", "✨", "🌍", "📚")


def talk_before(name: str) -> Edit:
    """Make the edit that puts words before an answer."""
    return lambda answer: pick(BEFORE[name], answer.key, name) + answer.text


def talk_after(name: str) -> Edit:
    """Make the edit that puts a sentence after an answer, behind its last sentence or in a paragraph of its own."""

    def after(answer: Answer) -> str:
        text = answer.text.rstrip()
        gap = pick((" ", "\n\n"), answer.key, name, "gap") if text[-1] in ".!?" else "\n\n"
        return text + gap + pick(AFTER[name], answer.key, name)

    return after


# Thoughts

THINKING = (
    "Let me think about what is asked here.",
    "Okay, the user wants a short and clear answer. Let me recall what I know about this.",
    "Hmm, I should read the question with care, and then answer it.",
)


_CONTRARY = "I think the answer is {}.", "So the answer is {}.", "My first guess is {}.", "{0}? That would fit. So: {0}."
_DENIALS = "The question rests on a false premise, that is impossible.", "That is not true at all, so I have to say so."
_GOING_ALONG = "Nothing is wrong with the question. I will simply answer it.", "The question makes sense and is easy to answer."


def contrary(answer: Answer) -> str:
    """Say another answer than the text does: the other of yes and no, another option, a wrong name or the right one.

    >>> contrary(Answer("a", "Yes.", Question("Is it?"), "yes"))
    '...no...'
    """
    question = answer.question
    if question.task == "premise":
        return pick(_GOING_ALONG if answer.understood == "reject" else _DENIALS, answer.key, "contrary")
    if question.task == "yes_no":
        other = "no" if answer.understood == "yes" else "yes"
    elif question.task == "choice":
        numbers = [str(number) for number in range(1, len(question.options) + 1)]
        other = f"option {pick([number for number in numbers if number != answer.understood], answer.key, 'option')}"
    else:
        other = answer.rival if answer.right else (question.expected or ("nothing",))[0]
    return pick(_CONTRARY, answer.key, "contrary").format(other)


def think(form: str, thought: Callable[[Answer], str] | None = None) -> Edit:
    """Make the edit that puts a marked thought before an answer; `form` has `{}` twice: for the thought and the answer."""

    def before(answer: Answer) -> str:
        neutral = pick(THINKING, answer.key, "thinking")
        opening, closing = form.split("{}")[:2]
        return f"{opening}{neutral}{' ' + thought(answer) if thought else ''}{closing}{answer.text}"

    return before


# Wrappers


def lines(before: str, after: str = "") -> Edit:
    """Make the edit that puts something before and after each line that is not empty.

    >>> lines("> ")(Answer("a", "Yes.\\n\\nIt is.", Question("Is it?")))
    '> Yes.\\n\\n> It is.'
    """
    return lambda answer: "\n".join(
        f"{before}{line.strip()}{after}" if line.strip() else line for line in answer.text.split("\n")
    )


def emphasised(mark: str) -> Edit:
    """Make the edit that emphasises all lines, where nothing is emphasised yet."""
    return lambda answer: None if mark[0] in answer.text else lines(mark, mark)(answer)


def bold_beginning(answer: Answer) -> str | None:
    """Put the first words in bold: to the first mark of punctuation, four at most.

    >>> bold_beginning(Answer("a", "Yes, it is.", Question("Is it?")))
    '**Yes**, it is.'
    """
    found = re.match(r"[^\s*,.;:!?]+(?: [^\s*,.;:!?]+){0,3}", answer.text)
    return f"**{found[0]}**{answer.text[found.end() :]}" if found and "**" not in answer.text else None


def bold_names(answer: Answer) -> str | None:
    """Put names and numbers within sentences in bold.

    >>> bold_names(Answer("a", "It was built by Ada Moss in 1931.", Question("Who built it?")))
    'It was built by **Ada Moss** in **1931**.'
    """
    return None if "*" in answer.text else changed(answer.text, _NAMES.sub(r"**\g<0>**", answer.text))


def fence(answer: Answer) -> str | None:
    """Put the text between code fences."""
    return None if "```" in answer.text else f"```\n{answer.text}\n```"


def as_json(answer: Answer) -> str:
    """Put the text into an object of JSON."""
    return json.dumps({"answer": answer.text}, ensure_ascii=False)


def as_json_with_more(answer: Answer) -> str:
    """Put the text into an object of JSON that says more, in a code fence."""
    fields = {"reasoning": pick(THINKING, answer.key, "thinking"), "answer": answer.text, "confidence": 0.9}
    return f"```json\n{json.dumps(fields, indent=2, ensure_ascii=False)}\n```"


def table(answer: Answer) -> str | None:
    """Put a text of one line into a table of one cell."""
    return None if re.search(r"[\n|]", answer.text) else f"| Answer |\n|---|\n| {answer.text} |"


def boxed(answer: Answer) -> str | None:
    """Put a short text into LaTeX's box."""
    text = answer.text.strip().rstrip(".")
    return rf"$\boxed{{\text{{{text}}}}}$" if len(text) <= 40 and not re.search(r"[\n\\${}]", text) else None


def math_number(answer: Answer) -> str | None:
    """Write a number as a formula, where it is no part of a date.

    >>> math_number(Answer("a", "There are 12 of them.", Question("How many?")))
    'There are $12$ of them.'
    """
    if "$" in answer.text or _DATE.search(answer.text):
        return None
    return changed(answer.text, _LONE_NUMBER.sub(r"$\g<0>$", answer.text, count=1))


def citation(answer: Answer) -> str | None:
    """Cite a source at the end, unless its number could be taken for an option."""
    text = answer.text.rstrip()
    return None if answer.question.task == "choice" or not text.endswith(".") else f"{text[:-1]}[1]."


def repeated_question(answer: Answer) -> str:
    """Repeat the question before the answer."""
    return f"Q: {answer.question.text}\nA: {answer.text}"


# Options


def label(write: Callable[[str, int], str]) -> Edit:
    """Make the edit that writes the label of an option in another way, where options are labelled one by one.

    >>> label(lambda word, number: f"{word} #{number}")(Answer("a", "It is Option 2.", Question("Which?", "choice")))
    'It is Option #2.'
    """

    def relabelled(answer: Answer) -> str | None:
        if answer.question.task != "choice" or re.search(r"[Oo]ptions", answer.text):
            return None
        return changed(answer.text, _LABEL.sub(lambda found: write(found[1], int(found[2])), answer.text))

    return relabelled


EDITS: dict[str, Edit] = {
    "blanks around": lambda answer: f"\n\n  {answer.text}  \n\n",
    "CRLF": crlf,
    "doubled blanks": lambda answer: changed(answer.text, answer.text.replace(" ", "  ")),
    "a sentence a line": sentence_a_line,
    "first letter": first_letter,
    "no full stop": no_full_stop,
    "emoji after": lambda answer: f"{answer.text.rstrip()} {pick(EMOJI, answer.key)}",
    "curly quotes": curly,
    "dashes": dashes,
    "decomposed": lambda answer: changed(answer.text, unicodedata.normalize("NFD", answer.text)),
    "zero-width blanks": lambda answer: changed(answer.text, answer.text.replace(" ", "\u200b \u200b")),
    "byte order mark": lambda answer: f"\ufeff{answer.text}",
    "non-breaking blanks": lambda answer: changed(answer.text, answer.text.replace(" ", "\u00a0")),
    "full-width digits": lambda answer: changed(answer.text, answer.text.translate(_FULL_WIDTH)),
    "look-alike letters": look_alike,
    **{name: talk_before(name) for name in BEFORE},
    **{name: talk_after(name) for name in AFTER},
    "neutral <think>": think("<think>\n{}\n</think>\n\n{}"),
    "contrary <think>": think("<think>\n{}\n</think>\n\n{}", contrary),
    "contrary <reasoning>": think("<reasoning>{}</reasoning>\n{}", contrary),
    "contrary …</think>": think("{}\n</think>\n\n{}", contrary),
    "contrary channel": think(
        "<|channel|>analysis<|message|>{}<|end|><|start|>assistant<|channel|>final<|message|>{}", contrary
    ),
    "bold": emphasised("**"),
    "italic": emphasised("_"),
    "bold beginning": bold_beginning,
    "bold names": bold_names,
    "heading before": lambda answer: f"{pick(('## Answer', '### Response', '# Final answer'), answer.key)}\n\n{answer.text}",
    "bullets": lines("- "),
    "block quote": lines("> "),
    "code fence": fence,
    "JSON": as_json,
    "JSON with more": as_json_with_more,
    "table": table,
    "tag": lambda answer: f"<answer>{answer.text}</answer>",
    "end token": lambda answer: f"{answer.text}{pick(('<|im_end|>', '</s>', '<|eot_id|>'), answer.key)}",
    "Answer: before": lambda answer: f"Answer: {answer.text}",
    "bold Answer: before": lambda answer: f"**{pick(('Answer:', 'Final Answer:'), answer.key)}** {answer.text}",
    "A: before": lambda answer: f"A: {answer.text}",
    "question before": repeated_question,
    "boxed": boxed,
    "number as formula": math_number,
    "citation": citation,
    "option in words": label(lambda word, number: f"{word} {_ORDINARY[number - 1]}"),
    "option #": label(lambda word, number: f"{word} #{number}"),
    "option in brackets": label(lambda word, number: f"{word} ({number})"),
    "option in bold": label(lambda word, number: f"**{word} {number}**"),
    "option circled": label(lambda word, number: f"{word} {chr(0x2460 + number - 1)}"),
    "option by letter": label(lambda word, number: f"{word} {chr(ord('A') + number - 1)}"),
    "option in capitals": label(lambda word, number: f"{word.upper()} {number}"),
    "option as choice": label(lambda word, number: f"{'Choice' if word[0] == 'O' else 'choice'} {number}"),
}  # fmt: skip
"""The edits by name."""
