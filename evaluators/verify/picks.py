"""What a text says of the options it names: that it picks one, that one is so or is not so, that one is set aside.

A text is rewritten so that each mention of options is a single character; what is said is then found by patterns over these
("the false one is X", "X is wrong", "that leaves X", "neither X nor X", "X: true").

| what | said by | final |
|---|---|---|
| `pick` | "the answer is X", "I'd go with X", "it's X", "that leaves X", "X it is", a sentence that is X alone | yes |
| `so` | "X is true", "X: correct", "X ✓", "all but X are false"; "the true one is X" (final) | no |
| `not_so` | "X is wrong", "X doesn't hold", "X ✗", "all but X are true"; "the false one is X" (final) | no |
| `out` | "not X", "it isn't X", "X can be ruled out", "X? No" | no |

Nothing is said where it is handed to others or to an earlier moment ("people often say X", "at first I thought X"), asked
("is it X?"), or made a condition ("if X were true").
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Literal, NamedTuple

from evaluators.verify.reading.option_words import about
from evaluators.verify.reading.options import NONE, Mention, Options, meaning, small
from evaluators.verify.reading.text import lazy, phrase
from evaluators.verify.reading.words import alternatives

What = Literal["pick", "so", "not_so", "out"]
_CONTRARY: dict[What, What] = {"so": "not_so", "not_so": "so", "pick": "out", "out": "pick"}


class Saying(NamedTuple):
    """What is said of options, where (characters of the text), and whether it is said as the answer.

    `by` is how the options are named: by a label or in words; `correct` says that a pick is called the correct answer, which
    may mean the true statement.
    """

    start: int
    end: int
    options: tuple[int, ...]
    what: What
    final: bool
    by: str
    correct: bool = False


# --- the patterns -----------------------------------------------------------------------------------------------------
# They are over small letters, with a character of its own for each mention.

_FIRST = {"label": 0xE000, "mark": 0xE000, "text": 0xE800, "part": 0xF000, "bare": 0xF400}
_ROOM = 0x400
"""So many mentions of a kind have characters of their own."""
_NAMED, _LABELLED, _ANY = "[\ue000-\uefff\uf400-\uf8ff]", "[\ue000-\ue7ff\uf400-\uf8ff]", "[\ue000-\uf8ff]"
_TOKEN = re.compile(_ANY)


def _row(of: str) -> str:
    """Return a pattern for one option or several in a row."""
    between = r"(?:\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|&|or|nor|as well as)\s+|\s*[/+&]\s*)"
    return rf"{of}(?:{between}(?:(?:also|the|both|either|option|neither)\s+)?{of}){{0,8}}"


_WHO, _WHO_NAMED = rf"(?P<who>{_row(_ANY)})[\"'”’)\],]*", rf"(?P<who>{_row(_NAMED)})"
_ADVERB = (
    r"(?:(?:\w+ly|therefore|thus|then|hence|indeed|so|also|both|all|each|still|most likely|of course|only|again|just|quite"
    r"|in fact|here|the only|too|now|instead|perhaps|maybe)\b,?\s+){0,3}"
)
_BE = alternatives("choice_copulas")
_SO, _NOT_SO, _THE_ONE = (alternatives(f"choice_{name}") for name in ("so", "not_so", "the_one"))
_HOLDS, _FAILS = alternatives("choice_holds"), alternatives("choice_fails")
_JUDGED = rf"(?:(?P<so>{_SO})|(?P<not_so>{_NOT_SO}))(?![^\W_])"
_NOUN, _ANSWER = (rf"(?:{alternatives(f'choice_{name}_nouns')})(?![^\W_])" for name in ("statement", "answer"))
_THE = (
    r"(?:(?:the|an?|my|our)\s+)?(?:(?:only|one|single)\s+)?"
    r"(?:(?:one|statement|option|claim)\s+(?:that|which)(?:'s|\s+is|\s+are|\s+was)?\s+)?"
)
_AUXILIARY = r"(?:(?:do|does|did|is|are|was|were|has|have|can|could|would|will|should|must)(?:n't)?(?:\s+not)?\s+)?"
_SAID_OF = (
    rf"(?:{_JUDGED}(?P<noun>[\s_-]+(?:{_NOUN}|(?P<answer>{_ANSWER})))?|(?P<one>{_THE_ONE})(?![^\W_]))"  # "true", "the one"
)
_NEGATION = re.compile(r"n't\b|\b(?:not|never|cannot|neither|nor|hardly|no)\b")

# "X is (not) (the) true (one)", "X seems wrong", "X can't be right", "X is the answer".
_JUDGEMENT = re.compile(
    rf"{_WHO}(?:\s+(?:one|claim|statement|option|part|bit)\b)?\s*(?:(?:that|which)\s+)?"
    rf"(?P<be>{_ADVERB}(?:'s|'re|=|{_AUXILIARY}(?:seem|look|appear|sound|be|{_BE}|cannot be|can't be)(?:n't)?(?:\s+to be)?)"
    rf"(?:\s+not\b)?\s+{_ADVERB}(?:not\s+|n't\s+)?){_THE}(?P<not>not\s+)?{_ADVERB}{_SAID_OF}"
)
# "Option X: some words of its own is the false one."
_LONG_JUDGEMENT = re.compile(
    rf"(?P<who>[\ue000-\ue7ff])(?:(?<=:)|:)?\s(?:[^.!?\n]|\.(?!\s)|\.\s(?={_ANY})){{1,200}}?\s(?:is|are)\s+(?P<not>not\s+)?"
    rf"{_ADVERB}(?:the\s+|an?\s+)?{_JUDGED}(?P<noun>[\s_-]+{_NOUN})?"
)
# "X holds", "X doesn't hold", "X fails".
_HOLDING = re.compile(
    rf"{_WHO}\s+{_ADVERB}(?P<no>(?:does|do|did|will|would|can)(?:n't|\s+not)|cannot)?\s*{_ADVERB}"
    rf"(?:(?P<so>{_HOLDS}|hold)|(?P<not_so>{_FAILS}))(?![^\W_])"
)
# "X: true", "X (false)", "X. Correct.", "X – this one is wrong", "X ✓"; "✓ X"; "False: X".
_YES, _NO = "[✓✔✅☑🎯👍⭕]|[ty](?![\\w'])|yes\\b", "[✗✘❌✖✕🚫👎]|[fn](?![\\w'])|no\\b"
_COMMENT = re.compile(
    rf"(?P<who>{_row(_ANY)})(?P<gap>[\"'”’)\]]*\s*(?:[.…:=,;(\[\n–—>→|-]\s*){{0,3}}(?:(?:verdict|status|assessment|truth|value)\s*[:=]\s*)?[\"'(\[]*)"
    r"(?P<not>(?:(?:this|that|it|which)(?:\s+(?:one|statement|claim|option|part))?"
    rf"(?:'s|\s+(?:is|was|seems|isn't|would be|cannot be|can't be|wasn't))?\s+{_ADVERB})?(?:not\s+|n't\s+|also\s+)?)"
    rf"(?:[✓✔✅☑✗✘❌✖✕]\s*)?(?:(?!so\b|sound\b|off\b|fine\b){_JUDGED}(?!\s*:\s*[\"'(]*{_ANY})|(?P<holds>{_HOLDS})(?!\w)|(?P<fails>{_FAILS})(?!\w)|(?P<yes>{_YES})|(?P<no>{_NO}))"
    r"(?=\s*(?:[.,;:!)\]\n—–|-]|\Z)|\s+(?:because|since|as|it|he|she|they|the|but|and|due|for|\d|[a-z]\b|[\ue000-\uf8ff]))"
)
_TICKED = re.compile(
    rf"(?:\A|(?<=\n))[^\n{_ANY[1:-1]}]{{0,20}}?(?:(?P<yes>[✓✔✅☑🎯👍])|(?P<no>[✗✘❌✖✕🚫👎]))[ ]*(?P<who>{_NAMED})"
)
_LISTED = re.compile(
    rf"(?:\A|(?<=[\n.;(!?,]))\s*(?:(?:both|all|clearly|definitely|the)\s+)?(?P<not>not\s+)?{_JUDGED}"
    rf"(?:[\s_]+(?:{_NOUN}|(?P<answer>{_ANSWER})))?\s*(?:[:=–—-]+|\b(?:{_BE})(?![^\W_]))\s*(?:are\s+)?[\"'(]*{_WHO_NAMED}"
)
_NOTHING_WRONG = re.compile(
    r"\b(?:nothing|no\s+(?:problem|issue|error|mistake|fault|flaw))\s+(?:(?:wrong|false|incorrect|amiss|off|inaccurate|untrue)\s+)?"
    rf"(?:with|about|in)\s+{_WHO_NAMED}"
)
# "Is X true? No.", "X? Yes."
_QUESTIONED = re.compile(
    rf"(?:(?:\A|(?<=[.!?\n]))\s*(?:is|are|was|were|could|would|can|does|do)\s+[^.?!\n{_ANY[1:-1]}]{{0,40}}?)?{_WHO_NAMED}"
    rf"[\"'”’)]*(?:[^.?!\n{_ANY[1:-1]}]{{0,40}}?\b{_JUDGED})?\s*\?\s*"
    r"(?:(?P<no>no\b|nope|not|wrong|hardly|never|nah|it (?:is not|isn't))|(?P<yes>yes\b|yep|right\b|indeed|it is\b|correct\b))"
)
# "The false statement is X", "the one that isn't true is X", "what's wrong is X", "the mistake lies in X", "the answer is X".
_FILLER = rf"\s(?:to|for|about|of|in|that|which|i|we|here|among)\b[^.!?:;\n{_ANY[1:-1]}]{{0,80}}?"
_LEAD = re.compile(
    rf"(?:(?P<not>not\s+)?{_JUDGED}[\s_-]+(?:and\s+\w+\s+)?(?:{_NOUN}|(?P<answer1>{_ANSWER}))"
    rf"|(?:(?<!other )(?<!remaining )\b{_NOUN}(?:\s+(?:here|listed))?\s+(?:that|which)|\bwhat)"
    r"(?P<be>(?:'s|\s+(?:is|are|was|isn't|aren't|wasn't|does(?:n't| not)|cannot be|can't be|seems))?"
    rf"\s+{_ADVERB}(?:not\s+)?)(?:(?P<so2>{_SO})|(?P<not_so2>{_NOT_SO})|(?P<hold2>hold(?: up| true)?))(?![^\W_])"
    rf"|\b{_NOUN}\s+(?:that|which)\s+(?P<lacks>(?:is|are|was|does|do)(?:n't|\s+not))(?=\s+(?:is|was|would|must|has|,)\b|\s*[:,])"
    rf"|(?P<fault>\b(?:{alternatives('choice_fault_nouns')}))(?![^\W_])|(?P<answer2>\b{_ANSWER}))"
    r"(?:\s+(?:number|id|index|no\.?|text|here|in the list|of the \w+|among (?:them|these|those))|_(?:number|id|index|text))?"
    rf"(?P<filler>{_FILLER})?\s*,?\s*(?:(?:therefore|thus|then|hence|so|of course|clearly),?\s*)?"
    rf"(?:\b(?:{_BE})(?![^\W_])|'s|[:=]+>?|->|→|[–—-](?=\s)|\s(?=\())\s*"
)
# "It is not true that ..."
_CLAIMED = re.compile(
    rf"\bit(?P<be>'s|\s+(?:is|was|isn't|wasn't|cannot be|can't be))\s+{_ADVERB}(?P<not>not\s+)?{_JUDGED}\s+that\s+"
)
_CLAIM_END = re.compile(r"[.;:!?\n]|,\s+(?:it|but|while|whereas|and it|the|he|she|they)\b|\s[–—]\s")
_STRICT = re.compile(
    r"(?:(?:probably|therefore|clearly|the|both|either|most likely|option|in|with|on|that of|simply|definitely|found in|of"
    rf"|number|likely|again|thus|only|certainly|likely to be|indeed)\s+)*[\"'(\[]*{_WHO_NAMED}"
)
_REST_END = re.compile(
    r"[.;\n!?]|,\s*(?:not|because|since|as|which|who|but|and|while|whereas|although|though|so|rather|instead)\b"
    r"|\b(?:because|since|rather than|instead of|as it|as the|not)\b|\s[–—]\s"
)
_SENTENCE_END = re.compile(r"[.;\n!?]")
_LONGEST_REST = 200
# "I'd go with X", "it's X", "X it is", "X."
_CHOOSING = re.compile(
    rf"(?:{alternatives('choice_choosing')})[\s:,\"'(]*"
    rf"(?:(?:the|option|either|probably|perhaps|maybe|clearly|definitely|both)\s+)*{_WHO_NAMED}"
)
_IT_IS = re.compile(
    r"(?:\A|(?<=[.!?\n;:,(—–])"
    r"|\b(?:so|thus|therefore|hence|then|but|yet|and|because|i mean|actually|namely|clearly|surely|that|yes|no|guess"
    r"|now|today|nowadays|currently|(?:since|from|as of) (?:\w+ )?\d{4}(?: on(?:wards?)?)?)\b,?)\s*"
    r"(?:it|that|this|which|he|she|they)"
    r"(?:'s|\s+(?:is|was|must be|has to be|would be|should be|can only be|will be|are|were|could only be|has been|had to be))"
    rf"\s+{_ADVERB}(?:(?:the|called|named|number)\s+)*[\"'(]*{_WHO_NAMED}(?!['’]s\b)"
)
# "So the total is X."
_CONCLUDED = re.compile(
    rf"(?:\A|(?<=[.!?\n;,] )|(?<=\n))(?:so|therefore|thus|hence|consequently),?\s+"
    rf"(?:the|its|his|her|their)\s+(?:[\w'’-]+\s+){{1,5}}?"
    rf"(?:is|was|are|must be|must have been)\s+{_ADVERB}(?:the\s+)?{_WHO_NAMED}"
)
# "It may be X.", "Maybe X?"
_MAYBE = re.compile(
    r"(?:\b(?:it|that|this|which|he|she|they)(?: \w+ly)? (?:may|might|could)(?: \w+ly)? be"
    r"|\b(?:maybe|perhaps|possibly|probably|presumably))"
    rf",?\s+(?:(?:it's|it is|the|also|option)\s+)*[\"'(]*{_WHO_NAMED}(?!['’]s\b)"
)
_CHOSEN_AFTER = re.compile(rf"{_WHO_NAMED}[\"'”’),]*\s+{_ADVERB}(?:{alternatives('choice_chosen_after')})")
_ALONE = re.compile(
    rf"(?:\A|(?<=[!?\n;→])|(?<=:)(?=\s*{_LABELLED}[.!]?\s*\Z)"
    r"|(?<=\w\w\w\w\.)|(?<=\.)(?= (?:so|thus|therefore|hence|by)\b)|(?<=[\])\"'0-9\ue000-\uf8ff]\.)"
    r"|,(?=\s*(?:(?:so|thus|therefore|hence|then|namely|that is)\b|i\.e\.)))[ ]*"
    r"(?:(?:(?:so|thus|therefore|hence|then|ergo|conclusion|final|in (?:short|sum|conclusion)|i mean|namely|i\.e\."
    r"|probably|perhaps|maybe|clearly|definitely|yes|no|right|ok|well|answer|going with|it's"
    r"|that is|in other words|by(?: the)?(?: process of)? (?:elimination|exclusion))(?!\w)[\s,:—–-]*)+)?"
    rf"(?:(?:is|both|either|just|only)\s+)*"
    rf"(?P<open>[\"'(\[]*){_WHO_NAMED}(?P<close>[\"')\]]*)[ ]*(?P<stop>[.!]?)(?=[\s\"')]*(?:\n|\Z)|(?<=[.!])\s)"
)
# "The one which was not recorded by them is X", in the words of the question.
_DEFINED = re.compile(
    rf"\bthe (?:[\w'-]+ ){{0,3}}(?:that|which|who|whose|where|whom)\b(?P<rest>[^.;:!?\n{_ANY[1:-1]}]{{1,100}}?)"
    rf"(?:,? (?:is|was|are|were|would be|must be|has to be)|:)\s+{_ADVERB}(?:the\s+)?[\"'(]*{_WHO_NAMED}"
)
_SET_ASIDE = re.compile(
    rf"(?:{alternatives('choice_set_aside')})(?: (?:be|as|in|by|the|with|to|an?|option|even|really))*\s+[\"'(]*{_WHO_NAMED}"
)
_SET_ASIDE_AFTER = re.compile(rf"{_WHO_NAMED}[\"'”’),]*\s+{_ADVERB}(?:{alternatives('choice_set_aside_after')})")
_EXCEPTING = re.compile(rf"(?:{alternatives('choice_excepting')})\s+(?:the\s+)?{_WHO_NAMED}")
_ALL_EXCEPTING = re.compile(
    rf"{_NAMED}[^.;!?\n{_ANY[1:-1]}]{{0,60}}?\b(?:except(?: for)?|but|apart from|other than|save(?: for)?|besides|bar|excluding"
    rf"|with the exception of)\s+(?:for\s+)?(?:the\s+)?{_WHO_NAMED}"
)
# "That one is false.", said of what was named last; "X is not." and "X is.", said against the last verdict.
_BACK = re.compile(
    r"\b(?:that|this|it)(?:\s+(?:one|statement|claim|option|last one|part|latter))?"
    rf"(?P<be>(?:'s|\s+(?:is|was|isn't|cannot be|can't be|seems|wasn't|would be))\s+{_ADVERB}(?:not\s+)?{_THE})"
    r"(?:(?:one|statement|option)\s+(?:that|which)(?P<be2>'s|\s+is(?:n't|\s+not)?|\s+\w+n't)\s+)?(?P<not>not\s+)?"
    + _SAID_OF.replace("it(?=", "(?!)(?=")
)
_ELLIPTIC = re.compile(
    rf"{_WHO_NAMED}\s+(?:(?P<no>(?:is|are|was|were|does|do)(?:n't|\s+not))|(?:is|are|was|were|does|do))"
    r"\s*(?=[.,;!\n)]|\Z|\bbut\b|\band\b)"
)
# "X is not a gas giant", where that is asked for.
_PREDICATE = re.compile(
    rf"(?P<who>{_row(_ANY)})\s+(?:(?:is|are|was|were|does|do|did|has|have|had|can|will)(?P<no>n't|\s+not|\s+never)?|(?P<never>cannot|never|lacks?))"
    rf"\b(?P<rest>[^.;:!?\n,{_ANY[1:-1]}]{{0,80}})"
)
_POLARITY = re.compile(rf"{_JUDGED}|(?P<holds>{_HOLDS})\b|(?P<fails>{_FAILS})\b")
_OPEN_QUESTION = re.compile(r"\b(?:may|might|could)\b")

_ATTRIBUTED = re.compile(alternatives("choice_attributed"))
_BOUNDARY = re.compile(
    r"[.;:!?\n—–]|,\s+(?=(?:but|yet|however|then|so|i|the|it|that|which|actually|in fact|in reality|my)\b)"
    r"|\b(?:but|however|yet|so|therefore)\b"
)
_CONCEDED = re.compile(rf"\b(?:{alternatives('choice_conceded')})\b[^.;:!?\n,]{{0,80}}\Z")
_LESS = re.compile(
    rf"\b(?:{alternatives('choice_beside')})\b[^.;:!?\n,{_ANY[1:-1]}]{{0,60}}"
    rf"(?:{_ANY}[^.;:!?\n,{_ANY[1:-1]}]{{0,20}},?\s*(?:(?:and|or|the)\s+){{0,2}}){{0,6}}\Z"
)
_DESCRIBED = re.compile(
    rf"{_ANY}[\"')]*,\s+(?:an?|the|who|which|whose|where|then|himself|herself|itself|located|situated|some|about|home)\b"
    rf"(?:(?!\bbut\b|\byet\b)[^.;:!?\n])*\Z|{_ANY}(?:(?!\bbut\b|\byet\b)[^.;:!?\n])*,\s+(?:who|which|whose|where)\b[^.;:!?\n,]*\Z"
)
_BEATEN = re.compile(rf"[\"'”’)]*\s+(?:{alternatives('choice_beaten')})")
_ASKED_BACK = re.compile(r"[\"'”’)]*\s*\?")
_IN_BRACKETS = re.compile(r"\([^()]*\Z")
_NEXT = 12
"""So many characters behind a row tell whether its last is the subject of another clause."""
_REACH = 160
"""So many characters before what is said may say whose opinion it is."""


class Sayings:
    """A text with its mentions of options, and all that it says of them."""

    def __init__(self, text: str, mentions: Sequence[Mention], options: Options, *, asks_not: bool = False) -> None:
        """Write a text with one character for each mention.

        Parameters: `asks_not` says that the question asks for what something is not ("Which is not a planet?").
        """
        self.text, self.mentions, self.options, self.asks_not = text, mentions, options, asks_not
        self._of: dict[str, Mention] = {}
        self._at: dict[int, int] = {}
        used = dict.fromkeys(_FIRST.values(), 0)
        pieces: list[str] = []
        edges, at, last = [(0, 0)], 0, 0
        for mention in mentions:
            first = _FIRST[mention.kind]
            if used[first] >= _ROOM:
                continue
            token = chr(first + used[first])
            used[first] += 1
            self._of[token] = mention
            between = _TOKEN.sub(" ", text[last : mention.start])
            pieces += (between, token)
            at += len(between)
            edges += [(at, mention.start), (at + 1, mention.end)]
            self._at[mention.start] = at
            at, last = at + 1, mention.end
        pieces.append(_TOKEN.sub(" ", text[last:]))
        self.line = small("".join(pieces))
        self._edges, self._starts = edges, [edge for edge, _ in edges]

    def place(self, at: int) -> int:
        """Return where a character of the rewritten text stands in the text."""
        edge, original = self._edges[bisect_right(self._starts, at) - 1]
        return original + at - edge

    def at(self, mention: Mention) -> int:
        """Return where a mention stands in the rewritten text."""
        return self._at.get(mention.start, 0)

    def mentioned(self, start: int, end: int) -> list[Mention]:
        """Return the mentions in a stretch of the rewritten text."""
        return [self._of[token] for token in _TOKEN.findall(self.line, start, end)]

    @lazy
    def all(self) -> list[Saying]:
        """All that is said, in order, without what is handed to others."""
        if not self.mentions:
            return []
        said = [saying for find in _FINDERS for saying in find(self)]
        said.sort(key=lambda s: (s.start, s.end))
        said += _elliptic(self, said)
        return sorted(said, key=lambda s: (s.start, s.end))

    def saying(
        self, match: re.Match[str], what: What, *, final: bool = False, correct: bool = False, start: int | None = None
    ) -> Iterator[Saying]:
        """Yield what is said of those whom a match names, unless it is handed to others where they are named.

        Parameters: `start`, where the saying itself begins to be said, if elsewhere.
        """
        who = match.span("who")
        found = self.mentioned(*who)
        if found and not self.attributed(who[0] if start is None else start) and not self.beaten(who[1]):
            numbers = tuple(dict.fromkeys([n for mention in found for n in mention.options]))
            by = "text" if any(m.kind in ("text", "part") for m in found) else "label"
            end = max(found[-1].end, self.place(match.end() - 1) + 1)
            yield Saying(found[0].start, end, numbers, what, final, by, correct)

    def beaten(self, at: int) -> bool:
        """Tell whether what follows an option makes it another's ("is often thought", "at first") or a lesser one."""
        return _BEATEN.match(self.line, at) is not None

    def attributed(self, at: int) -> bool:
        """Tell whether what is said here is handed to others, to an earlier moment or to a condition."""
        before = self.line[max(0, at - _REACH) : at]
        clause = before
        for cut in _BOUNDARY.finditer(before):
            clause = before[cut.end() :]
        return _ATTRIBUTED.search(clause) is not None

    def aside(self, mention: Mention) -> bool:
        """Tell whether an option is named in passing: conceded, compared, described by, in brackets, asked, by others."""
        line, at = self.line, self.at(mention)
        before = line[max(0, at - _REACH) : at]
        if _CONCEDED.search(before) or _LESS.search(before) or _DESCRIBED.search(before):
            return True
        if _ASKED_BACK.match(line, at + 1) or self.beaten(at + 1):
            return True
        return (mention.kind == "text" and _IN_BRACKETS.search(before) is not None) or self.attributed(at)


