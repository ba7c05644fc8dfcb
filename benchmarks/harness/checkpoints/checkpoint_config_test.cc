#include "benchmarks/harness/checkpoints/checkpoint_config.h"

#include <google/protobuf/text_format.h>

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "defs/proto/suite.pb.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::checkpoints {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Two layers of two heads; one input of tokens.
ResolvedCase Toy() {
  ResolvedCase c;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(
      R"pb(
        benchmark_case {
          name: "toy_fp32_b2_s4"
          label: "//x:toy_fp32_b2_s4"
          model: "toy"
          dtype: FP32
          batch: 2
          parameters {
            key: "length"
            value { integer: 4 }
          }
          verify { rule: RELATIVE_TO_STD rms_limit: 1e-5 max_limit: 1e-4 provenance: "here" }
        }
        model { name: "toy" implementation: "toy_code" }
        implementation {
          name: "toy_code"
          parameters { name: "width" kind: "integer" minimum: 1 maximum: 1000 }
          parameters { name: "heads" kind: "integer" minimum: 1 maximum: 64 }
          parameters { name: "head_width" kind: "integer" minimum: 1 maximum: 1000 }
          parameters { name: "eps" kind: "real" maximum: 1 }
          parameters { name: "window" kind: "integer" maximum: 1000 }
          parameters { name: "words" kind: "integer" minimum: 1 maximum: 1000 }
          parameters { name: "labels" kind: "integer" minimum: 1 maximum: 1000 }
          parameters { name: "length" kind: "integer" minimum: 1 maximum: 1000 suffix: "s" }
          inputs {
            name: "ids"
            dtype: INT64
            shape: "batch"
            shape: "length"
            distribution { integers { limit_parameter: "words" } }
          }
          outputs { name: "scores" shape: "batch" shape: "length" shape: "words" }
          checkpoint_configs {
            model_type: "toy"
            keys { parameter: "width" names: "width" names: "n_embd" }
            keys { parameter: "heads" names: "heads" absent: "2" }
            keys { parameter: "head_width" names: "head_width" quotient: "width/heads" }
            keys { parameter: "eps" names: "eps" absent: "1e-06" }
            keys { parameter: "window" names: "window" absent: "9" null: "0" }
            keys {
              parameter: "words"
              names: "rope.words"
              names: "words"
              absent: "11"
              reaches: "length"
            }
            keys { parameter: "labels" names: "#id2label" absent: "2" }
            keys { names: "act" only: "\"relu\"" only: "\"gelu\"" }
            keys { names: "inner" only: "null" }
            keys { names: "types" only: "\"full\"" }
            unread: "dropout"
          }
        }
        reference { key: "toy_fp32_b2_s4" sha256: "00" }
        referenced { batch: 2 }
      )pb",
      &c));
  for (const auto& [name, number] :
       {std::pair("width", 8), std::pair("heads", 2), std::pair("head_width", 4),
        std::pair("window", 9), std::pair("words", 11), std::pair("labels", 2)}) {
    (*c.mutable_model()->mutable_parameters())[name].set_integer(number);
  }
  (*c.mutable_model()->mutable_parameters())["eps"].set_real(1e-6);
  *c.mutable_measured()->mutable_parameters() = c.model().parameters();
  return c;
}

absl::StatusOr<ConfiguredCase> Configured(const std::string& json,
                                          const std::vector<std::string>& ignored = {}) {
  return WithCheckpointConfig(Toy(), json, ignored);
}

TEST(CheckpointConfig, SizesOfTheFileTakeThePlaceOfTheCasesInEveryWorkload) {
  const auto configured = Configured(
      R"({"model_type": "toy", "n_embd": 12, "heads": 3, "eps": 1e-3, "window": null,
          "rope": {"words": 20}, "id2label": {"0": "a", "1": "b", "2": "c"}, "act": "gelu",
          "inner": null, "types": ["full", "full"], "dropout": 0.5})");
  ASSERT_TRUE(configured.ok()) << configured.status();
  for (const Workload* workload :
       {&configured->resolved.measured(), &configured->resolved.verified(),
        &configured->resolved.referenced()}) {
    EXPECT_EQ(workload->parameters().at("width").integer(), 12);
    EXPECT_EQ(workload->parameters().at("head_width").integer(), 4);  // 12 / 3
    EXPECT_EQ(workload->parameters().at("eps").real(), 1e-3);
    EXPECT_EQ(workload->parameters().at("window").integer(), 0);
    EXPECT_EQ(workload->parameters().at("labels").integer(), 3);
    EXPECT_EQ(workload->parameters().at("length").integer(), 4);  // the case's
    EXPECT_EQ(workload->inputs(0).distribution().integers().limit(), 20);
    EXPECT_THAT(workload->outputs(0).shape(), ElementsAre(2, 4, 20));
  }
  EXPECT_THAT(
      configured->notes,
      ElementsAre("sizes of config.json (of the case): width 12 (8), heads 3 (2), eps 0.001 "
                  "(1e-06), window 0 (9), words 20 (11), labels 3 (2)"));
  // The case's reference is of other sizes.
  EXPECT_EQ(configured->resolved.reference().sha256(), "");
}

