"""Names of tables and columns: as words, as labels, and which column holds the name of a table's rows where nobody says.

1. The first that is there of: a column called name (or full name, long name, display name, the table's name and `name`, the
   table's name alone; or, in one word, what other languages call a name); first and last name together; title or label (also
   with the table's name before); any other column whose last word is name or title; in a table of codes what describes them,
   or its one other text; a text column that is the key; an identifier or slug that is spelled in letters (`mr-mime`). Words
   that schemas cut short (nm, fst, lst, descr) count in full, behind other letters as well (`SITNM`). What holds codes in
   capitals comes last, behind the first column of names, by look, of a table without a key, or the first text beside a key of
   numbers, where it looks so. Of races and the like whose names repeat, the year and the name ("2009 Australian Grand Prix").
2. It has a value in most rows, and most of those are borne by no other row; measures and days are no names.
3. Where another column has the English names ("english title", "name_en"), a row's name is that one, and the other its alias.
4. A foreign key, and a column with contact data (email, phone, address, a URL, …), is never a name.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

import polars as pl

from kg.sources._rows import Rows

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_CONTACT = {
    "email", "mail", "phone", "telephone", "tel", "mobile", "cell", "fax", "address", "street", "contact",
    "url", "uri", "website", "web", "homepage", "link", "login", "user", "username", "password",
}  # fmt: skip
_NAME = ("name", "full name", "name full", "long name", "display name")
_NAME_ELSEWHERE = {
    "nombre", "nom", "nome", "naam", "namn", "navn", "nimi", "isim", "ad", "adı", "jméno", "název", "név", "imię", "nazwa",
    "nume", "nama", "tên", "jina", "titel", "título", "titre", "titolo", "имя", "название", "наименование", "назва", "ім'я",
    "име", "όνομα", "اسم", "الاسم", "نام", "שם", "नाम", "নাম", "பெயர்", "ชื่อ", "名", "名前", "名称", "氏名", "題名", "姓名",
    "名稱", "이름", "명칭", "제목",
}  # fmt: skip
_FIRST = (
    "first name", "given name", "firstname", "forename", "for name", "fore name", "f name", "fname", "name first", "first",
)  # fmt: skip
_LAST = (
    "s name", "sname", "last name", "family name", "lastname", "surname", "sur name", "l name", "lname", "name last", "last",
)  # fmt: skip
_ENDS = re.compile(r"(\w{2,})(nm|nme|nam|name|dsc|desc|descr)")
"""Cut words that a name ends in without a sign between: `SITNM`, `castlename`."""
_CUT = {
    "nm": "name",
    "nme": "name",
    "fst": "first",
    "frst": "first",
    "lst": "last",
    "nam": "name",
    "ttl": "title",
    "titl": "title",
    "dsc": "description",
    "desc": "description",
    "descr": "description",
}
_DESCRIPTION = ("description", "meaning", "text", "value")
_PART = {"first", "given", "last", "family", "middle", "maiden", "nick", "file", "sur", "fore", "short"}

_CODES_AND_TEXTS = 2
"""A table of codes has a text beside its key, and hardly another."""


def words_of(name: str) -> list[str]:
    """Split a column's or table's name into words, without case.

    >>> words_of("ReportsTo"), words_of("release_year"), words_of("植物-名")
    (['reports', 'to'], ['release', 'year'], ['植物', '名'])
    """
    return [word.lower() for word in re.split(r"[\W_]+", _HUMP.sub(" ", name)) if word]


def readable(name: str, *, reference: bool = False) -> str:
    """Return a table's or column's name as a label; that of a reference without a trailing `id`.

    >>> readable("release_year"), readable("director_id", reference=True), readable("ReportsTo"), readable("ISO 3166")
    ('release year', 'director', 'reports to', 'ISO 3166')
    """
    words = _HUMP.sub(" ", name).replace("_", " ").split() or [name]
    if reference and len(words) > 1 and words[-1].lower() == "id":
        words.pop()
    return " ".join(word if word.isupper() else word[:1].lower() + word[1:] for word in words)


def label_of(table: str, rows: Rows, texts: list[str], key: tuple[str, ...]) -> tuple[str, ...]:
    """Return the column, or the two, that hold the names of a table's rows; none where no column will do.

    Parameters: `rows` are texts, null where there is no value; `texts` are the columns that may be names (no foreign keys, no
    numbers).

    >>> label_of("film", Rows.of(pl.DataFrame({"id": ["1", "2"], "Title": ["A", "B"]})), ["Title"], ("id",))
    ('Title',)
    """
    words = {column: [_CUT.get(word, word) for word in _apart(words_of(column))] for column in texts}
    fit = {column: " ".join(of_name) for column, of_name in words.items() if not _CONTACT & set(of_name)}
    codes = dict.fromkeys(column for column in fit if len(fit) > 1 and _are_codes(rows, column))
    keyed = [column for column in codes if not key and _is_borne_once(rows, column)]
    if not key and (text := _beside_code(rows, fit)):
        return (text,)
    for columns in _candidates(" ".join(words_of(table)), fit, key, keyed, codes):
        if columns == key and (described := _describing(rows, fit, key)):
            return (described,)
        if not (len(columns) == 1 and columns[0] in codes) and _names_most(rows, columns):
            return columns
    if slug := next((column for column, called in fit.items() if called in _SLUGS and _are_spelled(rows, column)), None):
        return (slug,)
    numbered = len(key) == 1 and key[0] not in fit
    if (not key or numbered) and (looks := _first_of_names(rows, fit, codes)) and (not numbered or looks == texts[0]):
        return (looks,)
    named = (columns for columns in _candidates(" ".join(words_of(table)), fit, key) if _names_most(rows, columns))
    return next(named, ()) or _held_in_a_year(words_of(table), rows, fit)


def _held_in_a_year(table: list[str], rows: Rows, fit: dict[str, str]) -> tuple[str, ...]:
    """Return the year and the name of what is held again under its name: the 2009 Australian Grand Prix."""
    again = any(one in _HELD_AGAIN for one in (*table[-1:], *_singulars(" ".join(table[-1:]))))
    years = [column for column in rows.columns if words_of(column)[-1:] in (["year"], ["season"])] if again else []
    both = [(year, name) for year in years for name, called in fit.items() if called in ("name", "title", "full name")]
    return next((columns for columns in both if _are_years(rows, columns[0]) and _are_told_apart(rows, columns)), ())


def _are_told_apart(rows: Rows, columns: Sequence[str]) -> bool:
    """Say whether nearly each row has values of its own in some columns together."""
    hashes = pl.concat(_hashes(batch) for batch in rows.batches(columns))
    return hashes.len() > 1 and int(hashes.is_unique().sum()) >= _MOST * rows.height


def _are_years(rows: Rows, column: str) -> bool:
    return float(str(_values(rows, column).str.contains(r"^(?:1[89]|20)\d\d$").mean() or 0.0)) >= _MOST


def english_of(label: tuple[str, ...], rows: Rows, texts: list[str]) -> str | None:
    """Return the column of the English names beside those in another language; None where there is none.

    >>> rows = Rows.of(pl.DataFrame({"title": ["Fidelio", "Tosca"], "title_en": [None, None], "english_title": ["A", None]}))
    >>> english_of(("title",), rows, ["title", "title_en", "english_title"])
    'english_title'
    """
    if len(label) != 1:
        return None
    core = [word for word in words_of(label[0]) if word not in ("original", "native", "local")]
    for column in texts:
        words = words_of(column)
        told = {*words} & {"english", "en", "eng"}
        rest = [word for word in words if word not in told]
        if told and rest in (core, core[-1:]) and column != label[0] and _names_some(rows, column):
            return column
    return None


def _apart(words: list[str]) -> list[str]:
    """Part what ends in a word for names or descriptions without a sign between.

    >>> _apart(["sitnm"]), _apart(["matdsc"]), _apart(["castlename"]), _apart(["rename"])
    (['sit', 'nm'], ['mat', 'dsc'], ['castle', 'name'], ['re', 'name'])
    """
    ends = [_ENDS.fullmatch(word) for word in words]
    return [part for word, end in zip(words, ends, strict=True) for part in (end.groups() if end else [word])]


def _are_codes(rows: Rows, column: str) -> bool:
    """Say whether nearly all values are a few capitals and figures: what stands for something else."""
    values = _values(rows, column)
    return bool(values.len()) and float(str(values.str.contains(_CODE).mean())) >= _MOST


def _beside_code(rows: Rows, fit: dict[str, str]) -> str | None:
    """Return the one text beside the codes of a table that declares no key: `lng` of `cd` and `dsc`."""
    if len(fit) != _CODES_AND_TEXTS:
        return None
    code, text = sorted(fit, key=lambda column: fit[column].split()[-1:] != [] and fit[column].split()[-1] not in _CODED)
    coded = fit[code].split()[-1:] != [] and fit[code].split()[-1] in _CODED and _is_borne_once(rows, code)
    return text if coded and _names_most(rows, (text,)) else None


def _describing(rows: Rows, fit: dict[str, str], key: tuple[str, ...]) -> str | None:
    """Return the description, in a few words, that tells each row whose key is a mark that says nothing: `ROP0705`."""
    if len(key) != 1 or float(str(_values(rows, key[0]).str.contains(_MARK).mean() or 0.0)) < _MOST:
        return None
    for column, called in fit.items():
        told = called.split()[-1:] == ["description"] and _is_borne_once(rows, column)
        if told and float(str(_values(rows, column).str.contains(_FEW_WORDS).mean())) >= _MOST:
            return column
    return None


def _first_of_names(rows: Rows, fit: dict[str, str], codes: Collection[str]) -> str | None:
    """Return the first column of which nearly all values look like names, each borne by one row; sentences are none."""
    first = next(iter(fit), None)
    for column, called in fit.items():
        if column in codes or not called.split() or called.split()[-1] in _TEXTS:
            continue
        # What stands first may be a name without small letters ("FP20", a projector), and not known of a row in ten.
        enough = _FIRST_OF_ALL if column == first else _MOST
        told = _is_borne_once(rows, column, 1 if column == first else 0)
        if told and float(str(_values(rows, column).str.contains(_NAMELIKE).mean())) >= enough:
            return column
    return None


def _is_borne_once(rows: Rows, column: str, empty: int = 0) -> bool:
    """Say whether each row, of two or more, has a value of its own; `empty` ones in ten may have none, and so may one."""
    values = _values(rows, column)
    lack = empty and max(1, rows.height * empty // 10)
    return 1 < values.len() == values.n_unique() and rows.height - values.len() <= lack


def _are_spelled(rows: Rows, column: str) -> bool:
    """Say whether each row has its own identifier, in small letters: `mr-mime`, and no number of a document."""
    values = _values(rows, column)
    return _is_borne_once(rows, column) and float(str(values.str.contains(_SPELLED).mean())) >= _MOST


def _values(rows: Rows, column: str) -> pl.Series:
    return pl.concat([batch.to_series() for batch in rows.batches([column])]).drop_nulls()


_CODE, _NAMELIKE, _MOST = r"^[\p{Lu}\d][\p{Lu}\d._/-]{0,4}$", r"^[\p{Lu}\p{Lo}][^.!?]*\p{Ll}[^.!?]{0,50}$", 0.95
_FIRST_OF_ALL = 0.7
_MEASURE_OR_DAY = r"^-?[\d,]*\.\d+$|^\d{4}-\d\d(?:-\d\d.*)?$|^\d\d?(?:[./-]\d\d?[./-]|-\p{L}{3}-)\d{2,4}(?:[ T].*)?$"
"""What a row was measured as, or when it was, names none: 19.25, 1854-09-14, 26/10/2002 00:00:00."""
_NO_LETTERS = r"^\P{L}*$"
"""Nor are `first` and `last` the parts of a name where they are years."""
_HELD_AGAIN = {
    "race", "tournament", "championship", "festival", "election", "ceremony", "final", "contest", "cup", "regatta", "marathon",
    "rally", "prix", "event", "edition",
}  # fmt: skip
"""What has another edition each year."""
_SLUGS, _SPELLED = ("identifier", "slug"), r"^\p{Ll}{2,}(?:[-_][\p{Ll}\d]+)*\d?$"
_CODED = {"cd", "cod", "code", "abbr", "abbreviation", "symbol", "sym"}
_MARK, _FEW_WORDS = r"^\p{Lu}{1,4}[./ -]?\d{2,}[\p{Lu}\d./-]*$", r"^[^.!?]*\p{L}{3}.{0,50}$"
"""A key of letters and figures, and a description that may stand for a name."""
_TEXTS = {"note", "notes", "comment", "comments", "remark", "remarks", "description", "text", "memo", "abstract", "summary"}


def _candidates(
    table: str, fit: dict[str, str], key: tuple[str, ...], codes: Collection[str] = (), coded: Collection[str] = ()
) -> Iterator[tuple[str, ...]]:
    *_, noun = table.split() or [table]
    # The `family name` of a table `instrument families` is its rows' name, too.
    own = tuple(dict.fromkeys(one for words in (table, noun) for one in (words, *_singulars(words))))
    yield from _called(fit, _NAME[:1])
    # A player goes by `PlrName` and not by what is in the register (`FullNm`).
    yield from ((column,) for column, name in fit.items() if any(_is_cut_name(name, one) for one in own))
    yield from ((column,) for column, name in fit.items() if name in _NAME_ELSEWHERE and not name.startswith("tit"))
    yield from _called(fit, (*_NAME[1:], *(f"{t} name" for t in own), *own))
    yield from ((column,) for column, name in fit.items() if name in _NAME_ELSEWHERE)
    bare = {column: _without_owner(name, noun) for column, name in fit.items()}
    for first, last in zip(_called(bare, _FIRST), _called(bare, _LAST), strict=False):
        yield first + last
    yield from _called(fit, ("title", "label", *(f"{t} {x}" for t in own for x in ("title", "label"))))
    for column, name in fit.items():
        words = name.split()
        if words and words[-1] in ("name", "title") and not _PART & set(words) and words[-2:-1] != ["of"]:
            yield (column,)  # and not the "meaning of name"
    if codes:
        # A table of codes that declares no key: what describes each of them.
        yield from ((column,) for column, name in fit.items() if name.split()[-1:] and name.split()[-1] in _DESCRIPTION)
    if len(key) == 1 and key[0] in fit:
        if len(fit) <= _CODES_AND_TEXTS:
            yield from _called(fit, (*_DESCRIPTION, *(f"{t} {x}" for t in own for x in _DESCRIPTION)))
            if key[0] in coded:
                yield from ((column,) for column in fit if column != key[0])
            # `prop_desc` of a table Propellant: of which thing it is the description is plain in a table of one.
            yield from (
                (column,)
                for column, name in fit.items()
                if column != key[0] and name.split()[-1:] and name.split()[-1] in _DESCRIPTION
            )
        yield key


def _without_owner(name: str, noun: str) -> str:
    """Leave out whose name it is, in full or cut short.

    >>> _without_owner("au fname", "authors"), _without_owner("actor last name", "actor"), _without_owner("first name", "firm")
    ('fname', 'last name', 'first name')
    """
    word, _, rest = name.partition(" ")
    return rest if rest and len(word) > 1 and noun.startswith(word) and word not in ("first", "last") else name


def _is_cut_name(name: str, noun: str) -> bool:
    """Tell whether a column is the name of a row whose noun it says, or cuts short.

    >>> [_is_cut_name(name, "player") for name in ("plr name", "player name", "pet name", "plan name", "full name")]
    [True, True, False, False, False]
    """
    word, _, last = name.rpartition(" ")
    letters = iter(noun)
    return last == "name" and len(word) > 1 and word[0] == noun[:1] and all(letter in letters for letter in word)


def _singulars(name: str) -> Iterator[str]:
    """Yield what one of several may be called: "families" and "houses" tell only by the word itself."""
    if name.endswith("ies"):
        yield f"{name[:-3]}y"
    if name.endswith("s"):
        yield name[:-1]


def _called(fit: dict[str, str], names: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    for name in names:
        yield from ((column,) for column, own in fit.items() if own == name)


def _names_most(rows: Rows, columns: tuple[str, ...]) -> bool:
    """Say whether most rows have a value here, and most of those one that no other row has; an empty table may be named."""
    if not rows.height:
        return True
    hashes = pl.concat(_hashes(batch) for batch in rows.batches(columns))
    look = _MEASURE_OR_DAY if len(columns) == 1 else _NO_LETTERS
    if any(float(str(_values(rows, column).str.contains(look).mean() or 0.0)) >= _MOST for column in columns):
        return False
    return 2 * hashes.len() > rows.height and 2 * int(hashes.is_unique().sum()) > hashes.len()


def _names_some(rows: Rows, column: str) -> bool:
    """Say whether some rows have a value here, and most of those one that no other row has."""
    hashes = pl.concat(_hashes(batch) for batch in rows.batches((column,)))
    return bool(hashes.len()) and 2 * int(hashes.is_unique().sum()) > hashes.len()


def _hashes(batch: pl.DataFrame) -> pl.Series:
    """Return a number for each name: names may be long, and to tell whether most differ a hash of them will do."""
    return batch.filter(~pl.all_horizontal(pl.all().is_null())).hash_rows()
