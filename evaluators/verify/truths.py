"""What a text says to be so of the options it names, and what not to be so.

| what | said by | final |
|---|---|---|
| `so` | "X is true", "X: correct", "X ✓", "all but X are false"; "the true one is X" (final) | no |
| `not_so` | "X is wrong", "X doesn't hold", "X ✗", "all but X are true"; "the false one is X" (final) | no |

"That one is wrong" is said of the option that is named last; "X is not", of what was judged last.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from evaluators.verify.reading.option_words import about
from evaluators.verify.reading.options import NONE, small
from evaluators.verify.reading.words import alternatives
from evaluators.verify.sayings import (
    ADVERB,
    ANSWER,
    ANY,
    COPULAS,
    FAILS,
    HOLDS,
    JUDGED,
    LONGEST_REST,
    NAMED,
    NOUN,
    THE_ONE,
    TOKEN,
    WHO,
    WHO_NAMED,
    Saying,
    Sayings,
    What,
    is_negated,
    row,
    turned,
    verdict,
)
from kg.patterns import late

_THE = (
    r"(?:(?:the|an?|my|our)\s+)?(?:(?:only|one|single)\s+)?"
    r"(?:(?:one|statement|option|claim)\s+(?:that|which)(?:'s|\s+is|\s+are|\s+was)?\s+)?"
)
_AUXILIARY = r"(?:(?:do|does|did|is|are|was|were|has|have|can|could|would|will|should|must)(?:n't)?(?:\s+not)?\s+)?"
_SAID_OF = rf"(?:{JUDGED}(?P<noun>[\s_-]+(?:{NOUN}|(?P<answer>{ANSWER})))?|(?P<one>{THE_ONE})(?![^\W_]))"  # "true", "the one"
_OPEN_QUESTION = re.compile(r"\b(?:may|might|could)\b")
# "X is (not) (the) true (one)", "X seems wrong", "X can't be right", "X is the answer".
_JUDGEMENT = late(
    rf"{WHO}(?:\s+(?:one|claim|statement|option|part|bit)\b)?\s*(?:(?:that|which)\s+)?"
    rf"(?P<be>{ADVERB}(?:'s|'re|=|{_AUXILIARY}(?:seem|look|appear|sound|be|{COPULAS}|cannot be|can't be)(?:n't)?(?:\s+to be)?)"
    rf"(?:\s+not\b)?\s+{ADVERB}(?:not\s+|n't\s+)?){_THE}(?P<not>not\s+)?{ADVERB}{_SAID_OF}"
)
# "Option X: some words of its own is the false one."
_LONG_JUDGEMENT = late(
    rf"(?P<who>[\ue000-\ue7ff])(?:(?<=:)|:)?\s(?:[^.!?\n]|\.(?!\s)|\.\s(?={ANY})){{1,200}}?\s(?:is|are)\s+(?P<not>not\s+)?"
    rf"{ADVERB}(?:the\s+|an?\s+)?{JUDGED}(?P<noun>[\s_-]+{NOUN})?"
)
# "X holds", "X doesn't hold", "X fails".
_HOLDING = late(
    rf"{WHO}\s+{ADVERB}(?P<no>(?:does|do|did|will|would|can)(?:n't|\s+not)|cannot)?\s*{ADVERB}"
    rf"(?:(?P<so>{HOLDS}|hold)|(?P<not_so>{FAILS}))(?![^\W_])"
)


def _judgements(said: Sayings) -> Iterator[Saying]:
    for match in _JUDGEMENT.finditer(said.line):
        if _OPEN_QUESTION.search(match["be"]) and not (match["noun"] or match["one"]):
            continue
        negated = is_negated(match["be"], match["not"])
        what: What = "pick" if match["one"] or (match["answer"] and match["so"]) else verdict(match)
        final = bool(match["one"] or match["noun"]) and not negated
        yield from said.saying(match, turned(what, negated), final=final, correct=bool(match["answer"]))
    for match in _LONG_JUDGEMENT.finditer(said.line):
        start, end = said.place(match.start("who")), said.place(match.end("who"))
        if ":" in said.text[start : end + 1]:
            what = turned(verdict(match), bool(match["not"]))
            yield from said.saying(match, what, final=bool(match["noun"]) and not match["not"])
    for match in _MADE.finditer(said.line):
        what = "pick" if match["one"] or (match["answer"] and match["so"]) else verdict(match)
        yield from said.saying(match, what, final=True, correct=bool(match["answer"]))
    for match in _HOLDING.finditer(said.line):
        yield from said.saying(match, turned("not_so" if match["not_so"] else "so", bool(match["no"])))


# "That makes X the only true one", "leaving X as the answer".
_MADE = late(
    r"\b(?:makes?|making|made|leaves?|leaving|renders?|i(?:'d| would)? (?:call|consider|find|judge|hold|deem|declare|take))"
    rf"\s+(?:us with\s+)?{WHO}"
    rf"(?:\s+(?:one|claim|statement|option))?\s+(?P<be>(?:as|to be|is)\s+)?{_THE}{ADVERB}{_SAID_OF}"
)
# "X: true", "X (false)", "X. Correct.", "X – this one is wrong", "X ✓"; "✓ X"; "False: X".
_YES, _NO = "[✓✔✅☑🎯👍⭕]|[ty](?![\\w'])|yes\\b", "[✗✘❌✖✕🚫👎]|[fn](?![\\w'])|no\\b"
_COMMENT = late(
    rf"(?P<who>{row(ANY)})(?P<gap>[\"'”’)\]]*\s*(?:[.…:=,;(\[\n–—>→|-]\s*){{0,3}}(?:(?:verdict|status|assessment|truth|value)\s*[:=]\s*)?[\"'(\[]*)"
    r"(?P<not>(?:(?:this|that|it|which)(?:\s+(?:one|statement|claim|option|part))?"
    rf"(?:'s|\s+(?:is|was|seems|isn't|would be|cannot be|can't be|wasn't))?\s+{ADVERB})?(?:not\s+|n't\s+|also\s+)?)"
    rf"(?:[✓✔✅☑✗✘❌✖✕]\s*)?(?:(?!so\b|sound\b|off\b|fine\b){JUDGED}(?!\s*:\s*[\"'(]*{ANY})|(?P<holds>{HOLDS})(?!\w)|(?P<fails>{FAILS})(?!\w)|(?P<yes>{_YES})|(?P<no>{_NO}))"
    r"(?=\s*(?:[.,;:!)\]\n—–|-]|\Z)|\s+(?:because|since|as|it|he|she|they|the|but|and|due|for|\d|[a-z]\b|[\ue000-\uf8ff]))"
)
_TICKED = late(rf"(?:\A|(?<=\n))[^\n{ANY[1:-1]}]{{0,20}}?(?:(?P<yes>[✓✔✅☑🎯👍])|(?P<no>[✗✘❌✖✕🚫👎]))[ ]*(?P<who>{NAMED})")
_TICKED_LAST = re.compile(
    rf"(?:\A|(?<=\n))\W{{0,6}}(?P<who>{NAMED})[^\n✓✔✅☑✗✘❌✖✕]{{0,120}}(?:(?P<yes>[✓✔✅☑])|(?P<no>[✗✘❌✖✕]))[.\s]*(?=\n|\Z)"
)
_LISTED = late(
    rf"(?:\A|(?<=[\n.;(!?,]))\s*(?:(?:both|all|clearly|definitely|the)\s+)?(?P<not>not\s+)?{JUDGED}"
    rf"(?:[\s_]+(?:{NOUN}|(?P<answer>{ANSWER})))?\s*(?:[:=–—-]+|\b(?:{COPULAS})(?![^\W_]))\s*(?:are\s+)?[\"'(]*{WHO_NAMED}"
)
_NOTHING_WRONG = late(
    r"\b(?:nothing|no\s+(?:problem|issue|error|mistake|fault|flaw))\s+(?:(?:wrong|false|incorrect|amiss|off|inaccurate|untrue)\s+)?"
    rf"(?:with|about|in)\s+{WHO_NAMED}"
)
# "Is X true? No.", "X? Yes."
_QUESTIONED = late(
    rf"(?:(?:\A|(?<=[.!?\n]))\s*(?:is|are|was|were|could|would|can|does|do)\s+[^.?!\n{ANY[1:-1]}]{{0,40}}?)?{WHO_NAMED}"
    rf"[\"'”’)]*(?:[^.?!\n{ANY[1:-1]}]{{0,40}}?\b{JUDGED})?\s*\?\s*"
    r"(?:(?P<no>no\b|nope|not|wrong|hardly|never|nah|it (?:is not|isn't))|(?P<yes>yes\b|yep|right\b|indeed|it is\b|correct\b))"
)
_LETTERS = "tyfn"
_BRIEF_LINE, _OPENING = 4, 3
_QUESTIONED_STATEMENT = late(
    rf"(?:\A|(?<=[.!?\n]))[ ]*(?P<who>[^.!?\n]{{0,60}}{ANY}[^.!?\n]{{0,60}})\?\s*"
    r"(?:(?P<no>no\b|nope|not (?:so|quite|really|true)|wrong\b|hardly|never|nah|false\b)"
    r"|(?P<yes>yes\b|yep|right\b|indeed|it (?:is|does|did)\b(?=\s*(?:[.,;!]|\Z))|correct\b|true\b))"
)
"""A statement in short as a question, and what is said of it ("Four moons? Yes!")."""
_CLOSING, _LABELS = frozenset(".):]–—-"), frozenset({"label", "bare"})


def _comments(said: Sayings) -> Iterator[Saying]:
    for match in _COMMENT.finditer(said.line):
        gap, last = match["gap"].strip(" \"'”’"), said.mentioned(*match.span("who"))[-1]
        if (
            not said.options.statements
            and len(match["yes"] or match["no"] or "") == 1
            and (match["yes"] or match["no"]) in _LETTERS
        ):
            continue  # "newton (N)"
        sign = (match["yes"] or match["no"] or "") > "z"
        joined = said.text[last.start : last.end].rstrip()[-1:] not in _CLOSING and (
            last.kind not in _LABELS or match["yes"] == "yes"
        )
        if not sign and ((gap == "," and not match["not_so"]) or (joined and not gap)):
            continue  # "2, right", but not "2, wrong", "2. Right" or "2 right"
        so = bool(match["yes"] or match["holds"] or match["so"])
        if said.asks_not and (match["yes"] or match["no"]):
            so = not so  # "Pteranodon: no", where it is asked what is no dinosaur
        yield from said.saying(match, turned("so" if so else "not_so", is_negated(match["not"])))
    for match in () if said.text.isascii() else _TICKED.finditer(said.line):
        yield from said.saying(match, "so" if match["yes"] else "not_so")
    for match in () if said.text.isascii() else _TICKED_LAST.finditer(said.line):
        if len(match[0]) > _BRIEF_LINE or not TOKEN.search(match[0][match[0].index(match["who"]) + 1 :]):
            yield from said.saying(match, "so" if bool(match["yes"]) != said.asks_not else "not_so")
    for match in _LISTED.finditer(said.line):
        what: What = "pick" if match["answer"] and match["so"] else verdict(match)
        yield from said.saying(match, turned(what, bool(match["not"])), final=True, correct=bool(match["answer"]))
    for match in _NOTHING_WRONG.finditer(said.line) if "no" in said.line else ():
        yield from said.saying(match, "so")
    for match in _QUESTIONED.finditer(said.line) if "?" in said.text else ():
        what = verdict(match) if match["so"] or match["not_so"] else "pick"
        yield from said.saying(match, turned(what, bool(match["no"])), final=what == "pick" and bool(match["yes"]))


def _questions(said: Sayings) -> Iterator[Saying]:
    """Yield what is said of statements that are asked in short, one after the other."""
    for match in _QUESTIONED_STATEMENT.finditer(said.line) if said.options.statements and "?" in said.text else ():
        found = said.mentioned(*match.span("who"))
        if len({m.options for m in found}) == 1 and len(found[0].options) == 1:
            yield from said.saying(match, "so" if match["yes"] else "not_so")


# "It is not true that ..."
_CLAIMED = re.compile(
    rf"\bit(?P<be>'s|\s+(?:is|was|isn't|wasn't|cannot be|can't be))\s+{ADVERB}(?P<not>not\s+)?{JUDGED}\s+that\s+"
)
_CLAIM_END = re.compile(r"[.;:!?\n]|,\s+(?:it|but|while|whereas|and it|the|he|she|they)\b|\s[–—]\s")


def _claims(said: Sayings) -> Iterator[Saying]:
    """Yield what "it is not true that ..." says of the options whose words follow."""
    for match in _CLAIMED.finditer(said.line) if said.options.statements else ():
        what = turned(verdict(match), is_negated(match["be"], match["not"]))
        stop = _CLAIM_END.search(said.line, match.end(), match.end() + LONGEST_REST)
        end = stop.start() if stop else min(len(said.line), match.end() + LONGEST_REST)
        named = [*re.finditer(r"(?P<who>[\ue000-\uefff])", said.line[:end])]
        named = [token for token in named if token.start() >= match.end()]
        for token in named:
            yield from said.saying(token, what, start=match.start())
        number = (
            None
            if named or end <= match.end()
            else about(said.text[said.place(match.end()) : said.place(end - 1) + 1], said.options)
        )
        if number and not said.attributed(match.start()):
            yield Saying(said.place(match.start()), said.place(end - 1) + 1, (number,), what, False, "text")


_POLARITY = late(rf"{JUDGED}|(?P<holds>{HOLDS})\b|(?P<fails>{FAILS})\b")
_EXCEPTING = late(rf"(?:{alternatives('choice_excepting')})\s+(?:the\s+)?{WHO_NAMED}")
_ALL_EXCEPTING = re.compile(
    rf"{NAMED}[^.;!?\n{ANY[1:-1]}]{{0,60}}?\b(?:except(?: for)?|but|apart from|other than|save(?: for)?|besides|bar|excluding"
    rf"|with the exception of)\s+(?:for\s+)?(?:the\s+)?{WHO_NAMED}"
)


def _exceptions(said: Sayings) -> Iterator[Saying]:
    """Yield what "all but X are true" says of X."""
    for match in chain(_EXCEPTING.finditer(said.line), _ALL_EXCEPTING.finditer(said.line)):
        none = False
        if match.re is _ALL_EXCEPTING:
            (of,) = said.mentioned(match.start(), match.start() + 1)
            none = of.options == (said.options.none or NONE,)
            if not none and set(of.options) != set(said.options.regular):
                continue
        sentence = match[0] + re.split(r"[.\n]", said.line[match.end() : match.end() + 60])[0]
        judged = _POLARITY.search(sentence)
        if not judged and not said.options.statements and match.start() < _OPENING and not none:
            others = tuple(n for n in said.options.regular if n not in said.mentioned(*match.span("who"))[0].options)
            ends = not said.line[match.end() :].split("\n")[0].strip(" .!\"')")
            if others and ends:  # "All of the above except X"
                yield Saying(said.place(match.start()), said.place(match.end() - 1) + 1, others, "pick", True, "text")
        if judged:
            what: What = "not_so" if judged["so"] or judged["holds"] else "so"
            yield from said.saying(match, turned(what, none or is_negated(sentence[: judged.start()])), final=True)


# "That one is false.", said of what was named last; "X is not." and "X is.", said against the last verdict.
_BACK = late(
    r"\b(?:that|this|it)(?:\s+(?:one|statement|claim|option|last one|part|latter))?"
    rf"(?P<be>(?:'s|\s+(?:is|was|isn't|cannot be|can't be|seems|wasn't|would be))\s+{ADVERB}(?:not\s+)?{_THE})"
    r"(?:(?:one|statement|option)\s+(?:that|which)(?P<be2>'s|\s+is(?:n't|\s+not)?|\s+\w+n't)\s+)?(?P<not>not\s+)?"
    + _SAID_OF.replace("it(?=", "(?!)(?=")
)
_BACK_REACH = 240


def _backward(said: Sayings) -> Iterator[Saying]:
    """Yield what "that one is false" says of the option named last."""
    for match in _BACK.finditer(said.line):
        tokens = TOKEN.finditer(said.line, max(0, match.start() - _BACK_REACH), match.start())
        strong = [token for token in tokens if _refers(said, token, match.start())]
        if not strong or TOKEN.match(said.line, match.end()) or said.attributed(match.start()):
            continue
        negated = is_negated(match["be"], match["be2"], match["not"])
        what: What = "pick" if match["one"] or (match["answer"] and match["so"]) else verdict(match)
        final = bool(match["one"] or (match["noun"] and " the " in match["be"])) and not negated
        mention = said.mentioned(*strong[-1].span())[0]
        by = "text" if mention.kind == "text" else "label"
        end = said.place(match.end() - 1) + 1
        yield Saying(mention.start, end, mention.options, turned(what, negated), final, by)


def _refers(said: Sayings, token: re.Match[str], at: int) -> bool:
    """Tell whether "that one" may refer to a mention: a label, an option's name, or a statement that stands right before it."""
    mention = said.mentioned(*token.span())[0]
    if mention.kind == "text" and said.options.statements:
        return not said.line[token.end() : at].strip(" .\"'”’!\n:;,–—-")
    return mention.kind in ("label", "mark", "text")


