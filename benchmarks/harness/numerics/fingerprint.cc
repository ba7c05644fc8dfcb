#include "benchmarks/harness/numerics/fingerprint.h"

#include <algorithm>
#include <string_view>

#include "absl/hash/hash.h"

namespace assay::numerics {
namespace {

constexpr int64_t kWholeBytes = int64_t{1} << 20;
constexpr int64_t kPieceBytes = int64_t{1} << 16;
constexpr int64_t kPieces = 16;

uint64_t OfPiece(const at::Tensor& flat, int64_t first, int64_t count, uint64_t state) {
  const at::Tensor piece = flat.slice(0, first, first + count).to(at::kCPU);
  const std::string_view bytes(static_cast<const char*>(piece.data_ptr()),
                               static_cast<size_t>(piece.nbytes()));
  return absl::HashOf(state, bytes);
}

uint64_t OfTensor(const at::Tensor& tensor, uint64_t state) {
  if (!tensor.defined()) return absl::HashOf(state, -1);
  const at::Tensor flat = tensor.detach().contiguous().view({-1});
  state = absl::HashOf(state, flat.numel());
  if (static_cast<int64_t>(flat.nbytes()) <= kWholeBytes)
    return OfPiece(flat, 0, flat.numel(), state);
  const int64_t count = kPieceBytes / static_cast<int64_t>(flat.element_size());
  const int64_t last = flat.numel() - count;
  for (int64_t i = 0; i < kPieces; ++i)
    state = OfPiece(flat, last * i / (kPieces - 1), count, state);
  return state;
}

}  // namespace

uint64_t Fingerprint(at::ArrayRef<at::Tensor> tensors) {
  uint64_t state = tensors.size();
  for (const at::Tensor& tensor : tensors) state = OfTensor(tensor, state);
  return state;
}

}  // namespace assay::numerics
