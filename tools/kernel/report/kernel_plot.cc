#include "tools/kernel/report/kernel_plot.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "benchmarks/harness/text/byte_text.h"
#include "benchmarks/harness/text/untrusted_text.h"

namespace assay::kernel {
namespace {

constexpr double kWidth = 560, kLeft = 62, kRight = 545, kTop = 34, kBottom = 262, kHeight = 310;
constexpr double kAside = 4;  // of one line from the next

// A logarithmic axis, somewhat wider than its values.
class Axis {
 public:
  Axis(double least, double most, double begin, double end)
      : low_(std::log(least) - kMargin),
        high_(std::log(most) + kMargin),
        begin_(begin),
        end_(end) {}
  double At(double value) const {
    return begin_ + (end_ - begin_) * (std::log(value) - low_) / (high_ - low_);
  }
  double Low() const { return std::exp(low_); }
  double High() const { return std::exp(high_); }

 private:
  static constexpr double kMargin = 0.25;
  double low_, high_, begin_, end_;
};

// 1, 10, 100; or 1, 2, 5, 10; or closer, so that there are three at least.
std::vector<double> RateTicks(const Axis& axis) {
  std::vector<double> ticks;
  for (const std::vector<double>& steps :
       {std::vector<double>{1}, {1, 2, 5}, {1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9}}) {
    ticks.clear();
    for (double decade = std::pow(10, std::floor(std::log10(axis.Low()))); decade < axis.High();
         decade *= 10) {
      for (const double step : steps) {
        if (step * decade >= axis.Low() && step * decade <= axis.High())
          ticks.push_back(step * decade);
      }
    }
    if (ticks.size() >= 3) break;
  }
  return ticks;
}

// Powers of two, six at most.
std::vector<double> ByteTicks(const Axis& axis) {
  const double first = std::ceil(std::log2(axis.Low())), last = std::log2(axis.High());
  const double step = std::max(1.0, std::ceil((last - first) / 6));
  std::vector<double> ticks;
  for (double power = std::ceil(first / step) * step; power <= last; power += step) {
    if (power >= 0) ticks.push_back(std::exp2(power));
  }
  return ticks;
}

std::string Label(double x, double y, const char* anchor, const std::string& text,
                  const char* more = "") {
  return absl::StrFormat("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>%s</text>\n", x, y,
                         anchor, more, Escaped(text));
}

std::string Stroke(double x1, double y1, double x2, double y2, const char* of) {
  return absl::StrFormat("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>\n",
                         x1, y1, x2, y2, of);
}

std::string Scales(const Plot& plot, const Axis& x, const Axis& y) {
  std::string svg;
  for (const double tick : RateTicks(y))
    absl::StrAppend(&svg, Stroke(kLeft, y.At(tick), kRight, y.At(tick), "grid"),
                    Label(kLeft - 7, y.At(tick) + 4, "end", absl::StrFormat("%.4g", tick)));
  for (const double tick : ByteTicks(x))
    absl::StrAppend(&svg, Stroke(x.At(tick), kBottom, x.At(tick), kBottom + 5, "axis"),
                    Label(x.At(tick), kBottom + 20, "middle",
                          absl::StrReplaceAll(base::ByteText(static_cast<int64_t>(tick)),
                                              {{".00 ", " "}, {".0 ", " "}})));
  return absl::StrCat(
      svg, Stroke(kLeft, kBottom, kRight, kBottom, "axis"),
      Label((kLeft + kRight) / 2, kHeight - 6, "middle", "bytes that a call must move"),
      Label(kLeft - 50, kTop - 16, "start", plot.unit),
      Label((kLeft + kRight) / 2, kTop - 16, "middle", plot.title, " class=\"title\""));
}

std::string Path(const std::vector<PlotPoint>& points, const Axis& x, const Axis& y,
                 double aside = 0) {
  std::string path;
  for (const PlotPoint& point : points)
    absl::StrAppendFormat(&path, "%.1f,%.1f ", x.At(point.bytes) + aside, y.At(point.rate));
  return path;
}

// From edge to edge. Its text stands at the end where the lines are farther from it.
std::string Roof(const Plot& plot, const Axis& x, const Axis& y) {
  if (plot.roof.empty()) return "";
  std::vector<PlotPoint> roof = plot.roof;
  PlotPoint first = roof.front(), last = roof.back();
  double first_ratio = 0, last_ratio = 0;
  for (const std::vector<PlotPoint>& points : plot.series) {
    if (points.empty()) continue;
    first_ratio = std::max(first_ratio, points.front().rate / first.rate);
    last_ratio = std::max(last_ratio, points.back().rate / last.rate);
  }
  const bool left = first_ratio < last_ratio;
  first.bytes = x.Low(), last.bytes = x.High();
  roof.insert(roof.begin(), first);
  roof.push_back(last);
  const PlotPoint& end = left ? first : last;
  return absl::StrCat("<polyline class=\"roof\" points=\"", Path(roof, x, y), "\"/>\n",
                      Label(left ? kLeft + 4 : kRight - 4, y.At(end.rate) - 6,
                            left ? "start" : "end", end.text, " class=\"over\""));
}

// `aside`: so that the bars of several lines stand beside each other.
std::string SeriesOf(const std::vector<PlotPoint>& points, size_t number, double aside,
                     const Axis& x, const Axis& y) {
  if (points.empty()) return "";
  std::string svg = absl::StrCat("<g class=\"s", number, "\"><polyline points=\"",
                                 Path(points, x, y, aside), "\"/>\n");
  for (const PlotPoint& point : points) {
    const double at = x.At(point.bytes) + aside;
    absl::StrAppend(&svg, Stroke(at, y.At(point.least), at, y.At(point.most), "bar"));
    absl::StrAppendFormat(&svg,
                          "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\"><title>%s</title></circle>\n",
                          at, y.At(point.rate), Escaped(point.text));
  }
  return svg + "</g>\n";
}

}  // namespace

std::string Escaped(const std::string& text) {
  constexpr size_t kLongest = 100'000;
  std::string lines;
  for (const absl::string_view line : absl::StrSplit(text, '\n'))
    absl::StrAppend(&lines, lines.empty() ? "" : "\n", base::Printable(line, kLongest));
  return absl::StrReplaceAll(
      lines, {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}, {"'", "&#39;"}});
}

std::string PlotOf(const Plot& plot) {
  std::vector<double> bytes, rates;
  for (const std::vector<PlotPoint>& points : plot.series) {
    for (const PlotPoint& point : points) {
      bytes.push_back(point.bytes);
      rates.insert(rates.end(), {point.least, point.most});
    }
  }
  if (bytes.empty()) return "";
  for (const PlotPoint& point : plot.roof) rates.push_back(point.rate);
  const auto [least, most] = std::minmax_element(bytes.begin(), bytes.end());
  const auto [slowest, fastest] = std::minmax_element(rates.begin(), rates.end());
  const Axis x(*least, *most, kLeft, kRight), y(*slowest, *fastest, kBottom, kTop);
  std::string svg =
      absl::StrFormat("<svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"%s\">\n", kWidth,
                      kHeight, Escaped(absl::StrCat(plot.title, ", ", plot.unit, " over bytes")));
  absl::StrAppend(&svg, Scales(plot, x, y), Roof(plot, x, y));
  for (size_t i = 0; i < plot.series.size(); ++i)
    absl::StrAppend(&svg, SeriesOf(plot.series[i], i, kAside * static_cast<double>(i), x, y));
  return svg + "</svg>\n";
}

}  // namespace assay::kernel
