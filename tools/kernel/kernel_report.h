// -----------------------------------------------------------------------------
// File: kernel_report.h
// -----------------------------------------------------------------------------
//
// A KernelReport as text, CSV, Markdown or JSON.
//
//   std::cout << TextOf(report);

#ifndef ASSAY_TOOLS_KERNEL_KERNEL_REPORT_H_
#define ASSAY_TOOLS_KERNEL_KERNEL_REPORT_H_

#include <string>

#include "benchmarks/operators/kernel/kernel.pb.h"

namespace assay::kernel {

std::string TextOf(const KernelReport& report);
std::string CsvOf(const KernelReport& report);
std::string MarkdownOf(const KernelReport& report);
// The fields' names as in kernel.proto; those without a value stand there with 0.
std::string JsonOf(const KernelReport& report);

}  // namespace assay::kernel

#endif  // ASSAY_TOOLS_KERNEL_KERNEL_REPORT_H_
