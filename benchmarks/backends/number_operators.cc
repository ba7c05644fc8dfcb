#include "benchmarks/backends/number_operators.h"

#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>
#include <torch/library.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"

namespace assay::backends {
namespace {

using c10::IValue;

int64_t Whole(const IValue& value) { return value.toScalar().to<int64_t>(); }
double Real(const IValue& value) { return value.toScalar().to<double>(); }
bool Truth(const IValue& value) { return Real(value) != 0; }

// By whole numbers where both arguments are, as Python chooses.
template <typename Compute>
IValue ByKind(const IValue* v, Compute compute) {
  if (v[0].isDouble() || v[1].isDouble()) return compute(Real(v[0]), Real(v[1]));
  return compute(Whole(v[0]), Whole(v[1]));
}

int64_t Floor(int64_t a, int64_t b) {
  TORCH_CHECK(b != 0, a, " is divided by zero");
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}
double Floor(double a, double b) { return std::floor(a / b); }

IValue Power(const IValue* v) {
  if (v[0].isDouble() || v[1].isDouble() || Whole(v[1]) < 0)
    return std::pow(Real(v[0]), Real(v[1]));
  int64_t power = 1;
  for (int64_t i = 0; i < Whole(v[1]); ++i) power *= Whole(v[0]);
  return power;
}

struct Row {
  const char* name;
  size_t arguments;
  IValue (*compute)(const IValue* v);
};

const Row kRows[] = {
    {"add", 2,
     [](const IValue* v) { return ByKind(v, [](auto a, auto b) { return IValue(a + b); }); }},
    {"sub", 2,
     [](const IValue* v) { return ByKind(v, [](auto a, auto b) { return IValue(a - b); }); }},
    {"mul", 2,
     [](const IValue* v) { return ByKind(v, [](auto a, auto b) { return IValue(a * b); }); }},
    {"floordiv", 2,
     [](const IValue* v) { return ByKind(v, [](auto a, auto b) { return IValue(Floor(a, b)); }); }},
    {"mod", 2,
     [](const IValue* v) {
       return ByKind(v, [](auto a, auto b) { return IValue(a - Floor(a, b) * b); });
     }},
    {"truediv", 2, [](const IValue* v) { return IValue(Real(v[0]) / Real(v[1])); }},
    {"pow", 2, Power},
    {"max", 2,
     [](const IValue* v) {
       return ByKind(v, [](auto a, auto b) { return IValue(std::max(a, b)); });
     }},
    {"min", 2,
     [](const IValue* v) {
       return ByKind(v, [](auto a, auto b) { return IValue(std::min(a, b)); });
     }},
    {"eq", 2, [](const IValue* v) { return IValue(Real(v[0]) == Real(v[1])); }},
    {"ne", 2, [](const IValue* v) { return IValue(Real(v[0]) != Real(v[1])); }},
    {"le", 2, [](const IValue* v) { return IValue(Real(v[0]) <= Real(v[1])); }},
    {"lt", 2, [](const IValue* v) { return IValue(Real(v[0]) < Real(v[1])); }},
    {"ge", 2, [](const IValue* v) { return IValue(Real(v[0]) >= Real(v[1])); }},
    {"gt", 2, [](const IValue* v) { return IValue(Real(v[0]) > Real(v[1])); }},
    {"and", 2, [](const IValue* v) { return IValue(Truth(v[0]) && Truth(v[1])); }},
    {"or", 2, [](const IValue* v) { return IValue(Truth(v[0]) || Truth(v[1])); }},
    {"lshift", 2, [](const IValue* v) { return IValue(Whole(v[0]) << Whole(v[1])); }},
    {"rshift", 2, [](const IValue* v) { return IValue(Whole(v[0]) >> Whole(v[1])); }},
    {"not", 1, [](const IValue* v) { return IValue(!Truth(v[0])); }},
    {"pos", 1, [](const IValue* v) { return v[0]; }},
    {"neg", 1,
     [](const IValue* v) { return v[0].isDouble() ? IValue(-Real(v[0])) : IValue(-Whole(v[0])); }},
    {"int", 1, [](const IValue* v) { return IValue(Whole(v[0])); }},
    {"trunc", 1, [](const IValue* v) { return IValue(Whole(v[0])); }},
    {"float", 1, [](const IValue* v) { return IValue(Real(v[0])); }},
    {"sqrt", 1, [](const IValue* v) { return IValue(std::sqrt(Real(v[0]))); }},
    {"ite", 3, [](const IValue* v) { return Truth(v[0]) ? v[1] : v[2]; }},
};

class Kernel final : public c10::OperatorKernel {
 public:
  explicit Kernel(const Row& row) : row_(row) {}
  void operator()(const c10::OperatorHandle&, c10::DispatchKeySet, c10::Stack* stack) {
    const size_t first = stack->size() - row_.arguments;
    IValue result = row_.compute(stack->data() + first);
    stack->resize(first);
    stack->push_back(std::move(result));
  }

 private:
  const Row& row_;
};

}  // namespace

void RegisterNumberOperators() {
  static const bool registered = [] {
    auto& library = *new torch::Library(torch::Library::DEF, kNumberOperators, std::nullopt,
                                        __FILE__, __LINE__);
    constexpr const char* kArguments[] = {"", "Scalar a", "Scalar a, Scalar b",
                                          "Scalar a, Scalar b, Scalar c"};
    for (const Row& row : kRows) {
      const std::string name = absl::StrCat("sym_", row.name);
      library.def(absl::StrCat(name, "(", kArguments[row.arguments], ") -> Scalar").c_str());
      library.impl(name.c_str(),
                   torch::CppFunction::makeFromBoxedFunctor(std::make_unique<Kernel>(row)));
    }
    return true;
  }();
  (void)registered;
}

}  // namespace assay::backends
