"""Shared by the readers and writers of other suites' files.

A file is a head (what it says once) and rows; a record is made of one row or of a few, and keeps them as they were in
`imported.fields`, {"rows": [[place, row]...], "head": head}: figures in their own units, whatever has no field in
record.proto, and the place in the file. So written in the same format again the values are the same to the last bit,
and a record of this suite or another goes through the fields that record.proto has.
"""

import csv
import datetime
import json
import math
import re
import statistics
from typing import NamedTuple

from tools.results import headline
from tools.results.errors import Problem


class Document(NamedTuple):
    head: object  # anything JSON; {} where the format has none
    rows: list  # (place, row): place is the line, or the number of the entry, from 1
    problems: list  # (line, kind, message)


class Look(NamedTuple):
    """The beginning of a file, for telling formats apart."""

    first_line: str
    value: object  # the JSON value of one of the first lines or, where none is one, of all that was read; None: neither
    on_a_line: bool  # whether it is that of a line


_DEEPEST = 200  # lists and objects within each other; what cleans and writes a row calls itself for each
_MOST_DIGITS = 4000  # of an integer; Python's own limit is 4300
_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\\?\Z)|[\[\]{},]', re.S)


def load(text):
    """JSON as Python's json reads it, NaN and infinity as floats, and a NaN for what is too large or nested too deep to
    be read; ValueError."""
    text = text.lstrip("\ufeff")
    try:
        value = json.loads(text, parse_int=_integer)
        if not _is_deep(value):
            return value
    except RecursionError:  # at another depth in each Python
        pass
    return json.loads(_shallow(text), parse_int=_integer)


def _is_deep(value):
    level = [value] if isinstance(value, (dict, list)) else []
    for _ in range(_DEEPEST):
        inside = [part.values() if isinstance(part, dict) else part for part in level]
        level = [part for parts in inside for part in parts if isinstance(part, (dict, list))]
        if not level:
            return False
    return True


def _integer(text):
    return int(text) if len(text) <= _MOST_DIGITS else math.nan


def _shallow(text):
    """The text with NaN in place of what is nested too deep."""
    depth, end, kept = 0, 0, []
    for match in _TOKENS.finditer(text):
        if match[0] in "[{":
            depth += 1
            if depth == _DEEPEST + 1:
                kept += [text[end : match.start()], "NaN"]
        elif match[0] in "]}":
            if depth == _DEEPEST + 1:
                end = match.end()
            depth -= 1
    return "".join(kept) + text[end:] if depth <= _DEEPEST else "".join(kept)


_FIRST_LINES = 5  # one of them is whole and well formed, or the file is one value over many lines


def look(head):
    """Looks at the beginning of a file's text, which may be cut off anywhere."""
    lines = [line for line in head.split("\n") if line.strip()][:_FIRST_LINES]
    first = lines[0].lstrip("\ufeff")
    for text in [*lines, _closed(head.lstrip("\ufeff"))]:
        try:
            value = load(text)
        except ValueError:
            continue
        if isinstance(value, (dict, list)):  # a number or a word is a cell of a CSV
            return Look(first, value, text in lines)
    return Look(first, None, False)


def _closed(text):
    """The first JSON value of a text, up to where it is cut off: [{"a": 1}, {"b": 2}, {} of [{"a": 1}, {"b": 2}, {"c"."""
    end, open_ones = 0, []
    for token in _TOKENS.finditer(text):
        if token[0][0] == '"':
            continue
        if token[0] in "[{":
            open_ones.append("]" if token[0] == "[" else "}")
        elif token[0] in "]}" and open_ones:
            open_ones.pop()
        end = token.start() if token[0] == "," else token.end()
        if not open_ones:
            break
    return text[:end] + "".join(reversed(open_ones))


def entries(look_value):
    """The first entry of a value that may be one entry or a list of them."""
    value = look_value[0] if isinstance(look_value, list) and look_value else look_value
    return value if isinstance(value, dict) else {}


def json_lines(text):
    """Every line as (line, value), and problems; or one value over many lines, of which a list has a row in each entry."""
    rows, problems, text = [], [], text.lstrip("\ufeff")
    try:
        value = load(text)
        return list(enumerate(value if isinstance(value, list) else [value], 1)), problems
    except ValueError:
        pass
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                rows.append((number, load(line)))
            except ValueError as error:
                problems.append((number, Problem.MALFORMED, "not JSON: %s" % error))
    return rows, problems


