// Preloaded into a runner by tools/compare: loads a user's library, and has the library's operator called in the
// place of ATen's, where --like says so. A library that registers its kernel over ATen's itself is only loaded.
//
//   LD_PRELOAD=libstand_in.so ASSAY_KERNEL_LIBRARY=libmine.so ASSAY_KERNEL_LIKE=aten::softmax.int RUNNER --case=...
//
// Exit code 3, with the schema that is needed, where the operator does not fit.
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/library.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "benchmarks/operators/kernel/loaded_operators.h"

namespace assay::override {
namespace {

using c10::OperatorHandle;

constexpr int kUsageError = 3;

std::string Variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

[[noreturn]] void Refuse(std::string_view problem) {
  std::cerr << Variable("ASSAY_KERNEL_LIBRARY") << ": " << problem << std::endl;
  _exit(kUsageError);
}

std::optional<OperatorHandle> Find(const std::string& name) {
  const size_t dot = name.find('.');
  return c10::Dispatcher::singleton().findSchema(
      {name.substr(0, dot), dot == std::string::npos ? "" : name.substr(dot + 1)});
}

// Whether a call may leave the argument out.
bool IsUsual(const c10::Argument& argument, const c10::IValue& value) {
  if (argument.default_value()) return *argument.default_value() == value;
  return value.isNone() || (value.isTensor() && !value.toTensor().defined()) ||
         (value.isBool() && !value.toBool());
}

// Whether some call of it may be usual.
bool MayLack(const c10::Argument& argument) {
  const c10::TypeKind kind = argument.type()->kind();
  return argument.default_value() || kind == c10::TypeKind::OptionalType ||
         kind == c10::TypeKind::BoolType;
}

c10::TypePtr WithoutOptional(const c10::TypePtr& type) {
  const auto optional = type->cast<c10::OptionalType>();
  return optional ? optional->getElementType() : type;
}

// The user's operator as a kernel of ATen's: an argument takes the value of the one with its name, else of the one
// at its place.
class StandIn : public c10::OperatorKernel {
 public:
  StandIn(OperatorHandle mine, const c10::FunctionSchema& like) : mine_(std::move(mine)) {
    const auto& formal = mine_.schema().arguments();
    const auto& given = like.arguments();
    std::vector<bool> used(given.size());
    for (size_t i = 0; i < formal.size(); ++i) {
      std::optional<size_t> from;
      if (const std::optional<int> at = like.argumentIndexWithName(formal[i].name())) {
        from = static_cast<size_t>(*at);
      } else if (i < given.size() && !mine_.schema().argumentIndexWithName(given[i].name())) {
        from = i;
      }
      if (from &&
          WithoutOptional(given[*from].type())->isSubtypeOf(*WithoutOptional(formal[i].type()))) {
        used[*from] = true;
      } else if (formal[i].default_value()) {
        from = std::nullopt;
      } else {
        problem_ = absl::StrCat("it needs an argument '", formal[i].name(), "' of type ",
                                formal[i].type()->str());
      }
      from_.push_back(from);
    }
    for (size_t i = 0; i < used.size(); ++i) {
      if (!used[i]) left_out_.push_back(i);
      if (!used[i] && !MayLack(given[i]))
        problem_ = absl::StrCat("it has no argument for '", given[i].name(), "'");
    }
    const auto same_type = [](const c10::Argument& a, const c10::Argument& b) {
      return *a.type() == *b.type();
    };
    if (!std::equal(mine_.schema().returns().begin(), mine_.schema().returns().end(),
                    like.returns().begin(), like.returns().end(), same_type))
      problem_ = "it returns something else";
    if (mine_.schema().is_mutable()) problem_ = "it writes to its arguments, by its schema";
  }

  const std::string& problem() const { return problem_; }