def _turned(what: What, negated: bool) -> What:
    """Return what is said, or the contrary."""
    return _CONTRARY[what] if negated else what


def _is_negated(*parts: str | None) -> bool:
    return sum(len(_NEGATION.findall(part)) for part in parts if part) % 2 == 1


def _verdict(match: re.Match[str]) -> What:
    return "so" if match["so"] else "not_so"


# --- what finds sayings -----------------------------------------------------------------------------------------------


def _judgements(said: Sayings) -> Iterator[Saying]:
    for match in _JUDGEMENT.finditer(said.line):
        if _OPEN_QUESTION.search(match["be"]) and not (match["noun"] or match["one"]):
            continue
        negated = _is_negated(match["be"], match["not"])
        what: What = "pick" if match["one"] or (match["answer"] and match["so"]) else _verdict(match)
        final = bool(match["one"] or match["noun"]) and not negated
        yield from said.saying(match, _turned(what, negated), final=final, correct=bool(match["answer"]))
    for match in _LONG_JUDGEMENT.finditer(said.line):
        start, end = said.place(match.start("who")), said.place(match.end("who"))
        if ":" in said.text[start : end + 1]:
            what = _turned(_verdict(match), bool(match["not"]))
            yield from said.saying(match, what, final=bool(match["noun"]) and not match["not"])
    for match in _HOLDING.finditer(said.line):
        yield from said.saying(match, _turned("not_so" if match["not_so"] else "so", bool(match["no"])))


