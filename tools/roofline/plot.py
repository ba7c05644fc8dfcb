"""A roofline as an SVG picture: on the right GFLOP/s over FLOP/byte, under the roofs; on the left GB/s of the rows whose
products are not counted. A point's title has its figures; its name stands beside it where there is room."""

import math
from xml.sax.saxutils import escape

from tools.roofline import texts
from tools.roofline.analysis import COMPUTE, LAUNCH, MEMORY

_WIDTH, _HEIGHT, _TOP, _BOTTOM = 1200, 720, 70, 640
_STRIP_LEFT, _STRIP_RIGHT, _LEFT, _RIGHT = 70, 210, 290, 1180
_COLOURS = {"fp64": "#7b4fb0", "fp32": "#1f6fb4", "bf16": "#c8452c", "fp16": "#2b8a3e"}
_GRID = 'stroke="#dddddd"'


def svg(analysis):
    shown = [row for row in analysis.rows if row.time_ns.value > 0 and row.bytes > 0]
    points = _Points()
    panels = _strip(analysis, [row for row in shown if not row.flops > 0], points)
    panels += _main(analysis, [row for row in shown if row.flops > 0], points)
    head = "Roofline of " + analysis.machines[0] if analysis.machines else "Roofline"
    left_out = len(analysis.rows) - len(shown)
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" width="{0}" height="{1}" '
        'font-family="sans-serif" font-size="12">'.format(_WIDTH, _HEIGHT),
        "<style>.name{font-size:10px;fill:#333333}</style>",
        '<rect width="100%" height="100%" fill="white"/>',
        _text(_STRIP_LEFT, 30, "start", head, ' font-size="17"'),
    ]
    if left_out:
        said = texts.counted(left_out, "row") + " without a time or without bytes: not shown"
        parts.append(_text(_RIGHT, _HEIGHT - 14, "end", said))
    return "\n".join(parts + panels + points.svg() + _legend() + ["</svg>\n"])


def _escaped(text):
    clean = "".join(c if c >= " " or c == "\n" else "?" for c in text)  # XML has no other control characters
    return escape(clean, {'"': "&quot;", "\n": "&#10;"}).encode("utf-8", "replace").decode()


def _text(x, y, anchor, text, more=""):
    return '<text x="%.1f" y="%.1f" text-anchor="%s"%s>%s</text>' % (x, y, anchor, more, _escaped(text))


def _line(x1, y1, x2, y2, style):
    return '<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" %s/>' % (x1, y1, x2, y2, style)


def _colour(dtype):
    return _COLOURS.get(dtype, "#555555")


class _Axis:
    """Whole decades that hold some values, on a stretch of the picture: from where the least lies to where the greatest does."""

    def __init__(self, values, begin, end):
        self._begin, self._end = begin, end
        self.first = math.floor(math.log10(min(values) * 0.9))
        self.last = math.ceil(math.log10(max(values) * 1.1))

    @property
    def least(self):
        return 10.0**self.first

    @property
    def decades(self):
        return [10.0**exponent for exponent in range(self.first, self.last + 1)]

    def at(self, value):
        return self._begin + (self._end - self._begin) * (math.log10(value) - self.first) / (self.last - self.first)


def _vertical_scale(y, left, right, title):
    lines = []
    for value in y.decades:
        lines += [_line(left, y.at(value), right, y.at(value), _GRID), _text(left - 6, y.at(value) + 4, "end", texts.digits(value))]
    middle = (_TOP + _BOTTOM) / 2
    turned = ' transform="rotate(-90 %.1f %.1f)"' % (left - 48, middle)
    return lines + [_text(left - 48, middle, "middle", title, turned)]


def _horizontal_scale(x):
    lines = []
    for value in x.decades:
        lines += [_line(x.at(value), _TOP, x.at(value), _BOTTOM, _GRID)]
        lines += [_text(x.at(value), _BOTTOM + 18, "middle", texts.digits(value))]
    return lines + [_text((_LEFT + _RIGHT) / 2, _BOTTOM + 40, "middle", "operations a byte (FLOP/byte)")]


def _title(row):
    lines = [row.name, "%s · %s · %s" % (row.mode, row.dtype, texts.duration(row.time_ns.value))]
    if row.flops > 0:
        lines.append("%s GFLOP/s, %.4g FLOP/byte" % (texts.digits(1e-9 * row.flops_per_s), row.intensity))
    lines.append("%s GB/s" % texts.digits(1e-9 * row.bytes_per_s))
    if row.share:
        lines.append("%s, %s %% of the roofline (%s)" % (row.bound, texts.share(row), texts.share_interval(row)))
    if row.marks:
        lines.append("; ".join(row.marks))
    return "\n".join(lines)


def _shape(bound, x, y, style):
    size = 5
    if bound == MEMORY:
        return '<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" %s/>' % (x - size, y - size, 2 * size, 2 * size, style)
    if bound == LAUNCH:
        corners = (x, y - size - 1, x - size - 1, y + size, x + size + 1, y + size)
        return '<polygon points="%.1f,%.1f %.1f,%.1f %.1f,%.1f" ' % corners + style + "/>"
    return '<circle cx="%.1f" cy="%.1f" r="%.1f" %s/>' % (x, y, size, style)


