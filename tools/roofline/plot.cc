#include "tools/roofline/plot.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "tools/output/output.h"
#include "tools/roofline/report.h"

namespace assay::roofline {
namespace {

constexpr double kWidth = 1200, kHeight = 720, kTop = 70, kBottom = 640;
constexpr double kStripLeft = 70, kStripRight = 210, kMainLeft = 290, kMainRight = 1180;

std::string Escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\n':
        escaped += "&#10;";
        break;
      default:  // XML has no other control characters
        escaped += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
    }
  }
  return escaped;
}

std::string_view ColourOf(Dtype dtype) {
  switch (dtype) {
    case FP64:
      return "#7b4fb0";
    case FP32:
      return "#1f6fb4";
    case BF16:
      return "#c8452c";
    case FP16:
      return "#2b8a3e";
    default:
      return "#555555";
  }
}

// Whole decades that hold some values, on a stretch of the picture.
class Axis {
 public:
  // `from` and `to` are where the least and the greatest value lie.
  Axis(const std::vector<double>& values, double from, double to) : from_(from), to_(to) {
    if (values.empty()) return;
    const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
    first_ = static_cast<int>(std::floor(std::log10(*least * 0.9)));
    last_ = static_cast<int>(std::ceil(std::log10(*greatest * 1.1)));
  }
  int first() const { return first_; }
  int last() const { return last_; }
  double Least() const { return std::pow(10, first_); }
  double Greatest() const { return std::pow(10, last_); }
  double At(double value) const {
    return from_ + (to_ - from_) * (std::log10(value) - first_) / (last_ - first_);
  }

 private:
  double from_, to_;
  int first_ = 0, last_ = 1;
};

std::string Text(double x, double y, std::string_view anchor, std::string_view text,
                 std::string_view more = "") {
  return absl::StrFormat("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>%s</text>\n", x, y,
                         anchor, more, Escaped(text));
}

std::string Line(double x1, double y1, double x2, double y2, std::string_view style) {
  return absl::StrFormat("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" %s/>\n", x1, y1, x2,
                         y2, style);
}

constexpr std::string_view kGrid = "stroke=\"#dddddd\"";

// "0.01", "1", "1000".
std::string Decade(int exponent) { return absl::StrFormat("%.4g", std::pow(10, exponent)); }

std::string VerticalScale(const Axis& y, double left, double right, std::string_view title) {
  std::string svg;
  for (int e = y.first(); e <= y.last(); ++e) {
    const double at = y.At(std::pow(10, e));
    absl::StrAppend(&svg, Line(left, at, right, at, kGrid),
                    Text(left - 6, at + 4, "end", Decade(e)));
  }
  const double middle = (kTop + kBottom) / 2;
  absl::StrAppend(&svg,
                  Text(left - 48, middle, "middle", title,
                       absl::StrFormat(" transform=\"rotate(-90 %.1f %.1f)\"", left - 48, middle)));
  return svg;
}

std::string HorizontalScale(const Axis& x) {
  std::string svg;
  for (int e = x.first(); e <= x.last(); ++e) {
    const double at = x.At(std::pow(10, e));
    absl::StrAppend(&svg, Line(at, kTop, at, kBottom, kGrid),
                    Text(at, kBottom + 18, "middle", Decade(e)));
  }
  absl::StrAppend(&svg, Text((kMainLeft + kMainRight) / 2, kBottom + 40, "middle",
                             "operations a byte (FLOP/byte)"));
  return svg;
}

std::string Title(const Row& row) {
  std::vector<std::string> lines = {row.name,
                                    absl::StrCat(row.mode, " · ", DtypeText(row.dtype), " · ",
                                                 output::TimeText(row.time_ns.value))};
  if (row.flops > 0) {
    lines.push_back(absl::StrFormat("%.4g GFLOP/s, %.4g FLOP/byte", 1e-9 * row.FlopsPerSecond(),
                                    row.Intensity()));
  }
  lines.push_back(absl::StrFormat("%.4g GB/s", 1e-9 * row.BytesPerSecond()));
  if (row.share) {
    lines.push_back(absl::StrCat(BoundName(row.bound), ", ", ShareText(row), " % of the roofline (",
                                 ShareIntervalText(row), ")"));
  }
  if (!row.marks.empty()) lines.push_back(absl::StrJoin(row.marks, "; "));
  return absl::StrJoin(lines, "\n");
}

