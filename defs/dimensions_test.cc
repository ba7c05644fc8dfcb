#include "defs/dimensions.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

class Dimensions : public ::testing::Test {
 protected:
  Dimensions() {
    parameters_["width"].set_integer(5);
    parameters_["huge"].set_integer(int64_t{1} << 62);
    parameters_["text"].set_text("7");
  }
  std::optional<int64_t> Value(std::string_view text) const {
    return Evaluate(text, parameters_, 4);
  }

  google::protobuf::Map<std::string, ParameterValue> parameters_;
};

TEST_F(Dimensions, AreNumbersNamesSumsAndProducts) {
  const std::pair<const char*, int64_t> cases[] = {
      {"3", 3},         {"-2", -2},          {"batch", 4},
      {"width", 5},     {"batch*width", 20}, {"width+1", 6},
      {"2*width-1", 9}, {"1+batch*3*2", 25}, {"batch-width-1", -2}};
  for (const auto& [text, value] : cases) EXPECT_EQ(Value(text), value) << text;
}

TEST_F(Dimensions, AreNothingElse) {
  for (const char* text : {"", "+", "width+", "*3", "width**2", "batch width", "(batch)", "width/2",
                           "depth", "text", "1.5", "huge*2", "huge+huge", "huge*huge"}) {
    EXPECT_EQ(Value(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace assay
