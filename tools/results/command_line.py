"""What the programs over results share: wrong words, and how a program ends.

    parser = Parser(prog="results", …)                 # wrong words are a Stop
    start(main)                                        # in __main__.py: ends the process

    user_folder(environment)                           # where the user stands; Bazel starts programs elsewhere
    results_file(here, "out")                          # "out/results.jsonl", of a folder of run_suite
    add("--filter", type=expression)
    "x.sqlite: no such database" + beside("/data/x.sqlite", database.is_one)    # "; beside it: results.sqlite"
"""

import argparse
import difflib
import os
import re
import sys

from tools.results.errors import USAGE, Stop


RESULTS_FILE = "results.jsonl"  # in a folder that run_suite --out made


def user_folder(environment):
    return environment.get("BUILD_WORKING_DIRECTORY") or os.getcwd()


def results_file(here, given):
    return os.path.join(given, RESULTS_FILE) if os.path.isdir(os.path.join(here, given)) else given


def expression(text):
    """For argparse: a regular expression, as it was given."""
    try:
        re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError("%s: no regular expression: %s" % (text, error)) from None
    return text


_MOST_LOOKED_AT = 1000  # files of a folder
_MOST_NAMED = 5


def beside(path, is_one):
    """Of the files in the folder of one that is not there those that is_one(path) takes, the likest first; "" for none."""
    folder, name = os.path.split(os.path.abspath(path))
    try:
        names = sorted(os.listdir(folder))[:_MOST_LOOKED_AT]
    except OSError:
        return ""
    found = [one for one in names if is_one(os.path.join(folder, one))]
    found.sort(key=lambda one: -difflib.SequenceMatcher(None, name, one).ratio())
    return "; beside it: %s" % ", ".join(found[:_MOST_NAMED]) if found else ""


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Stop(USAGE, "%s\nSee --help." % message)

    def parse_args(self, args=None, namespace=None):
        try:
            return super().parse_args(args, namespace)
        except Stop as stop:
            meant = self._meant(sys.argv[1:] if args is None else args)
            raise Stop(stop.code, meant + str(stop)) from None

    def _options(self):
        """Of the commands, too."""
        options = set()
        for action in self._actions:
            options.update(action.option_strings)
            for command in (action.choices or {}).values() if isinstance(action, argparse._SubParsersAction) else ():
                options |= command._options()
        return options

    def _meant(self, words):
        """A line for each flag that there is not, and that is like one that there is."""
        options = self._options()
        lines = ""
        for word in words:
            name = word.split("=")[0]
            near = difflib.get_close_matches(name, sorted(options), 1, 0.5)
            if name.startswith("--") and len(name) > 2 and name not in options and near:
                lines += "%s: did you mean %s?\n" % (name, near[0])
        return lines


def start(main):
    code = main(sys.argv[1:], os.environ, sys.stdout, sys.stderr)
    sys.stderr.flush()
    os._exit(code)  # Python would write to a closed pipe or a full disk once more, fail, and end with 120
