"""A picture of a report, drawn as SVG or PNG by matplotlib, or with characters for a terminal by plotext.

    picture = Picture("Speedup over eager", "campaign", "speedup", "lines", [Series("torchscript", ["1.", "2."], [1.0, 1.2])])
    svg(picture)          # bytes; the same for the same picture
    png(picture)
    ascii(picture, columns=100)

Texts stay texts, whatever is in them: no formula, no escape sequence. The page draws its own, by JavaScript (page.js).
"""

import io
import os
import tempfile
import textwrap
import warnings
from typing import NamedTuple

from artifacts.fetch.redaction import printable
from artifacts.fetch.secret_texts import clean_text

_MOST_TICKS = 30  # texts below an axis that can be told apart
_LONGEST = 72  # characters of a name in a picture: case, back end, moment and machine
_HORIZONTAL = ("bars", "intervals")
_MARKERS = "osD^v<>Pp*hX"
_LINES = ("-", ":", "--", "-.")


class Series(NamedTuple):
    name: str
    x: list  # texts, or numbers
    y: list
    low: list = ()  # limits of intervals; None where there is none
    high: list = ()
    labels: list = ()  # of the points
    mark: str = ""  # "o" or "x": large marks without a line between them


class Picture(NamedTuple):
    title: str
    x_title: str
    y_title: str
    kind: str  # "lines", "points"; "curve": by numbers, latencies on a logarithmic axis; horizontal by x: "bars", "intervals", "samples" (densities with their points)
    series: list
    reference: float = None  # a line at this y
    width: float = 9.0  # inches
    height: float = 6.75


def svg(picture):
    return _drawn(picture, "svg", {"Date": None})


def png(picture):
    return _drawn(picture, "png", {"Software": None})


def _drawn(picture, form, metadata):
    # matplotlib keeps a list of fonts in this folder; it is the only thing that it writes.
    cache = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "assay", "matplotlib")
    if "MPLCONFIGDIR" not in os.environ:
        try:
            os.makedirs(cache, exist_ok=True)
            os.environ["MPLCONFIGDIR"] = cache
        except OSError:
            os.environ["MPLCONFIGDIR"] = tempfile.gettempdir()
    import matplotlib  # a second, which only those pay who want a picture
    import matplotlib.figure

    matplotlib.rcParams.update({"svg.hashsalt": "assay", "text.parse_math": False, "svg.fonttype": "path"})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of letters that its font lacks
        figure = matplotlib.figure.Figure(figsize=(picture.width, _height(picture)), layout="constrained")
        axes = figure.add_subplot()
        {"samples": _samples, "bars": _bars, "intervals": _bars}.get(picture.kind, _points)(axes, picture)
        axes.set_title(_whole(picture.title, 100), fontsize=10, **({"loc": "left"} if "\n" in picture.title else {}))
        axes.grid(True, alpha=0.3)
        if len(picture.series) > 1 and picture.kind != "samples":
            figure.legend(loc="outside lower center", ncols=4, fontsize=8)
        out = io.BytesIO()
        figure.savefig(out, format=form, dpi=100, metadata=metadata)
    return out.getvalue()


def _height(picture):
    if picture.kind == "samples":
        return min(1.2 + 1.3 * len(picture.series), picture.height)
    if picture.kind not in _HORIZONTAL:
        return picture.height
    return max(picture.height, min(0.12 * len(_names(picture)) * (len(picture.series) + 1) + 1.5, 300))


def _short(text, most=_LONGEST):
    text = printable(clean_text(str(text)))
    return text if len(text) <= most else text[: most - 1] + "…"


def _whole(text, columns):
    """The text in lines of so many characters; its own line ends stay."""
    lines = (printable(clean_text(line)) for line in str(text).split("\n"))
    return "\n".join(part for line in lines for part in textwrap.wrap(line, columns) or [""])


def _names(picture):
    return list(dict.fromkeys(x for series in picture.series for x in series.x))


def _errors(series):
    """Distances of the limits, 0 where there is none."""
    if not any(low is not None for low in series.low):
        return None
    pairs = zip(series.y, series.low, series.high)
    distances = [(0, 0) if low is None or high is None else (max(y - low, 0), max(high - y, 0)) for y, low, high in pairs]
    return [list(side) for side in zip(*distances)]


