"""Names the layer that computes the first wrong number of a model. Compares each layer with another implementation, in float64.

A case's runner writes the inputs and outputs of each C++ layer to a folder and starts this program with that folder. This
program records the same of the other implementation and compares both.

  tools/bazel run //benchmarks/swin:swin_t_fp32_b1 -- --locate

usage: locate [--delete] FOLDER
  FOLDER     what a runner's --export-layers=FOLDER has written
  --delete   deletes it at the end

Exit codes: 0 no layer is off, 1 one is, 2 the machine or the setup (files), 3 the command line.
"""

import os
import shutil
import sys

from artifacts.fetch.ending import SurroundingsError, UsageError, ended
from tools.artifacts.generate.reference_error import ReferenceError
from tools.locate import findings

_SHOWN = 5  # of what could not be compared


def line(word, text):
    return "%-10s%-9s%s" % ("locate" if word else "", word, text)


def report(compared):
    """(exit code, lines) of a comparison.Compared."""
    calls, head = compared.calls, []
    gaps = findings.not_compared(calls, compared.outputs + compared.gradients)
    fault = findings.first_fault(calls, compared.outputs)
    equal = findings.largest([d for call in calls[: fault.place if fault else None] for d in (call.input, call.output)])
    same = "give what %s gives, %s" % (compared.provenance, findings.size_text(equal))
    if fault:
        before = "%d layer calls before it %s" % (min(fault.place, len(calls)), same)
        head = [line("OFF", fault.text), line("", before)]
    else:
        fault = _fault_of_step(compared)
        head = [line("OFF", fault.text)] if fault else []
        if not any(call.output.right for call in calls):
            raise SurroundingsError("none of the %d layer calls could be compared: %s" % (len(calls), "; ".join(gaps)))
        text = "no layer is off: %d layer calls %s" if not fault else "all %d layer calls %s"
        head.append(line("" if fault else "EQUAL", text % (len(calls), same)))
        head += [] if fault else _otherwise(compared)
    return (1 if fault else 0), head + _gaps(gaps, compared.ours_alone)


def _fault_of_step(compared):
    """The first that is off of a training step whose forward pass is right."""
    return (
        findings.first_off(compared.loss, "the outputs are right")
        or findings.first_off(compared.gradients, "the first gradient that is off from the loss backwards; the loss is right")
        or findings.first_off(compared.statistics, "kept by the layer in training; its output is right")
    )


def _otherwise(compared):
    lines = []
    if compared.gradients:
        equal = findings.largest(r.difference for r in compared.gradients + compared.statistics)
        lines.append(line("", "no gradient and no statistic of one step is off: they are right %s" % findings.size_text(equal)))
    text = "in float64 on the CPU, weights and inputs rounded to %s. If the case fails, the reason is its dtype, device, execution%s"
    return lines + [line("", text % (compared.rounding, " or optimizer" if compared.gradients else ""))]


def _gaps(gaps, ours_alone):
    texts = ["not compared: " + gap for gap in gaps] + ["ours alone calls " + name for name in ours_alone]
    more = ["and %d more" % (len(texts) - _SHOWN)] if len(texts) > _SHOWN else []
    return [line("", text) for text in texts[:_SHOWN] + more]


def misfit(error):
    """The lines of a state or an input that the other implementation does not take, so that no layer can be compared."""
    texts = [text.strip() for text in str(error).splitlines()]
    more = ["and %d more" % (len(texts) - 1 - _SHOWN)] if len(texts) > 1 + _SHOWN else []
    return [line("OFF", texts[0])] + [line("", text) for text in texts[1 : 1 + _SHOWN] + more]


def parse(arguments):
    """(folder, whether it is deleted)."""
    folders = [word for word in arguments if not word.startswith("--")]
    unknown = [word for word in arguments if word.startswith("--") and word != "--delete"]
    if unknown or len(folders) != 1:
        raise UsageError("%s: want one FOLDER; a case starts this: tools/bazel run CASE -- --locate" % " ".join(arguments))
    return folders[0], "--delete" in arguments


def run(folder):
    workspace = os.environ.get("BUILD_WORKSPACE_DIRECTORY")
    if not workspace:
        raise UsageError("a case starts this: tools/bazel run CASE -- --locate")
    from tools.locate import comparison  # imports torch, which takes seconds

    try:
        code, lines = report(comparison.compare(folder, workspace))
    except ReferenceError as error:
        code, lines = 1, misfit(error)
    print("\n".join(lines))
    return code


def main(arguments):
    return ended("locate", lambda: _located(arguments))


def _located(arguments):
    if "--help" in arguments:
        print(__doc__)
        return 0
    delete = ""
    try:
        folder, deleted = parse(arguments)
        delete = folder if deleted else ""
        return run(folder)
    finally:
        if delete:
            shutil.rmtree(delete, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
