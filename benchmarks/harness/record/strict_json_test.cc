#include "benchmarks/harness/record/strict_json.h"

#include <cmath>
#include <fstream>
#include <limits>
#include <string>

#include "defs/proto/record.pb.h"
#include "google/protobuf/util/message_differencer.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace assay::record {
namespace {

using ::google::protobuf::util::MessageDifferencer;

Record FullRecord() {
  Record record;
  record.set_schema_version(2);
  record.mutable_benchmark_case()->set_name("resnet50_fp32_b8");
  record.mutable_benchmark_case()->set_seed(std::numeric_limits<uint64_t>::max());
  (*record.mutable_benchmark_case()->mutable_parameters())["depth"].set_integer(50);
  record.set_device(CUDA);
  record.set_outcome(FAIL_ACCURACY);
  OutputVerdict* output = record.mutable_verdict()->add_outputs();
  output->set_name("logits \"quoted\" \n\t\x01 \u00e9 \U0001F600");
  output->set_rms_error(4.9406564584124654e-324);
  output->add_worst_index(3);
  Measurement* measurement = record.add_measurements();
  for (double ns : {0.0, 1.0 / 3, 1e-300, 1.7976931348623157e308, 123456789.123456789}) {
    measurement->add_samples_ns(ns);
  }
  (*record.mutable_environment()->mutable_variables())["OMP_NUM_THREADS"] = "2";
  record.set_error("line one\nline two\r\n");
  return record;
}

TEST(StrictJson, GivesBackWhatWasWritten) {
  const Record record = FullRecord();
  const auto line = ToJsonLine(record);
  ASSERT_TRUE(line.ok()) << line.status();
  const auto back = FromJsonLine(*line);
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_TRUE(MessageDifferencer::Equals(record, *back)) << *line;
}

// An independent reader of JSON agrees that it is JSON, on one line, with the proto's own names.
TEST(StrictJson, IsOneLineOfJsonToAnotherParser) {
  const auto line = ToJsonLine(FullRecord());
  ASSERT_TRUE(line.ok());
  EXPECT_EQ(line->find('\n'), std::string::npos);
  const nlohmann::json json = nlohmann::json::parse(*line);
  EXPECT_EQ(json["outcome"], "FAIL_ACCURACY");
  EXPECT_EQ(json["device"], "CUDA");
  EXPECT_EQ(json["benchmark_case"]["name"], "resnet50_fp32_b8");
  EXPECT_EQ(json["measurements"][0]["samples_ns"][1], 1.0 / 3);
  EXPECT_EQ(json["error"], "line one\nline two\r\n");
}

TEST(StrictJson, RefusesNumbersThatJsonDoesNotHaveAndNamesTheField) {
  for (double bad : {std::nan(""), std::numeric_limits<double>::infinity(),
                     -std::numeric_limits<double>::infinity()}) {
    Record record = FullRecord();
    record.mutable_measurements(0)->set_samples_ns(3, bad);
    const auto line = ToJsonLine(record);
    EXPECT_EQ(line.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_NE(line.status().message().find("measurements[0].samples_ns[3]"), std::string::npos)
        << line.status();
  }
  Record record;
  record.set_outcome(PASS);
  record.mutable_verdict()->add_outputs()->set_cosine(std::nan(""));
  EXPECT_NE(ToJsonLine(record).status().message().find("verdict.outputs[0].cosine"),
            std::string::npos);
  Record nested;
  nested.set_outcome(PASS);
  (*nested.mutable_benchmark_case()->mutable_parameters())["rate"].set_real(std::nan(""));
  EXPECT_FALSE(ToJsonLine(nested).ok()) << "inside a map";
}

TEST(StrictJson, RefusesTextThatIsNotUtf8) {
  const std::string bad[] = {"\xff",    "\xc0\xaf",     "\xed\xa0\x80", "\xf4\x90\x80\x80",
                             "caf\xc3", "\xe0\x80\xaf", "\x80"};
  for (const std::string& text : bad) {
    Record record;
    record.set_outcome(PASS);
    record.add_flags("fine");
    record.add_flags("--record=" + text);
    const auto line = ToJsonLine(record);
    EXPECT_EQ(line.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_NE(line.status().message().find("flags[1]"), std::string::npos) << line.status();
  }
}

TEST(StrictJson, ReadsRecordsWithFieldsItDoesNotKnow) {
  const auto record =
      FromJsonLine(R"({"schema_version":2,"outcome":"PASS","of_tomorrow":{"x":[1]}})");
  ASSERT_TRUE(record.ok()) << record.status();
  EXPECT_EQ(record->outcome(), PASS);
}

// Its checks had other names, so that a FLAGGED one would be passed over.
TEST(StrictJson, RefusesAnEarlierSchema) {
  const auto record = FromJsonLine(R"({"schema_version":1,"outcome":"PASS"})");
  EXPECT_EQ(record.status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_NE(record.status().message().find("measure again"), std::string::npos) << record.status();
}

TEST(StrictJson, RefusesARecordWithoutOutcome) {
  EXPECT_EQ(ToJsonLine(Record()).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(FromJsonLine("{}").status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(StrictJson, RefusesALaterSchema) {
  const auto record = FromJsonLine(R"({"schema_version":3})");
  EXPECT_EQ(record.status().code(), absl::StatusCode::kUnimplemented);
}

TEST(StrictJson, RefusesWhatIsNoRecord) {
  for (const char* bad : {"", "{", "[]", "null", "7", "{\"outcome\":\"GREAT\"}", "{\"flags\":7}",
                          "{\"outcome\":\"PASS\"} trailing", "{\"outcome\":\"PA"}) {
    EXPECT_EQ(FromJsonLine(bad).status().code(), absl::StatusCode::kInvalidArgument) << bad;
  }
}

// protobuf's own reader takes "NaN" for a number. One list for all readers: tools/results has the
// same lines to refuse.
TEST(StrictJson, RefusesHostileLines) {
  std::ifstream file("benchmarks/harness/record/testdata/hostile.jsonl", std::ios::binary);
  int lines = 0;
  for (std::string line; std::getline(file, line); ++lines) {
    EXPECT_EQ(FromJsonLine(line).status().code(), absl::StatusCode::kInvalidArgument) << line;
  }
  EXPECT_GE(lines, 20);
}

TEST(StrictJson, NamesTheFieldOfANumberThatItRefuses) {
  const auto record = FromJsonLine(
      R"({"schema_version":2,"outcome":"PASS","measurements":[{"samples_ns":[1,"NaN"]}]})");
  EXPECT_NE(record.status().message().find("measurements[0].samples_ns[1]"), std::string::npos)
      << record.status();
}

TEST(StrictJson, TakesTextThatReadsLikeANumber) {
  const auto record =
      FromJsonLine(R"({"schema_version":2,"outcome":"PASS","error":"NaN","flags":["Infinity"],)"
                   R"("environment":{"variables":{"real":"NaN"}},"duration_s":"0.5"})");
  ASSERT_TRUE(record.ok()) << record.status();
  EXPECT_EQ(record->error(), "NaN");
  EXPECT_EQ(record->environment().variables().at("real"), "NaN");
  EXPECT_EQ(record->duration_s(), 0.5);
}

}  // namespace
}  // namespace assay::record
