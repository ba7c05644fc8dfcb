#ifndef ASSAY_MODELS_GENERATOR_H_
#define ASSAY_MODELS_GENERATOR_H_

// ---------------------------------------------------------------------------------------------
// models/generator.h: the interface that a model adds to models/model.h if it generates tokens one
// after another with a cache of what it has computed of those before.
//
// The cache belongs to the caller and has a fixed capacity, so that its addresses stay the same
// from call to call (a CUDA graph needs that). Positions are arguments. The model itself keeps
// nothing: the same tokens, position and cache give the same logits. What an encoder makes of its
// input, and masks of the prompt, are in the cache too.
//
// Not for: choosing tokens (benchmarks/harness/programs/generation_program.h), beams, sampling.
//
// Example:
//
//     auto* generator = dynamic_cast<Generator*>(model.get());     // null: it does not generate
//     std::vector<at::Tensor> cache = generator->NewCache({prompt}, prompt.size(1) + 16);
//     at::Tensor logits = generator->Prefill({prompt}, cache);               // (rows, vocabulary)
//     logits = generator->Extend(logits.argmax(1, true), prompt.size(1), cache);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace assay::models {

// The place of new tokens behind those of a cache.
struct CachePlace {
  // n tokens of every row at `position` to `position` + n - 1.
  CachePlace(int64_t position) : position(position) {}  // NOLINT: a position is a place
  // One token of each row, where row i stands at its own position positions[i], int64 (rows): sequences that
  // began at different times.
  explicit CachePlace(at::Tensor positions)
      : position(positions.max().item<int64_t>()), rows(std::move(positions)) {}

  int64_t position = 0;  // where rows differ: the last one
  at::Tensor rows = {};  // undefined: rows do not differ
};

class Generator {
 public:
  virtual ~Generator() = default;

  // Tensors for `capacity` tokens of as many sequences as `inputs`, those of Forward, have rows, in
  // the dtype and on the device of the model. Dimension 0 is the row, dimension 1 the token. Their
  // values do not matter.
  virtual std::vector<at::Tensor> NewCache(at::ArrayRef<at::Tensor> inputs, int64_t capacity) = 0;

  // Fills the cache anew from the inputs of Forward, the prompt among them. Returns the logits of
  // the prompt's last token, (rows, vocabulary). As it stands here it is for a model whose only
  // input is the prompt.
  virtual at::Tensor Prefill(at::ArrayRef<at::Tensor> inputs, at::ArrayRef<at::Tensor> cache) {
    return Extend(inputs[0], 0, cache);
  }

  // Runs tokens, int64 (rows, n), that stand at `place` behind those that the cache holds, and adds
  // them to it. Returns the logits of the last of them, (rows, vocabulary). Throws c10::Error where
  // they do not fit into the cache, or go beyond the positions that the model has. Where rows differ,
  // the whole cache holds finite numbers.
  virtual at::Tensor Extend(const at::Tensor& tokens, const CachePlace& place,
                            at::ArrayRef<at::Tensor> cache) = 0;
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_GENERATOR_H_