TEST(CheckpointConfig, ATablesValueHoldsWhereTheFileIsSilent) {
  const auto configured = Configured(R"({"model_type": "toy", "width": 8})");
  ASSERT_TRUE(configured.ok()) << configured.status();
  EXPECT_THAT(configured->notes, IsEmpty());
}

TEST(CheckpointConfig, WhatTheCodeDoesNotComputeIsRefusedByKeyAndValue) {
  struct Row {
    std::string json, said;
  };
  for (const Row& row : std::vector<Row>{
           {"{", "it is no JSON object"},
           {"[1]", "it is no JSON object"},
           {R"({"width": 8})", "\"model_type\" is not there; toy_code computes \"toy\""},
           {R"({"model_type": "t5", "width": 8})", "\"model_type\" is \"t5\""},
           {R"({"model_type": "toy"})", "it has no \"width\", which toy_code needs"},
           {R"({"model_type": "toy", "width": null})", "it has no \"width\""},
           {R"({"model_type": "toy", "width": "8"})",
            "\"width\" is \"8\"; toy_code takes a value of kind integer"},
           {R"({"model_type": "toy", "width": 8.5})", "\"width\" is 8.5"},
           {R"({"model_type": "toy", "width": 18446744073709551615})",
            "\"width\" is 18446744073709551615"},
           {R"({"model_type": "toy", "width": 2000})", "width"},
           {R"({"model_type": "toy", "width": 9})", "width/heads is 9/2, no whole number"},
           {R"({"model_type": "toy", "width": 8, "heads": 0, "head_width": 4})", "heads"},
           {R"({"model_type": "toy", "width": 8, "heads": 0})", "8/0"},
           {R"({"model_type": "toy", "width": 8, "n_embd": 9})",
            "\"width\" is 8, and \"n_embd\", which means the same, is 9"},
           {R"({"model_type": "toy", "width": 8, "act": "silu"})",
            "\"act\" is \"silu\"; toy_code computes only \"relu\" or \"gelu\""},
           {R"({"model_type": "toy", "width": 8, "words": 3})",
            "\"rope.words\" is 3, and the case has 4 positions"},
           {R"({"model_type": "toy", "width": 8, "inner": 7})",
            "\"inner\" is 7; toy_code computes only null"},
           {R"({"model_type": "toy", "width": 8, "types": ["full", "window"]})",
            "\"types\" is [\"full\",\"window\"]"},
           {R"({"model_type": "toy", "width": 8, "rope": {"scale": 2}})",
            "\"rope.scale\" is 2; toy_code does not know this key"},
           {R"({"model_type": "toy", "width": 8, "tricks\u001b[2J": 1})",
            "\"tricks\\x1b[2J\" is 1"},
       }) {
    const absl::Status refused = Configured(row.json).status();
    EXPECT_TRUE(absl::IsInvalidArgument(refused)) << row.json << ": " << refused;
    EXPECT_THAT(std::string(refused.message()), HasSubstr(row.said)) << row.json;
  }
}

TEST(CheckpointConfig, AListOfLayersSaysHowManyOfThemHaveNoWindow) {
  struct Row {
    std::string layers;
    int64_t period;  // -1: refused
  };
  const std::string s = "\"sliding_attention\"", f = "\"full_attention\"";
  for (const Row& row : std::vector<Row>{{absl::StrCat(s, ",", f, ",", s, ",", f), 2},
                                         {absl::StrCat(s, ",", s, ",", f, ",", s), 3},
                                         {absl::StrCat(f, ",", f), 1},
                                         {absl::StrCat(s, ",", s), 0},
                                         {absl::StrCat(f, ",", s), -1},
                                         {absl::StrCat(s, ",", f, ",", f), -1},
                                         {"", -1},
                                         {absl::StrCat(s, ",", "7"), -1}}) {
    ResolvedCase c = Toy();
    auto& window = *c.mutable_implementation()->mutable_checkpoint_configs(0)->mutable_keys(4);
    window.add_names("%kinds");
    const auto configured = WithCheckpointConfig(
        c, absl::StrCat(R"({"model_type": "toy", "width": 8, "kinds": [)", row.layers, "]}"), {});
    EXPECT_EQ(configured.ok(), row.period >= 0) << row.layers << configured.status();
    if (!configured.ok()) continue;
    EXPECT_EQ(configured->resolved.measured().parameters().at("window").integer(), row.period);
  }
}

TEST(CheckpointConfig, AListOfLayersThatSaysNothingOrAnotherNumberIsNoPeriod) {
  ResolvedCase c = Toy();
  auto& window = *c.mutable_implementation()->mutable_checkpoint_configs(0)->mutable_keys(4);
  window.add_names("%kinds");
  const auto configured =
      WithCheckpointConfig(c, R"({"model_type": "toy", "width": 8, "kinds": null})", {});
  ASSERT_TRUE(configured.ok()) << configured.status();
  EXPECT_EQ(configured->resolved.measured().parameters().at("window").integer(), 9);
  EXPECT_THAT(std::string(WithCheckpointConfig(
                              c, R"({"model_type": "toy", "width": 8, "kinds": {}})", {"kinds"})
                              .status()
                              .message()),
              HasSubstr("\"kinds\" is a size or setting"));
  EXPECT_THAT(
      std::string(WithCheckpointConfig(c, R"({"model_type": "toy", "width": 8, "kinds": {}})", {})
                      .status()
                      .message()),
      HasSubstr("\"kinds\" is {}; toy_code computes only \"full_attention\" at each p-th"));
  EXPECT_THAT(std::string(WithCheckpointConfig(c, R"({"model_type": "toy", "width": 8,
                   "num_hidden_layers": 2, "kinds": ["full_attention"]})",
                                               {})
                              .status()
                              .message()),
              HasSubstr("\"kinds\" has 1 layers, and \"num_hidden_layers\" is 2"));
}