_CLOSING, _LABELS = frozenset(".):]–—-"), frozenset({"label", "bare"})


def _comments(said: Sayings) -> Iterator[Saying]:
    for match in _COMMENT.finditer(said.line):
        gap, last = match["gap"].strip(" \"'”’"), said.mentioned(*match.span("who"))[-1]
        sign = (match["yes"] or match["no"] or "") > "z"
        joined = said.text[last.start : last.end].rstrip()[-1:] not in _CLOSING and (
            last.kind not in _LABELS or match["yes"] == "yes"
        )
        if not sign and ((gap == "," and not match["not_so"]) or (joined and not gap)):
            continue  # "2, right", but not "2, wrong", "2. Right" or "2 right"
        so = match["yes"] or match["holds"] or match["so"]
        yield from said.saying(match, _turned("so" if so else "not_so", _is_negated(match["not"])))
    for match in _TICKED.finditer(said.line):
        yield from said.saying(match, "so" if match["yes"] else "not_so")
    for match in _LISTED.finditer(said.line):
        what: What = "pick" if match["answer"] and match["so"] else _verdict(match)
        yield from said.saying(match, _turned(what, bool(match["not"])), final=True, correct=bool(match["answer"]))
    for match in _NOTHING_WRONG.finditer(said.line):
        yield from said.saying(match, "so")
    for match in _QUESTIONED.finditer(said.line):
        what = _verdict(match) if match["so"] or match["not_so"] else "pick"
        yield from said.saying(match, _turned(what, bool(match["no"])), final=what == "pick" and bool(match["yes"]))


