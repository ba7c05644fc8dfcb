#include "benchmarks/harness/execution/traced_module.h"

#include <ATen/core/ivalue.h>
#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/frontend/tracer.h>
#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/passes/inliner.h>
#include <torch/csrc/jit/runtime/print_handler.h>
#include <torch/csrc/jit/serialization/import.h>

#include <algorithm>
#include <atomic>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/numerics/fingerprint.h"
#include "benchmarks/harness/text/few_names.h"
#include "defs/case/case_steps.h"

namespace assay::execution {
namespace {

using torch::jit::Module;
using torch::jit::Stack;

constexpr std::string_view kExampleInputs = "example_inputs";

// Makes identifiers of names, each another one.
class Identifiers {
 public:
  std::string Of(std::string_view name) {
    std::string base(name);
    for (char& c : base) {
      if (!absl::ascii_isalnum(static_cast<unsigned char>(c))) c = '_';
    }
    if (base.empty() || absl::ascii_isdigit(static_cast<unsigned char>(base[0])))
      base.insert(0, "_");
    std::string made = base;
    for (int i = 1; !taken_.insert(made).second; ++i) made = absl::StrCat(base, "_", i);
    return made;
  }

 private:
  // Names that a module has besides those of its tensors.
  std::set<std::string> taken_ = {"forward", "training", "self", std::string(kExampleInputs)};
};

Module Traced(Program& program, const Tensors& inputs, const std::vector<std::string>& names) {
  Module module("assay_program");
  module.register_attribute("training", c10::BoolType::get(), false);
  Identifiers identifiers;
  for (const models::NamedTensor& entry : program.State()) {
    if (entry.alias) continue;
    module.register_parameter(identifiers.Of(entry.name), entry.tensor, /*is_buffer=*/true);
  }
  const auto traced = [&program](Stack stack) -> Stack {
    Tensors given;
    for (const c10::IValue& value : stack) given.push_back(value.toTensor());
    const Tensors outputs = program.Call(steps::kForward, given);
    if (outputs.size() == 1) return {outputs[0]};
    return {c10::ivalue::Tuple::create(std::vector<c10::IValue>(outputs.begin(), outputs.end()))};
  };
  const c10::NoGradGuard no_gradients;
  const auto state = torch::jit::tracer::trace(
                         Stack(inputs.begin(), inputs.end()), traced,
                         [](const at::Tensor&) { return std::string(); },
                         /*strict=*/true, /*force_outplace=*/false, &module)
                         .first;
  for (size_t i = 0; i < inputs.size(); ++i) {
    // The graph's first input is the module itself.
    state->graph->inputs()[i + 1]->setDebugName(
        identifiers.Of(i < names.size() ? names[i] : absl::StrCat("input", i)));
  }
  module.type()->addMethod(module._ivalue()->compilation_unit()->create_function(
      c10::QualifiedName(*module.type()->name(), "forward"), state->graph));
  return module;
}

// The tensors of a result in their order, out of tuples, lists and dicts. Nothing and numbers are
// passed over: scripted models return them beside their outputs.
void AddTensors(const c10::IValue& value, Tensors& tensors) {
  if (value.isTensor()) {
    tensors.push_back(value.toTensor());
  } else if (value.isTuple()) {
    for (const c10::IValue& element : value.toTupleRef().elements()) AddTensors(element, tensors);
  } else if (value.isList()) {
    for (const c10::IValue& element : value.toListRef()) AddTensors(element, tensors);
  } else if (value.isGenericDict()) {
    for (const auto& entry : value.toGenericDict()) AddTensors(entry.value(), tensors);
  } else if (!value.isNone() && !value.isScalar() && !value.isBool() && !value.isString()) {
    TORCH_CHECK(false, "the module returns ", value.tagKind(), " where a tensor is wanted");
  }
}

// Receives the text that a script prints, since standard output is for results. A script prints in every timed call.
void PrintToErrors(const std::string& text) {
  constexpr int kShown = 20;
  static std::atomic<int> printed = 0;
  const int before = printed.fetch_add(1);
  if (before < kShown) std::cerr << text;
  if (before == kShown) std::cerr << "assay: the model prints more, which is not shown\n";
}

}  // namespace

// An attribute of a module or of one within it.
struct Attribute {
  Module owner;
  size_t slot = 0;
};

// By their names, "encoder.state".
std::map<std::string, Attribute> AttributesOf(const Module& module) {
  std::map<std::string, Attribute> found;
  for (const auto& [name, owner] : module.named_modules()) {
    for (size_t slot = 0; slot < owner.type()->numAttributes(); ++slot) {
      if (owner.type()->getAttribute(slot)->is_module()) continue;
      const std::string& own = owner.type()->getAttributeName(slot);
      found[name.empty() ? own : absl::StrCat(name, ".", own)] = {owner, slot};
    }
  }
  return found;
}

// "" of a kind that is not looked at.
std::string StateText(const c10::IValue& value) {
  if (value.isTensor()) {
    const at::Tensor& tensor = value.toTensor();
    return tensor.defined() && tensor.layout() == at::kStrided && !tensor.is_quantized()
               ? absl::StrCat(c10::str(tensor.sizes()), numerics::Fingerprint({tensor}))
               : "";
  }
  if (value.isList() || value.isTuple()) {
    std::string text;
    const auto add = [&](const auto& elements) {
      for (const c10::IValue& element : elements) absl::StrAppend(&text, StateText(element), ",");
    };
    value.isList() ? add(value.toListRef()) : add(value.toTupleRef().elements());
    return text;
  }
  return value.isScalar() || value.isBool() || value.isString() || value.isNone() ? c10::str(value)
                                                                                  : "";
}

// How an argument of forward, or a part of one, is made of a call's inputs.
struct TakenValue {
  c10::TypePtr type;
  size_t input = 0;                                            // of one that has no parts
  std::vector<std::pair<c10::IValue, TakenValue>> parts = {};  // of a dict by keys, else in order
  bool has_parts = false;

