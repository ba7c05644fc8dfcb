#include "models/layers/linear.h"

#include <ATen/ops/linear.h>
#include <c10/util/Exception.h>

#include <utility>
#include <vector>

#include "models/layers/recipes.h"

namespace assay::models {

Linear::Linear(Layer& parent, std::string name, const LinearOptions& options)
    : Layer(parent, std::move(name)), in_first_(options.in_first) {
  if (options.tied_weight != nullptr) {
    TORCH_CHECK(options.tied_weight->sizes() == at::IntArrayRef({options.out, options.in}),
                "Linear: the tied weight is ", options.tied_weight->sizes(), ", not [", options.out,
                ", ", options.in, "]");
    AddAlias("weight", weight_, *options.tied_weight);
  } else {
    const std::vector<int64_t> shape = in_first_ ? std::vector<int64_t>{options.in, options.out}
                                                 : std::vector<int64_t>{options.out, options.in};
    AddParameter("weight", shape, WeightInit(options.in, options.gain), weight_);
  }
  if (options.tied_bias != nullptr) {
    AddAlias("bias", bias_, *options.tied_bias);
  } else if (options.bias) {
    AddParameter("bias", {options.out}, BiasInit(), bias_);
  }
}

at::Tensor Linear::Forward(const at::Tensor& x) const {
  return at::linear(x, in_first_ ? weight_.t() : weight_, bias_);
}

}  // namespace assay::models