  void operator()(const OperatorHandle& like, c10::DispatchKeySet, c10::Stack* stack) {
    const auto& given = like.schema().arguments();
    const size_t first = stack->size() - given.size();
    for (const size_t i : left_out_) {
      TORCH_CHECK(IsUsual(given[i], (*stack)[first + i]), c10::toString(mine_.operator_name()),
                  " has no argument for '", given[i].name(), "', which this call sets");
    }
    c10::Stack values;
    for (size_t i = 0; i < from_.size(); ++i)
      values.push_back(from_[i] ? (*stack)[first + *from_[i]]
                                : *mine_.schema().arguments()[i].default_value());
    mine_.callBoxed(values);
    stack->resize(first);
    stack->insert(stack->end(), values.begin(), values.end());
  }

 private:
  OperatorHandle mine_;
  std::vector<std::optional<size_t>> from_;  // by argument; none: its default
  std::vector<size_t> left_out_;
  std::string problem_;
};

bool HasKernel(const OperatorHandle& handle) {
  return handle.hasKernelForDispatchKey(c10::DispatchKey::CPU) ||
         handle.hasKernelForDispatchKey(c10::DispatchKey::CompositeExplicitAutograd);
}

// The operators that may be replaced. If it is made of others, models come to the one that has its kernel, so this is the
// first. It is the last itself.
std::vector<OperatorHandle> CalledFor(const std::string& like) {
  const std::optional<OperatorHandle> named = Find(like);
  if (!named) Refuse(absl::StrCat("--like=", like, ": LibTorch has no such operator"));
  std::vector<OperatorHandle> called;
  const std::string name = named->operator_name().name.substr(std::string("aten::").size());
  for (const char* const prefix : {"aten::_", "aten::native_"}) {
    const std::optional<OperatorHandle> other = Find(prefix + name);
    if (!HasKernel(*named) && other && HasKernel(*other)) called.push_back(*other);
  }
  called.push_back(*named);
  return called;
}

void PutOver(const std::string& like, const std::vector<std::string>& own) {
  const absl::StatusOr<std::string> name = ChosenOperator(own, Variable("ASSAY_KERNEL_OP"));
  if (!name.ok()) Refuse(name.status().message());
  const OperatorHandle mine = *Find(*name);
  std::string refusals;
  for (const OperatorHandle& called : CalledFor(like)) {
    auto kernel = std::make_unique<StandIn>(mine, called.schema());
    if (!kernel->problem().empty()) {
      absl::StrAppend(&refusals, "\n  ", kernel->problem(), "\n  needed  ",
                      c10::toString(called.schema()));
      continue;
    }
    static const std::string& library = *new std::string(Variable("ASSAY_KERNEL_LIBRARY"));
    // As long as this process. Whoever looks at the registration sees the user's file.
    static auto& registered = *new torch::Library(torch::Library::IMPL, "aten",
                                                  c10::DispatchKey::CPU, library.c_str(), 0);
    registered.impl(c10::toString(called.operator_name()).c_str(),
                    torch::CppFunction::makeFromBoxedFunctor(std::move(kernel)));
    return;
  }
  Refuse(absl::StrCat(*name, " cannot be called in the place of ", like, ":", refusals,
                      "\n  yours   ", c10::toString(mine.schema())));
}

// Before anything else of the process.
[[maybe_unused]] const bool loaded = [] {
  // This process's children are not for it.
  const std::string preloaded = Variable("LD_PRELOAD");
  if (const size_t colon = preloaded.find(':'); colon != std::string::npos) {
    setenv("LD_PRELOAD", preloaded.substr(colon + 1).c_str(), /*overwrite=*/1);
  } else {
    unsetenv("LD_PRELOAD");
  }
  const absl::StatusOr<std::vector<std::string>> own =
      LoadOperators(Variable("ASSAY_KERNEL_LIBRARY"));
  if (!own.ok()) Refuse(own.status().message());
  if (const std::string like = Variable("ASSAY_KERNEL_LIKE"); !like.empty()) PutOver(like, *own);
  return true;
}();

}  // namespace
}  // namespace assay::override
