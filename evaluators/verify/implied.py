"""Which option a text picks in other words: it has it in bold, names no other, or says of it alone what is asked.

| the text | picks |
|---|---|
| has one option in bold, or names one only, not denied and not in passing | that one |
| names several | the one of which it says most of what the question asks, clause by clause |
| denies one statement in its own words, where the false one is asked for | that one |
| makes one statement in other words, where the true one is asked for | that one |
| says that it does not know, and leans towards one | that one |
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from evaluators.verify.reading.options import Mention, Options, key_of, meaning
from evaluators.verify.reading.text import Sentence, Span, phrase, read_text
from evaluators.verify.reading.words import ARTICLES, EVERYDAY, any_pattern, in_digits
from evaluators.verify.rivals import names_in
from evaluators.verify.stated import CONCLUDING, LONG, OPENING, REACH, Pick, Reading, breaks_off, runs_through


def implied(zone: Reading, *, hedged: bool) -> Pick | None:
    """Return what is picked in other words: the option in bold, the only one that is named, the one that the text comes to.

    Parameters: `hedged` says that the text also says that it does not know.
    """
    zone = zone.stretch(0, LONG) if len(zone.text) > 2 * LONG else zone
    if not zone.mentions:
        return None
    if hedged:
        return _hedged(zone)
    return _in_bold(zone) or only(zone) or _lone_label(zone) or _lone_part(zone)


def _in_bold(zone: Reading) -> Pick | None:
    named = [m for m in zone.mentions if m.kind in ("text", "label", "mark")]
    bold = [m for m in named if any(start < m.end and m.start < end for start, end in zone.bold)]
    upheld = {m.options: m for m in bold if not zone.denies(m) and not zone.outs.issuperset(m.options)}
    if len(upheld) != 1 or len({n for m in bold for n in m.options} - zone.outs) != 1 or breaks_off(zone.text):
        return None
    (numbers, mention), *_ = upheld.items()
    return zone.pick(numbers, (mention.start, mention.end), "normalised")


_WORDED = 9
"""A label of more characters has the option's words beside it."""


def only(zone: Reading) -> Pick | None:
    """Read a pick from the options' words: the only one that is named, or that is named where the question is answered."""
    if zone.sense == "not_so" and zone.options.statements:
        return _denied_statement(zone)
    named = [m for m in zone.mentions if m.kind == "text" or (m.kind in ("label", "mark") and m.end - m.start > _WORDED)]
    named = [m for m in named if m.options != (zone.options.unknown,) and not zone.denies(m) and m.options[0] not in zone.outs]
    main = [m for m in named if not zone.said.aside(m)] or named
    numbers = list(dict.fromkeys(n for m in main for n in m.options))
    if not numbers and zone.options.statements:
        return _asserted_statement(zone)
    if len(numbers) < 2:
        return zone.pick(numbers, (main[0].start, main[0].end), "normalised") if numbers else None
    return _answering(zone, main) or zone.pick(numbers, (main[0].start, main[0].end), "several_answers")


_SO = re.compile(r"\b(?:so|therefore|thus|hence|consequently|which (?:makes|leaves|means)|making)\b", re.IGNORECASE)
_NOW = re.compile(
    r"\b(?:now|today|currently|nowadays|at present|these days|since then|t(?:ook|aken|akes) (?:its|their) place|nowadays)\b",
    re.IGNORECASE,
)
_PAST = any_pattern("choice_past")
_PRONOUN = re.compile(r"\s*(?:it|he|she|they|this|that)\b(?!\s+(?:is|was) (?:not|never))", re.IGNORECASE)
_PART_END = re.compile(r"[;:.]")
_SUBJECT = re.compile(
    r"(?:\A\s*(?=[A-Z][^\W_]+ (?:and )?[A-Z])|[;,]\s*(?:(?:and|but|while|whereas|the) )*)(?P<name>[A-Z][^\W_]+)"
)
_CAPITAL = re.compile(r"(?<=[a-z,;] )[\"'“‘(]*[A-Z][^\W_]+|\A[A-Z][^\W_]+(?= (?:and )?[A-Z])")
_BUT = re.compile(r"\b(?:but|however|yet|whereas)\b", re.IGNORECASE)
_SOLELY = re.compile(r"\bonly (?:the )?\Z", re.IGNORECASE)
_PART = re.compile(r"[;:–—]|,|\b(?:but|and|while|whereas)\b")


def _answering(zone: Reading, named: Sequence[Mention]) -> Pick | None:
    """Return the option of which a text says most of what the question asks."""
    sentences = _sentences_of(zone, named)
    top = _best(zone, named, sentences, shared=False)
    if len(top) > 1:  # what stands before the first may be said of all
        rivals = [m for m in named if m.options in top]
        top = _best(zone, rivals, _sentences_of(zone, rivals), shared=True)
    if len(top) != 1:
        return _first_of(zone, named, sentences)
    mention = next(m for m in named if m.options == top[0])
    return zone.pick(mention.options, (mention.start, mention.end), "normalised")