def csv_rows(text):
    """Names of columns, rows as (line, {name: cell}), and problems. Each line is read by itself: of the files that are read here
    none has a cell with an end of line in it, but for a quote that is not closed."""
    names, rows, problems = [], [], []
    for number, line in enumerate(text.lstrip("\ufeff").split("\n"), 1):
        if not line.strip():
            continue
        try:
            (cells,) = csv.reader([line.rstrip("\r")], strict=True)
        except (csv.Error, ValueError) as error:
            problems.append((number, Problem.MALFORMED, "not CSV: %s" % error))
            continue
        if not names:
            names = cells
        elif len(cells) != len(names):
            message = "%d cells, and the first line names %d columns" % (len(cells), len(names))
            problems.append((number, Problem.MALFORMED, message))
        else:
            rows.append((number, dict(zip(names, cells))))
    return names, rows, problems


def good_rows(rows, problems):
    """The rows that are objects without a NaN or an infinity anywhere; the others become problems."""
    kept = []
    for place, row in rows:
        path = _bad_number(row, "", 0)
        if not isinstance(row, dict):
            problems.append((place, Problem.MALFORMED, "not a JSON object"))
        elif path is not None:
            problems.append((place, Problem.NUMBER, "%s is NaN, infinite, too large or nested too deep" % path[:80]))
        else:
            kept.append((place, row))
    return kept


def nulls(value):
    """The value with null in the place of each NaN and infinity: of metrics, of which one may lack and the others are good."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {name: nulls(one) for name, one in value.items()}
    return [nulls(one) for one in value] if isinstance(value, list) else value


def with_good_metrics(rows):
    """The rows with nulls for what is no number in their `metrics`."""
    return [(place, {**row, "metrics": nulls(row["metrics"])} if isinstance(row, dict) and "metrics" in row else row) for place, row in rows]


def _bad_number(value, path, depth):
    if isinstance(value, float):
        return None if math.isfinite(value) else path
    if isinstance(value, (dict, list)) and depth == _DEEPEST:
        return path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, one in inner:
        inner_path = "%s[%d]" % (path, name) if isinstance(name, int) else "%s.%s" % (path, name) if path else name
        found = _bad_number(one, inner_path, depth + 1)
        if found is not None:
            return found
    return None


def dump(value):
    return json.dumps(value, ensure_ascii=False)


_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def utc(seconds):
    """RFC 3339 of seconds since the epoch."""
    moment = _EPOCH + datetime.timedelta(seconds=seconds)
    return moment.isoformat(timespec="microseconds" if moment.microsecond else "seconds").replace("+00:00", "Z")


def seconds_of(rfc3339):
    """The reverse; None for an empty or other text."""
    try:
        return datetime.datetime.fromisoformat((rfc3339 or "").replace("Z", "+00:00")).timestamp()
    except ValueError:
        return None


def record(name, model, batch, outcome, **fields):
    """A record of another suite; empty fields are left out."""
    if not name:
        raise ValueError("without a name")
    case = {"name": name, "model": model, "batch": str(batch) if batch else None}
    case.update({key: fields.pop(key, None) for key in ("dtype", "mode", "tags")})
    made = {"schema_version": 2, "benchmark_case": present(case), "outcome": outcome}
    made.update(present(fields))
    return made


def present(fields):
    """Without what is None or empty."""
    return {name: value for name, value in fields.items() if value not in (None, "", [], {})}


def tags(**named):
    return ["%s=%s" % item for item in named.items() if item[1] not in (None, "")]


def tag(record_, name, default=None):
    for one in record_.get("benchmark_case", {}).get("tags", ()):
        if one.startswith(name + "="):
            return one[len(name) + 1 :]
    return default


def measured(mode, step, samples_ns, **fields):
    """A Measurement of samples; its median is theirs."""
    measurement = present({"mode": mode, "step": step, "samples_ns": samples_ns, "stop_reason": "imported", **fields})
    if samples_ns:
        measurement.update(
            median_ns=statistics.median(samples_ns), minimum_ns=min(samples_ns), mean_ns=statistics.fmean(samples_ns)
        )
    return measurement


def main_measurement(record_):
    """For a format with a single time: of the step that stands for the case, awaited call by call where there is such a mode."""
    found = record_.get("measurements", [])
    order = {"wall": 0, "cold": 1, "hot": 2, "throughput": 3}
    ranked = sorted(found, key=lambda m: (headline.rank(m.get("step"), m.get("headline")), order.get(m.get("mode"), 9)))
    return ranked[0] if ranked else {}


def samples_or_median(measurement):
    return measurement.get("samples_ns") or ([measurement["median_ns"]] if "median_ns" in measurement else [])


def full_name(record_, measurement):
    """ "mlp_fp32_b1/wall", "mlp_fp32_b8_train/wall/backward"."""
    name = "%s/%s" % (record_["benchmark_case"]["name"], measurement.get("mode"))
    return name + ("" if measurement.get("step", "forward") == "forward" else "/" + measurement["step"])


def message(record_):
    return record_.get("error") or record_.get("verdict", {}).get("message") or ""


def failure(record_):
    """Why a run has no figures, as text; "" for one that has."""
    if record_.get("measurements"):
        return ""
    said = message(record_)
    return "%s: %s" % (record_["outcome"], said) if said else record_["outcome"]


def outcome_of_error(text):
    """The outcome for suites that keep only an error's text."""
    if text == "timeout" or re.search(r"timed out after [\d.]+ seconds", text):
        return "TIMEOUT"
    return "OUT_OF_MEMORY" if re.search(r"(?i)out of memory|OutOfMemoryError|RESOURCE_EXHAUSTED", text) else "CRASH"