def _declarations(said: Sayings) -> Iterator[Saying]:
    for match in _LEAD.finditer(said.line):
        if match["fault"] and "this" in (match["filler"] or ""):
            continue  # the mistake within what was named before
        what, correct = _lead(match)
        named = _STRICT.match(said.line, match.end()) or _in_rest(said, match.end())
        if named:
            yield from said.saying(named, what, final=True, correct=correct)
        elif said.options.statements and not match["answer2"] and not said.attributed(match.start()):
            number = _content(said, match.end())
            if number:
                yield Saying(said.place(match.start()), said.place(match.end() - 1) + 1, (number,), what, True, "text")


def _claims(said: Sayings) -> Iterator[Saying]:
    """Yield what "it is not true that ..." says of the options whose words follow."""
    for match in _CLAIMED.finditer(said.line) if said.options.statements else ():
        what = _turned(_verdict(match), _is_negated(match["be"], match["not"]))
        stop = _CLAIM_END.search(said.line, match.end(), match.end() + _LONGEST_REST)
        end = stop.start() if stop else min(len(said.line), match.end() + _LONGEST_REST)
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


def _lead(match: re.Match[str]) -> tuple[What, bool]:
    """Return what a lead says of the option that follows, and whether it calls that one the correct answer."""
    if match["fault"] or match["lacks"]:
        return "not_so", False
    if match["answer1"] or match["answer2"]:
        return ("not_so", False) if match["not_so"] else ("pick", bool(match["so"]))
    so = match["so"] or match["so2"] or match["hold2"]
    return _turned("so" if so else "not_so", _is_negated(match["not"], match["be"])), False


