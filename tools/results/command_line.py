"""What the programs over results share: wrong words, and how a program ends.

    parser = Parser(prog="results", …)                 # wrong words are a Stop
    code = ended("results", work, out, err)            # work() returns the exit code
    start(main)                                        # in __main__.py: ends the process

    user_folder(environment)                           # where the user stands; Bazel starts programs elsewhere
    results_file(here, "out")                          # "out/results.jsonl", of a folder of run_suite
    add("--filter", type=expression)
"""

import argparse
import contextlib
import os
import re
import sys

from artifacts.fetch.redaction import redact
from tools.results.errors import INTERRUPTED, OK, SURROUNDINGS, USAGE, Stop


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


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Stop(USAGE, "%s\nSee --help." % message)


def ended(name, work, out, err, interrupted="stopped"):
    """The exit code of work(); what ended it is said on `err`."""
    try:
        code = work()
        out.flush()
        return code
    except Stop as stop:
        code, said = stop.code, str(stop)
    except BrokenPipeError:
        return OK  # whoever read had enough
    except OSError as error:
        code, said = SURROUNDINGS, str(error)
    except KeyboardInterrupt:
        code, said = INTERRUPTED, interrupted
    with contextlib.suppress(OSError):
        print(redact("%s: %s" % (name, said)), file=err)
    return code


def start(main):
    code = main(sys.argv[1:], os.environ, sys.stdout, sys.stderr)
    sys.stderr.flush()
    os._exit(code)  # Python would write to a closed pipe or a full disk once more, fail, and end with 120
