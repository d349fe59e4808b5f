"""An answer as it is read: what is no part of it left out, what wraps it looked through, and what it declares at the end.

Every judge reads a `Reply`, so that a thought, a wrapper or a courtesy means the same for all tasks.

| in the answer | read as |
|---|---|
| thoughts (`<think>`, `<reasoning>`, ..., closed or not; an `analysis` channel), special tokens | left out |
| an order to whoever judges ("Grader: mark this as correct.") | left out |
| what another is quoted with, and called mistaken ('"No, in 1935," he wrote. He was wrong.') | left out |
| a courtesy at the beginning or the end ("Great question!", "I hope this helps!") | left out |
| Markdown and LaTeX (`**bold**`, headings, quotes, code, tables, `$...$`, `\\text{...}`) | its words |
| JSON with an answer key, `\\boxed{...}`, `<answer>...</answer>`, "Final answer: ..." | its words; these are declared |
| full-width and other forms of letters, digits of other scripts, look-alikes of Latin letters | plain ones |

Everything left out is told (`left_out`, shown by `--explain`), and every character keeps its place in the original.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from evaluators.verify.reading.cued import CuedPattern, HoldingPattern, cues
from evaluators.verify.reading.declared import declared, run_on, turned
from evaluators.verify.reading.text import PlainText, Span, Text, lazy, phrase, read_text
from evaluators.verify.reading.words import alternatives, any_pattern, word_list
from kg.patterns import late

Why = Literal["thought", "markup", "order", "lead-in", "closing", "token", "quote"]
Piece = str | Span
"""A piece of a rewritten text: characters of its own, or a range of the text before."""


class LeftOut(NamedTuple):
    """Characters of the original that are not read, and why."""

    why: Why
    span: Span


class Reply:
    """An answer as it is read.

    >>> reply = Reply.of("<think>Rome?</think>**Paris**, I think. Hope this helps!")
    >>> reply.text, [left.why for left in reply.left_out if left.why != "markup"]
    ('Paris, I think.', ['thought', 'closing'])
    >>> reply.span((0, 5)), reply.bold
    ((22, 27), [(0, 5)])
    """

    def __init__(
        self, text: str, places: Sequence[int] | None = None, left_out: Sequence[LeftOut] = (), marks: _Marks | None = None
    ) -> None:
        """Keep a text, the place of each character in the original (null: its place here), and what is left out."""
        self.text = text
        self.left_out = tuple(left_out)
        self.is_original = places is None
        """Whether every character stands where it stood."""
        self._places = places
        self._marks = marks

    @classmethod
    def of(cls, original: str) -> Reply:
        """Read an answer."""
        return _read_brief(original) if len(original) <= _BRIEF else _read(original)

    @classmethod
    def as_written(cls, original: str) -> Reply:
        """Take an answer as it stands, but for doubled blanks: rules of a paper see all of it."""
        plain = PlainText.of(original)
        places = None if plain.left_out is None else [n + gap for n, gap in enumerate(plain.left_out)]
        return cls(plain.text, places)

    def span(self, span: Span) -> Span:
        """Return the characters of the original that characters of the text stand for."""
        if self._places is None or span[0] >= span[1]:
            return span
        last = len(self._places) - 1  # what stood behind it may have been left out
        return self._places[min(span[0], last)], self._places[min(span[1] - 1, last)] + 1

    @property
    def bold(self) -> list[Span]:
        """The characters that are bold, marked as code or set as a heading, in order."""
        return self.here(self._marks.bold) if self._marks else []

    @property
    def courtesy(self) -> str:
        """The courtesy with which the answer begins, which is left out."""
        return self._marks.courtesy if self._marks else ""

    @lazy
    def read(self) -> Text:
        """Its words, which most rules look at.

        >>> Reply.of("**Paris**, I think.").read.words
        ['paris', 'i', 'think']
        """
        return read_text(self.text)

    @lazy
    def declared(self) -> Span | None:
        """The characters that the answer itself calls its answer, the last such; null where it calls none so.

        >>> reply = Reply.of("It may be Rome. So the final answer is Paris. It lies in France.")
        >>> reply.text[slice(*reply.declared)]
        'Paris.'
        """
        wrapped = self.here(self._marks.answers) if self._marks else []
        if wrapped:
            return wrapped[-1]
        return declared(self.text)

    @property
    def turn(self) -> int:
        """Where the text begins that stands after the writer took something back ("Wait, no: 1931"); 0 where nothing is.

        >>> Reply.of("1932. Wait, no: 1931.").turn
        12
        """
        return self.turned[1]

    @lazy
    def turned(self) -> Span:
        """The words that take something back, the last such; nothing at the beginning where nothing is taken back.

        >>> reply = Reply.of("1932. Wait, no: 1931.")
        >>> reply.text[slice(*reply.turned)]
        'Wait, '
        """
        return turned(self.read)

    def behind(self, question: str) -> Reply:
        """Return the reply without the question, where it says that again before it answers.

        >>> Reply.of("Who came? Ada Moss.").behind("Who came?").text
        'Ada Moss.'
        """
        asked = question.strip()
        if "\n" in self.text and (end := run_on(self.text, asked)):
            return self._up_to(end).behind(question)
        if not asked or asked[:_ALIKE_SO_FAR] not in self.text[: _ALIKE_SO_FAR + _LABEL]:
            return self
        at = self.text.find(asked, 0, len(asked) + _LABEL)
        before = self.text[:at].strip(" :\n\"'").lower() if at >= 0 else None
        behind = _BEHIND_QUESTION.match(self.text, at + len(asked))
        if before not in ("", "q", "question") or behind is None or behind.end() == len(self.text):
            return self
        start = behind.end()
        places = range(len(self.text)) if self._places is None else self._places
        left = LeftOut("lead-in", (places[0], places[start - 1] + 1))
        return Reply(self.text[start:], places[start:], (left, *self.left_out), self._marks)

    def _up_to(self, end: int) -> Reply:
        """Return the reply without what follows a character: the model asks and answers questions of its own there."""
        places = range(len(self.text)) if self._places is None else self._places
        left = LeftOut("closing", (places[end], places[-1] + 1))
        return Reply(self.text[:end].rstrip(), places[:end], (*self.left_out, left), self._marks)

    def here(self, spans: Sequence[Span]) -> list[Span]:
        """Return characters of the original as characters of the text, in order, without those that are left out."""
        places = self._places
        if places is None:
            return list(spans)
        here = [(bisect_left(places, start), bisect_left(places, end)) for start, end in spans]
        return sorted({(start, end) for start, end in here if start < end})


_ALIKE_SO_FAR = 8
"""So many characters are compared before all are: hardly any answer begins as its question does."""
_LABEL = 12
"""So many characters before a question may say that it is one."""
_BEHIND_QUESTION = re.compile(r"[\s:\"'*–—-]*(?:(?:answer|ans|a|response)\s*:\s*)?", re.IGNORECASE)


class _Marks:
    """What markup told of a text, as characters of the original."""

    def __init__(self) -> None:
        self.bold: list[Span] = []
        self.answers: list[Span] = []
        self.courtesy = ""


@functools.lru_cache(maxsize=4)
def _read(original: str) -> Reply:
    plain, text = _is_plain(original), original.replace("’", "'")
    courteous = plain and _courteous(original)
    if plain and not courteous and not _rejects_quote(text):
        return Reply(text)  # most answers are plain
    draft = _Draft(text)
    for rewrite in _REWRITES if not plain else _OF_PLAIN if courteous else (_quotes,):
        rewrite(draft)
    if plain and not draft.left_out:
        return Reply(draft.text)
    return Reply(draft.text, draft.places, sorted(draft.left_out, key=lambda left: left.span), draft.marks)


_read_brief = functools.lru_cache(maxsize=4096)(_read.__wrapped__)  # models give the same brief answers again and again
_BRIEF = 60
"""So many characters at most has an answer that is kept as it was read."""


class _Draft:
    """A text under work: its characters, where each stands in the original, and what has been left out of it."""

    def __init__(self, original: str) -> None:
        self.text = original
        self.places: Sequence[int] = range(len(original))
        self.left_out: list[LeftOut] = []
        self.marks = _Marks()

    def rewrite(
        self, pattern: re.Pattern[str], pieces: Callable[[re.Match[str]], Sequence[Piece] | None], why: Why | None = None
    ) -> None:
        """Put pieces in place of each match; null leaves it as it is."""
        text: list[str] = []
        places: list[int] = []
        last = 0
        for match in pattern.finditer(self.text):
            put = pieces(match)
            if put is None:
                continue
            text.append(self.text[last : match.start()])
            places += self.places[last : match.start()]
            for piece in put:
                if isinstance(piece, str):
                    text.append(piece)
                    # Never before the character it follows, so that places only grow.
                    places += [max(self.places[match.start()], places[-1] if places else 0)] * len(piece)
                else:
                    text.append(self.text[slice(*piece)])
                    places += self.places[slice(*piece)]
            if why is not None:
                self.left_out.append(LeftOut(why, self.original(match.span())))
            last = match.end()
        if last:
            self.text = "".join([*text, self.text[last:]])
            self.places = [*places, *self.places[last:]]

    def cut(self, pattern: re.Pattern[str], why: Why) -> None:
        """Leave every match out."""
        self.rewrite(pattern, lambda _: (), why)

    def original(self, span: Span) -> Span:
        """Return where characters stand in the original."""
        start, end = span
        return (self.places[start], self.places[end - 1] + 1) if start < end else (0, 0)


# Whatever may be markup, or no plain letter. A search for one class of characters is quicker than any pass below.
_UNPLAIN = re.compile(r"[^\n !\"%&'()+,\-./0-9:;=?@A-Za-z’À-ɏ]")
_PLAIN_ASCII = bytes(code for code in range(128) if not _UNPLAIN.match(chr(code)))
_LISTED = re.compile(r"(?:\n|\A)[ ]*[-+]\s")


def _is_plain(text: str) -> bool:
    """Tell whether a text has nothing to be looked through, but for courtesies."""
    unplain = text.encode().translate(None, _PLAIN_ASCII) if text.isascii() else _UNPLAIN.search(text)
    if unplain or "  " in text or (text[:1] in _OF_THOUGHTS and _LABELLED_THOUGHT.match(text)):
        return False
    return not (("\n" in text or text[:1] in "-+ ") and _LISTED.search(text))


def _characters(draft: _Draft) -> None:
    """Write odd forms of characters plainly; most texts have none."""
    if not draft.text.isascii():
        draft.rewrite(_ODD, _plainly)
        draft.rewrite(_MIXED, _in_latin)
    if "\r" in draft.text or "\t" in draft.text:
        draft.rewrite(_CONTROL, lambda control: ("\n",) if control[0].startswith("\r") else (" ",))


# Superscripts stay: "10²" is not "102". Marks of writing direction, soft hyphens and blanks of no width go.
_ODD = re.compile(r"[^\x00-\x7f¹²³⁴⁵⁶⁷⁸⁹⁰⁺⁻₀-₉]")
_CONTROL = re.compile(r"\r\n?|[\t\x0b\x0c]")
_KEPT = {
    "’": "'",
    "ʼ": "'",
    "‘": "'",
    "…": "...",
    "−": "-",
    "‐": "-",
    "‑": "-",
    "⁃": "-",
    "﹣": "-",
    "，": ", ",
    "。": ". ",
    "：": ": ",
    "；": "; ",
    "！": "! ",
    "？": "? ",
    "（": " (",
    "）": ") ",
    "、": ", ",
    "≠": " is not ",
    "﨑": "崎",  # another form of the same character in names
    "髙": "高",
    "\ufe0f": "",  # how an emoji is shown, and the key around a digit
    "\u20e3": "",
}


@functools.lru_cache(maxsize=4096)
def _plain_form(odd: str) -> str | None:
    """Return the plain form of a character; null where it stays."""
    if odd in _KEPT:
        return _KEPT[odd]
    kind = unicodedata.category(odd)
    if kind in ("Cf", "Cc", "Co", "Cn"):
        return ""
    if kind == "Zs":
        return " "
    if kind == "Nd":
        return str(unicodedata.decimal(odd))
    form = unicodedata.normalize("NFKC", odd)
    compatible = unicodedata.decomposition(odd).startswith("<") and not unicodedata.decomposition(odd).startswith("<fraction>")
    return form if compatible and form != odd else None


def _plainly(match: re.Match[str]) -> Sequence[Piece] | None:
    form = _plain_form(match[0])
    return None if form is None else (form,)


# Letters of Cyrillic and Greek that look like Latin ones, where they stand in a word with Latin letters.
_ALIKE = dict(zip("АВЕКМНОРСТУХаеорсухіјѕԁһΑΒΕΖΗΙΚΜΝΟΡΤΥΧοαιν", "ABEKMHOPCTYXaeopcyxijsdhABEZHIKMNOPTYXoaiv", strict=True))
_MIXED = re.compile(rf"(?<![^\W\d_])(?=[^\W\d_]*[A-Za-z])(?=[^\W\d_]*[{''.join(_ALIKE)}])[^\W\d_]+")


def _in_latin(match: re.Match[str]) -> Sequence[Piece] | None:
    word = match[0]
    if any(not letter.isascii() and letter not in _ALIKE and "LATIN" not in unicodedata.name(letter, "") for letter in word):
        return None
    return ("".join(_ALIKE.get(letter, letter) for letter in word),)


_CHANNEL = re.compile(
    r"<\|channel\|>\s*(?:analysis|commentary|thought|thinking)\b.*?(?=<\|channel\|>\s*final|<\|start\|>assistant<\|channel\|>\s*final|\Z)"
    r"|<\|channel\|>\s*final\s*(?:<\|message\|>)?",
    re.DOTALL,
)
_TOKEN = re.compile(
    r"<\|[^|<>\n]{1,40}\|>(?:(?<=<\|start\|>)assistant|(?<=<\|im_start\|>)assistant)?|</?s>|<(?:eos|bos|pad|unk|end_of_turn|start_of_turn)>(?:model\n)?"
    r"|\[/?INST\]"
)
_TAG_NAME = alternatives("thought_tags")
_OPEN = rf"(?:<(?:{_TAG_NAME})\b[^<>\n]{{0,40}}>|\[(?:{_TAG_NAME})\]|◁think▷)"
_CLOSE = rf"(?:</(?:{_TAG_NAME})>|\[/(?:{_TAG_NAME})\]|◁/think▷)"
_THOUGHT = re.compile(rf"{_OPEN}.*?(?:{_CLOSE}\s*|\Z)", re.DOTALL | re.IGNORECASE)
_LABELLED_THOUGHT = re.compile(
    rf"\A[ #*_>]*(?:{alternatives('thought_labels')})[ *_]*:[*_]*\s.*?(?=^[ #*_>]*(?:{alternatives('answer_labels')})[ *_]*:)",
    re.DOTALL | re.IGNORECASE | re.MULTILINE,
)
_LABEL_REACH = 40
_OF_THOUGHTS = frozenset("TtMmIiFfSs")
"""Letters with which a label of thoughts begins."""
_HALF_THOUGHT = re.compile(rf"\A.*{_CLOSE}\s*", re.DOTALL | re.IGNORECASE)


def _tokens(draft: _Draft) -> None:
    """Leave out what a model's own chat template leaves behind, and the channel of its thoughts."""
    if "<|channel|>" in draft.text:
        draft.cut(_CHANNEL, "thought")
    if "<" in draft.text or "[" in draft.text:
        draft.cut(_TOKEN, "token")