class _Points:
    """Points and, where there is room beside them, their names."""

    def __init__(self):
        self._lines, self._taken, self._labels = [], [], []

    def add(self, row, x, y, left, right):
        colour = _colour(row.dtype)
        fill = "white" if row.marks else colour
        style = 'fill="%s" fill-opacity="0.85" stroke="%s" stroke-width="1.5"' % (fill, colour)
        title = "<title>%s</title>" % _escaped(_title(row))
        self._lines.append('<g class="point">%s%s</g>' % (title, _shape(row.bound, x, y, style)))
        self._taken.append((x - 7, y - 7, x + 7, y + 7))
        self._labels.append((row.name, x, y, left, right))

    def reserve(self, *box):
        """No name is set in x1, y1, x2, y2."""
        self._taken.append(box)

    def svg(self):
        """Names are set when all points are, so that they cover none."""
        for name, x, y, left, right in self._labels:
            width = 6 * len(name.encode("utf-8", "replace"))
            after, before = (x + 9, y - 8, x + 9 + width, y + 4), (x - 9 - width, y - 8, x - 9, y + 4)
            if after[2] < right and self._is_free(after):
                self._set(after, after[0], "start", name, y)
            elif before[0] > left and self._is_free(before):
                self._set(before, before[2], "end", name, y)
        return self._lines

    def _is_free(self, box):
        return not any(box[0] < o[2] and o[0] < box[2] and box[1] < o[3] and o[1] < box[3] for o in self._taken)

    def _set(self, box, x, anchor, name, y):
        self._taken.append(box)
        self._lines.append(_text(x, y + 3, anchor, name, ' class="name"'))


def _roof(roof, x, y):
    compute, memory = 1e-9 * roof.compute["per_s"], 1e-9 * roof.memory["per_s"]
    begin = max(x.least, y.least / memory)  # where the slope comes into the picture
    corners = (x.at(begin), y.at(begin * memory), x.at(compute / memory), y.at(compute), _RIGHT, y.at(compute))
    style = 'stroke="%s" stroke-width="2" fill="none"' % _colour(roof.dtype)
    label = "%s %s %s GFLOP/s" % (roof.dtype, roof.compute["name"], texts.digits(compute))
    return [
        '<polyline class="roof" points="%.1f,%.1f %.1f,%.1f %.1f,%.1f" ' % corners + style + "/>",
        _text(_RIGHT - 4, y.at(compute) - 6, "end", label, ' fill="%s"' % _colour(roof.dtype)),
    ]


def _main(analysis, rows, points):
    if not rows:
        return []
    whole = [roof for roof in analysis.roofs if roof.compute and roof.memory]
    xs = [row.intensity for row in rows] + [roof.compute["per_s"] / roof.memory["per_s"] for roof in whole]
    ys = [1e-9 * row.flops_per_s for row in rows] + [1e-9 * roof.compute["per_s"] for roof in whole]
    x, y = _Axis(xs, _LEFT, _RIGHT), _Axis(ys, _BOTTOM, _TOP)
    lines = _horizontal_scale(x) + _vertical_scale(y, _LEFT, _RIGHT, "GFLOP/s")
    for roof in whole:
        lines += _roof(roof, x, y)
        at = y.at(1e-9 * roof.compute["per_s"])
        points.reserve(_RIGHT - 170, at - 18, _RIGHT, at)
    for row in rows:
        points.add(row, x.at(row.intensity), y.at(1e-9 * row.flops_per_s), _LEFT, _RIGHT)
    return lines


def _strip(analysis, rows, points):
    if not rows:
        return []
    memories = [roof.memory for roof in analysis.roofs if roof.memory]
    ys = [1e-9 * row.bytes_per_s for row in rows] + [1e-9 * memory["per_s"] for memory in memories]
    y = _Axis(ys, _BOTTOM, _TOP)
    lines = _vertical_scale(y, _STRIP_LEFT, _STRIP_RIGHT, "GB/s")
    lines.append(_text((_STRIP_LEFT + _STRIP_RIGHT) / 2, _BOTTOM + 18, "middle", "no products counted"))
    roof = 'class="roof" stroke="#222222" stroke-width="2"'
    for memory in memories:
        at = y.at(1e-9 * memory["per_s"])
        lines.append(_line(_STRIP_LEFT, at, _STRIP_RIGHT, at, roof))
    if memories:
        label = "%s %s GB/s" % (memories[0]["name"], texts.digits(1e-9 * memories[0]["per_s"]))
        lines.append(_text(_STRIP_LEFT, _TOP - 10, "start", label))
    step = (_STRIP_RIGHT - _STRIP_LEFT) / (len(ys) + 1)  # side by side, in the order of the rows
    for place, row in enumerate(rows, 1):
        points.add(row, _STRIP_LEFT + step * place, y.at(1e-9 * row.bytes_per_s), _STRIP_LEFT, _LEFT - 60)
    return lines


def _legend():
    plain, hollow = 'fill="#888888" stroke="#444444"', 'fill="white" stroke="#444444"'
    x, lines = _STRIP_LEFT, []
    for bound, style, text in (
        (COMPUTE, plain, "compute-bound, or not known"),
        (MEMORY, plain, "memory-bound"),
        (LAUNCH, plain, "launch-bound"),
        (COMPUTE, hollow, "hollow: has remarks"),
    ):
        lines += [_shape(bound, x, _HEIGHT - 18, style), _text(x + 12, _HEIGHT - 14, "start", text)]
        x += 36 + 7 * len(text)
    return lines
