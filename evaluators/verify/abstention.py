"""Texts that give no answer: nothing, an echo, repetition, not knowing, refusing; told apart from each other and from wrong.

| the text | outcome | reason |
|---|---|---|
| is blank, or holds no letter or digit | unscored | `empty` |
| only repeats the question, with its options | unscored | `echo` |
| says the same few words over and over | unscored | `repetition` |
| stammers: several small words doubled at once, in no sentence | unscored | `unparsed` |
| says that it does not know, or that nobody can, and answers nothing beside | abstained | `unsure` |
| declines to answer, and not because it does not know | unscored | `refused` |
| only greets and asks what is wanted | unscored | `unclear` |
| stops in the middle of a sentence | unscored | `truncated` |

What says so is found by `reading.unknowing`, an answer beside it by `guesses`.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from operator import eq

from evaluators.verify.guesses import guessed
from evaluators.verify.question import Question
from evaluators.verify.reading.text import Span, Text, phrase, read_text
from evaluators.verify.reading.unknowing import Kind, Profession, professions
from evaluators.verify.reading.words import word_list
from evaluators.verify.ruling import Ruling
from queries.records.verdict import Reason

_REPEATED = 4
"""A run of words that fills most of a text and comes this often is a repetition."""
_FILLED = 0.7
"""The share of a text that is most of it."""
_VARIED = 0.55
"""Of a repetition, this share of the words at most are different ones: a quarter of all in the run, and what is beside it."""
_BEGUN = 8
"""So many words of a question are its beginning, and no answer that happens to begin so."""
_LABELS = frozenset({"question", "q", "answer", "a", "ans", "response"})
_PIECES = re.compile(
    r"(?<!\S)(?:[\[\](){}#%;:,|\\/<>~^&@`]{2,}|[\[\](){}|\\])(?!\S)|<0x[0-9A-Fa-f]{2}>|\\[xu][0-9a-f]{2,4}|<unk>|\ufffd|\b0x[0-9a-f]{0,4}\b"
)
_BROKEN = re.compile(r"[\])}\\|#<\ufffd]")
_MANY_PIECES, _PIECES_SHARE = 3, 0.2
"""So many signs that stand alone, and so many to each word, are gibberish."""
_DOUBLED = re.compile(r"(?<!\w)([^\WA-Z_]\w{0,20})(?:\s+\1)+(?!\w)")
_STAMMERED, _STAMMERED_SHARE = 3, 0.2
"""So many doubled words, a fifth of all, are a stammer where two of them are small."""
_UNKNOWN: frozenset[Kind] = frozenset({"ignorance", "doubt"})
_NOTHING: frozenset[Kind] = _UNKNOWN | {"nonesuch"}
_DECLINED: frozenset[Kind] = frozenset({"service", "policy", "conduct"})
_OWN = frozenset({"i", "im", "ive", "id", "we", "cannot", "rather", "leave"})
"""Words with which a model speaks of itself."""
_UNCHOSEN = frozenset(word_list("segments")["unchosen"])
_OPEN_ENDED = word_list("function_words") | word_list("open_ended")
_GOES_ON = frozenset(",-–—(:")
_LONG, _PROSE = 6, 15
"""Fewer words that end with one like "the" may be a title; fewer before a sign that goes on are a note."""


def nothing_said(text: str, question: Question) -> Reason | None:
    """Tell why a text says nothing at all: `empty`, `echo`, `repetition`, `unparsed`, `unclear`; else null.

    >>> nothing_said(" ... ", Question("Who?")), nothing_said("Who was he?", Question("Who was he?"))
    ('empty', 'echo')
    >>> nothing_said("the the the the the the the the the the", Question("Who?"))
    'repetition'
    """
    words = phrase(text)
    if not words:
        return "empty"
    if _echoes(words, question):
        return "echo"
    if _repeats(words):
        return "repetition"
    if _stammers(text, words) or _is_in_pieces(text, words):
        return "unparsed"
    return "unclear" if _only_offers(text) else None


def _only_offers(text: str) -> bool:
    """Tell whether a text only greets and asks what is wanted ("Hello! How can I help you today?")."""
    return "?" in text and len(text) <= _OFFER_LENGTH and _OFFER.fullmatch(text) is not None


_OFFER = re.compile(
    r"\W*(?:(?:hello|hi|hey|greetings|welcome|go ahead|sure|okay|ok|great|yes|certainly|of course|nice to meet you"
    r"|thanks|thank you|good (?:morning|day|afternoon|evening))\b[^.!?\n]{0,40}[.!,]\s*)*"
    r"(?:i(?:'m| am) (?:here|happy|glad|ready) to (?:help|assist)[^.!?\n]{0,40}[.!]\s*)?"
    r"(?:how|what) (?:can|may|could|would|do|shall) (?:i|you|we) (?:\w+ ){0,4}?"
    r"(?:help|assist|ask|do for you|know|need|talk about|discuss)\b[^.!?\n]{0,40}\?"
    r"(?:\s+(?:i(?:'m| am| can|'ll)|feel free|just|please)\b[^.!?\n]{0,120}[.!])*\W*",
    re.IGNORECASE,
)
_OFFER_LENGTH = 300


def _is_in_pieces(text: str, words: list[str]) -> bool:
    """Tell whether a text is words and broken signs in no order ("hm ## ]) mjö gun }}{{ <0x0A>")."""
    if not _BROKEN.search(text):
        return False
    pieces = len(_PIECES.findall(text))
    return pieces >= _MANY_PIECES and pieces >= _PIECES_SHARE * len(words)


def _stammers(text: str, words: list[str]) -> bool:
    """Tell whether words are doubled as no sentence has them ("capital the of of of the the 7 7")."""
    doubled = sum(map(eq, words, words[1:]))
    if doubled < _STAMMERED or doubled < _STAMMERED_SHARE * len(words):
        return False
    return len({match[1] for match in _DOUBLED.finditer(text)}) > 1  # names are doubled too: Bora Bora, Pago Pago


def _echoes(words: list[str], question: Question) -> bool:
    """Tell whether words are those of the question, once or more, or of its options, in order and labelled."""
    asked = phrase(question.text)
    if 0 < len(asked) <= len(words) and words == (asked * (len(words) // len(asked) + 1))[: len(words)]:
        return True  # once or more, cut off at last
    if _BEGUN <= len(words) < len(asked) and words == asked[: len(words)]:
        return True  # cut off before its end
    if words[-1] in _LABELS or words[0] in _LABELS:  # "Question: ... Answer:"
        bare = words[words[0] in _LABELS : len(words) - (words[-1] in _LABELS)]
        if bare == asked or (not bare and words != ["a"]):
            return True
    if len(question.options) < 2:
        return False
    rest = words[len(asked) :] if words[: len(asked)] == asked else words
    options, least = _listed(question.options)
    return len(words) >= least and _unlabelled(rest) == options


@functools.lru_cache(maxsize=4096)
def _listed(options: tuple[str, ...]) -> tuple[list[str], int]:
    """Return the words of options without labels, and of how many words a list of them with labels is at least."""
    words = [word for option in options for word in phrase(option)]
    return _unlabelled(words), len(words) + len(options)


def _unlabelled(words: list[str]) -> list[str]:
    return [word for word in words if len(word) > 1]


def _repeats(words: list[str]) -> bool:
    """Tell whether one run of words, of up to twelve, fills most of a text ("I am, I am, I am, I am")."""
    if len(words) < 2 * _REPEATED or len(set(words)) > _VARIED * len(words):
        return False
    commonest = max(Counter(words).values())
    for size in (1, 2, 3, 4, 5, 6, 8, 10, 12):
        if len(words) < size * _REPEATED:
            return False
        if commonest * size < _FILLED * len(words):
            continue  # no run comes more often than its first word
        often = max(Counter(zip(*(words[start:] for start in range(size)), strict=False)).values())
        if often >= _REPEATED and often * size >= _FILLED * len(words):
            return True
    return False


def hedges(text: str) -> list[Span]:
    """Return the characters that say that something is not known, or is not sure, in order.

    A judge looks for an answer in the rest first.

    >>> hedges("I'm not certain, but I think it is Vienna.")
    [(0, 15)]
    """
    read = read_text(text)
    return [read.span(said.first, said.last) for said in professions(read) if said.kind in _UNKNOWN]


def unsure(text: str) -> Span | None:
    """Return the characters that say first that the answer is not known.

    >>> unsure("Sorry, I don't know.")
    (7, 19)
    """
    return next(iter(hedges(text)), None)


def refuses(text: str) -> Span | None:
    """Return the characters that decline to answer.

    >>> refuses("I can't help with that.")
    (0, 12)
    """
    read = read_text(text)
    return next((read.span(said.first, said.last) for said in professions(read) if said.kind in _DECLINED), None)


def withheld(text: str, question: Question | None = None) -> Ruling | None:
    """Return the ruling on a text that knows nothing or declines; null for any other.

    With a question, a text that answers beside what it does not know is another: a hedge before a guess is an answer.

    >>> withheld("I'm not sure.").outcome, withheld("I cannot help with that.").outcome, withheld("Paris")
    ('abstained', 'unscored', None)
    >>> withheld("I'm not sure, but I think it was Ghent.", Question("Where was he born?", "open"))
    """
    read = read_text(text)
    said = professions(read)
    if not said:
        return None
    nobody_knows = question is not None and question.expected is None
    unknown = [each for each in said if each.kind in (_NOTHING if nobody_knows else _UNKNOWN)]
    declined = [each for each in said if each.kind in _DECLINED]
    if question is not None and guessed(read, question, unknown or declined):
        return None
    # Who cannot help for want of knowledge does not know; who may not help declines, whatever else is not known.
    if declined and (not unknown or any(each.kind == "policy" for each in declined)):
        return Ruling("unscored", "refused", None, (_span(read, declined[0]),))
    return Ruling("abstained", "unsure", None, (_span(read, unknown[0]),)) if unknown else None


def left_open(text: str, question: Question, end: int) -> Span | None:
    """Return the words with which a text leaves the question open at last, behind an answer that it only mentions.

    `end` is where the answer that it mentions ends.

    >>> asked = Question("In which town is the school?", "context", ("Ghent",))
    >>> left_open("It names Ghent and Liège, but I can't tell which of them has the school.", asked, 14)
    (30, 42)
    >>> left_open("The school is in Ghent. I can't tell you its street.", asked, 22)
    """
    read = read_text(text)
    unknown = [said for said in professions(read) if said.kind in _UNKNOWN]
    closings = [one for one in read.sentences if one.last - one.first > _CLOSING_WORDS] or read.sentences
    closing = closings[-1]
    inside = [said for said in unknown if said.kind == "ignorance" and closing.first <= said.first < closing.last]
    last = next((said for said in reversed(inside) if read.starts[said.first] >= end), None)
    if last is None:
        return None
    # "I can't tell its street" behind the answer is about something else.
    if read.starts[closing.first] > end and _UNCHOSEN.isdisjoint(read.words[closing.first : closing.last]):
        return None
    if not _OWN.isdisjoint(read.words[last.first : last.last]):
        between = _AMONG.search(text, read.starts[closing.first], closing.end) is not None
        return _span(read, last) if between or not guessed(read, question, unknown) else None
    return None


_CLOSING_WORDS = 3
"""A sentence of so few words behind ("No answer.") adds nothing."""
_AMONG = re.compile(r"\bwhich (?:one )?of (?:them|these|those|the (?:two|three|four|five|\d+))\b", re.IGNORECASE)


def _span(read: Text, said: Profession) -> Span:
    return read.span(said.first, said.last)


def broken_off(text: str) -> Span | None:
    """Return the last word of a text in sentences whose last one has no end; null for any other.

    >>> broken_off("The loch is long. To find its depth we divide the volume by the surface, for which we take the")
    (91, 94)
    """
    text = text.rstrip()
    if not text[-1:].islower():
        return None
    read = read_text(text)
    *before, last = read.sentences
    ended = before and all(text[sentence.start : sentence.end].rstrip()[-1:] in ".!?" for sentence in before)
    if not ended or last.last - last.first < _LONG or len(read.words) < _PROSE:
        return None
    return read.span(len(read.words) - 1, len(read.words))


def begun(text: str) -> Span | None:
    """Return the last word of a text that only sets out to answer: it stops at once, behind a small word that ends no sentence.

    >>> begun("According to the"), begun("Sure! Let me"), begun("Let it be.")
    ((13, 16), (10, 12), None)
    """
    text = text.rstrip()
    if not text[-1:].islower():
        return None
    read = read_text(text)
    words = read.words[read.sentences[-1].first :]
    stops = words[-1] in _STOPPED_AT or (words[:1] == ["let"] and words[1:] in (["me"], ["us"]))
    return read.span(len(read.words) - 1, len(read.words)) if stops and 1 < len(words) <= _LONG else None


_STOPPED_AT = frozenset({"the", "a", "an", "my", "our", "your", "their", "its", "and", "or", "of"})
"""Words that end no sentence, however short it is."""


def cut_off(text: str) -> Span | None:
    """Return the last word of a text that stops in the middle of a sentence; null for any other.

    >>> cut_off("The book was written in the same year, and it was published in")
    (60, 62)
    """
    end = text.rstrip()[-1:]
    if not (end.isalnum() or end in _GOES_ON):
        return None
    read = read_text(text)
    last, many = len(read.words) - 1, len(read.words)
    if many < (_LONG if end.isalnum() else _PROSE) or (end.isalnum() and read.words[last] not in _OPEN_ENDED):
        return None
    if all(text[start].isupper() for start in read.starts[last - 1 :]):
        return None  # the end of a title or a name ("Game Over", "Adele Bloch-Bauer I")
    return read.span(last, many)
