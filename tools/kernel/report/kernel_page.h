// -----------------------------------------------------------------------------
// File: kernel_page.h
// -----------------------------------------------------------------------------
//
// A KernelReport as one page of HTML that opens without a network: verdicts first, then plots of the rate over the sizes
// (kernel_plot.h) and the table. It has no script, so what a file's name holds is text.
//
//   tensor_files::WriteFileAtomically("page.html", PageOf(report));

#ifndef ASSAY_TOOLS_KERNEL_REPORT_KERNEL_PAGE_H_
#define ASSAY_TOOLS_KERNEL_REPORT_KERNEL_PAGE_H_

#include <string>

#include "benchmarks/operators/kernel/kernel.pb.h"

namespace assay::kernel {

std::string PageOf(const KernelReport& report);

}  // namespace assay::kernel

#endif  // ASSAY_TOOLS_KERNEL_REPORT_KERNEL_PAGE_H_