std::string Shape(Bound bound, double x, double y, std::string_view style) {
  constexpr double kSize = 5;
  if (bound == Bound::kMemory) {
    return absl::StrFormat("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" %s/>",
                           x - kSize, y - kSize, 2 * kSize, 2 * kSize, style);
  }
  if (bound == Bound::kLaunch) {
    return absl::StrFormat("<polygon points=\"%.1f,%.1f %.1f,%.1f %.1f,%.1f\" %s/>", x,
                           y - kSize - 1, x - kSize - 1, y + kSize, x + kSize + 1, y + kSize,
                           style);
  }
  return absl::StrFormat("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" %s/>", x, y, kSize, style);
}

// Points and, where there is room beside them, their names.
class Points {
 public:
  void Add(const Row& row, double x, double y, double left, double right) {
    const std::string_view colour = ColourOf(row.dtype);
    const std::string style =
        absl::StrFormat("fill=\"%s\" fill-opacity=\"0.85\" stroke=\"%s\" stroke-width=\"1.5\"",
                        row.marks.empty() ? colour : "white", colour);
    absl::StrAppend(&svg_, "<g class=\"point\"><title>", Escaped(Title(row)), "</title>",
                    Shape(row.bound, x, y, style), "</g>\n");
    taken_.push_back({x - 7, y - 7, x + 7, y + 7});
    labels_.push_back({row.name, x, y, left, right});
  }

  // No name is set here.
  void Reserve(double x1, double y1, double x2, double y2) { taken_.push_back({x1, y1, x2, y2}); }

  // Names are set when all points are, so that they cover none.
  std::string Svg() {
    constexpr double kCharacter = 6, kUp = 8, kDown = 4;
    for (const Label& label : labels_) {
      const double width = kCharacter * static_cast<double>(label.name.size());
      const Box right = {label.x + 9, label.y - kUp, label.x + 9 + width, label.y + kDown};
      const Box left = {label.x - 9 - width, label.y - kUp, label.x - 9, label.y + kDown};
      if (right.x2 < label.right && IsFree(right)) {
        Set(right, right.x1, "start", label);
      } else if (left.x1 > label.left && IsFree(left)) {
        Set(left, left.x2, "end", label);
      }
    }
    return svg_;
  }

 private:
  struct Box {
    double x1, y1, x2, y2;
  };
  struct Label {
    std::string name;
    double x, y, left, right;
  };

  bool IsFree(const Box& box) const {
    return std::none_of(taken_.begin(), taken_.end(), [&](const Box& other) {
      return box.x1 < other.x2 && other.x1 < box.x2 && box.y1 < other.y2 && other.y1 < box.y2;
    });
  }
  void Set(const Box& box, double x, std::string_view anchor, const Label& label) {
    taken_.push_back(box);
    absl::StrAppend(&svg_, Text(x, label.y + 3, anchor, label.name, " class=\"name\""));
  }

  std::string svg_;
  std::vector<Box> taken_;
  std::vector<Label> labels_;
};

bool IsInMain(const Row& row) { return row.time_ns.value > 0 && row.bytes > 0 && row.flops > 0; }
bool IsInStrip(const Row& row) { return row.time_ns.value > 0 && row.bytes > 0 && row.flops <= 0; }

std::string MainRoof(const Roof& roof, const Axis& x, const Axis& y) {
  if (!roof.compute || !roof.memory) return "";
  const double compute = 1e-9 * roof.compute->per_s(), memory = 1e-9 * roof.memory->per_s();
  // The slope begins where it comes into the picture.
  const double from = std::max(x.Least(), y.Least() / memory);
  const std::string style =
      absl::StrFormat("stroke=\"%s\" stroke-width=\"2\" fill=\"none\"", ColourOf(roof.dtype));
  return absl::StrCat(
      absl::StrFormat("<polyline class=\"roof\" points=\"%.1f,%.1f %.1f,%.1f %.1f,%.1f\" %s/>\n",
                      x.At(from), y.At(from * memory), x.At(compute / memory), y.At(compute),
                      kMainRight, y.At(compute), style),
      Text(kMainRight - 4, y.At(compute) - 6, "end",
           absl::StrFormat("%s %s %.4g GFLOP/s", DtypeText(roof.dtype), roof.compute->name(),
                           compute),
           absl::StrFormat(" fill=\"%s\"", ColourOf(roof.dtype))));
}

std::string MainPanel(const Analysis& analysis, Points& points) {
  std::vector<double> xs, ys;
  for (const Row& row : analysis.rows) {
    if (!IsInMain(row)) continue;
    xs.push_back(row.Intensity());
    ys.push_back(1e-9 * row.FlopsPerSecond());
  }
  if (xs.empty()) return "";
  for (const Roof& roof : analysis.roofs) {
    if (!roof.compute || !roof.memory) continue;
    xs.push_back(roof.compute->per_s() / roof.memory->per_s());
    ys.push_back(1e-9 * roof.compute->per_s());
  }
  const Axis x(xs, kMainLeft, kMainRight), y(ys, kBottom, kTop);
  std::string svg =
      absl::StrCat(HorizontalScale(x), VerticalScale(y, kMainLeft, kMainRight, "GFLOP/s"));
  for (const Roof& roof : analysis.roofs) {
    absl::StrAppend(&svg, MainRoof(roof, x, y));
    if (!roof.compute) continue;
    const double at = y.At(1e-9 * roof.compute->per_s());
    points.Reserve(kMainRight - 170, at - 18, kMainRight, at);
  }
  for (const Row& row : analysis.rows) {
    if (IsInMain(row))
      points.Add(row, x.At(row.Intensity()), y.At(1e-9 * row.FlopsPerSecond()), kMainLeft,
                 kMainRight);
  }
  return svg;
}

std::string StripPanel(const Analysis& analysis, Points& points) {
  std::vector<double> ys;
  size_t count = 0;
  for (const Row& row : analysis.rows) {
    if (IsInStrip(row)) ys.push_back(1e-9 * row.BytesPerSecond());
  }
  if (ys.empty()) return "";
  for (const Roof& roof : analysis.roofs) {
    if (roof.memory) ys.push_back(1e-9 * roof.memory->per_s());
  }
  const Axis y(ys, kBottom, kTop);
  std::string svg = absl::StrCat(
      VerticalScale(y, kStripLeft, kStripRight, "GB/s"),
      Text((kStripLeft + kStripRight) / 2, kBottom + 18, "middle", "no products counted"));
  for (const Roof& roof : analysis.roofs) {
    if (!roof.memory) continue;
    const double at = y.At(1e-9 * roof.memory->per_s());
    absl::StrAppend(&svg, Line(kStripLeft, at, kStripRight, at,
                               "class=\"roof\" stroke=\"#222222\" stroke-width=\"2\""));
    if (&roof != &analysis.roofs[0]) continue;
    absl::StrAppend(&svg, Text(kStripLeft, kTop - 10, "start",
                               absl::StrFormat("%s %.4g GB/s", roof.memory->name(),
                                               1e-9 * roof.memory->per_s())));
  }
  // Side by side, in the order of the rows.
  const double step = (kStripRight - kStripLeft) / static_cast<double>(ys.size() + 1);
  for (const Row& row : analysis.rows) {
    if (!IsInStrip(row)) continue;
    ++count;
    points.Add(row, kStripLeft + step * static_cast<double>(count),
               y.At(1e-9 * row.BytesPerSecond()), kStripLeft, kMainLeft - 60);
  }
  return svg;
}

std::string Legend() {
  constexpr std::string_view kStyle = "fill=\"#888888\" stroke=\"#444444\"";
  constexpr std::string_view kHollow = "fill=\"white\" stroke=\"#444444\"";
  double x = kStripLeft;
  std::string svg;
  const auto add = [&](Bound bound, std::string_view style, std::string_view text) {
    absl::StrAppend(&svg, Shape(bound, x, kHeight - 18, style),
                    Text(x + 12, kHeight - 14, "start", text));
    x += 36 + 7 * static_cast<double>(text.size());
  };
  add(Bound::kCompute, kStyle, "compute-bound, or not known");
  add(Bound::kMemory, kStyle, "memory-bound");
  add(Bound::kLaunch, kStyle, "launch-bound");
  add(Bound::kCompute, kHollow, "hollow: has remarks");
  return svg;
}

}  // namespace

std::string SvgPlot(const Analysis& analysis) {
  const auto left_out =
      std::count_if(analysis.rows.begin(), analysis.rows.end(),
                    [](const Row& row) { return !IsInMain(row) && !IsInStrip(row); });
  std::string svg = absl::StrFormat(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" "
      "height=\"%.0f\" font-family=\"sans-serif\" font-size=\"12\">\n"
      "<style>.name{font-size:10px;fill:#333333}</style>\n"
      "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
      kWidth, kHeight, kWidth, kHeight);
  const std::string head =
      analysis.machines.empty() ? "Roofline" : absl::StrCat("Roofline of ", analysis.machines[0]);
  absl::StrAppend(&svg, Text(kStripLeft, 30, "start", head, " font-size=\"17\""));
  if (left_out > 0) {
    absl::StrAppend(&svg, Text(kMainRight, kHeight - 14, "end",
                               absl::StrCat(left_out, left_out == 1 ? " row" : " rows",
                                            " without a time or without bytes: not shown")));
  }
  Points points;
  absl::StrAppend(&svg, StripPanel(analysis, points), MainPanel(analysis, points));
  absl::StrAppend(&svg, points.Svg(), Legend(), "</svg>\n");
  return svg;
}

}  // namespace assay::roofline