def _sentences_of(zone: Reading, named: Sequence[Mention]) -> list[int]:
    return [zone.read.sentence_of(zone.read.words_of(mention.start, mention.end)[0]) for mention in named]


def _best(zone: Reading, named: Sequence[Mention], sentences: Sequence[int], *, shared: bool) -> list[tuple[int, ...]]:
    """Return the options of which most of what is asked is said; none where too little is."""
    score: dict[tuple[int, ...], float] = {}
    for n in dict.fromkeys(sentences):
        inside = [mention for mention, at in zip(named, sentences, strict=True) if at == n]
        start = zone.read.sentences[n].start
        for mention, points in _said_of_each(zone, inside, n, shared=shared):
            turned = _BUT.search(zone.text, start, mention.start) is not None
            score[mention.options] = max(score.get(mention.options, 0), points + turned / 2)
    best = max(score.values())
    return [options for options, points in score.items() if points == best] if best >= 0.75 else []


def _said_of_each(zone: Reading, inside: Sequence[Mention], n: int, *, shared: bool) -> Iterator[tuple[Mention, float]]:
    """Yield the options of a sentence, each with how much of what is asked is said of it.

    What stands between two of them is said of the one before or behind it: a comma or conjunction parts it, else the first
    option's place tells ("X is ..., Y ..." or "... X and ... Y"). With `shared`, what stands before the first is said of all.
    """
    read, text, sentence = zone.read, zone.text, zone.read.sentences[n]
    leads = len(text[sentence.start : inside[0].start].split()) <= _FEW
    rows = _rows(text, inside)
    cuts = [inside[0].start if shared else sentence.start]
    for row, then in pairwise(rows):
        part = _PART.search(text, row[-1].end, then[0].start)
        cuts.append(part.start() if part else then[0].start if leads else row[-1].end)
    asked, names = zone.options.sought, zone.options.names & zone.options.sought
    alone = len({mention.options for mention in inside}) == 1
    subject = set() if leads else _subject(zone, sentence.first)  # of all that follows
    digits = {key for key in asked if key.isdigit()}
    concluding, before = bool(CONCLUDING.match(text, sentence.start)), sentence.start
    for at, row in enumerate(rows):
        begin, end = (sentence.start, sentence.end) if alone else (cuts[at], (*cuts, sentence.end)[at + 1])
        keys = meaning(read.words[read.word_at(begin) : read.word_at(end)])
        first = row[0].start
        own = text[max(begin, before) : first]  # with a subject of its own, a clause does not share the first one's
        common = set() if ";" in text[sentence.start : first] or _CAPITAL.search(own) else subject
        points = len(asked & (keys | common)) + len(digits & keys) + len((names & keys) - subject) / 4
        points += alone / 2 + (0.75 if _NOW.search(text, begin, end) else 0) - 2 * _is_foreign(zone, own)
        points -= bool(_PAST.search(text, begin, end)) and not zone.options.is_past
        other = bool(digits) and digits.isdisjoint(keys) and any(key.isdigit() for key in keys)  # "so it is an 8", not the 7
        if other:
            points -= len(asked)
        elif concluding or _SO.search(text, before, first) or _SOLELY.search(text, before, first):
            points += len(asked)
        yield from ((mention, points) for mention in row)
        before = row[-1].end


def _subject(zone: Reading, first: int) -> set[str]:
    """Return the keys of the words with which a sentence begins, as far as they may be its subject."""
    read = zone.read
    named = [n for n in range(first, min(first + 3, len(read.words))) if n == first or read.original[read.starts[n]].isupper()]
    return meaning([read.words[n] for n in named])


def _is_foreign(zone: Reading, clause: str) -> bool:
    """Tell whether a clause has a subject that neither the question nor an option names ("Alcock and Brown flew in 1919")."""
    options = zone.options
    subjects = [match["name"] for match in _SUBJECT.finditer(clause)]
    keys = [key_of(word) for name in subjects for word in phrase(name) if word not in EVERYDAY]
    return any(key not in options.asked and key not in options.by_key for key in keys)


_FEW = 2
"""So many words may stand before an option that a sentence begins with."""


_SET_OFF = re.compile(r"[\"'”’)]*\s*(?:\([^()]{1,60}\)\s*)?,\s+(?!(?:the|an?|and|or|which|who)\b)[a-z]+")


