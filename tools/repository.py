"""The files that the guards look at: tracked ones and new ones that git does not ignore."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def files(*patterns: str) -> list[Path]:
    """Existing files of the working tree that match any of the git patterns, relative to ROOT."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *patterns]
    listed = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    return sorted({Path(name) for name in listed.split("\0") if name and (ROOT / name).is_file()})
