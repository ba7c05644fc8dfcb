#ifndef ASSAY_MODELS_PARAMETERS_H_
#define ASSAY_MODELS_PARAMETERS_H_

// ---------------------------------------------------------------------------------------------
// models/parameters.h: the named values that make one model out of an implementation.
//
// They are complete and have the kinds that the implementation's ParameterSpecs declare
// (//defs/compiler:compile_cases has checked both and filled in the defaults), so a missing name or another
// kind is a bug of this suite: the getters abort and name the parameter. A rule that no spec can
// express, such as "hidden_size is a multiple of num_attention_heads", is checked by the
// implementation when it is created; it returns a Status.
//
// Not for: protos (this package knows none of them), defaults, ranges.
//
// Example:
//
//     Parameters parameters;
//     parameters.Set("block", "bottleneck");
//     parameters.Set("groups", 32);
//     parameters.Set("layers", std::vector<int64_t>{3, 4, 6, 3});
//     parameters.Integer("groups");                                            // 32
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace assay::models {

class Parameters {
 public:
  using Value = std::variant<int64_t, double, bool, std::string, std::vector<int64_t>>;

  // Replaces any value of this name.
  void Set(std::string_view name, Value value);

  int64_t Integer(std::string_view name) const;
  double Real(std::string_view name) const;
  bool Flag(std::string_view name) const;
  const std::string& Text(std::string_view name) const;
  const std::vector<int64_t>& Integers(std::string_view name) const;

 private:
  template <typename T>
  const T& Get(std::string_view name, const char* kind) const;

  std::map<std::string, Value, std::less<>> values_;
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_PARAMETERS_H_
