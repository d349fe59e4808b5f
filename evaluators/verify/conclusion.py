"""What a text comes to: the answer that it declares or concludes, or that stands after it took something back.

| in the text | counts |
|---|---|
| "The answer is no.", "Final answer: yes", "so no", "All things considered, yes." | the last such, unless under an "if" |
| "Yes. Wait, no: he died in Princeton." | what stands after the turn |
| "Yes, in 1931. Sorry, 1932." | the answer before it: a detail is set right |
| "Did he? No." | the answer to a question of its own |
"""

from __future__ import annotations

import re
from collections.abc import Callable

from evaluators.verify.abstention import unsure
from evaluators.verify.overturned import may_be_overturned
from evaluators.verify.polarity import (
    CANNOT_TELL,
    LEADING_NO,
    NO,
    OFFER,
    SENTENCE,
    YES,
    Reading,
    answer_of,
    may_hold_form,
    rule,
)
from evaluators.verify.question import Question
from evaluators.verify.reading.cued import OpenedPattern, cues
from evaluators.verify.reading.reply import Reply
from evaluators.verify.reading.text import Span, Text
from evaluators.verify.reading.words import alternatives, word_list

Plain = Callable[[str, Question], Reading | None]
"""Read a text from its beginning."""

_DECLARED = rule(
    r"\b(?:answer(?: to [^.\n]{1,200}?)? (?:is|would be|should be|must be|remains)|answer\W{0,3}[:=]"
    rf"|(?:wait|correction|actually|rather)[,:;.]?)[\W_]+(?:(?P<yes>{YES})|(?P<no>{NO}|{LEADING_NO}))"
)
_END = r"(?=[\W_]*(?:[.!;\n]|\Z))"
_SAID = OpenedPattern(rf"(?P<yes>{YES})|(?P<no>{NO}|{LEADING_NO})", ["yes", "no"])
_LIKE = OpenedPattern(
    rf"\b(?:(?P<like_yes>(?:affirmative|positive|true|correct|right){_END})"
    rf"|(?P<like_no>(?:negative|false|incorrect|wrong|untrue){_END}))",
    [side for side in word_list("closing_words")["sides"] if side not in ("yes", "no")],
)
_CONCLUDING = rule(rf"(?<![\w'-])(?:{alternatives('concluding')})[,:;.]?[\s\"'(]*(?:in the )?\Z")
_PRESENTING = rule(rf"(?<![\w'-])(?:{alternatives('presenting')})[,:;.]?[\s\"'(]*\Z")
_CONCLUDING_REACH = 50
"""Characters before a yes or no among which it is called a conclusion."""
# Words of which a text holds one where it takes something back, declares or concludes: most texts need no closer look.
_TURNING, _POLAR, _DECLARING, _SIDES, _BEFORE_SIDE = map(cues, word_list("closing_words").values())
_WITHDRAWING = cues(word_list("withdrawing")["words"])
_CUES = _TURNING | _POLAR | _DECLARING - {"a"} | _WITHDRAWING
_CONDITION = rule(r"\bif\b[^.!?\n]*\Z")
_CONDITION_REACH = 300
"""Characters before an answer among which an "if" is looked for, or long texts would take long."""


def at_once(reply: Reply) -> Reading | None:
    """Read a text that begins with yes or no, and answers with neither again: most do. Null is a text to look at closely.

    Nothing else can be made of such a text, whatever it goes on with: it asks nothing, and no word of it declares, concludes or
    takes something back.

    >>> at_once(Reply.of("Yes, he made it in 1931.")), at_once(Reply.of("Yes. Sorry, no."))
    (Reading(answer='yes', reason='exact', spans=((0, 3),)), None)
    """
    text = reply.text
    side, sign = ("yes", text[3:4]) if text.startswith("Yes") else ("no", text[2:3]) if text.startswith("No") else ("", "")
    if sign not in _PLAIN_SIGNS or "?" in text or not reply.is_original:
        return None
    read = reply.read
    if not _CUES.isdisjoint(read.cues) or read.words[1:2] in _AFTER_BOTH or may_be_overturned(read):
        return None
    said = _SIDES & read.cues
    if f" {side} " not in read.line[len(side) :]:
        said -= {side}
    if said and _answers_again(reply, read, said, len(side)):
        return None
    if OFFER.match(text) if side == "yes" else CANNOT_TELL.match(text, len(side)):
        return None
    return AT_ONCE[side]


def _answers_again(reply: Reply, read: Text, said: frozenset[str], end: int) -> bool:
    """Tell whether a text that begins with yes or no, up to `end`, may answer again behind it, where it has these words.

    Where it only may conclude ("it is true"), whether it does is looked at here: a third of all texts are such.
    """
    text, by_word = reply.text, "yes" in said or "no" in said
    if _may_conclude(read) and (reply.turn or ((by_word or _may_reason(text, read)) and _concluded(text, read, end))):
        return True
    return by_word and (may_hold_form(text) or SENTENCE.search(text, end) is not None)


