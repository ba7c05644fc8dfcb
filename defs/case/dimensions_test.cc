#include "defs/case/dimensions.h"

#include <gtest/gtest.h>

#include <set>

namespace assay {
namespace {

class Dimensions : public ::testing::Test {
 protected:
  Dimensions() {
    workload_.set_batch(4);
    auto& parameters = *workload_.mutable_parameters();
    parameters["width"].set_integer(5);
    parameters["huge"].set_integer(int64_t{1} << 62);
    parameters["text"].set_text("7");
    AddBags("offsets").mutable_distribution()->mutable_bag_offsets()->set_bag_size(3);
  }

  TensorSpec& AddBags(const char* name) {
    TensorSpec& bags = *workload_.add_inputs();
    bags.set_name(name);
    bags.set_dtype(INT64);
    bags.add_shape(4);
    return bags;
  }

  std::optional<int64_t> Value(std::string_view text, uint64_t seed = 0) const {
    return Evaluate(text, workload_, seed);
  }

  Workload workload_;
};

TEST_F(Dimensions, AreNumbersNamesSumsAndProducts) {
  const std::pair<const char*, int64_t> cases[] = {
      {"3", 3},         {"-2", -2},          {"batch", 4},
      {"width", 5},     {"batch*width", 20}, {"width+1", 6},
      {"2*width-1", 9}, {"1+batch*3*2", 25}, {"batch-width-1", -2}};
  for (const auto& [text, value] : cases) EXPECT_EQ(Value(text), value) << text;
}

TEST_F(Dimensions, SumBags) {
  EXPECT_EQ(Value("sum:offsets"), 12);
  EXPECT_EQ(Value("width*sum:offsets+1"), 61);
  AddBags("empty").mutable_distribution()->mutable_integers()->set_limit(1);
  EXPECT_EQ(Value("sum:empty"), 0);
  auto& ragged = *AddBags("ragged").mutable_distribution()->mutable_bag_offsets();
  ragged.set_bag_size(100);
  ragged.set_spread(99);
  // Four numbers of 1 to 100, which the seed draws.
  std::set<int64_t> sums;
  for (uint64_t seed = 0; seed < 20; ++seed) sums.insert(*Value("sum:ragged", seed));
  EXPECT_GT(sums.size(), 10);
  EXPECT_GE(*sums.begin(), 4);
  EXPECT_LE(*sums.rbegin(), 400);
}

TEST_F(Dimensions, SumNothingElse) {
  AddBags("floats").mutable_distribution()->mutable_normal();
  AddBags("bags").mutable_distribution()->mutable_integers()->set_limit(9);
  workload_.mutable_inputs(2)->set_bags("offsets");
  auto& debts = *AddBags("debts").mutable_distribution()->mutable_integers();
  debts.set_low(-1);
  debts.set_limit(9);
  TensorSpec& many = AddBags("many");
  many.mutable_distribution()->mutable_integers()->set_limit(9);
  many.add_shape(int64_t{1} << 30);
  for (const char* text : {"sum:", "sum:floats", "sum:bags", "sum:debts", "sum:many", "sum:nobody"})
    EXPECT_EQ(Value(text), std::nullopt) << text;
}

TEST_F(Dimensions, AreNothingElse) {
  for (const char* text : {"", "+", "width+", "*3", "width**2", "batch width", "(batch)", "width/2",
                           "depth", "text", "1.5", "huge*2", "huge+huge", "huge*huge"}) {
    EXPECT_EQ(Value(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace assay
