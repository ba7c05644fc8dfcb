#include "benchmarks/operators/sweep/sample_values.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/linalg_eigvalsh.h>
#include <ATen/ops/tensor.h>

#include <string>

#include "gtest/gtest.h"

namespace assay::sweep {
namespace {

c10::IValue Value(const std::string& text, at::ScalarType floats = at::kFloat) {
  absl::StatusOr<c10::IValue> value = SampleValue(text, floats, 3);
  EXPECT_TRUE(value.ok()) << value.status();
  return value.ok() ? *value : c10::IValue();
}

TEST(SampleValue, FloatsAreTheSameNumbersInBothPrecisions) {
  const at::Tensor single = Value("f[2,3]").toTensor();
  EXPECT_EQ(single.sizes(), (std::vector<int64_t>{2, 3}));
  const at::Tensor exact = Value("f[2,3]", at::kDouble).toTensor();
  EXPECT_EQ(exact.scalar_type(), at::kDouble);
  EXPECT_TRUE(at::equal(exact, single.to(at::kDouble)));
  EXPECT_LT(single.min().item<float>(), 0);
  EXPECT_GT(Value("p[64]").toTensor().min().item<float>(), 0.09);
  EXPECT_EQ(Value("f[]").toTensor().dim(), 0);
}

TEST(SampleValue, IntegersStayBelowTheirLimit) {
  const at::Tensor integers = Value("i[100]<10").toTensor();
  EXPECT_EQ(integers.scalar_type(), at::kLong);
  EXPECT_EQ(integers.max().item<int64_t>(), 9);
  EXPECT_EQ(Value("i32[100]").toTensor().max().item<int>(), 3);
  EXPECT_EQ(Value("b[4]").toTensor().scalar_type(), at::kBool);
  EXPECT_TRUE(at::equal(Value("t:1,2/3,4").toTensor(), at::tensor({1, 2, 3, 4}).reshape({2, 2})));
  EXPECT_EQ(Value("t0:5").toTensor().item<int64_t>(), 5);
}

TEST(SampleValue, MatricesHaveTheirProperty) {
  const at::Tensor spd = Value("spd[4,4]", at::kDouble).toTensor();
  EXPECT_GT(at::linalg_eigvalsh(spd).min().item<double>(), 0);
  EXPECT_TRUE(at::equal(spd, spd.mT()));
  const at::Tensor tri = Value("tri[4,4]").toTensor();
  EXPECT_TRUE(at::equal(tri, tri.tril()));
  const at::Tensor sorted = Value("sorted[9]").toTensor();
  EXPECT_TRUE((sorted.narrow(0, 1, 8) >= sorted.narrow(0, 0, 8)).all().item<bool>());
}

TEST(SampleValue, HasTheLayoutsOfLibTorch) {
  EXPECT_TRUE(Value("sp[4,4]").toTensor().is_sparse());
  EXPECT_TRUE(Value("csp[4,4]").toTensor().is_coalesced());
  EXPECT_EQ(Value("csr[4,4]").toTensor().layout(), at::kSparseCsr);
  EXPECT_TRUE(Value("q[4,4]").toTensor().is_quantized());
  EXPECT_TRUE(Value("n[4,4]").toTensor().has_names());
}

TEST(SampleValue, NumbersWordsAndLists) {
  EXPECT_EQ(Value("1").toInt(), 1);
  EXPECT_EQ(Value("0.5").toDouble(), 0.5);
  EXPECT_TRUE(Value("true").toBool());
  EXPECT_TRUE(Value("none").isNone());
  EXPECT_EQ(Value("floats", at::kDouble).toScalarType(), at::kDouble);
  EXPECT_EQ(Value("'mean'").toStringRef(), "mean");
  EXPECT_EQ(Value("[1,2]").toTupleRef().elements().size(), 2);
  const auto tensors = Value("{f[2];t:1,2}").toTupleRef().elements();
  EXPECT_EQ(tensors[0].toTensor().scalar_type(), at::kFloat);
  EXPECT_EQ(tensors[1].toTensor().scalar_type(), at::kLong);
}

TEST(SampleValue, RefusesWhatIsNone) {
  for (const std::string text :
       {"", "x[2]", "f[2", "f[a]", "f[2]<x", "f]2[", "[1,y]", "{f[2];z[1]}"})
    EXPECT_FALSE(SampleValue(text, at::kFloat, 1).ok()) << text;
}

}  // namespace
}  // namespace assay::sweep