  c10::IValue Of(const Tensors& inputs) const {
    if (!has_parts) return OfOne(inputs.at(input));
    if (const auto dict = type->cast<c10::DictType>()) {
      c10::impl::GenericDict made(dict->getKeyType(), dict->getValueType());
      for (const auto& [key, part] : parts) made.insert(key, part.Of(inputs));
      return made;
    }
    std::vector<c10::IValue> elements;
    for (const auto& [key, part] : parts) elements.push_back(part.Of(inputs));
    if (type->kind() == c10::TypeKind::TupleType)
      return c10::ivalue::Tuple::createNamed(std::move(elements), type->cast<c10::TupleType>());
    c10::impl::GenericList made(type->expectRef<c10::ListType>().getElementType());
    for (c10::IValue& element : elements) made.push_back(std::move(element));
    return made;
  }

 private:
  c10::IValue OfOne(const at::Tensor& input) const {
    switch (type->kind()) {
      case c10::TypeKind::IntType:
        return input.item<int64_t>();
      case c10::TypeKind::FloatType:
        return input.item<double>();
      case c10::TypeKind::BoolType:
        return input.item<bool>();
      case c10::TypeKind::ListType:
        return input.unbind(0);
      default:
        return input;
    }
  }
};

c10::TypePtr WithoutOptional(const c10::TypePtr& type) {
  const auto optional = type->cast<c10::OptionalType>();
  return optional ? optional->getElementType() : type;
}

bool IsNumber(const c10::Type& type) {
  return type.kind() == c10::TypeKind::IntType || type.kind() == c10::TypeKind::FloatType ||
         type.kind() == c10::TypeKind::BoolType;
}

// Whether tensors by dotted names can give such a value.
bool HasParts(const c10::TypePtr& whole) {
  const c10::TypePtr type = WithoutOptional(whole);
  const auto fits = [](const c10::TypePtr& part) {
    return c10::TensorType::get()->isSubtypeOf(*part) || IsNumber(*part) || HasParts(part);
  };
  if (const auto list = type->cast<c10::ListType>()) return fits(list->getElementType());
  if (const auto dict = type->cast<c10::DictType>()) {
    const c10::TypeKind key = dict->getKeyType()->kind();
    return (key == c10::TypeKind::StringType || key == c10::TypeKind::IntType) &&
           fits(dict->getValueType());
  }
  const auto tuple = type->cast<c10::TupleType>();
  return tuple && std::all_of(tuple->elements().begin(), tuple->elements().end(), fits);
}

// The value called `name`, of those tensors among the given ones that have its name or are parts of it.
TakenValue Taken(const std::string& name, const c10::TypePtr& whole,
                 const std::map<std::string, size_t>& given, std::set<size_t>& used) {
  TakenValue value = {.type = WithoutOptional(whole)};
  if (const auto found = given.find(name); found != given.end()) {
    value.input = found->second;
    used.insert(found->second);
    return value;
  }
  value.has_parts = true;
  const auto part = [&](const std::string& key, c10::IValue of, const c10::TypePtr& type) {
    value.parts.emplace_back(std::move(of), Taken(absl::StrCat(name, ".", key), type, given, used));
  };
  const auto is_given = [&](const std::string& of) {
    const auto at = given.lower_bound(of);
    return at != given.end() && (at->first == of || absl::StartsWith(at->first, of + "."));
  };
  if (const auto dict = value.type->cast<c10::DictType>()) {
    const std::string begin = absl::StrCat(name, ".");
    const bool whole_rest = !HasParts(dict->getValueType());  // a key may have dots itself
    std::set<std::string> keys;
    for (auto at = given.lower_bound(begin);
         at != given.end() && absl::StartsWith(at->first, begin); ++at) {
      const std::string rest = at->first.substr(begin.size());
      keys.insert(whole_rest ? rest : rest.substr(0, rest.find('.')));
    }
    for (const std::string& key : keys) {
      int64_t number = 0;
      const bool whole_keys = dict->getKeyType()->kind() == c10::TypeKind::IntType;
      TORCH_CHECK(!whole_keys || absl::SimpleAtoi(key, &number), name, ".", key, ": the keys of ",
                  name, " are whole numbers");
      part(key, whole_keys ? c10::IValue(number) : c10::IValue(key), dict->getValueType());
    }
  } else if (const auto tuple = value.type->cast<c10::TupleType>()) {
    for (size_t i = 0; i < tuple->elements().size(); ++i)
      part(absl::StrCat(i), c10::IValue(), tuple->elements()[i]);
  } else if (const auto list = value.type->cast<c10::ListType>()) {
    for (int i = 0; is_given(absl::StrCat(name, ".", i)); ++i)
      part(absl::StrCat(i), c10::IValue(), list->getElementType());
  }
  TORCH_CHECK(!value.parts.empty(), "missing value for ", name, " of type ",
              value.type->repr_str());
  return value;
}

// Whether a call of dropout or of a batch norm that has statistics computes as while training.
bool Trains(const torch::jit::Node& node) {
  const std::string_view name = node.kind().toQualString();
  const bool drops = absl::StartsWith(name, "aten::") && absl::StrContains(name, "dropout");
  if (!drops && name != "aten::batch_norm") return false;
  if (!node.maybeSchema()) return false;
  const auto is = [&](const char* argument, const c10::IValue& value) {
    const auto at = node.maybeSchema()->argumentIndexWithName(argument);
    return at && torch::jit::toIValue(node.inputs()[*at]).value_or(c10::IValue()) == value;
  };
  if (drops) return is("train", true) && !is("p", 0.0);
  const auto mean = node.maybeSchema()->argumentIndexWithName("running_mean");
  return is("training", true) && mean && !node.inputs()[*mean]->mustBeNone();
}

// The dropouts and batch norms of a module that are in training mode.
std::string InTraining(const Module& module) {
  std::vector<std::string> named;
  for (const auto& [name, part] : module.named_modules()) {
    if (name.empty() || !part.hasattr("training") || !part.attr("training").isBool() ||
        !part.attr("training").toBool())
      continue;
    const std::string type = part.type()->name()->name();
    if (absl::StrContains(type, "Drop") || absl::StrContains(type, "BatchNorm") ||
        absl::StrContains(type, "StochasticDepth"))
      named.push_back(absl::StrCat(name, " (", type, ")"));
  }
  return base::FewNames(named);
}

struct TracedModule::Parts {
  Module module;
  Tensors inputs;
  std::string switched = {};  // to evaluation
  bool records_gradients = false;
  std::vector<std::pair<size_t, TakenValue>> taken =
      {};            // by forward's places; empty: by positions
  Stack stack = {};  // of a call, with the defaults
  std::vector<std::pair<Attribute, c10::IValue>> kept = {};

