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
#include <c10/util/Exception.h>

#include <cstdint>
#include <vector>

namespace assay::models {

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

  // Runs tokens, int64 (rows, n), that stand at positions `position` to `position` + n - 1 behind
  // those that the cache holds, and adds them to it. Returns the logits of the last of them,
  // (rows, vocabulary). Throws c10::Error where they do not fit into the cache, or go beyond the
  // positions that the model has.
  virtual at::Tensor Extend(const at::Tensor& tokens, int64_t position,
                            at::ArrayRef<at::Tensor> cache) = 0;

  // Whether ExtendRows() is there.
  virtual bool ExtendsRows() const { return false; }

  // As Extend() for one token of each row, int64 (rows, 1), where row i stands at its own position
  // positions[i], int64 (rows): sequences that began at different times, of a model whose only input is
  // the prompt. The whole cache holds finite numbers.
  virtual at::Tensor ExtendRows(const at::Tensor& /*tokens*/, const at::Tensor& /*positions*/,
                                at::ArrayRef<at::Tensor> /*cache*/) {
    TORCH_CHECK(false, "this model's rows stand at one position");
  }
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_GENERATOR_H_
