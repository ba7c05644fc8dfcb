"""The gate's output: to a person, to a program, and to the page of a continuous integration.

    text(judgement, out)                # for a terminal
    markdown(judgement, path, waivers, today)   # --summary
    junit(judgement)                    # --junit
    github(judgement)                   # --annotations=github: lines for standard output

Names and messages come from files that anybody may have written: they are made printable, and quoted as each form asks for.
"""

import collections
import html
import xml.etree.ElementTree as ElementTree

from artifacts.fetch.redaction import presentable
from tools.gate.judging import KINDS

_MOST_PRINTED = 50
_MOST_IN_SUMMARY = 200  # rows; GitHub takes a summary of 1 MiB
_MOST_TOLD = 2000  # characters of one message
_MOST_ANNOTATIONS = 10  # as many of one step GitHub shows


def clean(message):
    text = presentable(message).replace("\n", " ")
    return text if len(text) <= _MOST_TOLD else text[:_MOST_TOLD] + "…"


def colour(judgement):
    return {0: "green", 1: "red", 2: "red: the machine or the setup"}[judgement.code]


def counts(judgement):
    """ "12 passed, 1 waived, 2 MISSING": of keys, and of findings that have none."""
    found = collections.Counter(judgement.states.values())
    found.update(f.kind for f in judgement.findings if f.key is None)
    order = ["passed", "skipped", "waived", "known", *KINDS]
    return ", ".join("%d %s" % (found[name], name) for name in order if found[name])


def text(judgement, out):
    for finding in judgement.findings[:_MOST_PRINTED]:
        print("%s  %s\n    %s" % (finding.kind, clean(finding.message), clean(finding.fix)), file=out)
    if len(judgement.findings) > _MOST_PRINTED:
        print("and %d more; --format=csv or json has all" % (len(judgement.findings) - _MOST_PRINTED), file=out)
    for note in judgement.notes:
        print("note  " + clean(note), file=out)
    print("gate: %s: %s" % (colour(judgement), counts(judgement) or "nothing"), file=out)


COLUMNS = ("kind", "exit_code", "case", "device", "flags", "message", "fix", "file", "line")


def rows(judgement):
    for f in judgement.findings:
        yield (
            f.kind,
            f.exit_code,
            *(map(presentable, f.key) if f.key else (None, None, None)),
            presentable(f.message),
            presentable(f.fix),
            presentable(f.file) or None,
            f.line or None,
        )


def percent(ratio):
    return "%+.2f %%" % (100 * (ratio - 1))


def cell(message):
    """A text in a table of Markdown, in which nothing means anything."""
    text = html.escape(clean(message), quote=False)
    for character in "\\`|*_[]~":
        text = text.replace(character, "&#%d;" % ord(character))
    return text


def markdown(judgement, path, waivers, today):
    lines = ["## Gate: %s" % colour(judgement), "", "%s: %s" % (cell(path), counts(judgement) or "nothing"), ""]
    if judgement.findings:
        lines += ["| | what | fix |", "|---|---|---|"]
        shown = judgement.findings[:_MOST_IN_SUMMARY]
        lines += ["| %s | %s | %s |" % (cell(f.kind), cell(f.message), cell(f.fix)) for f in shown]
        more = len(judgement.findings) - len(shown)
        lines += ["", "and %d more" % more] if more else []
        lines.append("")
    if waivers:
        lines += ["| waiver | is | owner | days left | why |", "|---|---|---|---|---|"]
        for w in waivers:
            kind = "flaky" if w.flaky else "flagged" if w.flagged else "slower"
            state = w.outcome or "%s: %s" % (kind, ", ".join(w.flaky or w.flagged or w.slower))
            why = "%s %s" % (w.reason, w.link)
            lines.append(
                "| %s |" % " | ".join(map(cell, (w.case, state, w.owner, str((w.expires - today).days), why)))
            )
        lines.append("")
    lines += ["note: %s" % cell(note) for note in judgement.notes]
    return "\n".join(lines).rstrip() + "\n"


def junit(judgement):
    """One test a case, and one for each finding that is of no case."""
    by_key = {}
    for finding in judgement.findings:
        by_key.setdefault(finding.key, []).append(finding)
    suite = ElementTree.Element("testsuite", name="gate")
    errors = failures = skipped = 0

    def test(case, device):
        return ElementTree.SubElement(suite, "testcase", name=clean(case), classname=clean(device))

    def mark(element, findings):
        nonlocal errors, failures
        failed = any(f.exit_code == 1 for f in findings)
        failures, errors = failures + failed, errors + (not failed)
        inner = ElementTree.SubElement(
            element, "failure" if failed else "error", type=findings[0].kind, message=clean(findings[0].message)
        )
        inner.text = "\n".join("%s\n%s" % (clean(f.message), clean(f.fix)) for f in findings)

    for key in sorted(judgement.states):
        element = test(" ".join(filter(None, (key.case, key.flags))), key.device)
        if key in by_key:
            mark(element, by_key[key])
        elif judgement.states[key] == "MISSING":
            mark(element, by_key[None][:1])
        elif judgement.states[key] != "passed":
            waiver = judgement.waived.get(key)
            why = (
                "waived until %s by %s: %s" % (waiver.expires, waiver.owner, waiver.reason)
                if waiver
                else judgement.states[key]
            )
            ElementTree.SubElement(element, "skipped", message=clean(why))
            skipped += 1
    for place, finding in enumerate(by_key.get(None, ()), 1):
        mark(test("%s %d" % (finding.kind, place), "gate"), [finding])
    suite.attrib.update(tests=str(len(suite)), failures=str(failures), errors=str(errors), skipped=str(skipped))
    return ElementTree.tostring(suite, encoding="utf-8", xml_declaration=True) + b"\n"


def _escaped(value, also=""):
    """As GitHub's workflow commands have it."""
    for character in "%\r\n" + also:
        value = value.replace(character, "%%%02X" % ord(character))
    return value


def github(judgement):
    """GitHub shows ten of a step, so the last one says how many there are."""
    shown = (
        judgement.findings
        if len(judgement.findings) <= _MOST_ANNOTATIONS
        else judgement.findings[: _MOST_ANNOTATIONS - 1]
    )
    for f in shown:
        place = ",".join(
            ["file=" + _escaped(clean(f.file), ":,")] * bool(f.file)
            + ["line=%d" % f.line] * bool(f.line)
            + ["title=gate%3A " + f.kind]
        )
        yield "::error %s::%s" % (place, _escaped("%s\n%s" % (clean(f.message), clean(f.fix))))
    if len(shown) < len(judgement.findings):
        yield "::error title=gate::and %d more findings, in the step's output and summary" % (
            len(judgement.findings) - len(shown)
        )
