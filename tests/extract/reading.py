"""Lets the tests import the reader of sources, and gives them checkouts made of a few files."""
import os
import subprocess
import sys

from conftest import ROOT

sys.path.insert(0, str(ROOT / "opdb" / "extract"))


def checkout(folder, name, tags):
    """A repository with one commit for each tag: {tag: {path: text}}."""
    place = folder / name
    place.mkdir(parents=True)

    def git(*arguments):
        subprocess.run(["git", "-C", str(place), "-c", "user.name=test", "-c", "user.email=test@example.org", *arguments], check=True,
                       capture_output=True, env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull})

    git("init", "-q")
    for tag, files in tags.items():
        for path, text in files.items():
            (place / path).parent.mkdir(parents=True, exist_ok=True)
            (place / path).write_text(text, encoding="utf-8")
        git("add", "-A")
        git("commit", "-q", "--allow-empty", "-m", tag)
        git("tag", tag)
    return place