_ONE = re.compile(rf"(?P<who>{_ANY})")


def _definitions(said: Sayings) -> Iterator[Saying]:
    """Yield what is said to be the one that the question asks for, by what the question says of it."""
    for match in _DEFINED.finditer(said.line) if not said.options.statements else ():
        if meaning(phrase(match["rest"])) & (said.options.denied if said.asks_not else said.options.asked):
            asked = _is_negated(match["rest"]) == said.asks_not
            yield from said.saying(match, "pick" if asked else "out", final=asked)


def _in_rest(said: Sayings, start: int) -> re.Match[str] | None:
    """Return where an option is named in what follows "the answer is"; null where none is, or several are."""
    stop = _REST_END.search(said.line, start, start + _LONGEST_REST)
    end = stop.start() if stop else min(len(said.line), start + _LONGEST_REST)
    for kinds in ("\ue000-\uefff", "\uf000-\uf3ff"):
        places = [token.start() for token in re.finditer(f"[{kinds}]", said.line[start:end])]
        places = [start + at for at in places if not _LESS.search(said.line, start, start + at)]
        named = {n for at in places for mention in said.mentioned(at, at + 1) for n in mention.options}
        if named:
            return _ONE.match(said.line, places[0]) if len(named) == 1 else None
    return None


def _content(said: Sayings, start: int) -> int | None:
    """Return the option that the rest of a sentence is about."""
    stop = _SENTENCE_END.search(said.line, start, start + _LONGEST_REST)
    end = stop.start() if stop else min(len(said.line), start + _LONGEST_REST)
    return about(said.text[said.place(start) : said.place(max(start, end - 1)) + 1], said.options) if end > start else None


