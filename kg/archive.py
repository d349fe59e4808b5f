"""A bundle: items and the facts that prove them in one file, `NAME.kgprobe`, to be read where there is no store.

It is a zip, so that anyone can look into it, with `manifest.json` (what it holds, and the sha256 of each other member),
`items.jsonl`, `graph.nq`, `templates/`, `README.md` and `LICENCE.txt`. Its comment is the sha256 of all that stands before: one
byte changed, anywhere, is told. Whoever wants to be sure that nobody made it anew compares this seal with the published one.
What comes from elsewhere is hostile: names of members are never paths, and nothing is unpacked before its size is known.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from kg.errors import SourceError

SCHEMA = "kgprobe.bundle/1"
MANIFEST, ITEMS, GRAPH = "manifest.json", "items.jsonl", "graph.nq"
MAGIC = b"PK\x03\x04"
"""How a bundle begins."""
_MOST_MEMBERS = 10_000
_MOST_BYTES = 4 * 2**30
_UNSUSPICIOUS = 64 * 2**20
_TIMES = 200
"""How much longer a member may be than it is packed: facts and questions are 10 to 40 times as long."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]*(?:/[A-Za-z0-9][A-Za-z0-9._@-]*){0,3}")
_AGAIN = "fetch the file again"
_BEGINNING = (1980, 1, 1, 0, 0, 0)  # the first time that a zip can tell: same content, same bytes

_templates: dict[str, bytes] = {}


@dataclass(frozen=True)
class Archive:
    """What a bundle holds: its manifest, its other members by name, and the seal over all of it."""

    manifest: Mapping[str, Any]
    members: Mapping[str, bytes]
    seal: str

    @property
    def items(self) -> bytes:
        """The items, as JSON Lines."""
        return self.members[ITEMS]

    @property
    def graph(self) -> bytes:
        """The facts, as N-Quads."""
        return self.members[GRAPH]


def write_archive(manifest: Mapping[str, Any], members: Mapping[str, bytes]) -> bytes:
    """Return a bundle's bytes; the same for the same content, as far as the same zlib packs them.

    >>> data = write_archive({"name": "few"}, {"items.jsonl": b"{}", "graph.nq": b""})
    >>> read_archive(data, "few.kgprobe").manifest["name"]
    'few'
    """
    files = {name: {"bytes": len(data), "sha256": _sha256(data)} for name, data in sorted(members.items())}
    told = json.dumps({"schema": SCHEMA, **manifest, "files": files}, ensure_ascii=False, indent=1).encode() + b"\n"
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in [(MANIFEST, told), *sorted(members.items())]:
            member = zipfile.ZipInfo(name, _BEGINNING)
            member.compress_type, member.create_system, member.external_attr = zipfile.ZIP_DEFLATED, 3, 0o644 << 16
            archive.writestr(member, data)
        archive.comment = b"0" * 64  # its length is part of what is sealed
    whole = out.getvalue()[:-64]
    return whole + _sha256(whole).encode()


def read_archive(data: bytes, place: str) -> Archive:
    """Read a bundle whose bytes are at hand; `place` is what errors call it.

    Raises SourceError where it is no bundle, a byte was changed, something is missing or too much, or it would unpack to more
    than it should.
    """
    seal = data[-64:]
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            manifest = _manifest(archive, place)
            if len(archive.comment) != 64 or _sha256(data[:-64]).encode() != seal:
                raise SourceError("is not as it was sealed: something in it was changed", place=place, way_out=_AGAIN)
            members = {name: archive.read(name) for name in archive.namelist() if name != MANIFEST}
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError) as error:
        raise SourceError(f"is damaged, or no bundle ({error})", place=place, way_out=_AGAIN) from error
    _check_members(manifest, members, place)
    _templates.update(_cited(manifest, members, place))
    return Archive(manifest, members, seal.decode())


def _manifest(archive: zipfile.ZipFile, place: str) -> Mapping[str, Any]:
    """Check what the table of contents says before anything is unpacked, and read the manifest."""
    listed = archive.infolist()
    names = [member.filename for member in listed]
    if len(listed) > _MOST_MEMBERS or len(set(names)) < len(names):
        _refuse("holds too many members, or one twice", place)
    for member in listed:
        if not _NAME.fullmatch(member.filename) or member.is_dir():
            _refuse(f"holds a member by the name {member.filename!r}", place)
        times = member.file_size / max(member.compress_size, 1)
        if member.file_size > _MOST_BYTES or (member.file_size > _UNSUSPICIOUS and times > _TIMES):
            _refuse(f"holds a member that unpacks to {member.file_size:,} bytes ({member.filename})", place)
    if sum(member.file_size for member in listed) > _MOST_BYTES:
        _refuse(f"unpacks to more than {_MOST_BYTES:,} bytes", place)
    if MANIFEST not in names:
        raise SourceError(f"is no bundle: it has no {MANIFEST}", place=place, way_out="make one with `kgprobe bundle`")
    return _read_manifest(archive.read(MANIFEST), place)


def _refuse(problem: str, place: str) -> NoReturn:
    raise SourceError(problem, place=place, way_out="no bundle does; ask for it where it was published")


def _read_manifest(data: bytes, place: str) -> Mapping[str, Any]:
    try:
        manifest = json.loads(data)
    except (ValueError, RecursionError):
        manifest = None
    if not isinstance(manifest, dict) or not isinstance(manifest.get("files"), dict):
        raise SourceError("is no manifest", place=f"{place}, {MANIFEST}", way_out=_AGAIN)
    if manifest.get("schema") != SCHEMA:
        problem = f"is a bundle of the format {manifest.get('schema')!r}, not {SCHEMA}"
        raise SourceError(problem, place=place, way_out="use the release that made it")
    return manifest


def _check_members(manifest: Mapping[str, Any], members: Mapping[str, bytes], place: str) -> None:
    files = manifest["files"]
    for name in (ITEMS, GRAPH, *files):
        if name not in members:
            raise SourceError(f"lacks {name}", place=place, way_out=_AGAIN)
    for name, data in members.items():
        told = files.get(name)
        if not isinstance(told, dict) or told.get("sha256") != _sha256(data):
            raise SourceError("is not what the manifest says", place=f"{place}, {name}", way_out=_AGAIN)


def _cited(manifest: Mapping[str, Any], members: Mapping[str, bytes], place: str) -> dict[str, bytes]:
    """Return the templates that proofs cite; their versions are of their digests, so none can pass for another."""
    cited = manifest.get("templates") or {}
    if not isinstance(cited, dict) or not all(isinstance(name, str) and name in members for name in cited.values()):
        raise SourceError("names templates that are not there", place=f"{place}, {MANIFEST}", way_out=_AGAIN)
    for reference, name in cited.items():
        if reference.rpartition("@")[2] != _sha256(members[name])[:8]:
            raise SourceError(f"is not {reference}", place=f"{place}, {name}", way_out=_AGAIN)
    return {reference: members[name] for reference, name in cited.items()}


def template_cited(reference: str) -> bytes | None:
    """Return the template `name@version` of a bundle that this process has read, if one brought it along."""
    return _templates.get(reference)


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
