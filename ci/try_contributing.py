"""Applies the example model of CONTRIBUTING.md as it stands there, runs its commands, and takes it back.

Every block after a line that begins with **`path`** is a file; every line of a ```sh block is a command.
Fails where a command does, where a file exists already, or where no other file but the artifacts may change and one did.
"""

import os
import re
import shutil
import subprocess
import sys

BLOCK = re.compile(r"^\*\*`(?P<path>[^`]+)`\*\*.*?^```\w*\n(?P<text>.*?)^```$", re.M | re.S)
COMMANDS = re.compile(r"^```sh\n(?P<text>.*?)^```$", re.M | re.S)
MADE_BY_THE_GENERATOR = re.compile(r"artifacts/(lock\.bzl$|blobs/)")


def changed():
    """Paths that git sees as changed or new."""
    lines = subprocess.run(["git", "status", "--porcelain", "-uall"], stdout=subprocess.PIPE, check=True, text=True).stdout
    return {line[3:] for line in lines.splitlines()}


def main():
    with open("CONTRIBUTING.md", encoding="utf-8") as file:
        text = file.read()
    files = [(m.group("path"), m.group("text")) for m in BLOCK.finditer(text)]
    commands = [line for m in COMMANDS.finditer(text) for line in m.group("text").splitlines()]
    if len(files) < 5 or len(commands) < 3:
        sys.exit("CONTRIBUTING.md: found %d files and %d commands; has its form changed?" % (len(files), len(commands)))
    before = changed()
    lock = open("artifacts/lock.bzl", "rb").read()
    folders = sorted({os.path.dirname(path) for path, _ in files})
    for folder in folders:
        if os.path.exists(folder):
            sys.exit("%s exists already" % folder)
    try:
        for path, content in files:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(content)
        for command in commands:
            print("+ " + command, flush=True)
            subprocess.run(command, shell=True, check=True)
        stray = {p for p in changed() - before if not p.startswith(tuple(folders)) and not MADE_BY_THE_GENERATOR.match(p)}
        if stray:
            sys.exit("the example changed other files: %s" % sorted(stray))
    except subprocess.CalledProcessError as error:
        sys.exit("exit code %d: %s" % (error.returncode, error.cmd))
    finally:
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)
        for path in changed() - before:
            if path.startswith("artifacts/blobs/"):
                os.remove(path)
        with open("artifacts/lock.bzl", "wb") as file:
            file.write(lock)


if __name__ == "__main__":
    main()
