// -----------------------------------------------------------------------------
// File: kernel_report.h
// -----------------------------------------------------------------------------
//
// A KernelReport as text, CSV, Markdown or JSON. Text has of each candidate what it is and its verdict, then one table:
// a row for each size, kind of cache and candidate.
//
// Not for the page of --html: kernel_page.h.
//
//   std::cout << TextOf(report);

#ifndef ASSAY_TOOLS_KERNEL_REPORT_KERNEL_REPORT_H_
#define ASSAY_TOOLS_KERNEL_REPORT_KERNEL_REPORT_H_

#include <string>
#include <utility>
#include <vector>

#include "benchmarks/operators/kernel/kernel.pb.h"

namespace assay::kernel {

std::string TextOf(const KernelReport& report);
// Every figure, also those that a table leaves out; empty where one was not measured.
std::string CsvOf(const KernelReport& report);
std::string MarkdownOf(const KernelReport& report);
// The fields' names as in kernel.proto. Those without a value stand there with 0, but `optional` ones are absent.
std::string JsonOf(const KernelReport& report);

// The parts, which the page has as well.

// As short as tells it from the others: the name of its operator, its file's name, or the file's path.
std::string LabelOf(const KernelReport& report, const KernelCandidate& candidate);

// {"verdict", "RIGHT: ..."}; a line that goes on has no label.
std::vector<std::pair<std::string, std::string>> LinesOf(const KernelReport& report,
                                                         const KernelCandidate& candidate);

// Head and rows of those that were measured, without columns that no row has a value for; empty where none was.
std::vector<std::vector<std::string>> TableOf(const KernelReport& report);

// Whether a column of this head holds words.
bool HoldsWords(const std::string& head);

}  // namespace assay::kernel

#endif  // ASSAY_TOOLS_KERNEL_REPORT_KERNEL_REPORT_H_
