#ifndef ASSAY_BENCHMARKS_HARNESS_BASE_TORCH_STATUS_H_
#define ASSAY_BENCHMARKS_HARNESS_BASE_TORCH_STATUS_H_

// ---------------------------------------------------------------------------------------------
// torch_status.h: turns LibTorch's exceptions into absl::Status where LibTorch is called.
//
// Not for: exceptions of our own code; it throws none.
//
// Example:
//   absl::Status status = CatchTorch("allocating input \"x\"", [&] { x = at::empty(shape); });
// ---------------------------------------------------------------------------------------------

#include <exception>
#include <new>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/cuda_error.h"
#include "c10/util/Exception.h"

namespace assay::base {

// Texts that mean "out of memory" where the exception's type does not say so: of the CPU's
// allocator; of the CUDA runtime; of cuBLAS and cuDNN, which allocate memory themselves.
inline constexpr std::string_view kOutOfMemoryTexts[] = {
    "can't allocate memory", "not enough memory", "CUDA error: out of memory", "_ALLOC_FAILED",
    "_ALLOCATION_FAILED"};

// ResourceExhausted where memory ran out, Unavailable where the device was lost, Internal otherwise;
// the message is "<doing>: <first part of LibTorch's message, without its stack>".
inline absl::Status TorchStatus(std::string_view doing, const c10::Error& error) {
  const std::string_view what = error.what_without_backtrace();
  absl::StatusCode code = absl::StatusCode::kInternal;
  // LibTorch throws this wherever a call of the CUDA runtime fails.
  if (const auto* cuda = dynamic_cast<const c10::AcceleratorError*>(&error))
    code = CodeOfCudaError(cuda->get_error_code());
  bool out_of_memory = dynamic_cast<const c10::OutOfMemoryError*>(&error) != nullptr;
  for (const std::string_view text : kOutOfMemoryTexts)
    out_of_memory |= what.find(text) != std::string_view::npos;
  if (out_of_memory) code = absl::StatusCode::kResourceExhausted;
  return absl::Status(code, absl::StrCat(doing, ": ", what));
}

// Runs `call` and returns OK, or its exception as a status. `doing` reads as "allocating input
// \"x\"".
template <typename Call>
absl::Status CatchTorch(std::string_view doing, Call&& call) {
  try {
    call();
    return absl::OkStatus();
  } catch (const c10::Error& error) {
    return TorchStatus(doing, error);
  } catch (const std::bad_alloc&) {
    return absl::ResourceExhaustedError(absl::StrCat(doing, ": out of memory"));
  } catch (const std::exception& error) {
    return absl::InternalError(absl::StrCat(doing, ": ", error.what()));
  }
}

}  // namespace assay::base

#endif  // ASSAY_BENCHMARKS_HARNESS_BASE_TORCH_STATUS_H_
