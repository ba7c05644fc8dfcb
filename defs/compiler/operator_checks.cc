// Checks what authors of operator calls write, before anything is resolved.

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "defs/compiler/case_checks.h"

namespace assay {
namespace {

// Gradients come last; each belongs to an input. A ".grad" input belongs to an output.
void CheckGradients(const OperatorCall& call, const std::string& where, Problems* problems) {
  const auto require = [&](bool holds, std::string_view what) {
    if (!holds) problems->push_back(absl::StrCat(where, ": ", what));
  };
  const auto holds = [](const auto& items, std::string_view name) {
    return std::any_of(items.begin(), items.end(),
                       [name](const auto& item) { return item.name() == name; });
  };
  bool gradients = false;
  for (const OutputSpec& output : call.outputs()) {
    std::string_view input = output.name();
    if (!absl::ConsumeSuffix(&input, ".grad")) {
      require(!gradients, absl::StrCat("output '", output.name(),
                                       "' stands behind a gradient; gradients come last"));
      continue;
    }
    gradients = true;
    require(holds(call.inputs(), input),
            absl::StrCat("output '", output.name(), "' is a gradient, and there is no input '",
                         input, "'"));
  }
  for (const InputSpec& input : call.inputs()) {
    std::string_view output = input.name();
    if (!absl::ConsumeSuffix(&output, ".grad")) continue;
    require(
        call.backward() && holds(call.outputs(), output),
        absl::StrCat("input '", input.name(), "' is for backward to begin with, and there is no ",
                     call.backward() ? absl::StrCat("output '", output, "'") : "backward"));
  }
  require(gradients == call.backward(),
          gradients ? "an output is a gradient, but backward is not set"
                    : "backward is set, and no output is a gradient; \"self.grad\" is that of the "
                      "input \"self\"");
}

}  // namespace

void CheckOperatorCall(const BenchmarkCase& c, const std::string& where, Problems* problems) {
  const OperatorCall& call = c.operator_call();
  const auto require = [&](bool holds, std::string_view what) {
    if (!holds) problems->push_back(absl::StrCat(where, ": operator_call: ", what));
  };
  const auto require_operator = [&](std::string_view field, std::string_view name) {
    const size_t colons = name.find("::");
    require(name.size() <= 100 && colons != name.npos && colons > 0 && colons + 2 < name.size(),
            absl::StrCat(field, " '", name.substr(0, 120),
                         "' is no operator; \"aten::addmm\" is one, with \".overload\" where there "
                         "are several"));
  };
  require_operator("name", call.name());
  if (!call.truth().empty()) require_operator("truth", call.truth());
  require(c.mode() == EVAL, "an operator is not trained; mode EVAL is allowed");
  require(
      c.dtype() != FP64,
      "dtype FP64: its truth is the same operator in float64, which on the CPU would be compared "
      "with itself; one of FP32, BF16, FP16");
  require(c.parameters().empty(), "parameters are those of models; an operator has arguments");
  const std::string here = absl::StrCat(where, ": operator_call");
  CheckTensors(call.inputs(), call.outputs(), here, problems);
  CheckOutputRules(call.outputs(), c.dtype(), c.verify(), here, problems);
  std::set<std::string> inputs;
  for (const InputSpec& input : call.inputs()) inputs.insert(input.name());
  const std::map<std::string, ParameterValue> arguments(call.arguments().begin(),
                                                        call.arguments().end());
  for (const auto& [argument, value] : arguments) {
    RequireName("argument", argument, true, here, problems);
    require(value.value_case() != ParameterValue::VALUE_NOT_SET,
            absl::StrCat("argument '", argument, "' has no value"));
    require(inputs.count(argument) == 0,
            absl::StrCat("argument '", argument, "' is given a second time, as an input"));
  }
  CheckGradients(call, here, problems);
}

}  // namespace assay