def untimed(record_):
    """Whether there are no times and no failure: a run that only verified."""
    return not record_.get("measurements") and record_["outcome"] in ("PASS", "NOT_VERIFIED")


def training(record_):
    return record_.get("benchmark_case", {}).get("mode") == "TRAIN"


def device(record_):
    """ "cpu", "cuda", or another suite's word."""
    return tag(record_, "device") or record_.get("device", "").lower()


DEVICES = {"cpu": "CPU", "cuda": "CUDA", "gpu": "CUDA"}
AUTOCASTS = {"amp_bf16": "BF16", "amp_fp16": "FP16"}
DTYPES = {
    "fp32": "FP32",
    "float32": "FP32",
    "fp64": "FP64",
    "float64": "FP64",
    "fp16": "FP16",
    "float16": "FP16",
    "bf16": "BF16",
    "bfloat16": "BF16",
}


def device_model(record_):
    environment = record_.get("environment", {})
    return environment.get("gpu_name") if device(record_) == "cuda" else environment.get("cpu_model")


def machine(record_):
    """ "cuda NVIDIA H200"; of a machine without a known name its device alone."""
    return " ".join(filter(None, (device(record_), device_model(record_))))


# A format whose rows do not say which machine they are of has one of these as its `one_machine`: what runs of two machines must
# not have in common in one file, since whoever reads it would take them for runs of one.
def case_and_device(record_):
    return record_["benchmark_case"].get("name"), device(record_)


def each_row(document):
    """group() of a format in which each row is a record."""
    return [[row] for row in document.rows]


def whole_file(_record):
    return ""


def where(record_):
    """A condition on the columns of `runs` that chooses the runs of a record's machine."""
    column = "gpu_name" if device(record_) == "cuda" else "cpu_model"
    quoted = (device_model(record_) or "").replace("'", "''")
    return "device = '%s' and %s = '%s'" % (record_.get("device"), column, quoted)


# Properties that none of these formats has; a format's own LOSSES are added.
LOSSES = {
    "rates and latencies under load (--scenario)": lambda r: r.get("served"),
    "checks": lambda r: any(m.get("checks") for m in r.get("measurements", ())),
    "errors of the outputs (rms_error, max_error)": lambda r: r.get("verdict", {}).get("outputs"),
    "intervals, percentiles and warm-up": lambda r: any("ci_low_ns" in m for m in r.get("measurements", ())),
    "flags, machine facts and environment variables": lambda r: r.get("flags") or r.get("environment", {}).get("facts"),
    "execution (memory format, autocast, precision)": lambda r: r.get("benchmark_case", {}).get("execution"),
}
ONE_TIME = {"modes and steps but the main one": lambda r: len(r.get("measurements", ())) > 1}