TEST(CheckpointConfig, AMissingKeyMayBeTheSquareOfAQuotient) {
  ResolvedCase c = Toy();
  c.mutable_implementation()->mutable_checkpoint_configs(0)->mutable_keys(2)->set_quotient(
      "(width/heads)^2");
  const auto width = [&c](const std::string& more) {
    const auto configured =
        WithCheckpointConfig(c, R"({"model_type": "toy", "width": 12, "heads": )" + more + "}", {});
    return configured.ok()
               ? absl::StrCat(
                     configured->resolved.measured().parameters().at("head_width").integer())
               : std::string(configured.status().message());
  };
  EXPECT_EQ(width("3"), "16");
  EXPECT_EQ(width(R"(3, "head_width": 4)"), "4");
  EXPECT_THAT(width("5"),
              HasSubstr("it has no \"head_width\", and width/heads is 12/5, no whole number"));
}

TEST(CheckpointConfig, AnObjectWithoutAKeyMayMeanAnotherValueThanAFileWithoutTheObject) {
  ResolvedCase c = Toy();
  auto& table = *c.mutable_implementation()->mutable_checkpoint_configs(0);
  table.mutable_keys(5)->set_quotient("width");  // of rope.words, whose file may lack rope
  const auto words = [&c](const std::string& more) {
    const auto configured =
        WithCheckpointConfig(c, R"({"model_type": "toy", "width": 8)" + more + "}", {});
    EXPECT_TRUE(configured.ok()) << configured.status();
    return configured.ok() ? configured->resolved.measured().parameters().at("words").integer() : 0;
  };
  auto& cut = *table.add_keys();
  cut.add_names("rope.cut");
  cut.add_only("false");
  EXPECT_EQ(words(""), 11);
  EXPECT_EQ(words(R"(, "rope": {"cut": false})"), 8);
  cut.set_absent("true");
  EXPECT_EQ(words(""), 11);
  EXPECT_EQ(words(R"(, "rope": {"cut": false, "words": 30})"), 30);
  EXPECT_THAT(std::string(WithCheckpointConfig(
                              c, R"({"model_type": "toy", "width": 8, "rope": {"words": 30}})", {})
                              .status()
                              .message()),
              HasSubstr("it has no \"rope.cut\", which means true; toy_code computes only false"));
}

TEST(CheckpointConfig, AKeyThatTheUserNamesIsLeftOutAndSaid) {
  const std::string json = R"({"model_type": "toy", "width": 8, "mine": 1})";
  EXPECT_THAT(std::string(Configured(json).status().message()), HasSubstr("--config-ignore=mine"));
  const auto configured = Configured(json, {"mine"});
  ASSERT_TRUE(configured.ok()) << configured.status();
  EXPECT_THAT(configured->notes[0], HasSubstr("\"mine\" is not read"));
  EXPECT_FALSE(Configured(json, {"mine", "yours"}).ok());
  const std::string nested = R"({"model_type": "toy", "width": 8, "rope": {"mine": 1}})";
  EXPECT_THAT(std::string(Configured(nested).status().message()),
              HasSubstr("--config-ignore=rope.mine"));
  EXPECT_TRUE(Configured(nested, {"rope.mine"}).ok());
  for (const std::string name : {"width", "rope", "model_type", "id2label"}) {
    EXPECT_THAT(std::string(Configured(json, {name}).status().message()),
                HasSubstr("is a size or setting that toy_code reads"))
        << name;
  }
}

TEST(CheckpointConfig, ATrainingCaseKeepsItsSizes) {
  ResolvedCase c = Toy();
  c.mutable_benchmark_case()->mutable_training();
  c.mutable_benchmark_case()->set_mode(TRAIN);
  const absl::Status refused =
      WithCheckpointConfig(c, R"({"model_type": "toy", "width": 16})", {}).status();
  EXPECT_THAT(std::string(refused.message()), HasSubstr("width 16 (8)"));
}

TEST(CheckpointConfig, CodeWithoutATableSaysThatItReadsNone) {
  ResolvedCase c = Toy();
  c.mutable_implementation()->clear_checkpoint_configs();
  const auto configured = WithCheckpointConfig(c, "{", {});
  ASSERT_TRUE(configured.ok());
  EXPECT_THAT(configured->notes, ElementsAre(HasSubstr("config.json is not read")));
}

}  // namespace
}  // namespace assay::checkpoints
