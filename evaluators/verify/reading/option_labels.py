"""Where a text names options by number, letter or ordinal: "option 2", "(b)", "the third", "statements 1-3", "2." in a list.

A number that counts something else ("jersey number 3"), an initial ("B. Dočkal"), an article and a title ("The Last Stand") are
none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from evaluators.verify.reading.options import Mention, Options, key_of
from evaluators.verify.reading.text import Span, read_text
from evaluators.verify.reading.words import NUMERALS, alternatives, word_list

# All patterns are over small letters; whether a letter is a capital is looked up in the text.

_LABEL = (
    r"(?:(?P<number>\d{1,2})(?![\w%°]|[.,:]\d)|(?P<word>one|two|three|four|five|six|seven|eight|nine|ten)\b"
    r"|(?P<roman>i{1,3}|i?v|vi{1,3}|ix)(?![\w'])|(?P<letter>[a-z])(?![\w'&+]))"
)
_OPEN, _CLOSE = r"[\"'“‘(\[]*", r"[\"'”’)\]]*"
_AS_OPTION = re.compile(
    rf"(?<![^\W_])(?:(?P<option>{alternatives('choice_nouns')})|(?P<loose>{alternatives('choice_number_nouns')}))[ _]*"
    rf"(?:(?:number|no\.?|nr\.?|n°)(?![^\W\d_])|#)?[ ]*{_OPEN}{_LABEL}{_CLOSE}"
)
_ONE_MORE = re.compile(
    rf"\s*(?P<between>,\s*(?:and\s|or\s)?|\band\b|&|\bor\b|/|\bto\b|\bthrough\b|[-–—])\s*{_OPEN}{_LABEL}{_CLOSE}"
    r"(?=\s*(?:[,.;:!?)\n—–-]|\Z|[a-z]))"
)
_BRACKETED = re.compile(
    r"(?<![\w)-])(?:\((?P<a>\d{1,2}|[a-z])\)|\[(?P<b>[a-z]|\d{1,2})\]|(?P<c>\d{1,2}|[a-z])\)(?=\s|\Z|[\"'“]))"
)
_MARK = re.compile(
    r"(?:\A|\n)[ \t\"'“(\[]*(?:(?P<a>\d{1,2}|[a-z])(?:[.):\]]|\s+[-–—:]\s)(?!\d))"
    r"|(?<=[.;:,!?] )(?P<b>\d{1,2}|[a-z])(?::|\s[–—]\s)"
)
_ORDINALS = {int(number): "|".join(patterns) for number, patterns in word_list("choice_ordinals").items()}
_RANKS = frozenset(rank for patterns in word_list("choice_ordinals").values() for rank in patterns)
_SOME_NOUNS = tuple(
    "opt choice statement alternative claim assertion proposition answer item sentence candidate number #".split()  # noqa: SIM905
)
_NUMBERS = re.compile(r"\bn(?:os?\.|o(?= ?\d)|r\b|[°º])")
_ORDINAL = re.compile(
    r"(?:(?<!\w)(?P<article>the)\s+)?(?:(?:option|statement|answer|choice)\s+)?\b(?:"
    + "|".join(f"(?P<o{number}>{patterns})" for number, patterns in _ORDINALS.items())
    + r")\b(?P<several>\s+(?:two|three|four|2|3|4)\b)?"
    r"(?:\s+of\s+(?:the(?:se|m)?|those|all)\b(?:\s+(?:two|three|four|five|six|\d)\b)?)?"
    rf"(?P<noun>\s+(?:{alternatives('choice_nouns')}|one|answer|item|sentence|number|candidate)\b)?"
)
_FOLLOWER = re.compile(
    rf"\s*(?:\([^()\n]{{1,80}}\)\s*(?:[.,;:!?\n]|\Z)|[.,;:!?)\]\"'”=>—–\n✓✔✅☑❌✗✘✖✕-]|\Z|(?:{alternatives('choice_label_followers')})\b)"
)
_BARE = re.compile(
    r"(?<![\w.,$€£%°/+'&-])(?:(?P<number>\d{1,2})(?![\w%°/+]|[.,:]\d)|(?P<letter>[a-z])(?![\w'’&+#°-]|\.[a-z])"
    r"|(?P<roman>ii|iii|iv|vi)\b|(?P<word>two|three|four|five|six|one)\b)"
)
_SAID_BEFORE = re.compile(
    r"(?:\A|[\n:.=;,]|\b(?:is|are|be|was|choose|pick|say|select|with|answer|option|number|it's|for|and|or|not))[\s\"'(]*\Z"
)
_DECLARED_BEFORE = re.compile(r"(?:\A[\W_]*|\b(?:answer|choice|option|pick|letter)(?: is)?\s*[:=]?\s*[\"'(]*)\Z")
_THINGS = re.compile(rf"\b(?:{alternatives('choice_numbered_things')})\s+\Z")
_NONE_OF = re.compile(r"\b(?:is|are|was|were|has|have|had|with|of|say|says|said)\s+\Z")
_NEAR = 24
"""So many characters before a number say whether it is an option's."""


