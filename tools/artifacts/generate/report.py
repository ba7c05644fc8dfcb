"""The generator's output: one line for each content when it is done, totals, and the quality table."""

import math
import time

from artifacts.format.quantity import duration_text, size_text


def drift_text(drift):
    return "-" if math.isnan(drift) else "0" if drift == 0 else "%.1e" % drift


class Progress:
    """References done of all, and an estimate of what is left from the time of those; `clock` is an argument for tests."""

    def __init__(self, total, clock=time.monotonic):
        self._total, self._done, self._clock, self._start = total, 0, clock, clock()

    def add(self):
        self._done += 1

    def text(self):
        elapsed = self._clock() - self._start
        left = self._total - self._done
        counted = "%*d of %d" % (len(str(self._total)), self._done, self._total)
        # The first ones also pay for start-up: an estimate from them alone is hours off.
        if self._done < 0.03 * self._total or not self._done or not left:
            return "[%s]" % counted
        return "[%s, about %s left]" % (counted, duration_text(elapsed * left / self._done))


ROW_HEAD = "%-44s %-9s %-10s %-9s %-9s %s" % ("key", "status", "drift/std", "size", "blob", "output std")


def row_text(key, decision, size, stds):
    row = decision.row
    line = "%-44s %-9s %-10s %-9s %-9s %s" % (
        key,
        decision.status,
        drift_text(decision.drift),
        size_text(size),
        row.sha256[:8] if row else "-",
        "  ".join("%s %.3g" % item for item in sorted(stds.items())),
    )
    return line.rstrip()


def quality_text(title, figures):
    """The table of one model's quality.measure()."""
    lines = ["%s" % title]
    lines.append(
        "  %-20s %9s  %-19s %-19s %-19s %s"
        % (
            "output",
            "std",
            *("%s rms / max" % dtype for dtype in ("fp32", "fp16", "bf16")),
            "sensitivity (fp32 errors for 1 % of a weight)",
        )
    )
    for name, figure in sorted(figures.items()):
        measured = [figure[dtype] for dtype in ("fp32", "fp16", "bf16")]
        errors = ["%.1e / %.1e" % tuple(m) if isinstance(m, list) else "not on CPU" for m in measured]
        ratio, weight = figure["sensitivity"]
        lines.append("  %-20s %9.3g  %-19s %-19s %-19s %.0f (%s)" % (name, figure["std"], *errors, ratio, weight))
    return "\n".join(lines)
