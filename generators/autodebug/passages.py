"""From facts to a passage: sentences in an order drawn by hash, each about its subject by a name, a pronoun or "the city".

A frame of *sentences* has a row for each: `row` (of which passage), `place` in it, `s` (the subject's number), `w` (which
wording), `k` (a number that draws the sentence and the subject's form), `support` (whether it says the answer) and the texts
of its objects `o_label, o_the, o_a`, with `o_noun, o_person` of a single one.
"""

from __future__ import annotations

import polars as pl

from generators.autodebug.wording import Piece, Wording

_TEXT = {"text": pl.String}


def with_forms(sentences: pl.DataFrame, names: pl.DataFrame, wordings: list[Wording]) -> pl.DataFrame:
    """Say how each sentence calls its subject: adds `form` ("name", "he", "she", "it", "noun", "short") and the names.

    Some follow the sentence before with "and", and do not say the subject: `joined`, and `again`, whether both begin alike.

    The supporting sentence, and the first of those about one subject, say the name; "he" or "the film" stands only where the
    sentence before names no other that it could be.
    """
    who = names.select(pl.col("e").cast(pl.Int64), "label", "the", "he", "noun", "short", "person")
    joined = sentences.join(who, left_on="s", right_on="e", how="left", maintain_order="left").sort("row", "place")
    joined = _joined(joined, wordings)
    before = {c: pl.col(c).shift(1).over("row") for c in ("s", "o_noun", "o_person", "plain")}
    begins = (before["s"] != pl.col("s")).fill_null(True)
    rival = pl.when("person").then(before["o_person"]).otherwise(before["o_noun"] == pl.col("noun")).fill_null(False)
    # Two of one kind in a passage, and "the city" may be either: the name is said again.
    first, second = pl.col("k") % 7 < 4, pl.col("k") % 7 < 6
    person = (
        pl.when(pl.col("he").is_not_null() & ~rival & first)
        .then("he")
        .when(pl.col("short").is_not_null() & second)
        .then(pl.lit("short"))
        .otherwise(pl.lit("name"))
    )
    thing = (
        pl.when(pl.col("noun").is_not_null() & ~rival & first)
        .then(pl.lit("noun"))
        # "Belarus’ capital is Minsk. It …" would be Minsk.
        .when(~rival & pl.col("noun").is_not_null() & before["plain"] & second)
        .then(pl.lit("it"))
        .otherwise(pl.lit("name"))
    )
    form = pl.when(begins | pl.col("support")).then(pl.lit("name")).when("person").then(person).otherwise(thing)
    return joined.with_columns(form=form).drop("plain")