_ELLIPTIC = late(
    rf"{WHO_NAMED}\s+(?:(?P<no>(?:is|are|was|were|does|do)(?:n't|\s+not))|(?:is|are|was|were|does|do))"
    r"\s*(?=[.;!\n)]|\Z|\bbut\b|\band\b|,\s*(?:but|and|while|whereas|though|the|[\ue000-\uf8ff]))"
)


def elliptic(said: Sayings, known: Sequence[Saying]) -> list[Saying]:
    """Return what "X is not" says after "Y is true"."""
    verdicts = [saying for saying in known if saying.what in ("so", "not_so")]
    found: list[Saying] = []
    for match in _ELLIPTIC.finditer(said.line):
        at = said.place(match.start("who"))
        before = [saying for saying in verdicts if saying.end <= at]
        if before:
            base = _last_judged(small(said.text[before[-1].start : before[-1].end])) or before[-1].what
            found += said.saying(match, turned(base, bool(match["no"])))
        elif not said.options.statements and not said.asks_not:
            found += said.saying(match, turned("pick", bool(match["no"])))
    return found


def _last_judged(text: str) -> What | None:
    judged = [*_POLARITY.finditer(text)]
    return None if not judged else "so" if judged[-1]["so"] or judged[-1]["holds"] else "not_so"


FINDERS = (_judgements, _comments, _questions, _claims, _exceptions, _backward)
