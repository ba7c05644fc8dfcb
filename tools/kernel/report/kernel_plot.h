// -----------------------------------------------------------------------------
// File: kernel_plot.h
// -----------------------------------------------------------------------------
//
// Rates over sizes as an SVG picture, on two logarithmic axes: a line for each series, with a bar from its least to its
// largest rate, and under a roof. Colours are classes, which the page's style sets.
//
//   std::string svg = PlotOf({.title = "hot", .unit = "GB/s", .series = {...}, .roof = {{512000, 17.2}}});

#ifndef ASSAY_TOOLS_KERNEL_REPORT_KERNEL_PLOT_H_
#define ASSAY_TOOLS_KERNEL_REPORT_KERNEL_PLOT_H_

#include <string>
#include <vector>

namespace assay::kernel {

// Escaped for HTML and SVG, also within quotes; characters that cannot be seen are \xNN.
std::string Escaped(const std::string& text);

struct PlotPoint {
  double bytes = 0, rate = 0;  // above 0
  double least = 0, most = 0;  // of the rate
  std::string text = {};       // for who points at it
};

struct Plot {
  std::string title = {}, unit = {};
  std::vector<std::vector<PlotPoint>> series =
      {};                            // of the class s0, s1, ...; each by rising bytes
  std::vector<PlotPoint> roof = {};  // the same; empty: unknown
};

// Empty without a point.
std::string PlotOf(const Plot& plot);

}  // namespace assay::kernel

#endif  // ASSAY_TOOLS_KERNEL_REPORT_KERNEL_PLOT_H_
