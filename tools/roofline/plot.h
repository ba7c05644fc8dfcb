// -----------------------------------------------------------------------------
// File: plot.h
// -----------------------------------------------------------------------------
//
// The roofline as a picture: SVG, both axes logarithmic, a roof for each dtype, a point for each
// row, whose title (a browser shows it under the pointer) has the row's figures. Rows without
// counted operations have no place on an axis of operations a byte: they stand in a strip of their
// own on the left, by bytes a second.
//
//   colour    dtype
//   circle    compute-bound       square    memory-bound       triangle    launch-bound
//   hollow    the row has remarks: not verified, flagged, above the roof, ...
//
// Not for rows of several machines: one picture, one machine.
//
//   std::string svg = SvgPlot(analysis);

#ifndef ASSAY_TOOLS_ROOFLINE_PLOT_H_
#define ASSAY_TOOLS_ROOFLINE_PLOT_H_

#include <string>

#include "tools/roofline/analysis.h"

namespace assay::roofline {

// Well-formed XML whatever the names hold. Rows without a time or without bytes are counted below
// the picture.
std::string SvgPlot(const Analysis& analysis);

}  // namespace assay::roofline

#endif  // ASSAY_TOOLS_ROOFLINE_PLOT_H_