_PLAIN_SIGNS = (".", ",")
_AFTER_BOTH = (["or"], ["and"])
"""What behind a first "Yes," may lead to a second answer."""
AT_ONCE = {side: Reading(side, "exact", ((0, len(side)),)) for side in ("yes", "no")}
"""What `at_once` returns: the very same readings, so that they are known again."""


def final(text: str, reply: Reply, question: Question, plain: Plain) -> Reading | None:
    """Read what a text declares, concludes, or says after it took something back; null where it does none of these.

    Parameters: `plain` reads a part of the text from its beginning.
    """
    read = reply.read
    if (withdrawn := _withdrawn(text, read)) is not None:
        return withdrawn
    said, concludes = _CUES & read.cues, _may_conclude(read)
    if not (said or concludes or "?" in text or not reply.is_original):
        return None
    said |= _SIDES if concludes or not reply.is_original else frozenset()
    turned = reply.turned if "?" in text or not _TURNING.isdisjoint(said) else (0, 0)
    if turned[1] and _takes_back(text, turned) and not _only_a_detail(text, turned[1], question):
        cut = _CUT_SHORT.search(text, *turned)
        turn = cut.start() if cut else turned[1]
        found = _declared(text, said, reply, question, plain, turn)
        after = None if found else plain(text[turn:], question)
        if found or after:
            return found or (after.moved(turn) if after else None)
        refusal = _TURNED_DOWN.search(text, *turned)
        if refusal:
            return Reading("no", "exact", (refusal.span(1),))
    return _declared(text, said, reply, question, plain, 0)


def _takes_back(text: str, turned: Span) -> bool:
    """Tell whether words that may take something back do: not at the beginning, nor as an answer ("Yes, it is wrong.")."""
    before = text[: turned[0]].rstrip()
    opposed = _OPPOSING.search(text, 0, turned[0]) is not None
    return bool(before) and (before[-1] in ".!?:;…—–" or opposed or not _CALLED.match(text, *turned))


def _withdrawn(text: str, read: Text) -> Reading | None:
    """Read the yes or no that the writer takes back by name, the last such ("So strike my 'yes'.")."""
    if _WITHDRAWING.isdisjoint(read.cues) or not ("yes" in read.cues or "no" in read.cues):
        return None
    found = [match for match in _WITHDRAWN.finditer(text) if not _conditional(text, match.start())]
    if not found:
        return None
    side = (found[-1]["side"] or found[-1]["passive"]).lower()
    return Reading("no" if side == "yes" else "yes", "exact", (found[-1].span(),))


_WITHDRAWN = rule(
    rf"(?<!not )(?<!n't )(?<!never )\b(?:{alternatives('withdrawal')}) (?:my|the|that|this|any|both|all)(?: \w+)? ?"
    r"[\"']?(?P<side>yes|no)\b[\"']?(?=\W*(?:\Z|[.,;:!\n]| you\b| i\b| from\b| above\b| at\b))"
    r"|\b(?:my|the|that) (?:\w+ )?[\"'](?P<passive>yes|no)[\"'] (?:is|was|must be|has to be|should be) (?:\w+ )?"
    r"(?:withdrawn|taken back|retracted|struck|wrong|mistaken|a mistake|cancelled|revoked)\b"
)

_OPPOSING = rule(r"\b(?:but|yet|however|and),?\s+\Z")
_CALLED = rule(r"(?:that|this|it)(?:'s| is| was) ")
_CUT_SHORT = rule(r"\b(?:that|this|it)(?:'s| is| was) (?:not(?: quite)?|a)\W*\Z")
"""What takes back with the beginning of a sentence ("No, that is not | true.")."""
_TURNED_DOWN = rule(r"\b(no|nope|not (?:so|quite|exactly|really|at all)|wrong|never|hardly|incorrect)\b")
_TURN_REACH = 30
"""Characters before the end of what takes back among which it declares at once ("Wait, no")."""


def _declared(text: str, said: frozenset[str], reply: Reply, question: Question, plain: Plain, start: int) -> Reading | None:
    """Read the last declaration or conclusion that ends after `start`."""
    wrapped = reply.declared if not reply.is_original else None
    first = min([at for word in _POLAR & said if (at := text.find(word[1:])) >= 0], default=0)
    matches = [] if _POLAR.isdisjoint(said) else [*_DECLARED.finditer(text, max(0, first - 1, start - _TURN_REACH))]
    denied = _NOT_THE_ANSWER.search(text, start) if "answer is not" in text or "answer isn" in text else None
    if denied:
        return Reading("no" if denied["no"].lower() == "yes" else "yes", "exact", (denied.span(),))
    outright = [match for match in matches if match.end() > start and _is_outright(text, match)]
    if "yes" in said:  # the last one counts: what may be concluded before one that is declared need not be looked at
        last = max([match.end() for match in outright], default=0) if wrapped is None else 0
        concluded = _concluded(text, reply.read, start, last) if last < len(text) - 1 else []  # most declare at their very end
        outright += [match for match in reversed(concluded) if match.end() > start and _is_outright(text, match)]
    if wrapped is not None and not any(wrapped[0] <= match.start() < wrapped[1] for match in outright):
        found = _called_answer(text, reply, question, plain, start)  # a key of JSON, a tag, a box
        if found is not None:
            return found
    if outright:
        return answer_of(max(outright, key=lambda match: match.end()))
    return None if _DECLARING.isdisjoint(said) else _called_answer(text, reply, question, plain, start)