def _choices(said: Sayings) -> Iterator[Saying]:
    """Yield what is picked. "It was made in Japan" picks no statement: it makes one."""
    for saying in _chosen(said):
        if saying.by == "label" or not said.options.statements:
            yield saying


def _chosen(said: Sayings) -> Iterator[Saying]:
    for match in _CHOOSING.finditer(said.line):
        yield from said.saying(match, "pick", final=True, start=match.start())
    for pattern in (_IT_IS, _CONCLUDED, _CHOSEN_AFTER):
        for match in pattern.finditer(said.line):
            yield from said.saying(match, "pick", final=True)
    for match in _MAYBE.finditer(said.line):
        yield from said.saying(match, "pick", start=match.start())
    alone = [*_ALONE.finditer(said.line)]
    listed = {
        n for match in alone if _begins_line(said.line, match) for m in said.mentioned(*match.span("who")) for n in m.options
    }
    for match in alone:
        if match["close"] and not match["open"]:
            continue  # the end of a quotation or bracket: 'on "Vol. 2"'
        if _begins_line(said.line, match) and (len(listed) > 1 or _unfinished(said, match)):
            continue
        if not (match["stop"] or match.end() < len(said.line)) and _unfinished(said, match):
            continue
        yield from said.saying(match, "pick", final=True)