def _joined(sentences: pl.DataFrame, wordings: list[Wording]) -> pl.DataFrame:
    """Say which sentences are joined to the one before: of two about one subject, where the first names one thing.

    Adds `turn`, which of its wording's sentences is said.
    """
    counts = pl.col("w").replace_strict(_counts(wordings), return_dtype=pl.UInt64)
    begins = pl.DataFrame(
        [(w, turn, *_beginning(text)) for w, wording in enumerate(wordings) for turn, text in enumerate(wording.sentences)],
        schema={"w": pl.Int64, "turn": pl.UInt64, "plain": pl.Boolean, "words": pl.String},
        orient="row",
    )
    plain = begins.filter("plain").group_by("w").agg(first=pl.col("turn").min())
    before = {c: pl.col(c).shift(1).over("row") for c in ("s", "plain", "support", "words") if c in sentences.columns}
    same = (before["s"] == pl.col("s")) & ~pl.col("support") & ~before["support"]
    turned = sentences.with_columns(run=(~same.fill_null(False)).cum_sum(), turn=(pl.col("k") // 8) % counts)
    turned = turned.join(plain, on="w", how="left", maintain_order="left")
    # Most that could be joined are: they are told by a sentence that begins with its subject, where there is one.
    joinable = ((pl.len().over("run") > 1) & (pl.col("k") % 5 < 3)) | pl.col("label").str.contains(r"[?!]$")
    turned = turned.with_columns(turn=pl.when(joinable).then(pl.coalesce("first", "turn")).otherwise("turn")).drop("first")
    turned = turned.join(begins, on=["w", "turn"], how="left", maintain_order="left")
    turned = turned.with_columns(single=(pl.col("objects").list.len() == 1) & ~pl.col("o_label").str.contains(r" and |\.$"))
    before = {c: pl.col(c).shift(1).over("row") for c in ("plain", "words")}
    odd = pl.int_range(pl.len()).over("run") % 2 == 1
    fit = odd & pl.col("plain") & before["plain"] & pl.col("single").shift(1)
    year = pl.col("objects").list.first().is_null()
    # "died in 1947 in Göttingen"; where no year is said, what begins alike stays apart.
    alike = before["words"] == pl.col("words")
    again = alike & (year | year.shift(1))
    # "was born … and was a citizen …", but not "died of … and died in …".
    verb = pl.col("words").str.strip_chars().str.split(" ").list.first()
    repeated = (verb == verb.shift(1)) & ~verb.is_in(["was", "is", "has"])
    turned = turned.with_columns(joined=(fit & (again | ~(alike | repeated))).fill_null(False), again=again.fill_null(False))
    return turned.drop("words", "run", "single")


def _beginning(sentence: tuple[Piece, ...]) -> tuple[bool, str]:
    """Return whether a sentence begins with its subject, and the words behind that."""
    return sentence[0].kind == "subject", sentence[1].text if len(sentence) > 1 else ""


def told_sentences(sentences: pl.DataFrame, wordings: list[Wording]) -> pl.DataFrame:
    """Write every sentence of a frame that has forms; adds `sentence`."""
    numbered = sentences.with_row_index("n")
    return numbered.with_columns(sentence=_filled(numbered, _pieces(wordings))).drop("n")


def questions(rows: pl.DataFrame, wordings: list[Wording]) -> pl.Series:
    """Write the question of each row: the subject's texts are `label` and `the`, its wording is `w`."""
    pieces = [(w, 0, i, piece.kind, piece.text) for w, each in enumerate(wordings) for i, piece in enumerate(each.question)]
    table = pl.DataFrame(pieces, schema=_PIECE, orient="row")
    subject = rows.select("w", "the", label="the", n=pl.int_range(pl.len(), dtype=pl.UInt32))
    asked = subject.with_columns(turn=pl.lit(0, pl.UInt64), form=pl.lit("name"), noun=pl.lit(None, pl.String), **_NO_OBJECT)
    alone = {name: pl.lit(False) for name in ("joined", "again", "person")}
    return _filled(asked.with_columns(short=pl.col("noun"), **alone), table)


def passages(sentences: pl.DataFrame) -> pl.DataFrame:
    """Join the sentences of each passage: `row`, `context`, and `support`, the sentence that says the answer."""
    ordered = sentences.sort("row", "place")
    followed = pl.col("joined").shift(-1).over("row").fill_null(False)
    ordered = ordered.with_columns(pl.when(followed).then(pl.col("sentence").str.strip_suffix(".")).otherwise("sentence"))
    said = pl.col("sentence").filter(pl.col("support")).first()
    return ordered.group_by("row", maintain_order=True).agg(context=pl.col("sentence").str.join(" "), support=said)


_NO_OBJECT = {name: pl.lit(None, pl.String) for name in ("o_label", "o_the", "o_a")}
_PIECE = {"w": pl.Int64, "turn": pl.UInt64, "i": pl.Int64, "kind": pl.String, "piece": pl.String}


def _counts(wordings: list[Wording]) -> dict[int, int]:
    return {w: len(wording.sentences) for w, wording in enumerate(wordings)}


def _pieces(wordings: list[Wording]) -> pl.DataFrame:
    rows = [
        (w, turn, i, piece.kind, piece.text)
        for w, wording in enumerate(wordings)
        for turn, sentence in enumerate(wording.sentences)
        for i, piece in enumerate(sentence)
    ]
    return pl.DataFrame(rows, schema=_PIECE, orient="row")


def _filled(rows: pl.DataFrame, pieces: pl.DataFrame) -> pl.Series:
    """Put names into the pieces of each row's text, in the order of the rows; the first letter is a capital."""
    long = rows.join(pieces, on=["w", "turn"], maintain_order="left").sort("n", "i")
    form, noun = pl.col("form"), pl.format("the {}", "noun")
    known = pl.when(form == "name").then("the").when(form == "short").then("short").when(form == "noun").then(noun)
    subject = known.otherwise(form)
    own = (
        pl.when(form == "he").then(pl.lit("his")).when(form == "she").then(pl.lit("her")).when(form == "it").then(pl.lit("its"))
    )
    plural = subject.str.ends_with("s") & ~pl.col("person")  # "the series’", "Jaws’"; but "Dickens’s"
    owner = own.otherwise(subject + pl.when(plural).then(pl.lit("’")).otherwise(pl.lit("’s")))
    objects = {"object": "o_the", "object_a": "o_a", "object_bare": "o_label"}
    # What both sentences say is said once, but for the last word.
    last = pl.format(" {} ", pl.col("piece").str.strip_chars().str.split(" ").list.last())
    first = (pl.col("i") == 1) & pl.col("joined")
    said = pl.when(first & pl.col("again")).then(last).when(pl.col("kind") == "text").then("piece")
    linked = pl.when("again").then(pl.lit("")).otherwise(pl.lit("and"))
    said = said.when(pl.col("kind") == "subject").then(pl.when("joined").then(linked).otherwise(subject))
    said = said.when(pl.col("kind") == "owner").then(owner)
    for kind, column in objects.items():
        said = said.when(pl.col("kind") == kind).then(column)
    whole = (
        long.with_columns(said=said)
        .group_by("n", maintain_order=True)
        .agg(pl.col("said").str.join(""), pl.col("joined").first())
    )
    # "…, Inc." or "Jr." at the end brings its own full stop.
    text = pl.col("said").str.replace(r"\.\.$", ".").str.strip_chars_start()
    capital = text.str.slice(0, 1).str.to_uppercase() + text.str.slice(1)
    return whole.select(said=pl.when("joined").then(text).otherwise(capital))["said"]