def _first_of(zone: Reading, named: Sequence[Mention], sentences: Sequence[int]) -> Pick | None:
    """Return the option with which a text begins, where its first sentence names no other."""
    first = named[0]
    opening = OPENING.match(zone.text)
    others = [m for m, n in zip(named, sentences, strict=True) if n == sentences[0] and m.options != first.options]
    if others and _SET_OFF.match(zone.text, first.end) and len({m.options for m in _rows(zone.text, named)[0]}) == 1:
        others = []  # "Carbon dioxide (CO2), releasing oxygen"
    ended = _PART_END.search(zone.text, first.end) if _PRONOUN.match(zone.text) else None
    if ended and all(m.start > ended.start() for m in named if m.options != first.options):
        return zone.pick(first.options, (first.start, first.end), "normalised")  # "It fell in 1989; what followed in 1990 ..."
    late = opening is None or first.start > opening.end() + len("the ")
    if others or late or zone.said.aside(first) or runs_through(zone):
        return None
    return zone.pick(first.options, (first.start, first.end), "normalised")


def _asserted_statement(zone: Reading) -> Pick | None:
    """Return the statement that the text makes in other words: all words that only it has stand in one sentence, not denied."""
    found: dict[int, Span] = {}
    for sentence in zone.read.sentences:
        keys = meaning(zone.read.words[sentence.first : sentence.last])
        inside = [m for m in zone.mentions if m.kind in ("text", "part") and sentence.start <= m.start < sentence.end]
        for number in zone.options.regular:
            own = zone.options.own[number - 1]
            mine = [m for m in inside if m.options == (number,)]
            if own and own <= keys and mine and not any(zone.denies(m) or zone.said.attributed(zone.said.at(m)) for m in mine):
                found.setdefault(number, (sentence.start, sentence.end))
    numbers = [n for n in found if n not in zone.outs]
    return zone.pick(numbers, found[numbers[0]], "normalised") if len(numbers) == 1 else None


_BETWEEN = re.compile(
    r"[\s\"'”’*)]*(?:,|&|/|\band\b|\bor\b|\bas well as\b)[\s\"'“‘*(]*(?:(?:and|or|the|also)\b[\s\"'“‘*(]*){0,3}\Z"
)


_COMPLEMENT = re.compile(r"\b(?:is|are|was|were|called|named) (?:the )?[\"'“‘*(]*\Z")


def _rows(text: str, named: Sequence[Mention]) -> list[list[Mention]]:
    """Return mentions by rows ("X, Y and Z"): what is said of one is said of all."""
    rows = [[named[0]]]
    for mention, then in pairwise(named):
        complement = "," in text[mention.end : then.start] and _COMPLEMENT.search(
            text[max(0, mention.start - _GAP) : mention.start]
        )
        if not complement and _BETWEEN.match(text[mention.end : then.start][:_GAP]):
            rows[-1].append(then)
        else:
            rows.append([then])
    return rows


_GAP = 24
"""So many characters at most stand between two options of a row."""


def _denied_statement(zone: Reading) -> Pick | None:
    """Return the statement that the text denies in its own words, where the false one is asked for."""
    worded = [m for m in zone.mentions if m.kind in ("text", "part") and len(m.options) == 1]
    denied = {m.options[0]: m for m in reversed(worded) if zone.denies(m) and not zone.said.attributed(zone.said.at(m))}
    numbers = [n for n in denied if n not in zone.outs] or list(denied)
    if len(numbers) != 1:
        return None
    mention = denied[numbers[0]]
    return zone.pick(numbers, (mention.start, mention.end), "normalised")


_ASKED_BACK = re.compile(r"[\"'”’)]*\s*\?")


def _lone_label(zone: Reading) -> Pick | None:
    """Read a pick from the only option that is named by number or letter."""
    labels = [m for m in zone.mentions if m.kind in ("label", "mark")]
    if len({m.options for m in labels}) != 1 or zone.outs.issuperset(labels[0].options) or breaks_off(zone.text):
        return None
    upheld = [m for m in labels if not zone.said.attributed(zone.said.at(m)) and not _ASKED_BACK.match(zone.text, m.end)]
    return zone.pick(upheld[0].options, (upheld[0].start, upheld[0].end), "exact") if upheld else None


_SMALL_WORDS = EVERYDAY | {"v.", "vs.", "v", "vs"}


def _tells(zone: Reading, part: Mention) -> bool:
    """Tell whether a word names an option: of a name one word does, of other things all that only it has ("carbon dioxide")."""
    number = part.options[0]
    words = [word for word in zone.options.texts[number - 1].replace("-", " ").split() if word.lower() not in _SMALL_WORDS]
    if all(word[0].isupper() or not word[0].isalpha() for word in words):
        return True
    return zone.options.own[number - 1] <= meaning(zone.read.words)


