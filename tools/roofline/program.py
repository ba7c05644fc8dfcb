"""How close measured cases come to what their machine was seen to do: operations, bytes, their ratio, rates, what binds
(compute, memory, launch) and the share of the roofline.

  tools/bazel run //benchmarks/operators:mm_fp32_m512_k512_n512 -- --peaks --record=runs.jsonl
  tools/bazel run //tools:roofline -- runs.jsonl
  tools/bazel run //tools:roofline -- runs.jsonl --sort=-share --filter='^mm_' --dtype=bf16
  tools/bazel run //tools:roofline -- runs.jsonl --format=svg --output=roofline.svg

docs/roofline.md says what is counted.
Exit code: 0 right; 2 the machine or the setup is wrong (a file that cannot be read to its end or written); 3 the command line is,
or a file: there is none of this name, it holds no records, or none that it asks for.
"""

import argparse
import os

from artifacts.fetch.ending import ended
from artifacts.fetch.redaction import redact
from artifacts.format import atomic_file
from tools.results.command_line import Parser, expression, user_folder
from tools.results.errors import OK, USAGE, Stop
from tools.roofline import analysis, plot, records, report

_FORMATS = {"table": report.text, "csv": report.as_csv, "json": report.as_json, "svg": plot.svg}
_SAID_BESIDE = ("csv", "svg")  # formats that have no place for notes


def parse(arguments):
    parser = Parser(
        prog="roofline", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    add = parser.add_argument
    files = "that --record of cases, of //benchmarks/operators:param or of suites wrote"
    add("files", nargs="*", metavar="RECORDS.jsonl", help=files)
    lent = "takes its records' peaks for those that have none; may be given again"
    add("--peaks", action="append", default=[], metavar="FILE", help=lent)
    keys = [sign + key for key in analysis.KEYS for sign in ("", "-")]
    order = "%s (numbers: the largest first); -KEY: turned round" % ", ".join(analysis.KEYS)
    add("--sort", choices=keys, default="file", metavar="KEY", help=order)
    matching = "only cases in whose name it matches; a step is a part of it: mlp_fp32_b8/backward"
    add("--filter", type=expression, default="", metavar="REGEX", help=matching)
    add("--dtype", choices=analysis.DTYPES, default="", type=str.lower, help="only cases that compute in it")
    add("--mode", default="", help="of the measurements; default: wall, on a GPU cold; where a step has neither, its first")
    add("--format", choices=_FORMATS, default="table")
    add("--output", default="", metavar="FILE", help="default: standard output")
    flags = parser.parse_args(arguments)
    if not flags.files:
        raise Stop(USAGE, "which records? Give the files that --record=FILE of a case wrote; --help explains")
    return flags


def _check(found, form):
    if not found.rows:
        raise Stop(USAGE, "no record is left by --filter, --dtype and --mode\n" + report.notes(found))
    if not any(row.flops > 0 or row.bytes > 0 for row in found.rows):
        raise Stop(
            USAGE,
            "of none of %d rows operations or bytes are known; records of this version of the suite have them, so measure again"
            % len(found.rows),
        )
    if form == "svg" and len(found.machines) > 1:
        raise Stop(
            USAGE,
            "a plot is of one machine, and these records are of %d: %s; give their files apart"
            % (len(found.machines), "; ".join(found.machines)),
        )


def _run(flags, here, out, err):
    inputs = [records.read(os.path.join(here, given), given) for given in flags.files]
    peaks = [records.read(os.path.join(here, given), given) for given in flags.peaks]
    found = analysis.analyse(inputs, peaks, analysis.Selection(flags.filter, flags.dtype, flags.mode))
    _check(found, flags.format)
    analysis.sort(found.rows, flags.sort.lstrip("-"), flags.sort.startswith("-"))
    if flags.format in _SAID_BESIDE:
        err.write(redact(report.notes(found)))
    text = _FORMATS[flags.format](found)
    if not flags.output:
        out.write(text)
        return
    atomic_file.write(os.path.join(here, flags.output), text.encode())
    print("roofline: %d rows written to %s" % (len(found.rows), flags.output), file=err)


def main(argv, environment, out, err):
    """The exit code."""

    def work():
        _run(parse(argv), user_folder(environment), out, err)
        return OK

    return ended("roofline", work, out, err)