def _is_outright(text: str, match: re.Match[str]) -> bool:
    """Tell whether a declaration or conclusion stands under no "if", and in no question."""
    return not _conditional(text, match.start()) and not _ASKED.match(text, match.end())


_NOT_THE_ANSWER = rule(r"\banswer (?:is not|isn't) (?P<no>yes|no)\b(?=\W*(?:[.:;!,\n]|\Z))")


_ASKED = re.compile(r"[^.!?\n]{0,200}\?")
"""What follows to the end of a question ("Would *the answer: yes* make it so?")."""


def _may_conclude(read: Text) -> bool:
    """Tell whether a yes or no stands right behind a word that may conclude; most texts need no closer look."""
    words = read.words
    for side in _SIDES & read.cues if not _BEFORE_SIDE.isdisjoint(read.cues) else ():
        at = -1
        for _ in range(words.count(side)):
            at = words.index(side, at + 1)
            if at and words[at - 1] in _BEFORE_SIDE:
                return True
    return False


def _concluded(text: str, read: Text, start: int, behind: int = 0) -> list[re.Match[str]]:
    """Return the yes or no that a text calls its conclusion ("so no", "it's a clear yes"), in order.

    What calls it so begins after `start`, the yes or no itself after `behind`.
    """
    return [side for side in _sides(text, read, max(start, behind)) if _concludes(text, side, start)]


def _concludes(text: str, side: re.Match[str], start: int) -> bool:
    """Tell whether the words before a yes or no call it a conclusion."""
    reason = text[max(start, side.start() - _CONCLUDING_REACH) : side.start()]
    return (side.re is _SAID.pattern and _PRESENTING.search(reason) is not None) or _CONCLUDING.search(reason) is not None


def _sides(text: str, read: Text, start: int) -> list[re.Match[str]]:
    """Return each yes or no, and the other words for it where a word or sign may put one after its reasons."""
    sides = _SAID.matches(text, start, read.cues)
    if not _may_reason(text, read):
        return sides
    return sorted([*sides, *_LIKE.matches(text, start, read.cues)], key=lambda side: side.start())


def _may_reason(text: str, read: Text) -> bool:
    """Tell whether a text has a word or sign that may put an answer after its reasons."""
    return not _CONCLUDERS.isdisjoint(read.cues) or not text.isascii() or ">" in text


_CONCLUDERS = cues(word_list("concluders")["words"])


def _called_answer(text: str, reply: Reply, question: Question, plain: Plain, start: int) -> Reading | None:
    """Read what a text itself calls its answer."""
    span = reply.declared
    if span is None or span[0] < start:
        return None
    piece = text[slice(*span)]
    inner = None if reply.is_original else final(piece, Reply(piece), question, plain)
    found = inner or plain(piece, question)
    if not found and (unknown := unsure(piece)):
        found = Reading(None, "unsure", (unknown,))
    return found.moved(span[0]) if found else None


def _only_a_detail(text: str, turn: int, question: Question) -> bool:
    """Tell whether a text sets right something beside the answer ("Yes, in 1931. Sorry, 1932.")."""
    detail = _DETAIL.match(text, turn)
    withdrawn = _VALUE.findall(text[max(0, turn - _WITHDRAWN_REACH) : turn]) if detail else []
    return bool(withdrawn) and withdrawn[-1] not in question.text


_DETAIL = re.compile(
    r"(?:[Nn]o[,:;.—–-]*\s*)?(?:(?:in|on|at|by|about|it was|that was|I mean|make that|rather)\s+)?(?:the\s+)?"
    r"[\dA-Z][\w'.,-]*(?:\s[\dA-Z][\w'-]*){0,3}(?:\s*[.!]|\s*\Z)"
)
_VALUE = re.compile(r"\d[\d,.]*\d|\d|(?<=\s)[A-Z][\w'-]+")
_WITHDRAWN_REACH = 60


def _conditional(text: str, end: int) -> bool:
    """Tell whether an "if" stands before `end` in the same sentence ("If he had, the answer would be yes")."""
    start = max(0, end - _CONDITION_REACH)
    return "if" in text[start:end].lower() and _CONDITION.search(text, start, end) is not None
