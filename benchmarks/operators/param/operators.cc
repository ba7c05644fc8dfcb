#include "benchmarks/operators/param/operators.h"

#include <c10/core/GradMode.h>
#include <torch/csrc/jit/frontend/function_schema_parser.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/text/untrusted_text.h"
#include "benchmarks/operators/param/embedding_bags.h"
#include "benchmarks/operators/param/modules.h"
#include "benchmarks/operators/param/networks.h"

namespace assay::param {
namespace {

using execution::OperatorArguments;
using execution::Tensors;

// Whether an argument names a file: aten::from_file makes or enlarges any that the user may write.
bool NamesAFile(const c10::FunctionSchema& schema) {
  for (const c10::Argument& argument : schema.arguments()) {
    const bool is_text = absl::StrContains(argument.type()->str(), "str");
    if (is_text && (absl::StrContains(argument.name(), "file") ||
                    absl::StrContains(argument.name(), "path"))) {
      return true;
    }
  }
  return false;
}

// The places of arguments that the operator writes to and does not return, as "self" of
// aten::_foreach_add_.Scalar.
std::vector<size_t> WrittenAlone(const c10::FunctionSchema& schema) {
  std::vector<size_t> places;
  for (size_t i = 0; i < schema.arguments().size(); ++i) {
    const c10::AliasInfo* const written = schema.arguments()[i].alias_info();
    if (written == nullptr || !written->isWrite()) continue;
    const bool returned = std::any_of(
        schema.returns().begin(), schema.returns().end(), [&](const c10::Argument& result) {
          return result.alias_info() != nullptr &&
                 result.alias_info()->beforeSets() == written->beforeSets();
        });
    if (!returned) places.push_back(i);
  }
  return places;
}

absl::StatusOr<BoundCall> BindBoxed(const std::string& name, const OperatorArguments& inputs,
                                    bool trusted) {
  absl::StatusOr<execution::BoundOperator> bound = execution::BindOperator(name, inputs);
  if (!bound.ok()) return bound.status();
  if (!trusted && NamesAFile(bound->handle.schema())) {
    return absl::InvalidArgumentError(
        absl::StrCat(name,
                     " reads or writes files that the configuration names; --trust allows "
                     "it, for a configuration of somebody whom you trust"));
  }
  const operators::Callable call = operators::CallableOf(*bound);
  JudgedCall judged = {
      .call = call,
      .operator_name = c10::toString(bound->handle.operator_name()),
      .random = bound->handle.hasTag(at::Tag::nondeterministic_seeded),
  };
  if (!bound->handle.schema().is_mutable())
    return BoundCall{.forward = ForwardOf(call), .judged = {std::move(judged)}};
  // A leaf that needs gradients can be written to only without autograd.
  judged.call.arguments = operators::Copies(call.arguments);
  judged.call.run = [run = call.run,
                     written = WrittenAlone(bound->handle.schema())](c10::Stack arguments) {
    const at::NoGradGuard no_grad;
    arguments = operators::Copies(std::move(arguments));
    c10::Stack results = run(arguments);
    for (const size_t place : written) results.push_back(arguments[place]);
    return results;
  };
  judged.repeats = false;
  return BoundCall{.forward =
                       [forward = ForwardOf(call)] {
                         const at::NoGradGuard no_grad;
                         return forward();
                       },
                   .differentiable = false,
                   .judged = {std::move(judged)}};
}

// Whether arguments of the type that a build's schema has are what LibTorch's takes: the same one,
// or the one that LibTorch's makes optional (dim of aten::sum, `int[1]` in PARAM's own files).
bool Takes(const c10::Argument& own, const c10::Argument& given) {
  const auto* optional = own.type()->castRaw<c10::OptionalType>();
  const std::string text = given.type()->str();
  return own.type()->str() == text ||
         (optional != nullptr && optional->getElementType()->str() == text);
}

// The operator that the schema in the build of an aten:: operator names. Older files have a list of
// types there, which adds nothing to the arguments.
absl::StatusOr<std::string> NameBySchema(const std::string& name,
                                         const std::optional<OperatorArguments>& build) {
  if (!build || build->positional.empty() || !build->positional[0].isString()) return name;
  const std::string& text = build->positional[0].toStringRef();
  // LibTorch's longest has 605 characters, and its parser calls itself for each bracket that opens.
  constexpr size_t kLongest = 2000;
  if (text.size() > kLongest) {
    return absl::InvalidArgumentError(absl::StrCat("the schema in the build of ", name, " has ",
                                                   text.size(), " characters; at most ", kLongest));
  }
  std::optional<c10::FunctionSchema> given;
  const absl::Status parsed = base::CatchTorch(absl::StrCat("the schema in the build of ", name),
                                               [&] { given = torch::jit::parseSchema(text); });
  if (!parsed.ok()) return absl::InvalidArgumentError(parsed.message());
  std::string given_name = c10::toString(given->operator_name());
  if (!absl::StrContains(given_name, "::")) given_name = "aten::" + given_name;
  if (given_name != name && !absl::StartsWith(given_name, name + ".")) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the schema in the build of ", name, " is that of ", base::Printable(given_name, 80)));
  }
  const auto handle = c10::Dispatcher::singleton().findSchema(
      {given_name.substr(0, given_name.find('.')), given->overload_name()});
  if (!handle) {
    return absl::NotFoundError(absl::StrCat("the schema in the build of ", name, " is that of ",
                                            base::Printable(given_name, 80),
                                            ", which there is not"));
  }
  // A later version of LibTorch may have more arguments, with defaults, other names, and a SymInt or
  // ScalarType where an older one or a trace has an int; aliases are for the dispatcher alone.
  const std::vector<c10::Argument>&own = handle->schema().arguments(), &others = given->arguments();
  bool same = others.size() <= own.size();
  for (size_t i = 0; same && i < others.size(); ++i) {
    same = Takes(own[i], others[i]);
  }
  if (same) return given_name;
  return absl::InvalidArgumentError(absl::StrCat("the schema in the build of ", name, " is ",
                                                 base::Printable(text, 300), "; LibTorch's is ",
                                                 c10::toString(handle->schema())));
}

// "torch.nn.functional.relu" is aten::relu.
std::string AtenName(std::string_view name) {
  if (absl::StrContains(name, "::")) return std::string(name);
  for (const std::string_view prefix : {"torch.nn.functional.", "torch."}) {
    if (absl::ConsumePrefix(&name, prefix)) break;
  }
  return absl::StrCat("aten::", name);
}

}  // namespace

