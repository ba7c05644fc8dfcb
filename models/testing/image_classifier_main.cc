// main() of the test of a family of image classifiers, whose models and refusals model_family()
// (defs/models.bzl) takes out of its tables and writes into the arguments:
//
//   accepts;MODEL;IMPLEMENTATION;at least|exactly;MINIMUM;PIXELS;OUTPUT SHAPE;AUXILIARY OUTPUTS;PARAMETER...
//   refuses;MODEL;IMPLEMENTATION;WORDS OF THE MESSAGE;PARAMETER...
//
// where a parameter is KIND:NAME=VALUE. A family's own tests, <family>_test.cc, run beside them.
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/testing/image_classifier.h"

namespace assay::models {
namespace {

constexpr int kUsage = 3;

using Words = std::vector<std::string>;

[[noreturn]] void Refuse(std::string_view argument) {
  std::cerr << "argument \"" << argument
            << "\": not what model_family() writes; start the test by `tools/bazel test`\n";
  std::exit(kUsage);
}

int64_t Integer(std::string_view text) {
  int64_t value;
  if (!absl::SimpleAtoi(text, &value)) Refuse(text);
  return value;
}

std::vector<int64_t> Integers(std::string_view text) {
  std::vector<int64_t> values;
  for (const std::string_view one : absl::StrSplit(text, ',', absl::SkipEmpty())) {
    values.push_back(Integer(one));
  }
  return values;
}

Parameters::Value ValueOf(std::string_view kind, const std::string& text) {
  double real;
  if (kind == "integer") return Integer(text);
  if (kind == "integers") return Integers(text);
  if (kind == "flag") return text == "True";
  if (kind == "text") return text;
  if (kind != "real" || !absl::SimpleAtod(text, &real)) Refuse(text);
  return real;
}

Parameters ParametersOf(const Words& words, size_t from) {
  Parameters parameters;
  for (size_t i = from; i < words.size(); ++i) {
    const Words kind_and_rest = absl::StrSplit(words[i], absl::MaxSplits(':', 1));
    const Words name_and_value = absl::StrSplit(kind_and_rest.back(), absl::MaxSplits('=', 1));
    parameters.Set(name_and_value.front(), ValueOf(kind_and_rest.front(), name_and_value.back()));
  }
  return parameters;
}

class ArgumentTest : public testing::Test {
 public:
  explicit ArgumentTest(std::function<void()> body) : body_(std::move(body)) {}
  void TestBody() override { body_(); }

 private:
  std::function<void()> body_;
};

void Register(const char* suite, std::string name, std::function<void()> body) {
  for (char& c : name) c = absl::ascii_isalnum(c) ? c : '_';
  testing::RegisterTest(suite, name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                        [body]() -> testing::Test* { return new ArgumentTest(body); });
}

void RegisterArgument(std::string_view argument) {
  const Words words = absl::StrSplit(argument, ';');
  if (words[0] == "accepts" && words.size() >= 8) {
    const ImageClassifierLimits limits = {.minimum = Integer(words[4]),
                                          .pixels = Integer(words[5]),
                                          .size_words = words[3],
                                          .output = Integers(words[6]),
                                          .auxiliary_outputs = Integer(words[7])};
    Register("ImageClassifierTest", words[1], [words, limits, parameters = ParametersOf(words, 8)] {
      ExpectImageClassifier(words[2], parameters, limits);
    });
  } else if (words[0] == "refuses" && words.size() >= 4) {
    Register("RefusalTest", absl::StrCat(words[1], "_", words[3]),
             [words, parameters = ParametersOf(words, 4)] {
               const absl::Status status = Create(words[2], parameters).status();
               EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
               EXPECT_THAT(status.message(), testing::AllOf(testing::StartsWith(words[2]),
                                                            testing::HasSubstr(words[3])));
             });
  } else {
    Refuse(argument);
  }
}

}  // namespace
}  // namespace assay::models

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc < 2) assay::models::Refuse("");
  for (int i = 1; i < argc; ++i) assay::models::RegisterArgument(argv[i]);
  return RUN_ALL_TESTS();
}