def labelled(text: str, low: str, options: Options) -> Iterator[Mention]:
    """Yield labels, and marks at the beginning of a line; `low` is the text in small letters."""
    for match in _AS_OPTION.finditer(low) if _has_noun(low) else ():
        if _is_label(text, low, match):
            yield from _sequence(low, match, options)
    brackets = _BRACKETED.finditer(low) if ")" in low or "]" in low else ()
    for match in chain(brackets, _MARK.finditer(low)):
        group = match.lastgroup or "a"
        number = options.number(match[group])
        if number and not (_is_initial(text, match.end(group), options) or _is_article(text, match.start(group), match.end())):
            surely = match.re is _BRACKETED and group == "a"
            yield Mention(match.start(group) - surely, match.end(), (number,), "label" if surely else "mark")
    for match in _ORDINAL.finditer(low) if not _RANKS.isdisjoint(read_text(text).words) else ():
        yield from _ordinal(text, low, match, options)


def _has_noun(low: str) -> bool:
    """Tell quickly whether a text may have a word that says that a label follows."""
    return any(noun in low for noun in _SOME_NOUNS) or _NUMBERS.search(low) is not None


def _is_article(text: str, at: int, end: int) -> bool:
    """Tell whether an "a" or "I" before a dash is a word ("A – rather good – film")."""
    return text[at] in "aAI" and text[end - 1 : end].isspace()


_NOT_ARTICLE = re.compile(r"\s+(?!is\b|was\b|and\b|or\b|because\b|as\b|since\b|seems\b|has\b|isn|cannot\b|can't\b)[a-z']")


def _is_label(text: str, low: str, match: re.Match[str]) -> bool:
    """Tell whether what follows a noun is a label: not "a number 1 hit", "option a person has", "choice I made"."""
    letter, loose, bare = match["letter"], match["loose"], low[match.end() - 1].isalnum()
    if letter and bare and text[match.start("letter")] in "aAiI":
        return not _NOT_ARTICLE.match(low, match.end())
    if letter and bare and loose:
        return text[match.start("letter")].isupper()
    if loose and (match["roman"] == "i" or (match["word"] and not loose.startswith(("number", "answer")))):
        return False
    if loose and loose.startswith(("number", "no", "nr")):
        before = low[max(0, match.start() - _NEAR) : match.start()]
        return not (_THINGS.search(before) or (loose == "no" and _NONE_OF.search(before)))
    return not (match["roman"] and text[match.start("roman")].islower())


def _sequence(low: str, match: re.Match[str], options: Options) -> Iterator[Mention]:
    """Yield what follows a noun: one label, or several ("options 1, 2 and 4", "statements 1-3")."""
    number = options.number(_label_of(match))
    if number is None:
        return
    numbers, end = [number], match.end()
    while (match["option"] or match["loose"]).endswith("s") and (more := _ONE_MORE.match(low, end)):
        following = options.number(_label_of(more))
        if following is None:
            break
        spans = more["between"].strip() in ("to", "through", "-", "–", "—") and numbers[-1] < following
        numbers += range(numbers[-1] + 1, following + 1) if spans else (following,)
        end = more.end()
    yield Mention(match.start(), end, tuple(dict.fromkeys(numbers)), "label")


def _label_of(match: re.Match[str]) -> str:
    return next(match[name] for name in ("number", "word", "roman", "letter") if match[name])