std::function<Tensors()> ForwardOf(const operators::Callable& call) {
  return [call]() -> Tensors { return execution::TensorsOf(call.run(call.arguments)); };
}

absl::StatusOr<at::Tensor> TheTensorOf(const OperatorArguments& inputs, std::string_view name) {
  const bool one = inputs.positional.size() + inputs.named.size() == 1;
  const c10::IValue* const x = !one                        ? nullptr
                               : inputs.positional.empty() ? &inputs.named[0].second
                                                           : &inputs.positional[0];
  if (x == nullptr || !x->isTensor())
    return absl::InvalidArgumentError(absl::StrCat(name, " takes one tensor"));
  return x->toTensor();
}

absl::StatusOr<Operator> BuildOperator(std::string_view name,
                                       const std::optional<OperatorArguments>& build,
                                       c10::Device device, bool trusted) {
  const OperatorArguments given = build.value_or(OperatorArguments());
  if (name == "pytorch.model.alex_net" || name == "pytorch:alex_net")
    return BuildAlexNet(given, device);
  if (name == "pytorch.model.resnet" || name == "pytorch:resnet") return BuildResNet(given, device);
  if (name == "SplitTableBatchedEmbeddingBagsCodegen" ||
      name == "split_table_batched_embedding_bags")
    return BuildEmbeddingBags(given, device);
  std::string_view module_name = name;
  if (absl::ConsumePrefix(&module_name, "torch.nn.") &&
      !absl::StartsWith(module_name, "functional.")) {
    const absl::StatusOr<ModuleCall> module = BuildModule(module_name, given, device);
    if (!module.ok()) return module.status();
    return Operator([module = *module, name = std::string(name),
                     trusted](OperatorArguments inputs) -> absl::StatusOr<BoundCall> {
      const absl::StatusOr<at::Tensor> x = TheTensorOf(inputs, name);
      if (!x.ok()) return x.status();
      OperatorArguments all = {.positional = {*x}};
      all.positional.insert(all.positional.end(), module.behind.begin(), module.behind.end());
      return BindBoxed(module.aten, all, trusted);
    });
  }
  const absl::StatusOr<std::string> aten = NameBySchema(AtenName(name), build);
  if (!aten.ok()) return aten.status();
  // PARAM calls aten:: operators through TorchScript's IR.
  const bool by_position = absl::StrContains(name, "::");
  return Operator([aten = *aten, by_position, trusted](OperatorArguments inputs) {
    inputs.keywords_by_position = by_position;
    return BindBoxed(aten, inputs, trusted);
  });
}

}  // namespace assay::param
