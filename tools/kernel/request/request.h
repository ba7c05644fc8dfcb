// -----------------------------------------------------------------------------
// File: request.h
// -----------------------------------------------------------------------------
//
// A user's request to `kernel`: which operator the kernel is like, and at which sizes.
//
// An operator of the tables is known by its row's name, "softmax", or by its own, "aten::softmax.int";
// its sizes are letters: "b=4096,c=768". For any other operator the sizes are its arguments, by the
// schema's names: "self=4096x768,dim=1". Equal numbers of two dimensions stay equal in other sizes;
// letters before a number say more: "self=m64xk96,mat2=k96xn80". So does an operator of the tables, for other
// shapes and arguments than theirs; the limits are then those of the dtype. "param:FILE" stands for the
// sizes of a file of PARAM (sizes_param.h).
//
//   absl::StatusOr<OperatorRow> row = RowLike(rows, "softmax", {});
//   absl::StatusOr<std::vector<Sizes>> sizes = SizesOf(*row, {"b=64,c=1000"});

#ifndef ASSAY_TOOLS_KERNEL_REQUEST_REQUEST_H_
#define ASSAY_TOOLS_KERNEL_REQUEST_REQUEST_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/operators/kernel/kernel.pb.h"

namespace assay::kernel {

// A table with a row for each operator that has one: its name, ATen's, its letters with their first sizes, and
// the inputs that show what each letter is.
std::string ListOf(const OperatorRows& rows);

// The row of the operator; for one without a row, made of the first of `at`. InvalidArgument, with near
// names, for one that has neither.
absl::StatusOr<OperatorRow> RowLike(const OperatorRows& rows, const std::string& like,
                                    const std::vector<std::string>& at);

// The sizes of `at`, in its order; the row's own where it is empty. InvalidArgument for a letter that
// the row lacks, one that is missing, and a number below 1 or beyond 2^31.
absl::StatusOr<std::vector<Sizes>> SizesOf(const OperatorRow& row,
                                           const std::vector<std::string>& at);

}  // namespace assay::kernel

#endif  // ASSAY_TOOLS_KERNEL_REQUEST_REQUEST_H_