def _ordinal(text: str, low: str, match: re.Match[str], options: Options) -> Iterator[Mention]:
    """Yield what an ordinal names, where an option's noun follows, or the article and no noun at all."""
    rank, own = next((rank, match[f"o{rank}"]) for rank in _ORDINALS if match[f"o{rank}"])
    if rank > len(options.texts) or (own in ("final", "bottom") and "answer" in (match["noun"] or "answer")):
        return
    alone = _FOLLOWER.match(low, match.end()) is not None
    if match["several"]:
        word = match["several"].strip()
        count = int(word) if word.isdigit() else NUMERALS[word]
        if rank in (0, 1) and count <= len(options.regular) and (match["noun"] or alone):
            yield Mention(*match.span(), options.regular[:count] if rank else options.regular[-count:], "label")
    elif (
        match["noun"]
        or (match["article"] and _on_the_list(low, match.end(), options))
        or (alone and (_uncapitalised(text, match, rank) or _alone(low, match.span())))
    ):
        yield Mention(*match.span(), (rank or len(options.texts),), "label")


_LISTED = re.compile(
    r"\s+(?P<noun>[^\W\d_]+)(?=\s*(?:[.,;:!?)\n]|\Z|(?:on|in|of) (?:the|your) list\b|(?:listed|named|mentioned|given)\b))"
)


def _on_the_list(low: str, end: int, options: Options) -> bool:
    """Tell whether an ordinal is followed by what the question asks for ("the second gas")."""
    noun = _LISTED.match(low, end)
    return noun is not None and key_of(noun["noun"]) in options.asked


def _uncapitalised(text: str, match: re.Match[str], rank: int) -> bool:
    """Tell whether an ordinal behind an article is no part of a title ("The Last Stand")."""
    return bool(match["article"]) and not text[match.start(f"o{rank}")].isupper()


def _alone(low: str, span: Span) -> bool:
    """Tell whether nothing else stands in a sentence or line."""
    before, after = low[max(0, span[0] - 3) : span[0]].strip(" \"'(*"), low[span[1] : span[1] + 3].strip(" \"')*")
    return before[-1:] in ("", ".", "\n", ":", "!", "?") and after[:1] in ("", ".", "\n", "!", ",", ":")


def bare(text: str, low: str, options: Options) -> Iterator[Mention]:
    """Yield numbers and letters that are an option's where a sentence says so."""
    for match in _BARE.finditer(low):
        kind = match.lastgroup or "number"
        number = options.number(match[kind])
        if number is None or not _FOLLOWER.match(low, match.end()):
            continue
        before = low[max(0, match.start() - _NEAR) : match.start()]
        if kind == "letter" and not _is_letter(text, match.span(), before, options):
            continue
        if kind == "word" and not _SAID_BEFORE.search(before):
            continue
        if kind == "roman" and not (text[match.start() : match.end()].isupper() and _alone(low, match.span())):
            continue
        yield Mention(*match.span(), (number,), "bare")


_INITIAL = re.compile(r"\.\s?(?P<surname>[A-Z][^\W\d_]+)")
_AFTER_A = re.compile(
    r"\s*(?:[.,;:!)\]\"'\n✓✔✅☑❌✗✘✖✕]|\Z)"
    r"|\s+(?:the (?:only|one|right|correct|true|false|wrong|answer))\b"
    r"|\s+(?:is|isn't|was|and|or|because|since|as|has|can't|cannot|doesn't|holds|fails)\b"
)


def _is_letter(text: str, span: Span, before: str, options: Options) -> bool:
    """Tell whether a letter stands for an option: no initial, article or pronoun; a small one only where it is declared."""
    letter = text[span[0]]
    if letter.islower():
        return _DECLARED_BEFORE.search(before) is not None and _alone(text, (span[0], span[1]))
    if letter == "I" or _is_initial(text, span[1], options):
        return False
    return letter != "A" or _AFTER_A.match(text, span[1]) is not None


def _is_initial(text: str, end: int, options: Options) -> bool:
    """Tell whether a letter is somebody's initial: of whom the question names ("B. Dočkal"), or within a sentence."""
    name = _INITIAL.match(text, end) if text[end - 1].isalpha() else None
    if name is None:
        return False
    return name["surname"] in options.stem or not _SAID_BEFORE.search(text[max(0, end - _NEAR) : end - 1].lower())
