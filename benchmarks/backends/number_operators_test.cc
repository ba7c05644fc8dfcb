#include "benchmarks/backends/number_operators.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace assay::backends {
namespace {

// The number as text, "2" or "2.0"; what went wrong.
std::string Of(const std::string& name, c10::Stack stack) {
  RegisterNumberOperators();
  try {
    c10::Dispatcher::singleton()
        .findSchemaOrThrow(absl::StrCat(kNumberOperators, "::sym_", name).c_str(), "")
        .callBoxed(&stack);
  } catch (const c10::Error& error) {
    return error.what_without_backtrace();
  }
  EXPECT_EQ(stack.size(), 1U);
  if (stack[0].isBool()) return stack[0].toBool() ? "True" : "False";
  return stack[0].isInt() ? absl::StrCat(stack[0].toInt())
                          : absl::StrCat("float ", stack[0].toDouble());
}

// Python 3.11 gives these.
TEST(NumberOperators, ComputeAsPythonDoes) {
  EXPECT_EQ(Of("mul", {2, 7}), "14");
  EXPECT_EQ(Of("mul", {2, 0.5}), "float 1");
  EXPECT_EQ(Of("sub", {2, 7}), "-5");
  EXPECT_EQ(Of("add", {true, 7}), "8");
  constexpr int64_t kDivisions[][4] = {
      {7, 2, 3, 1}, {-7, 2, -4, 1}, {7, -2, -4, -1}, {-7, -2, 3, -1}, {-6, 2, -3, 0}};
  for (const auto& [a, b, floor, rest] : kDivisions) {
    EXPECT_EQ(Of("floordiv", {a, b}), absl::StrCat(floor));
    EXPECT_EQ(Of("mod", {a, b}), absl::StrCat(rest));
  }
  EXPECT_EQ(Of("floordiv", {-7.5, 2}), "float -4");
  EXPECT_EQ(Of("mod", {-7.5, 2}), "float 0.5");
  EXPECT_EQ(Of("floordiv", {7, 0}), "7 is divided by zero");
  EXPECT_EQ(Of("truediv", {7, 2}), "float 3.5");
  EXPECT_EQ(Of("pow", {3, 4}), "81");
  EXPECT_EQ(Of("pow", {2, -1}), "float 0.5");
  EXPECT_EQ(Of("pow", {9, 0.5}), "float 3");
  EXPECT_EQ(Of("max", {3, 4}), "4");
  EXPECT_EQ(Of("min", {3, 2.5}), "float 2.5");
  EXPECT_EQ(Of("int", {-2.9}), "-2");
  EXPECT_EQ(Of("float", {3}), "float 3");
  EXPECT_EQ(Of("neg", {3}), "-3");
  EXPECT_EQ(Of("ge", {3, 3}), "True");
  EXPECT_EQ(Of("not", {true}), "False");
  EXPECT_EQ(Of("and", {true, false}), "False");
  EXPECT_EQ(Of("lshift", {3, 2}), "12");
  EXPECT_EQ(Of("ite", {true, 5, 6}), "5");
}

}  // namespace
}  // namespace assay::backends