def _points(axes, picture):
    names = _names(picture)
    texts = any(isinstance(name, str) for name in names)
    place = {name: i for i, name in enumerate(sorted(names, key=str) if texts else names)}
    for i, series in enumerate(picture.series):
        x = [place[name] for name in series.x] if texts else series.x
        axes.errorbar(
            x,
            series.y,
            _errors(series),
            label=_short(series.name),
            marker=series.mark or _MARKERS[i % len(_MARKERS)],
            markersize=12 if series.mark else 4,
            fillstyle="none" if series.mark else "full",
            linestyle="none" if series.mark else _LINES[i % len(_LINES)],
            linewidth=1,
            elinewidth=0.8,
            capsize=3,
        )
        for at, y, label in zip(x, series.y, series.labels):
            if len(series.labels) <= 2 * _MOST_TICKS:
                upper = i % 2 == 0
                axes.annotate(
                    _short(label),
                    (at, y),
                    rotation=45,
                    size=5,
                    alpha=0.7,
                    va="bottom" if upper else "top",
                    ha="left" if upper else "right",
                )
    if texts:
        shown = sorted(place, key=place.get)
        step = -(-len(shown) // _MOST_TICKS)
        axes.set_xticks(
            range(0, len(shown), step), [_short(name, 26) for name in shown[::step]], rotation=40, ha="right", fontsize=7
        )
    elif picture.kind == "curve":
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter("{x:g}")
        axes.set_xlim(left=0)
    else:
        axes.locator_params(axis="x", integer=True)
    if picture.reference is not None:
        axes.axhline(picture.reference, color="gray", linewidth=0.8)
    axes.set_xlabel(picture.x_title)
    axes.set_ylabel(picture.y_title)


def _bars(axes, picture):
    names = _names(picture)
    place = {name: i for i, name in enumerate(names)}
    thickness = 0.8 / max(len(picture.series), 1)
    for i, series in enumerate(picture.series):
        y = [place[x] + i * thickness for x in series.x]
        if picture.kind == "intervals":
            axes.errorbar(series.y, y, xerr=_errors(series), fmt="o", markersize=4, capsize=3, label=_short(series.name))
            for at, ratio, label in zip(y, series.y, series.labels):
                axes.annotate(_short(label), (ratio, at), (0, 5), textcoords="offset points", size=6, ha="center", va="bottom")
            continue
        bars = {"elinewidth": 0.6, "capsize": 1.5}
        axes.barh(y, series.y, thickness, xerr=_errors(series), label=_short(series.name), error_kw=bars)
    axes.set_yticks([i + 0.4 - thickness / 2 for i in range(len(names))], [_whole(name, _LONGEST) for name in names], fontsize=6)
    axes.invert_yaxis()
    axes.margins(y=0.4 / max(len(names), 1) if picture.kind == "intervals" else 0.01)
    if picture.reference is not None:
        axes.axvline(picture.reference, color="gray", linewidth=0.8)
    axes.set_xlabel(picture.y_title)


def _samples(axes, picture):
    values = [series.y for series in picture.series]
    axes.violinplot(values, range(len(values)), orientation="horizontal", showmedians=True, widths=0.8)
    for place, y in enumerate(values):  # beside each other by rank, so that the picture is the same twice
        axes.scatter(
            y, [place + (0.06 + 0.05 * (i % 5)) * (1 if i % 2 else -1) for i in range(len(y))], s=4, alpha=0.5, color="#333333"
        )
    axes.set_yticks(range(len(values)), [_short(series.name) for series in picture.series], fontsize=7)
    axes.invert_yaxis()
    axes.set_xlabel(picture.y_title)


_ROWS, _LETTERS = 24, "ox+*#@%&"


def ascii(picture, columns=100):
    """Text that ends with a line end; without colours."""
    import plotext

    figure = plotext.figure
    figure.clear()
    figure.theme("colorless")
    texts = [name for name in _names(picture) if isinstance(name, str)]
    if picture.kind == "samples":
        return _ascii_samples(picture, columns)
    if picture.kind in _HORIZONTAL:
        return _ascii_bars(picture, columns)
    figure.plot_size(columns, _ROWS)
    # plotext leaves out a title that is too wide, and lays its legend over the points.
    lines = [_whole(picture.title, columns)]
    lines += ["  %s %s" % (_LETTERS[i % len(_LETTERS)], _short(series.name)) for i, series in enumerate(picture.series)]
    place = {name: i + 1 for i, name in enumerate(sorted(texts))}
    for i, series in enumerate(picture.series):
        x = [place.get(name, name) for name in series.x]
        signal = figure.signal(x, series.y, marker=_LETTERS[i % len(_LETTERS)])
        if not series.mark:
            signal.lines()
        figure.draw(signal)
    if picture.reference is not None:
        figure.line(picture.reference)
    if texts:
        step = -(-len(place) // max(columns // 30, 1))
        shown = sorted(texts)[::step]
        figure.ruler("x").ticks([place[name] for name in shown], [_short(name, 26) for name in shown])
    if picture.kind == "curve":
        figure.ruler("y").scale("log")
    figure.label(picture.x_title, "x")
    return "\n".join(lines) + "\n" + figure.build().string(colorless=True).rstrip("\n") + "\n"


def _ascii_bars(picture, columns):
    """A line for each bar, which plotext has no plot for; its number stands behind it."""
    names, lines = _names(picture), [_whole(picture.title, columns)]
    width = max((len(_short(name, columns // 2)) for name in names), default=0)
    label = max((len(_short(series.name, 20)) for series in picture.series), default=0)
    most = max((y for series in picture.series for y in series.y), default=1)
    room = max(columns - width - label - 12, 10)
    at = [dict(zip(series.x, series.y)) for series in picture.series]
    for name in names:
        first = _short(name, columns // 2)
        for series, values in zip(picture.series, at):
            if name in values:
                bar = "█" * max(round(room * values[name] / most), 1)
                lines.append("%s  %s %s %.4g" % (first.ljust(width), _short(series.name, 20).ljust(label), bar, values[name]))
                first = ""
    return "\n".join(lines) + "\n"


_HEIGHTS = " ▁▂▃▄▅▆▇█"


def _ascii_samples(picture, columns):
    """A line of heights for each series, all over the same range: a histogram without an axis."""
    every = [v for series in picture.series for v in series.y]
    low, high = min(every), max(every)
    bins = columns - 4
    lines = [_whole(picture.title, columns)]
    for series in picture.series:
        counts = [0] * bins
        for value in series.y:
            counts[min(int((value - low) / (high - low or 1) * bins), bins - 1)] += 1
        most = max(counts)
        heights = "".join(_HEIGHTS[-(-count * (len(_HEIGHTS) - 1) // most)] for count in counts)
        lines += [_short(series.name, columns), "  " + heights.rstrip()]
    return "\n".join([*lines, "  from %.4g to %.4g %s" % (low, high, picture.y_title)]) + "\n"