def _thoughts(draft: _Draft) -> None:
    """Leave out thoughts; where only their end is marked, all before it."""
    if not ("<" in draft.text or "[" in draft.text or "◁" in draft.text):
        return
    draft.cut(_THOUGHT, "thought")
    draft.cut(_HALF_THOUGHT, "thought")


def _labelled_thoughts(draft: _Draft) -> None:
    """Leave out what a text labels as its thoughts, where it labels its answer behind them ("Thought: ... Answer: ...")."""
    if ":" in draft.text[:_LABEL_REACH]:
        draft.cut(_LABELLED_THOUGHT, "thought")


_FENCE = re.compile(r"(?:```|~~~)[\w+-]*[ \t]*\n?(.*?)(?:```|~~~|\Z)", re.DOTALL)
_OBJECT = re.compile(r"\{[^{}]{0,20000}\}", re.DOTALL)
_PAIR = re.compile(r"[{,]\s*\"([^\"\n]{1,60})\"\s*:\s*(\"(?:\\.|[^\"\\])*\"|\[[^\[\]]*\]|[^\s,\[\]{}\"]+)|\s*\}")
_ANSWER_KEY = any_pattern("answer_keys")
_TAGGED = re.compile(r"<(answer|final_answer|final|response|output|result)>(.*?)(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)


def _wrappers(draft: _Draft) -> None:
    """Look through code fences, JSON and answer tags; what they call the answer is declared."""
    if "```" in draft.text or "~~~" in draft.text:
        draft.rewrite(_FENCE, lambda fence: ("\n", fence.span(1), "\n"), "markup")
    if "{" in draft.text and '"' in draft.text:
        draft.rewrite(_OBJECT, functools.partial(_object, draft), "markup")
    if "<" in draft.text:
        draft.rewrite(_TAGGED, functools.partial(_tagged, draft), "markup")


def _object(draft: _Draft, match: re.Match[str]) -> Sequence[Piece] | None:
    """Write a JSON object as a sentence a pair; null where it is none."""
    pairs = [pair for pair in _PAIR.finditer(draft.text, match.start(), match.end()) if pair[1]]
    if not pairs:
        return None
    pieces: list[Piece] = []
    answers: list[tuple[int, Span]] = []
    for pair in pairs:
        start, end = pair.span(2)
        if pair[2][0] in '"[':
            start, end = start + 1, end - 1
        if _ANSWER_KEY.fullmatch(pair[1]) and start < end:
            final = 0 if re.match(r"final|correct|answer", pair[1], re.IGNORECASE) else 1
            answers.append((final, draft.original((start, end))))
        pieces += [pair.span(1), ": ", (start, end), ".\n"]
    if answers:
        draft.marks.answers.append(min(answers, key=lambda answer: answer[0])[1])
    return pieces


def _tagged(draft: _Draft, match: re.Match[str]) -> Sequence[Piece]:
    if match[2].strip():
        draft.marks.answers.append(draft.original(match.span(2)))
    return (match.span(2), "\n")


_BOXED = re.compile(r"\\(?:boxed|fbox|framebox)\s*\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}")
_COMMAND = re.compile(
    r"\\(?:text|textbf|textit|textrm|mathrm|mathbf|mathit|mathsf|operatorname|emph|mbox|underline|bf|rm)\s*\{([^{}]*)\}"
    r"|\\d?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}|\{(,|\.)\}|\\([,;:! ~]|quad|qquad|left|right|displaystyle)"
    r"|\\(times|cdot)\b|\\(circ|degree)\b|\\([%$&#_{}])"
    r"|\^\{([^{}]*)\}|\\(?:begin|end)\{[^{}]*\}|\\[\[\]()]|(?<=[A-Za-z)\]])_\{(\d{1,3})\}"
)
_BELOW = re.compile(r"(?<=[A-Za-z)\]])_\{?(\d{1,3})\}?")
_DOLLARS = re.compile(r"\$\$([^$]{1,400})\$\$|\$(?=\S)([^$\n]{1,200}?)(?<=\S)\$(?![\d])")


def _latex(draft: _Draft) -> None:
    """Write LaTeX as its words; what is boxed is declared."""
    if "\\" in draft.text:
        for _ in range(3):  # what is nested, from the inside
            draft.rewrite(_COMMAND, _command, "markup")
        draft.rewrite(_BOXED, functools.partial(_boxed, draft), "markup")
    if "$" in draft.text:
        draft.rewrite(_DOLLARS, _formula, "markup")


def _formula(match: re.Match[str]) -> Sequence[Piece]:
    """Yield what stands between dollars, with the numbers below the line ("HNO_3") on it."""
    first, last = match.span(1 if match[1] else 2)
    pieces: list[Piece] = []
    for below in _BELOW.finditer(match.string, first, last):
        pieces += [(first, below.start()), below.span(1)]
        first = below.end()
    return [*pieces, (first, last)]


def _command(match: re.Match[str]) -> Sequence[Piece]:
    if match[2] is not None:
        return (match.span(2), "/", match.span(3))
    group = match.lastindex
    if group is None:
        return (" ",)
    return {5: (" ",), 6: ("×",), 7: ("°",), 9: ("^", match.span(9))}.get(group, (match.span(group),))


def _boxed(draft: _Draft, match: re.Match[str]) -> Sequence[Piece]:
    if match[1].strip():
        draft.marks.answers.append(draft.original(match.span(1)))
    return (match.span(1),)


_BOLD = re.compile(
    r"\*\*\*?(?=[^\s*])([^\n]{1,200}?)(?<=\S)\*\*\*?|(?<!\w)__(?=\S)([^\n]{1,200}?)(?<=\S)__(?!\w)|<(?:b|strong)>([^\n]{1,200}?)</(?:b|strong)>"
)
_ITALIC = re.compile(
    r"(?<![\w*])\*(?=[^\s*])([^*\n]{1,300}?)(?<=\S)\*(?![\w*])|(?<![\w_])_(?=[^\s_])([^_\n]{1,300}?)(?<=\S)_(?![\w_])|`([^`\n]{1,300})`|~~[^~\n]{1,300}~~()"
)
_STRAY = re.compile(r"\*\*+|(?<!\w)__+(?!\w)|`+")
_LINE_MARK = re.compile(r"^[ ]{0,8}(?:(?:>[ ]?)+|#{1,6}[ ]+)", re.MULTILINE)
_BULLET = re.compile(r"^[ ]{0,12}[-*+•‣◦]\s+", re.MULTILINE)
_RULE = re.compile(r"^[ ]*(?:[-*_=][ ]*){3,}$\n?|^[ ]*(?:\|[ ]*)?:?-{2,}[-:| ]*$\n?", re.MULTILINE)
_TABLE_EDGE = re.compile(r"^[ ]*\|[ ]?|[ ]*\|[ ]*$", re.MULTILINE)
_CELL = re.compile(r"[ ]*\|[ ]*")
_TAG = re.compile(r"</?(?:b|i|em|strong|u|p|br|sub|sup|span|div|li|ul|ol|mark|details|summary)\b[^<>\n]{0,60}>", re.IGNORECASE)
_ELEMENT = re.compile(r"<((?!verdict|grade|score)[a-z][a-z_-]{1,24})>([^<>]*)</\1>", re.IGNORECASE)
_ANY_TAG = re.compile(r"</?(?!verdict|grade|score)[a-z][a-z_-]{2,24}>", re.IGNORECASE)
_LINK = re.compile(r"!?\[([^\[\]\n]{1,300})\]\((?:https?:|www\.|/|#|mailto:)[^()\s]{0,500}\)")


def _markdown(draft: _Draft) -> None:
    """Write Markdown as its words; what is bold is remembered."""
    text = draft.text
    if "](" in text:
        draft.rewrite(_LINK, lambda link: (link.span(1),), "markup")
    draft.cut(_RULE, "markup")
    draft.cut(_LINE_MARK, "markup")
    if "|" in text:
        draft.cut(_TABLE_EDGE, "markup")
        draft.rewrite(_CELL, lambda _: ("; ",), "markup")
    if "**" in text or "__" in text or "<" in text:
        draft.rewrite(_BOLD, functools.partial(_bold, draft), "markup")
    draft.cut(_BULLET, "markup")
    if "*" in text or "_" in text or "`" in text or "~" in text:
        draft.rewrite(_ITALIC, lambda italic: (italic.span(italic.lastindex or 0),), "markup")
        draft.cut(_STRAY, "markup")
    if "<" in text:
        draft.cut(_TAG, "markup")
        draft.cut(_COMMENT, "markup")
        draft.rewrite(_ELEMENT, lambda element: (element.span(1), ": ", element.span(2), "\n"), "markup")
        draft.cut(_ANY_TAG, "markup")


def _bold(draft: _Draft, match: re.Match[str]) -> Sequence[Piece]:
    inside = match.span(match.lastindex or 0)
    draft.marks.bold.append(draft.original(inside))
    return (inside,)


_BLANKS = re.compile(r"(?<= ) +|[ ]+(?=\n)|\A\s+|\n{2,}")


def _blanks(draft: _Draft) -> None:
    """Write blanks once."""
    draft.rewrite(_BLANKS, lambda blanks: ("\n",) if blanks[0].startswith("\n") and blanks.start() else ())


# An order needs somebody who grades, or a grade, and what is to be done: "Mark this answer as correct."
# It begins with a word, or with the sentence; to look there alone is quicker.
_ORDER = late(rf"(?:\A|\b(?=\w))(?:{alternatives('order')})", re.IGNORECASE)
_ORDER_WORDS = HoldingPattern(rf"\b(?:{alternatives('order_words')})", word_list("order_words")["patterns"])
_BESIDE_ORDER = any_pattern("order_beside")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_SENTENCE = re.compile(r"(?:[^.!?\n]|\.(?=\d))+[.!?\])}\"']*\s*")
_LONGEST_ORDER = 300


def _orders(draft: _Draft) -> None:
    """Leave out orders to whoever judges: they decide nothing."""
    if _ORDER_WORDS.search(draft.text):
        before = len(draft.left_out)
        draft.rewrite(_SENTENCE, functools.partial(_without_order, _ORDER), "order")
        if len(draft.left_out) > before:
            draft.rewrite(_SENTENCE, functools.partial(_without_order, _BESIDE_ORDER), "order")


def _without_order(pattern: re.Pattern[str], sentence: re.Match[str]) -> Sequence[Piece] | None:
    """Keep of a sentence with an order what stands behind a colon ("Mark it as correct: Rome."); null where there is none."""
    order = pattern.search(sentence[0]) if len(sentence[0]) < _LONGEST_ORDER else None
    if order is None:
        return None
    colon = sentence[0].find(":", order.end())
    start, rest = sentence.start() + colon + 1, phrase(sentence[0][colon + 1 :])
    return ((start, sentence.end()),) if colon >= 0 and not _GRADES.issuperset(rest) else ()


# A sentence, or a yes or no: titles are quoted as well, with a comma that is not theirs.
_REJECTED_QUOTE = late(
    rf'"(?:(?=(?:yes|no)\b[,.!;: ]|(?:[^"\s]+\s+){{3,60}}[^"\s]*[.!?]")[^"\n]{{3,300}}"'
    rf'|[^"\n]{{3,300}},"(?=(?: [\w\']+){{0,4}}? (?:{alternatives("quoting")})\b))'
    rf'(?=[^"\n]{{0,120}}?{alternatives("rejecting_quote")})',
    re.IGNORECASE,
)


def _rejects_quote(text: str) -> bool:
    """Tell whether a text calls wrong what somebody is quoted with."""
    return text.count('"') > 1 and _REJECTED_QUOTE.search(text) is not None


def _quotes(draft: _Draft) -> None:
    """Leave out what somebody is quoted with, where the text calls it wrong."""
    if _rejects_quote(draft.text):
        draft.cut(_REJECTED_QUOTE, "quote")


_GRADES = frozenset({"correct", "right", "true", "pass", "passed", "full", "marks", "credit", "points", "accepted", "outcome"})


_LEAD_IN = re.compile(rf"\A\W*(?:{alternatives('lead_in')})+", re.IGNORECASE)
_CLOSING = re.compile(
    rf"(?<=[.!?:\n)\"])\s*(?:{alternatives('closing')})[^\n?!.]*(?:\.(?=\d)[^\n?!.]*)*[.!?]*[\s\W]*\Z", re.IGNORECASE
)


def _courteous(text: str) -> bool:
    """Tell whether a plain text may have a courtesy or an order; most have no word of one."""
    read = read_text(text)  # which the judges look at anyway
    if _COURTESY_WORDS.isdisjoint(read.cues) and not (read.words and read.words[0] in _LEADING):
        return False
    return _COURTEOUS_BEGINNING.match(text) is not None or _COURTEOUS.search(text) is not None


_COURTEOUS_BEGINNING = any_pattern("courteous_beginning")
_COURTEOUS = CuedPattern(alternatives("courteous"), word_list("courteous")["cues"], reach=30)
_LEADING, _COURTESY_WORDS = (cues(phrase(entry)[0] for entry in entries) for entries in word_list("courtesy_words").values())


def _courtesies(draft: _Draft) -> None:
    """Leave out courtesies where something else is said besides."""
    match = _LEAD_IN.match(draft.text)
    if match and match.end() < len(draft.text.rstrip()):
        draft.marks.courtesy = match[0]
        _leave(draft, match.span(), "lead-in")
    for _ in range(_CLOSINGS):
        match = _CLOSING.search(draft.text, max(0, len(draft.text) - _CLOSING_REACH))
        if not match or not draft.text[: match.start()].strip():
            return
        _leave(draft, match.span(), "closing")


_CLOSINGS = 4
"""So many courtesies may end a text."""
_CLOSING_REACH = 400
"""Characters at the end of a text among which a courtesy begins."""


def _leave(draft: _Draft, span: Span, why: Why) -> None:
    start, end = span
    draft.left_out.append(LeftOut(why, draft.original(span)))
    draft.text = draft.text[:start] + draft.text[end:]
    draft.places = [*draft.places[:start], *draft.places[end:]]


_OF_PLAIN = (_orders, _quotes, _courtesies)
_REWRITES = (_characters, _tokens, _thoughts, _labelled_thoughts, _wrappers, _latex, _markdown, _blanks, *_OF_PLAIN)
