"""The table of docs/backends_models.md, from the records of run_suite:

    tools/bazel run //tools:run_suite -- -k '^(mlp|resnet18)_fp32_b1$' --backend=torchscript --backend=exported --action=verify --out=FOLDER
    python3 tools/figures/backends_table.py FOLDER/results.jsonl > docs/backends_models.md

The last record of a case and a back end counts.
"""

import json
import sys

_HEAD = """# Cases by back end

How far each output is from the case's reference in the back end's hands: root mean square in its standard deviations, of the output
that is furthest, where the float32 limits allow 1e-5. "-": not tried, for want of time. Made by `tools/bazel run //tools:run_suite` with
`--backend=… --action=verify` and `python3 tools/figures/backends_table.py`.
"""


def verdicts(lines):
    """{case: {back end: its last record}}."""
    found = {}
    for line in lines:
        record = json.loads(line)
        if "benchmark_case" not in record:  # of the suite's run as a whole
            continue
        case = record["benchmark_case"]
        found.setdefault(case["name"], {})[case.get("execution", {}).get("backend", "eager")] = record
    return found


def cell(record):
    if record is None:
        return "-"
    if record["outcome"] != "PASS":
        return "**%s**" % record["outcome"]
    return "%.1e" % max((output.get("rms_error", 0) for output in record["verdict"]["outputs"]), default=0)


def reason(record):
    words = record.get("error") or record.get("verdict", {}).get("message", "")
    return (words.strip().splitlines() or ["no message"])[0]


def table(found):
    backends = sorted({backend for runs in found.values() for backend in runs})
    passed = {b: sum(b in runs and runs[b]["outcome"] == "PASS" for runs in found.values()) for b in backends}
    tried = {b: sum(b in runs for runs in found.values()) for b in backends}
    yield _HEAD
    yield "Passed: %s." % ", ".join("%s %d of %d" % (b, passed[b], tried[b]) for b in backends)
    yield ""
    yield "| case | %s |" % " | ".join(backends)
    yield "|---" * (len(backends) + 1) + "|"
    for case, runs in sorted(found.items()):
        yield "| %s | %s |" % (case, " | ".join(cell(runs.get(b)) for b in backends))
    failed = [(case, b, runs[b]) for case, runs in sorted(found.items()) for b in sorted(runs) if runs[b]["outcome"] != "PASS"]
    if failed:
        yield ""
    for case, backend, record in failed:
        yield "- %s, %s: %s" % (case, backend, reason(record))


def main():
    found = {}
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            for case, runs in verdicts(file).items():
                found.setdefault(case, {}).update(runs)
    if not found:
        print("backends_table: no records; give FOLDER/results.jsonl of run_suite", file=sys.stderr)
        return 3
    print("\n".join(table(found)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
