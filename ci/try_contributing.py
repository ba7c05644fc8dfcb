"""Applies the example models of CONTRIBUTING.md as they stand there, runs their commands, and takes them back.

Every block after a line that begins with **`path`** is a file; every line of a ```sh block is a command.
Fails where a command does, where a file exists already, or where a file outside the examples' own folders changed: the
one thing that may come besides is blobs of a family in benchmarks/, which lie in artifacts/blobs.
"""

import os
import re
import shutil
import subprocess
import sys

BLOCK = re.compile(r"^\*\*`(?P<path>[^`]+)`\*\*.*?^```\w*\n(?P<text>.*?)^```$", re.M | re.S)
COMMANDS = re.compile(r"^```sh\n(?P<text>.*?)^```$", re.M | re.S)
BLOBS = "artifacts/blobs/"
THIRD_PARTY = "third_party_example"
# What the generator makes of each example: (folder of the lock, folder of its blobs).
MADE = (("benchmarks/perceptron", "artifacts"), (THIRD_PARTY, THIRD_PARTY))


def changed():
    """Paths that git sees as changed or new."""
    lines = subprocess.run(["git", "status", "--porcelain", "-uall"], stdout=subprocess.PIPE, check=True, text=True).stdout
    return {line[3:] for line in lines.splitlines()}


def check_what_was_made():
    """Each package has its own rows, and its blobs lie in its store."""
    for package, store in MADE:
        with open(os.path.join(package, "lock.bzl"), encoding="utf-8") as file:
            digests = re.findall(r'"sha256": "([0-9a-f]{64})"', file.read())
        missing = [d for d in digests if not os.path.exists("%s/blobs/%s.safetensors" % (store, d))]
        if not digests or missing:
            sys.exit("%s/lock.bzl: %d rows; without a blob in %s/blobs: %s" % (package, len(digests), store, missing))


def main():
    with open("CONTRIBUTING.md", encoding="utf-8") as file:
        text = file.read()
    files = [(m.group("path"), m.group("text")) for m in BLOCK.finditer(text)]
    commands = [line for m in COMMANDS.finditer(text) for line in m.group("text").splitlines()]
    folders = sorted({os.path.dirname(path) for path, _ in files})
    if len(files) < 11 or len(commands) < 6 or THIRD_PARTY not in folders:
        sys.exit("CONTRIBUTING.md: found %d files and %d commands; has its form changed?" % (len(files), len(commands)))
    before = changed()
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
        check_what_was_made()
        own = tuple(folder + "/" for folder in folders) + (BLOBS,)
        stray = {path for path in changed() - before if not path.startswith(own)}
        if stray:
            sys.exit("the examples changed other files: %s" % sorted(stray))
    except subprocess.CalledProcessError as error:
        sys.exit("exit code %d: %s" % (error.returncode, error.cmd))
    finally:
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)
        for path in changed() - before:
            if path.startswith(BLOBS):
                os.remove(path)


if __name__ == "__main__":
    main()
