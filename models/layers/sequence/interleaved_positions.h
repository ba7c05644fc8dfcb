#ifndef ASSAY_MODELS_LAYERS_SEQUENCE_INTERLEAVED_POSITIONS_H_
#define ASSAY_MODELS_LAYERS_SEQUENCE_INTERLEAVED_POSITIONS_H_

// ---------------------------------------------------------------------------------------------
// models/layers/sequence/interleaved_positions.h: a table of positions, a sine followed by its cosine,
// as a buffer "pe" (1, rows, features).
//
// Example:
//     InterleavedPositions positions{*this, "position", "bert_pytorch", /*rows=*/512, /*features=*/64};
//     x = words + positions.First(x.size(1));                     // (1, count, features)
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>
#include <c10/util/Exception.h>

#include <cstdint>
#include <string>
#include <utility>

#include "models/layers/core/layer.h"
#include "models/layers/sequence/sinusoids.h"

namespace assay::models {

class InterleavedPositions final : public Layer {
 public:
  // `features` is even. `family` begins the message for a row that is too long, and is kept.
  InterleavedPositions(Layer& parent, std::string name, const char* family, int64_t rows,
                       int64_t features)
      : Layer(parent, std::move(name)), family_(family) {
    AddBuffer("pe", InterleavedSinusoids(rows, features).unsqueeze(0), table_);
  }

  // Throws c10::ValueError for more rows than there are.
  at::Tensor First(int64_t count) const {
    TORCH_CHECK_VALUE(count <= table_.size(1), family_, ": ", count,
                      " positions in a row; at most ", table_.size(1));
    return table_.narrow(1, 0, count);
  }

 private:
  const char* const family_;
  at::Tensor table_;  // (1, rows, features)
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_SEQUENCE_INTERLEAVED_POSITIONS_H_
