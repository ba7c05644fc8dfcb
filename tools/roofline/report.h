// -----------------------------------------------------------------------------
// File: report.h
// -----------------------------------------------------------------------------
//
// An analysis for a person (table), a program (JSON) and a spreadsheet (CSV). JSON and CSV have the
// same fields in full precision, with units in their names; what is not known is null, or empty.
//
// Not for pictures: plot.h.
//
//   std::cout << TextReport(analysis);

#ifndef ASSAY_TOOLS_ROOFLINE_REPORT_H_
#define ASSAY_TOOLS_ROOFLINE_REPORT_H_

#include <string>

#include "tools/roofline/analysis.h"

namespace assay::roofline {

std::string TextReport(const Analysis& analysis);
std::string JsonReport(const Analysis& analysis);
std::string CsvReport(const Analysis& analysis);

// "note       ..." a line each: what CSV and a plot have no place for.
std::string NotesText(const Analysis& analysis);

// "fp32"; "-" for none.
std::string DtypeText(Dtype dtype);
// "45.2" and "44.9 .. 45.6", in percent; "-" where not known.
std::string ShareText(const Row& row);
std::string ShareIntervalText(const Row& row);
// "1.23 G" by a factor of 1000, four digits; "-" for 0.
std::string SiText(double value);

}  // namespace assay::roofline

#endif  // ASSAY_TOOLS_ROOFLINE_REPORT_H_
