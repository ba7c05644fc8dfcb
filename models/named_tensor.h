#ifndef ASSAY_MODELS_NAMED_TENSOR_H_
#define ASSAY_MODELS_NAMED_TENSOR_H_

// ---------------------------------------------------------------------------------------------
// models/named_tensor.h: one tensor of a program's state, with its name and its recipe.
//
// Example:
//     for (NamedTensor& entry : model.State()) {
//       if (entry.NeedsFilling()) { ... fill entry.tensor by entry.init ... }
//     }
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

#include "models/init.h"

namespace assay::models {

// One parameter or buffer under one of its names.
struct NamedTensor {
  std::string name = {};   // as in the independent implementation's state_dict
  at::Tensor tensor = {};  // shares its memory with the model
  Init init = {};          // how to fill it; meaningless unless NeedsFilling()
  bool trainable = false;  // a parameter, not a buffer; false for aliases, so that an optimizer
                           // gets each parameter once
  bool given = false;      // a buffer that the model made with its value
  bool alias = false;      // a further name of a tensor that stands earlier in the list
  int64_t lowered_elements = 0;  // of the weight that this buffer replaces; 0: not lowered
  bool sparse_access = false;    // a call that uses it under this name reads only some of its rows

  // Whether the harness fills this tensor.
  bool NeedsFilling() const { return !given && !alias && tensor.is_floating_point(); }
};

// Bytes of the state that any call reads: each memory once, however many names it has. A table
// that is looked up under all of its names is left out, as a call may read a single row of it.
int64_t BytesReadAtLeast(const std::vector<NamedTensor>& state);

}  // namespace assay::models

#endif  // ASSAY_MODELS_NAMED_TENSOR_H_