def _begins_line(line: str, match: re.Match[str]) -> bool:
    """Tell whether an option alone is a line of a list, not a sentence of its own behind another."""
    before = line[max(0, match.start("who") - 4) : match.start("who")].rstrip(" \"'([")
    return before[-1:] in ("", "\n")


_EARLIER = re.compile(rf"{_LABELLED}[^.!?\n]{{0,120}}\b(?:{_SO}|{_NOT_SO})\b")


def _unfinished(said: Sayings, match: re.Match[str]) -> bool:
    """Tell whether an option at the very end is where a text that judges one after the other breaks off."""
    if said.line[match.end() :].strip(" .!\"')") or match["stop"] or match.start("who") == 0:
        return False
    return _EARLIER.search(said.line, max(0, match.start() - _REACH), match.start()) is not None


_NEXT_SUBJECT = re.compile(
    rf"(?P<who>.*{_ANY})\s*,\s*(?:and\s+)?(?:the\s+)?{_ANY}"
    r"(?=\s+(?!(?:and|or|nor|but|because|since|as|for|in|of|at|by|with|which|who|that|though|although)\b)[a-z])"
)
"""Options in a row, and behind a comma the subject of what follows ("not X, and X has ...", "unlike X, X is ...")."""


def _exclusions(said: Sayings) -> Iterator[Saying]:
    for match in _SET_ASIDE.finditer(said.line):
        row = _NEXT_SUBJECT.match(said.line, match.start("who"), match.end("who") + _NEXT)
        yield from said.saying(row if row and row.end() == match.end("who") else match, "out")
    for match in _SET_ASIDE_AFTER.finditer(said.line):
        yield from said.saying(match, "out")
    for match in _PREDICATE.finditer(said.line) if said.asks_not else ():
        denied = bool(match["no"] or match["never"])
        shared = meaning(phrase(match["rest"])) & said.options.denied
        if shared or (denied and not match["rest"].strip()):
            yield from said.saying(match, "pick" if denied else "out")


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
        if judged:
            what: What = "not_so" if judged["so"] or judged["holds"] else "so"
            yield from said.saying(match, _turned(what, none or _is_negated(sentence[: judged.start()])), final=True)