def _lone_claim(zone: Reading) -> Pick | None:
    """Read a pick from the only statement that a text speaks of, in words that no other has.

    Where the false one is asked for, whoever tells how it really is ("Belgium's capital is Brussels") picks it; where the true
    one is asked for, most of its words must be said, and nothing be denied.
    """
    parts = [m for m in zone.mentions if m.kind in ("text", "part") and m.options[0] in zone.options.regular]
    if len({m.options for m in parts}) != 1 or any(m.kind in ("label", "mark") for m in zone.mentions):
        return None
    number = parts[0].options[0]
    own = zone.options.own[number - 1]
    said = own & meaning(zone.read.words)
    denied = any(zone.denies(m) for m in parts) or number in zone.outs
    enough = len(said) > 1 and len(said) >= _MOST * len(own) and not denied
    if zone.sense == "so" and not enough:
        return None
    return zone.pick(parts[0].options, (parts[0].start, parts[0].end), "normalised")


_MOST = 0.6
"""This share of the words that only one statement has tell it."""


def _lone_part(zone: Reading) -> Pick | None:
    """Read a pick from words that only one option has, where names are asked for."""
    if zone.options.statements:
        return _lone_claim(zone)
    parts = [m for m in zone.mentions if m.kind == "part" and not zone.said.aside(m) and not zone.denies(m)]
    parts = [m for m in parts if _tells(zone, m)]
    if len({m.options for m in parts}) != 1 or parts[0].options[0] in zone.outs:
        return None
    return zone.pick(parts[0].options, (parts[0].start, parts[0].end), "normalised")


_LEANING = re.compile(
    r"\b(?:but|maybe|perhaps|probably|possibly|guess|lean\w*|likely|presumably|think|believe|however|though|still|if i had to"
    r"|suspect|tend)\b",
    re.IGNORECASE,
)


_IS_ALL = re.compile(
    r"[\"'”’)*]*\s*(?:[.!;(–—-]|,\s*(?:but|though|although|i\b|if\b)|\Z|\b(?:but|though|although)\b)", re.IGNORECASE
)


def _restates(zone: Reading, sentence: Sentence) -> bool:
    """Tell whether a sentence says something of what the question asks, and not of what was so once."""
    if not zone.options.is_past and _PAST.search(zone.text, sentence.start, sentence.end):
        return False
    return bool(zone.options.sought & meaning(zone.read.words[sentence.first : sentence.last]))


def _hedged(zone: Reading) -> Pick | None:
    """Read a pick beside words of doubt: the only option named, where the text leans towards it."""
    picked = _in_bold(zone) or only(zone) or _lone_part(zone)
    if picked is None or len(picked.options) > 1:
        return None
    if zone.sense == "not_so" and zone.options.statements:
        return picked  # "It has never been part of it" only sounds like not knowing
    sentence = zone.read.sentences[0]
    begun = picked.span[0] < 4 and (_IS_ALL.match(zone.text, picked.span[1]) or _restates(zone, sentence))
    clause = re.split(r"[.;!?\n]", zone.text[max(0, picked.span[0] - REACH) : picked.span[0]])[-1]
    return picked if begun or _LEANING.search(clause) else None


def bit(text: str, options: Options) -> Pick | None:
    """Read a text that is nothing but a few words of one option ("7" for "shelf 7")."""
    words = [word for word in in_digits(phrase(text)) if word not in ARTICLES]
    if not words or len(words) > _FEW:
        return None
    holding = [n for n in options.regular if set(words) <= set(in_digits(options.phrases[n - 1]))]
    return Pick((holding[0],), "normalised", (0, len(text))) if len(holding) == 1 else None


def unlisted(text: str, options: Options) -> Pick | None:
    """Read "none of these" from a short text that names somebody or something else ("It's by Vincent van Gogh")."""
    read = read_text(text)
    if options.none is None or len(read.words) > _SHORT:
        return None
    known = {*options.asked, *options.by_key}
    names = [place for place in names_in(read) if all(key_of(word) not in known for word in read.words[slice(*place)])]
    if not names or not (_BY.search(text, 0, read.span(*names[0])[0] + 1) or _is_bare_name(read.words, names[0], options)):
        return None
    return Pick((options.none,), "normalised", read.span(*names[0]))


def _is_bare_name(words: Sequence[str], name: tuple[int, int], options: Options) -> bool:
    """Tell whether a name is all that a text says ("Spain"), and none that may be an option's in another language."""
    rest = [*words[: name[0]], *words[name[1] :]]
    if any(own[0][0] == words[name[0]][0] for n in options.regular if (own := options.phrases[n - 1])):
        return False
    return len(rest) <= _FEW and all(word in EVERYDAY or word.endswith("ly") for word in rest)


_SHORT = 12
"""So many words at most has a text that only names something."""
_BY = re.compile(r"\bby (?=[A-Z])|\b(?:is|was|it's) (?=[A-Z])")
