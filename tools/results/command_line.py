"""Code that the programs over results share: wrong words, help, and how a program ends.

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
    """For a file that is not there: the files of its folder that is_one(path) takes, the likest first; "" for none."""
    folder, name = os.path.split(os.path.abspath(path))
    try:
        names = sorted(os.listdir(folder))[:_MOST_LOOKED_AT]
    except OSError:
        return ""
    found = [one for one in names if is_one(os.path.join(folder, one))]
    found.sort(key=lambda one: -difflib.SequenceMatcher(None, name, one).ratio())
    return "; beside it: %s" % ", ".join(found[:_MOST_NAMED]) if found else ""


def short_help(head, groups, after):
    """What --help says first, of {title: {flags: text}}; laid out as benchmarks/harness/base/short_help.h does it."""
    width = max(len(flags) for lines in groups.values() for flags in lines)
    text = head
    for title, lines in groups.items():
        text += title + "\n" + "".join("  %s  %s\n" % (flags.ljust(width), line) for flags, line in lines.items())
    return "%s\n%s--help=all explains all flags.\n" % (text, after)


class _Help(argparse.Action):
    """--help prints the short help, --help=all the whole one."""

    def __init__(self, option_strings, dest, short, **rest):
        super().__init__(option_strings, dest, nargs="?", **rest)
        self._short = short

    def __call__(self, parser, namespace, values, option_string=None):
        parser._print_message(parser.format_help() if values == "all" else self._short, sys.stdout)
        parser.exit()


class Parser(argparse.ArgumentParser):
    """`short`: what --help prints, where --help=all explains all flags; made by short_help."""

    def __init__(self, *names, short="", **rest):
        super().__init__(*names, add_help=not short, **rest)
        if short:
            self.add_argument("-h", "--help", action=_Help, short=short, default=argparse.SUPPRESS, metavar="all", help="all flags")

    def error(self, message):
        raise Stop(USAGE, "%s\nSee --help." % message)

    def parse_args(self, args=None, namespace=None):
        try:
            return super().parse_args(args, namespace)
        except Stop as stop:
            meant = self._meant(sys.argv[1:] if args is None else args)
            raise Stop(stop.code, meant + str(stop)) from None

    def _options(self):
        """The flags of the parser and of its commands."""
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
    code = main(sys.argv[1:], os.environ, sys.stdout, sys.stderr)  # which flushes the first; the second is written line by line
    os._exit(code)  # Python would write to a closed pipe or a full disk once more, fail, and end with 120
