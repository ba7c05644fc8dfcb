"""A comment for a pull request, in Markdown: the findings, and what is slower or faster, with intervals (--comment).

    text = made(judgement, "mine.toml", [comparison], "https://example.org/page", "")

It begins with MARK, by which a workflow finds the comment of an earlier run and writes it anew. GitHub takes at most MOST characters:
lines that do not fit are left out, and counted.
"""

from tools.gate import outputs
from tools.gate.outputs import colour, counts, percent

MARK = "<!-- assay -->"
MOST = 65_536
_MOST_TOLD = 400  # characters of a cell: a comment is for a look, the summary has it all
_UNDECIDED = ("INCONCLUSIVE", "NOT_COMPARED")
_LEFT_OUT = "\n%d lines are left out: a comment has at most %d characters. The output of the step has them.\n"


def _cell(text):
    """Nothing in it means anything, and it sends nobody a message."""
    return outputs.cell(text).replace("@", "@<!-- -->")


def _short(text):
    return text if len(text) <= _MOST_TOLD else text[:_MOST_TOLD] + "…"


def _ratio(series):
    """("+3.00 %", "+2.20 .. +3.80 %"): the change of what is compared, and its interval."""
    if not series.estimate or series.estimate.ratio is None:
        return "", ""
    return percent(series.estimate.ratio), "%s .. %s" % tuple("open" if end is None else percent(end) for end in series.estimate.interval)


def _changes(comparison):
    """Titles and rows of its tables."""
    level = next((100 * s.estimate.interval_level for s in comparison.series if s.estimate), 95)
    for title, verdicts in (("Slower", ("SLOWER",)), ("Faster", ("FASTER",)), ("Not decided", _UNDECIDED)):
        found = [s for s in comparison.series if s.verdict in verdicts]
        found.sort(key=lambda s: -abs((s.estimate.ratio or 1) - 1) if s.estimate else 0)
        if found:
            head = ["### %s: %d" % (title, len(found)), "", "| case | mode | %s | %.1f %% interval | |" % (_cell(comparison.metric), level)]
            rows = [(s.case, s.mode, *_ratio(s), _short(s.doubt or s.reason)) for s in found]
            yield [*head, "|---|---|---|---|---|"], ["| %s |" % " | ".join(map(_cell, row)) for row in rows]


def _tables(judgement, comparisons):
    wrong = [f for f in judgement.findings if f.kind != "SLOWER"]  # each of which is a row of a comparison
    if wrong:
        rows = ["| %s | %s | %s |" % (_cell(f.kind), _cell(_short(f.message)), _cell(_short(f.fix))) for f in wrong]
        yield ["### Wrong: %d" % len(wrong), "", "| | what | fix |", "|---|---|---|"], rows
    for comparison in comparisons:
        yield from _changes(comparison)


def _times(comparisons):
    same = sum(s.verdict == "SAME" for c in comparisons for s in c.series)
    compared = sum(len(c.series) for c in comparisons)
    return "%d of %d comparisons: no difference beyond what counts as the same" % (same, compared) if compared else "times were not compared"


def made(judgement, path, comparisons, page, note):
    """`page`: an address, or empty. `note`: a sentence about the comparisons, or empty."""
    head = [MARK, "## Assay: %s" % colour(judgement), "", "%s: %s; %s" % (_cell(path), counts(judgement) or "nothing", _times(comparisons))]
    head += ["", _cell(note)] if note else []
    head += ["", "[page](<%s>)" % page.translate({ord(c): None for c in "<>\n\r"})] if page else []
    lines, left = ["\n".join(head) + "\n"], 0
    room = MOST - len(lines[0]) - len(_LEFT_OUT) - 2 * len(str(MOST))
    for title, rows in _tables(judgement, comparisons):
        title = "\n%s\n" % "\n".join(title)
        for row in [title + rows[0], *rows[1:]]:
            row += "\n"
            if len(row) > room:
                left, room = left + 1, 0  # the lines that follow matter less
                continue
            room -= len(row)
            lines.append(row)
    return "".join(lines) + (_LEFT_OUT % (left, MOST) if left else "")