_BACK_REACH = 240


def _backward(said: Sayings) -> Iterator[Saying]:
    """Yield what "that one is false" says of the option named last."""
    for match in _BACK.finditer(said.line):
        tokens = _TOKEN.finditer(said.line, max(0, match.start() - _BACK_REACH), match.start())
        strong = [token for token in tokens if _refers(said, token, match.start())]
        if not strong or _TOKEN.match(said.line, match.end()) or said.attributed(match.start()):
            continue
        negated = _is_negated(match["be"], match["be2"], match["not"])
        what: What = "pick" if match["one"] or (match["answer"] and match["so"]) else _verdict(match)
        final = bool(match["one"] or (match["noun"] and " the " in match["be"])) and not negated
        mention = said.mentioned(*strong[-1].span())[0]
        by = "text" if mention.kind == "text" else "label"
        end = said.place(match.end() - 1) + 1
        yield Saying(mention.start, end, mention.options, _turned(what, negated), final, by)


def _refers(said: Sayings, token: re.Match[str], at: int) -> bool:
    """Tell whether "that one" may refer to a mention: a label, an option's name, or a statement that stands right before it."""
    mention = said.mentioned(*token.span())[0]
    if mention.kind == "text" and said.options.statements:
        return not said.line[token.end() : at].strip(" .\"'”’!\n:;,–—-")
    return mention.kind in ("label", "mark", "text")


def _elliptic(said: Sayings, known: Sequence[Saying]) -> list[Saying]:
    """Return what "X is not" says after "Y is true"."""
    verdicts = [saying for saying in known if saying.what in ("so", "not_so")]
    found: list[Saying] = []
    for match in _ELLIPTIC.finditer(said.line):
        at = said.place(match.start("who"))
        before = [saying for saying in verdicts if saying.end <= at]
        if before:
            base = _last_judged(small(said.text[before[-1].start : before[-1].end])) or before[-1].what
            found += said.saying(match, _turned(base, bool(match["no"])))
        elif not said.options.statements and not said.asks_not:
            found += said.saying(match, _turned("pick", bool(match["no"])))
    return found


def _last_judged(text: str) -> What | None:
    judged = [*_POLARITY.finditer(text)]
    return None if not judged else "so" if judged[-1]["so"] or judged[-1]["holds"] else "not_so"


_FINDERS = (_judgements, _comments, _declarations, _claims, _definitions, _choices, _exclusions, _exceptions, _backward)
