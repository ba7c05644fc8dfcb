// -----------------------------------------------------------------------------
// File: sizes_param.h
// -----------------------------------------------------------------------------
//
// The sizes of an operator that a file of PARAM's configurations has (benchmarks/operators/param): each set
// once, in the file's order, macros multiplied out. "torch.mm", "torch.nn.functional.mm" and "aten::mm" are
// the operator "aten::mm". Shapes alone count: dtypes and other arguments are those of --dtype and of the row.
//
//   absl::StatusOr<std::vector<std::string>> sizes = SizesInParam(row, **param::ConfigFile::Open("mm.json"));
//   // {"m=2048,k=4096,n=4096", ...}

#ifndef ASSAY_TOOLS_KERNEL_REQUEST_SIZES_PARAM_H_
#define ASSAY_TOOLS_KERNEL_REQUEST_SIZES_PARAM_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/operators/kernel/kernel.pb.h"
#include "benchmarks/operators/param/parsing/config_file.h"

namespace assay::kernel {

// A letter that no input has keeps the number of the row's first sizes. InvalidArgument for a file that
// does not have the operator, and, with PARAM's id, for shapes that are not the row's.
absl::StatusOr<std::vector<std::string>> SizesInParam(const OperatorRow& row,
                                                      const param::ConfigFile& file);

}  // namespace assay::kernel

#endif  // ASSAY_TOOLS_KERNEL_REQUEST_SIZES_PARAM_H_