  Stack StackOf(const Tensors& given) const {
    if (taken.empty()) return {given.begin(), given.end()};
    Stack made = stack;
    for (const auto& [place, value] : taken) made[place] = value.Of(given);
    return made;
  }
};

TracedModule::TracedModule(Program& program, const Tensors& inputs,
                           const std::vector<std::string>& names)
    : parts_(std::make_unique<Parts>(Parts{Traced(program, inputs, names), inputs})) {}
TracedModule::TracedModule(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
TracedModule::TracedModule(TracedModule&&) noexcept = default;
TracedModule::~TracedModule() = default;

TracedModule TracedModule::Read(const std::string& path) {
  torch::jit::setPrintHandler(PrintToErrors);
  auto parts = std::make_unique<Parts>(Parts{torch::jit::load(path, at::kCPU), {}});
  parts->switched = InTraining(parts->module);
  parts->module.eval();
  if (!parts->module.find_method("forward").has_value()) {
    std::vector<std::string> names;
    for (const torch::jit::Method& method : parts->module.get_methods())
      names.push_back(method.name());
    TORCH_CHECK(false, "the module has no method forward",
                names.empty() ? "" : absl::StrCat(", but ", absl::StrJoin(names, ", ")),
                "; save one whose forward calls what is to be measured");
  }
  return TracedModule(std::move(parts));
}

std::vector<ModuleArgument> TracedModule::Arguments() const {
  std::vector<ModuleArgument> found;
  const auto& arguments = parts_->module.get_method("forward").function().getSchema().arguments();
  for (size_t i = 1; i < arguments.size(); ++i) {
    const c10::TypePtr& type = arguments[i].type();
    found.push_back({.name = arguments[i].name(),
                     .type = type->repr_str(),
                     .takes_tensor = c10::TensorType::get()->isSubtypeOf(*type) ||
                                     type->isSubtypeOf(*c10::ListType::ofTensors()),
                     .takes_number = IsNumber(*type),
                     .has_parts = HasParts(type),
                     .has_default = arguments[i].default_value().has_value()});
  }
  return found;
}

std::vector<std::string> TracedModule::PartsOf(const ModuleArgument& argument,
                                               const std::vector<std::string>& names) {
  std::vector<std::string> parts;
  for (const std::string& name : names) {
    if (name == argument.name ||
        (argument.has_parts && absl::StartsWith(name, absl::StrCat(argument.name, "."))))
      parts.push_back(name);
  }
  return parts;
}

const std::string& TracedModule::SwitchedToEvaluation() const { return parts_->switched; }

std::string TracedModule::TrainingCall() const {
  const auto graph = parts_->module.get_method("forward").graph()->copy();
  torch::jit::Inline(*graph);
  std::vector<torch::jit::Block*> blocks = {graph->block()};
  while (!blocks.empty()) {
    torch::jit::Block* block = blocks.back();
    blocks.pop_back();
    for (torch::jit::Node* node : block->nodes()) {
      blocks.insert(blocks.end(), node->blocks().begin(), node->blocks().end());
      if (Trains(*node)) return node->kind().toQualString();
    }
  }
  return "";
}

void TracedModule::Take(const std::vector<std::string>& names) {
  const std::vector<ModuleArgument> arguments = Arguments();
  const auto& declared = parts_->module.get_method("forward").function().getSchema().arguments();
  parts_->taken.clear();
  parts_->stack.clear();
  std::map<std::string, size_t> given;
  for (size_t i = 0; i < names.size(); ++i) given[names[i]] = i;
  std::vector<std::pair<size_t, TakenValue>> taken;
  std::set<size_t> used;
  Stack stack;
  size_t fitting = 0;
  for (const ModuleArgument& argument : arguments) fitting += PartsOf(argument, names).size();
  if (fitting < names.size()) return;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const bool is_given = !PartsOf(arguments[i], names).empty();
    TORCH_CHECK(is_given || arguments[i].has_default, "missing value for argument '",
                arguments[i].name, "'");
    stack.push_back(declared[i + 1].default_value().value_or(c10::IValue()));
    if (is_given)
      taken.emplace_back(i, Taken(arguments[i].name, declared[i + 1].type(), given, used));
  }
  for (size_t i = 0; i < names.size(); ++i)
    TORCH_CHECK(used.count(i) > 0, names[i], " is no part of an argument of the module");
  parts_->taken = std::move(taken);
  parts_->stack = std::move(stack);
}

std::map<std::string, std::string> TracedModule::State() const {
  std::map<std::string, std::string> state;
  for (const auto& [name, attribute] : AttributesOf(parts_->module))
    state[name] = StateText(attribute.owner._ivalue()->getSlot(attribute.slot));
  return state;
}

void TracedModule::Keep(const std::vector<std::string>& attributes) {
  const std::map<std::string, Attribute> all = AttributesOf(parts_->module);
  parts_->kept.clear();
  for (const std::string& name : attributes) {
    const auto found = all.find(name);
    if (found == all.end()) continue;
    const Attribute& attribute = found->second;
    parts_->kept.emplace_back(attribute,
                              attribute.owner._ivalue()->getSlot(attribute.slot).deepcopy());
  }
}

// Copies, since the module may write to what it is given.
void TracedModule::Restore() {
  const c10::InferenceMode no_autograd;
  for (const auto& [attribute, value] : parts_->kept)
    attribute.owner._ivalue()->setSlot(attribute.slot, value.deepcopy());
}

void TracedModule::RecordGradients() { parts_->records_gradients = true; }

void TracedModule::LayOutChannelsLast() {
  const c10::NoGradGuard no_gradients;
  for (const at::Tensor& parameter : parts_->module.parameters()) {
    if (parameter.dim() == 4)
      parameter.set_data(parameter.contiguous(at::MemoryFormat::ChannelsLast));
  }
}

void TracedModule::Freeze() { parts_->module = torch::jit::freeze(parts_->module); }

Tensors TracedModule::Call(const Tensors& inputs) {
  const c10::InferenceMode no_autograd(!parts_->records_gradients);
  const c10::IValue result = parts_->module.forward(parts_->StackOf(inputs));
  if (result.isTensor()) return {result.toTensor()};
  Tensors outputs;
  AddTensors(result, outputs);
  TORCH_CHECK(!outputs.empty(), "the module returns ", result.tagKind(), ", which holds no tensor");
  return outputs;
}

std::string TracedModule::Bytes(bool with_inputs) const {
  std::ostringstream out;
  Module module = parts_->module;
  if (with_inputs && !module.hasattr(std::string(kExampleInputs))) {
    module.register_attribute(std::string(kExampleInputs),
                              c10::ListType::create(c10::TensorType::get()),
                              c10::IValue(c10::List<at::Tensor>(parts_->inputs)));
  }
  module.save(out);
  return std::move(out).str();
}

}  // namespace assay::execution
