"""Compiled kernels on disk: a file each, named by a digest of all that went into it.

Safe for many processes and for network file systems: a file appears whole (temporary name, then rename), carries a checksum, and
one that does not fit it is made again. The oldest ones go when the folder grows past its bound.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import pathlib
import tempfile

from sdm.options import Options, cache_directory

MAGIC = b"sdm-kernel-1\n"
SUFFIX = ".sdmk"
# Room is made down to this share of the bound, and a process looks again when it has filled this share of the room that it saw: looking
# costs more than storing where there are thousands of entries, and other processes fill the same room.
KEPT_SHARE, FILLED_SHARE = 0.8, 0.1

# Bytes that this process stores before it looks again, by folder and bound.
_unseen: dict[tuple[pathlib.Path, int], float] = {}


def key(*parts) -> str:
    """A name for what was made from these parts (anything whose repr says all)."""
    digest = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else repr(part).encode()
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.hexdigest()


class DiskCache:
    """A folder of entries (facts: what JSON holds; image: bytes). `limit` bytes at most; 0 keeps nothing."""

    def __init__(self, folder: pathlib.Path, limit: int):
        self.folder, self.limit = pathlib.Path(folder), limit

    @staticmethod
    def of(options: Options) -> "DiskCache":
        return DiskCache(cache_directory(options), options.cache_bytes)

    def path(self, name: str) -> pathlib.Path:
        return self.folder / name[:2] / f"{name}{SUFFIX}"

    def load(self, name: str) -> tuple[dict, bytes] | None:
        """The entry, or None when it is not there or is damaged (then it is removed)."""
        path = self.path(name)
        try:
            data = path.read_bytes()
        except OSError:
            return None
        found = _decode(data)
        if found is None:
            with contextlib.suppress(OSError):
                path.unlink()
            return None
        with contextlib.suppress(OSError):
            os.utime(path)  # the youngest again, for `trim`
        return found

    def store(self, name: str, facts: dict, image: bytes) -> None:
        """Keeps an entry. A folder that cannot be written keeps none; that is no error."""
        data = _encode(facts, image)
        if len(data) > self.limit:
            return
        path = self.path(name)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(prefix=".new-", dir=path.parent)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(data)
                os.replace(temporary, path)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.unlink(temporary)
                raise
        except OSError:
            return
        place = (self.folder, self.limit)
        left = _unseen.get(place, 0) - len(data)
        _unseen[place] = left if left > 0 else FILLED_SHARE * self.trim()

    @contextlib.contextmanager
    def building(self, name: str):
        """Held while an entry is made, so that one process makes it and the others find it. Where locks do not work, all make it."""
        import filelock

        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = filelock.FileLock(self.folder / f".lock-{name[:2]}")
            lock.acquire(timeout=600)
        except (OSError, NotImplementedError, filelock.Timeout):
            yield
            return
        try:
            yield
        finally:
            lock.release()

    def entries(self) -> list[tuple[float, int, pathlib.Path]]:
        """(time of last use, bytes, path) of every entry, the oldest first."""
        found = []
        for path in self.folder.glob(f"*/*{SUFFIX}"):
            with contextlib.suppress(OSError):
                stat = path.stat()
                found.append((stat.st_mtime, stat.st_size, path))
        return sorted(found)

    def trim(self) -> int:
        """Removes the least recently used entries once all together pass the bound. Returns the bytes that are left up to it."""
        entries = self.entries()
        total = sum(size for _, size, _ in entries)
        if total > self.limit:
            for _, size, path in entries:
                if total <= self.limit * KEPT_SHARE:
                    break
                with contextlib.suppress(OSError):
                    path.unlink()
                    total -= size
        return self.limit - total

    def clear(self) -> int:
        """Removes every entry; returns how many there were."""
        entries = self.entries()
        for _, _, path in entries:
            with contextlib.suppress(OSError):
                path.unlink()
        return len(entries)


def _encode(facts: dict, image: bytes) -> bytes:
    head = json.dumps(facts).encode()
    body = len(head).to_bytes(8, "little") + head + image
    return MAGIC + hashlib.sha256(body).digest() + body


def _decode(data: bytes) -> tuple[dict, bytes] | None:
    body = data[len(MAGIC) + 32 :]
    if not data.startswith(MAGIC) or hashlib.sha256(body).digest() != data[len(MAGIC) : len(MAGIC) + 32]:
        return None
    size = int.from_bytes(body[:8], "little")
    return json.loads(body[8 : 8 + size]), body[8 + size :]
