"""Which formats there are, and of which a file is, by its content.

    found = registry.detect(path, shown)          # Stop: of none, with what each reader missed, or of several
    document = registry.read(found, path, shown)
    for place, record in registry.records(found, document, source): ...

A format is a module: NAME, TITLE, LOSSES; one that is read has misses(look), parse(text), group(document),
record(rows, head, file's name), and one that is written has rows_of(record), render(parts), and may have one_machine(record)
(document.py) and context_of(record): the head of a file that has none.
"""

import codecs
import json
import re

from tools.results import errors
from tools.results.errors import BROKEN, SURROUNDINGS, USAGE, Stop
from tools.results.formats import (
    analyzer_csv,
    assay,
    bencher,
    codspeed,
    conbench,
    document,
    dynamo_accuracy_csv,
    dynamo_csv,
    github_benchmark,
    google_benchmark,
    hyperfine,
    llama_bench,
    nvbench,
    openxla_json,
    param,
    pytorch_hud,
    torchbench_json,
    xla_jsonl,
)
from tools.results.line_file import opened

_BOTH = [xla_jsonl, dynamo_csv, dynamo_accuracy_csv, openxla_json, param, google_benchmark, pytorch_hud]
READ = [assay, *_BOTH, llama_bench, hyperfine, torchbench_json, nvbench]
WRITTEN = [*_BOTH, bencher, codspeed, conbench, github_benchmark, analyzer_csv]
_FIXES = (
    (r"[-+]?nan|[-+]?inf", "; write NaN, Infinity or -Infinity"),
    ("%", "; write 0.02 in place of 2%"),
    ("'", '; texts stand between "'),
    ("true|false|none", "; write true, false or null"),
)
# Tools of which the JSON is read: columns that their CSV has, and how they write JSON.
_CSV_OF = (
    ("llama-bench", {"build_commit", "n_prompt", "n_gen"}, "llama-bench -o json"),
    ("nvbench", {"Benchmark", "Device", "Device Name"}, "--json FILE"),
    ("hyperfine", {"command", "mean", "stddev", "median", "user", "system"}, "--export-json FILE"),
    ("Google Benchmark", {"name", "iterations", "real_time", "cpu_time", "time_unit"}, "--benchmark_format=json"),
)
_FEWEST_COLUMNS = 2
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_HEAD = 1 << 16  # bytes by which a format is known
_MOST = 1 << 28  # bytes of a file that is read whole


def named(name):
    found = next((form for form in READ if form.NAME == name), None)
    if not found:
        raise Stop(USAGE, "--from=%s: unknown; one of %s" % (name, ", ".join(form.NAME for form in READ)))
    return found


def detect(path, shown):
    with opened(path, shown) as f:
        data = f.read(_HEAD)
    head, utf16 = _decoded(data), data[:2] in _UTF16
    if not head.strip():
        return assay  # an empty file has no record of any format
    look = document.look(head)
    missed = [(form, form.misses(look)) for form in READ]
    fitting = [form for form, what in missed if not what]
    if fitting == [assay] and utf16:
        raise Stop(SURROUNDINGS, "%s: UTF-16; write it as UTF-8: iconv -f utf-16 -t utf-8 FILE" % shown)
    if fitting == [assay] and look.first_line.strip() == "{" and not look.on_a_line:
        raise Stop(SURROUNDINGS, "%s: one record over many lines; write it on one: jq -c . FILE" % shown)
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        names = " and ".join(form.NAME for form in fitting)
        raise Stop(USAGE, "%s: may be %s; say which with --from=NAME" % (shown, names))
    broken = _no_json(look, path, shown) or _csv(head, shown)
    if broken:
        raise Stop(SURROUNDINGS, broken)
    reasons = "\n".join("  %-18s %s" % (form.NAME, what) for form, what in missed)
    raise Stop(
        SURROUNDINGS,
        "%s: of no known format, or torn in its first line; each reader misses something:\n%s\n"
        "--from=NAME takes it as one of them all the same.%s"
        % (shown, reasons, _list_of_outcomes(look, shown)),
    )


def _list_of_outcomes(look, shown):
    columns = look.first_line.strip().split(",")
    if columns[0] != "name" or "batch_size" in columns or len(columns) < 2:
        return ""
    name = shown if shown.endswith(".csv") else shown + ".csv"
    said = "" if shown == name else "call it %s, and then " % name
    command = "tools/bazel run //tools:gate -- --expected=%s results.sqlite" % name
    return "\nA list of expected outcomes is no result; the gate holds a database against it: %s%s" % (said, command)


def _csv(head, shown):
    """Says that a text is CSV of which only the JSON is read, and how to get that; "" for another text."""
    for line in head.lstrip("\ufeff").splitlines():
        columns = {cell.strip().strip('"') for cell in line.split(",")}
        for tool, known, write in _CSV_OF if len(columns) >= _FEWEST_COLUMNS else ():
            if known <= columns:
                return "%s: CSV of %s, of which the JSON is read; write that: %s" % (shown, tool, write)
    return ""


def _no_json(look, path, shown):
    """Says where a text that begins as JSON stops being it, and the fix; "" for another text."""
    if look.value is not None or not look.first_line.lstrip().startswith(("{", "[")):
        return ""
    whole = text(path, shown).lstrip("\ufeff")
    try:
        json.loads(whole)
    except json.JSONDecodeError as error:
        rest = whole[error.pos :]
        if not rest.strip():
            return "" if error.lineno == 1 else "%s: JSON that ends in line %d before its brackets are closed: was it cut off?" % (shown, error.lineno)
        place = "%s:%d: no JSON from column %d on: %s, at `%s`" % (shown, error.lineno, error.colno, error.msg, rest.split("\n")[0][:40])
        return place + next((fix for expression, fix in _FIXES if re.match(expression, rest, re.I)), "")
    except ValueError:
        return ""
    except RecursionError:
        return ""
    return ""


def text(path, shown):
    """The text of a file, which is read whole."""
    with opened(path, shown) as f:
        data = f.read(_MOST + 1)
    if len(data) > _MOST:
        raise Stop(SURROUNDINGS, "%s: larger than %d bytes, which files of other suites never are" % (shown, _MOST))
    return _decoded(data)


def _decoded(data):
    """UTF-8, or what `>` of an older PowerShell makes of it."""
    return data.decode("utf-16" if data[:2] in _UTF16 else "utf-8", "replace")


def read(form, path, shown):
    whole = text(path, shown)
    unread = _csv(whole[:_HEAD], shown)
    if unread:
        raise Stop(SURROUNDINGS, unread)
    try:
        made = form.parse(whole)
    except BROKEN as error:
        refused = errors.refused(error, "%s: not whole, or not %s" % (shown, form.NAME))
        raise Stop(SURROUNDINGS, str(refused)) from None
    return made._replace(rows=document.good_rows(made.rows, made.problems))


def records(form, made, source):
    """(place, record) of each group of rows; what can't be one becomes a problem of `made`."""
    for rows in form.group(made):
        place = rows[0][0]
        try:
            record = form.record(rows, made.head, source)
            fields = json.dumps({"rows": rows, "head": made.head} if made.head else {"rows": rows}, ensure_ascii=False)
        except BROKEN as error:
            refused = errors.refused(error, "not a row of " + form.NAME)
            made.problems.append((place, refused.kind, str(refused)))
            continue
        record["imported"] = {"format": form.NAME, "source": source, "line": str(place), "fields": fields}
        yield place, record
