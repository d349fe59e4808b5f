"""What a text picks of the options it names, and what it sets aside; with what it says to be so, all that it says of them.

| what | said by | final |
|---|---|---|
| `pick` | "the answer is X", "I'd go with X", "it's X", "that leaves X", "X it is", a sentence that is X alone | yes |
| `out` | "not X", "it isn't X", "X can be ruled out", "X? No" | no |
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from evaluators.verify import truths
from evaluators.verify.reading.cued import OpenedPattern, WaitingPattern
from evaluators.verify.reading.option_words import about
from evaluators.verify.reading.options import Mention, meaning
from evaluators.verify.reading.text import phrase, read_text
from evaluators.verify.reading.words import alternatives, word_list
from evaluators.verify.sayings import (
    ADVERB,
    ANSWER,
    ANY,
    COPULAS,
    JUDGED,
    LABELLED,
    LESS,
    LONGEST_REST,
    NAMED,
    NOT_SO,
    NOUN,
    REACH,
    SO,
    TOKEN,
    WHO_NAMED,
    Saying,
    Sayings,
    What,
    is_negated,
    row,
    turned,
)
from kg.patterns import late

# "The false statement is X", "the one that isn't true is X", "what's wrong is X", "the mistake lies in X", "the answer is X".
_FILLER = rf"\s(?:to|for|about|of|in|that|which|i|we|here|among)\b[^.!?:;\n{ANY[1:-1]}]{{0,80}}?"
_LEAD = late(
    rf"(?:(?P<not>not\s+)?{JUDGED}[\s_-]+(?:and\s+\w+\s+)?(?:{NOUN}|(?P<answer1>{ANSWER}))"
    rf"|(?:(?<!other )(?<!remaining )\b{NOUN}(?:\s+(?:here|listed))?\s+(?:that|which)|\bwhat)"
    r"(?P<be>(?:'s|\s+(?:is|are|was|isn't|aren't|wasn't|does(?:n't| not)|cannot be|can't be|seems))?"
    rf"\s+{ADVERB}(?:not\s+)?)(?:(?P<so2>{SO})|(?P<not_so2>{NOT_SO})|(?P<hold2>hold(?: up| true)?))(?![^\W_])"
    rf"|\b{NOUN}\s+(?:that|which)\s+(?P<lacks>(?:is|are|was|does|do)(?:n't|\s+not))(?=\s+(?:is|was|would|must|has|,)\b|\s*[:,])"
    rf"|(?P<fault>\b(?:{alternatives('choice_fault_nouns')}))(?![^\W_])|(?P<answer2>\b{ANSWER}))"
    r"(?:\s+(?:number|id|index|no\.?|text|here|in the list|of the \w+|among (?:them|these|those))|_(?:number|id|index|text))?"
    rf"(?P<filler>{_FILLER})?\s*,?\s*(?:(?:therefore|thus|then|hence|so|of course|clearly),?\s*)?"
    rf"(?:\b(?:{COPULAS})(?![^\W_])|'s|[:=]+>?|->|→|[–—-](?=\s)|\s(?=\())(?:\s*\.\.\.)?\s*"
)
_STRICT = late(
    r"(?:(?:probably|therefore|clearly|the|both|either|most likely|option|in|with|on|that of|simply|definitely|found in|of"
    rf"|number|likely|again|thus|only|certainly|likely to be|indeed)\s+)*[\"'(\[]*{WHO_NAMED}"
)
_REST_END = re.compile(
    r"[.;\n!?]|,\s*(?:not|because|since|as|which|who|but|and|while|whereas|although|though|so|rather|instead)\b"
    r"|\b(?:because|since|rather than|instead of|as it|as the|not)\b|\s[–—]\s"
)
_SENTENCE_END = re.compile(r"[.;\n!?]")


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


def _lead(match: re.Match[str]) -> tuple[What, bool]:
    """Return what a lead says of the option that follows, and whether it calls that one the correct answer."""
    if match["fault"] or match["lacks"]:
        return "not_so", False
    if match["answer1"] or match["answer2"]:
        return ("not_so", False) if match["not_so"] else ("pick", bool(match["so"]))
    so = match["so"] or match["so2"] or match["hold2"]
    return turned("so" if so else "not_so", is_negated(match["not"], match["be"])), False


_ONE = re.compile(rf"(?P<who>{ANY})")


def _in_rest(said: Sayings, start: int) -> re.Match[str] | None:
    """Return where an option is named in what follows "the answer is"; null where none is, or several are."""
    stop = _REST_END.search(said.line, start, start + LONGEST_REST)
    end = stop.start() if stop else min(len(said.line), start + LONGEST_REST)
    for kinds in ("\ue000-\uefff", "\uf000-\uf3ff"):
        places = [token.start() for token in re.finditer(f"[{kinds}]", said.line[start:end])]
        places = [start + at for at in places if not LESS.search(said.line, start, start + at)]
        named = {n for at in places for mention in said.mentioned(at, at + 1) for n in mention.options}
        if named:
            return _ONE.match(said.line, places[0]) if len(named) == 1 else None
    return None


def _content(said: Sayings, start: int) -> int | None:
    """Return the option that the rest of a sentence is about."""
    stop = _SENTENCE_END.search(said.line, start, start + LONGEST_REST)
    end = stop.start() if stop else min(len(said.line), start + LONGEST_REST)
    return about(said.text[said.place(start) : said.place(max(start, end - 1)) + 1], said.options) if end > start else None


# "The one which was not recorded by them is X", in the words of the question.
_DEFINED = late(
    rf"\bthe (?:[\w'-]+ ){{0,3}}(?:that|which|who|whose|where|whom)\b(?P<rest>[^.;:!?\n{ANY[1:-1]}]{{1,100}}?)"
    rf"(?:,? (?:is|was|are|were|would be|must be|has to be)|:)\s+{ADVERB}(?:the\s+)?[\"'(]*{WHO_NAMED}"
)


def _definitions(said: Sayings) -> Iterator[Saying]:
    """Yield what is said to be the one that the question asks for, by what the question says of it."""
    for match in _DEFINED.finditer(said.line) if not said.options.statements else ():
        if meaning(phrase(match["rest"])) & (said.options.denied if said.asks_not else said.options.asked):
            asked = is_negated(match["rest"]) == said.asks_not
            yield from said.saying(match, "pick" if asked else "out", final=asked)


# "I'd go with X", "it's X", "X it is", "X."
_CHOOSING = WaitingPattern(
    rf"(?:{alternatives('choice_choosing')})[\s:,\"'(]*"
    rf"(?:(?:the|option|either|probably|perhaps|maybe|clearly|definitely|both)\s+)*{WHO_NAMED}",
    word_list("choice_choosing")["words"],
    0,
)
_IT_IS = late(
    r"(?:\A|(?<=[.!?\n;:,(—–])"
    r"|\b(?:so|thus|therefore|hence|then|but|yet|and|because|i mean|actually|namely|clearly|surely|that|yes|no|guess"
    r"|now|today|nowadays|currently|(?:since|from|as of) (?:\w+ )?\d{4}(?: on(?:wards?)?)?)\b,?)\s*"
    r"(?:it|that|this|which|he|she|they)"
    r"(?:'s|\s+(?:is|was|must be|has to be|would be|should be|can only be|will be|are|were|could only be|has been|had to be))"
    rf"\s+{ADVERB}(?:(?:the|called|named|number)\s+)*[\"'(]*{WHO_NAMED}(?!['’]s\b)"
)
# "It is X", where a word of the option stands for it.
_IT_IS_PART = late(
    r"(?:\A|(?<=[.!?\n;:,(—–])|\b(?:but|so|and|because|actually|though)\b,?)\s*"
    r"(?:it|that|this)(?:'s|\s+(?:is|was|must be|has to be))"
    rf"\s+{ADVERB}(?:the\s+)?(?P<who>[\uf000-\uf3ff])(?=\s*(?:[.,;:!]|\Z))"
)
# A line that is marked as the one.
_POINTED = re.compile(rf"(?P<who>{ANY})[^\n{ANY[1:-1]}]{{0,80}}?(?:←|⬅|⇐|<-+|<=+|👈)")
# Who are named before are set aside together: "... which rules them out", "so they are out", "none of those three".
_TOGETHER = re.compile(alternatives("choice_together"))
NONE_OF_THEM = re.compile(r"\b(?:none|neither|not one) of (?:those|these|them|which)(?: (?P<count>two|three|four|five|\d))?\b")
# "So the total is X."
_CONCLUDED = late(
    rf"(?:\A|(?<=[.!?\n;,] )|(?<=\n))(?:so|therefore|thus|hence|consequently),?\s+"
    rf"(?:the|its|his|her|their)\s+(?:[\w'’-]+\s+){{1,5}}?"
    rf"(?:is|was|are|must be|must have been)\s+{ADVERB}(?:the\s+)?{WHO_NAMED}"
)
# "It may be X.", "Maybe X?"
_MAYBE = re.compile(
    r"(?:\b(?:it|that|this|which|he|she|they)(?: \w+ly)? (?:may|might|could)(?: \w+ly)? be"
    r"|\b(?:maybe|perhaps|possibly|probably|presumably))"
    rf",?\s+(?:(?:it's|it is|the|also|option)\s+)*[\"'(]*{WHO_NAMED}(?!['’]s\b)"
)
_CHOSEN_AFTER = late(rf"{WHO_NAMED}[\"'”’),]*\s+{ADVERB}(?:{alternatives('choice_chosen_after')})")
_ALONE = late(
    rf"(?:\A|(?<=[!?\n;→])|(?<=:)(?=\s*{LABELLED}[.!]?\s*\Z)"
    rf"|(?<=\w\w\w:)(?=\s*{NAMED}[.!]?\s*\Z)"
    r"|(?<=\w\w\w\w\.)|(?<=\.)(?= (?:so|thus|therefore|hence|by)\b)|(?<=[\])\"'0-9\ue000-\uf8ff]\.)"
    r"|,(?=\s*(?:(?:so|thus|therefore|hence|then|namely|that is)\b|i\.e\.)))[ ]*"
    r"(?:(?:(?:so|thus|therefore|hence|then|ergo|conclusion|final|in (?:short|sum|conclusion)|i mean|namely|i\.e\."
    r"|probably|perhaps|maybe|clearly|definitely|yes|no|right|ok|well|answer|going with|it's"
    r"|that is|in other words|by(?: the)?(?: process of)? (?:elimination|exclusion))(?!\w)[\s,:—–-]*)+)?"
    rf"(?:(?:is|both|either|just|only)\s+)*"
    rf"(?P<open>[\"'(\[]*){WHO_NAMED}(?P<close>[\"')\]]*)[ ]*(?P<stop>[.!]?)(?=[\s\"')]*(?:\n|\Z)|(?<=[.!])\s)"
)


def _choices(said: Sayings) -> Iterator[Saying]:
    """Yield what is picked. "It was made in Japan" picks no statement: it makes one."""
    for saying in _chosen(said):
        if saying.by == "label" or not said.options.statements:
            yield saying


def _chosen(said: Sayings) -> Iterator[Saying]:
    may_point = ">" in said.text or not said.text.isascii()  # an arrow
    held = _CHOOSING.words if may_point else read_text(said.text).cues
    for match in _CHOOSING.finditer(said.line, held):
        yield from said.saying(match, "pick", final=True, start=match.start())
    for match in _IT_IS_PART.finditer(said.line) if _PARTS.search(said.line) else ():
        yield from said.saying(match, "pick", final=True)
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
        if _is_value_of_key(said.line, match, said.options.asked):
            continue
        if match["close"] and not match["open"]:
            continue  # the end of a quotation or bracket: 'on "Vol. 2"'
        if _begins_line(said.line, match) and (len(listed) > 1 or _unfinished(said, match)):
            continue
        if not (match["stop"] or match.end() < len(said.line)) and _unfinished(said, match):
            continue
        yield from said.saying(match, "pick", final=True)


_PARTS = re.compile("[\uf000-\uf3ff]")


def pointed_at(said: Sayings) -> Mention | None:
    """Return the only option to which an arrow at the end of its line points."""
    named = {m.options: m for match in _POINTED.finditer(said.line) for m in said.mentioned(*match.span("who"))}
    return next(iter(named.values())) if len(named) == 1 else None


ARROWS = re.compile("[←⬅⇐👈]|<[-=]")


def _together(said: Sayings) -> Iterator[Saying]:
    """Yield what is set aside of all that are named before ("... one each, which rules them out")."""
    for match in _TOGETHER.finditer(said.line):
        start = max(said.line.rfind(sign, 0, match.start()) for sign in ".!?\n") + 1
        for mention in said.mentioned(start, match.start()):
            yield Saying(mention.start, mention.end, mention.options, "out", False, "text")
    for match in NONE_OF_THEM.finditer(said.line):
        before = said.mentioned(max(0, match.start() - LONGEST_REST), match.start())
        if len({n for mention in before for n in mention.options}) < len(said.options.regular):
            for mention in before:
                yield Saying(mention.start, mention.end, mention.options, "out", False, "text")


_LEADING_TO = 3
"""So many words at least lead to what stands behind a colon; fewer are a key ("runner-up: X")."""
_NOT_TO_IT = re.compile(r"\b(?:not|never|n't|no|wrong|false|except|unlike|runner|others?|options?|choices?)\b")


def _is_value_of_key(line: str, match: re.Match[str], asked: frozenset[str]) -> bool:
    """Tell whether an option behind a colon is the value of a key, or what is set aside."""
    before = line[: match.start("who")].rstrip(" \"'([")
    if before[-1:] != ":":
        return False
    lead = re.split(r"[.!?\n;]", before[:-1])[-1]
    if (keys := meaning(phrase(lead))) and keys <= asked and "\n" not in line:
        return False  # "Wing nuts: X", where the shelf of the wing nuts is asked for
    return (
        bool(TOKEN.search(match["who"]))
        and not re.match(LABELLED, match["who"])
        and (len(lead.split()) < _LEADING_TO or _NOT_TO_IT.search(lead) is not None)
    )


def _begins_line(line: str, match: re.Match[str]) -> bool:
    """Tell whether an option alone is a line of a list, not a sentence of its own behind another."""
    before = line[max(0, match.start("who") - 4) : match.start("who")].rstrip(" \"'([")
    return before[-1:] in ("", "\n")


_EARLIER = late(rf"{LABELLED}[^.!?\n]{{0,120}}\b(?:{SO}|{NOT_SO})\b")


def _unfinished(said: Sayings, match: re.Match[str]) -> bool:
    """Tell whether an option at the very end is where a text that judges one after the other breaks off."""
    if said.line[match.end() :].strip(" .!\"')") or match["stop"] or match.start("who") == 0:
        return False
    return _EARLIER.search(said.line, max(0, match.start() - REACH), match.start()) is not None


_ASIDE = word_list("choice_set_aside")["patterns"]
_SET_ASIDE = OpenedPattern(
    rf"\b(?:{'|'.join(_ASIDE)})(?: (?:be|as|in|by|the|with|to|an?|option|even|really))*\s+[\"'(]*{WHO_NAMED}",
    [re.split(r"\W*\(|\\", pattern)[0] for pattern in _ASIDE],
)
_SET_ASIDE_AFTER = late(rf"{WHO_NAMED}[\"'”’),]*\s+{ADVERB}(?:{alternatives('choice_set_aside_after')})")
# "X is not a gas giant", where that is asked for.
_PREDICATE = late(
    rf"(?P<who>{row(ANY)})\s+(?:(?:is|are|was|were|does|do|did|has|have|had|can|will)(?P<no>n't|\s+not|\s+never)?|(?P<never>cannot|never|lacks?))"
    rf"\b(?P<rest>[^.;:!?\n,{ANY[1:-1]}]{{0,80}})"
)
_NEXT = 12
"""So many characters behind a row tell whether its last is the subject of another clause."""
_NEXT_SUBJECT = re.compile(
    rf"(?P<who>.*{ANY})\s*,\s*(?:and\s+)?(?:the\s+)?{ANY}"
    r"(?=\s+(?!(?:and|or|nor|but|because|since|as|for|in|of|at|by|with|which|who|that|though|although)\b)[a-z])"
)
"""Options in a row, and behind a comma the subject of what follows ("not X, and X has ...", "unlike X, X is ...")."""


def _exclusions(said: Sayings) -> Iterator[Saying]:
    for match in _SET_ASIDE.matches(said.line):
        row = _NEXT_SUBJECT.match(said.line, match.start("who"), match.end("who") + _NEXT)
        yield from said.saying(row if row and row.end() == match.end("who") else match, "out")
    for match in _SET_ASIDE_AFTER.finditer(said.line):
        yield from said.saying(match, "out")
    for match in _PREDICATE.finditer(said.line) if said.asks_not else ():
        denied = bool(match["no"] or match["never"])
        shared = meaning(phrase(match["rest"])) & said.options.denied
        if shared or (denied and not match["rest"].strip()):
            yield from said.saying(match, "pick" if denied else "out")


_FINDERS = (*truths.FINDERS, _declarations, _definitions, _choices, _exclusions, _together)


def sayings(said: Sayings) -> list[Saying]:
    """Return all that is said of options, in order, without what is handed to others."""
    if not said.mentions:
        return []
    found = [saying for find in _FINDERS for saying in find(said)]
    found.sort(key=lambda s: (s.start, s.end))
    found += truths.elliptic(said, found)
    return sorted(found, key=lambda s: (s.start, s.end))
