// G12: whatever a record holds, its JSON is JSON, and gives the record back; or it is refused.
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "benchmarks/harness/record/strict_json.h"
#include "ci/certify/random_record.h"
#include "ci/certify/simulated_goals.h"
#include "defs/proto/record.pb.h"
#include "google/protobuf/util/message_differencer.h"
#include "nlohmann/json.hpp"

namespace assay::certify {
namespace {

using ::google::protobuf::util::MessageDifferencer;

// Empty, or what is wrong.
std::string Complaint(const Record& record, bool must_be_refused) {
  const absl::StatusOr<std::string> line = record::ToJsonLine(record);
  if (must_be_refused) return line.ok() ? "wrote what it must refuse" : "";
  if (!line.ok()) return std::string(line.status().message());
  if (line->find('\n') != std::string::npos) return "a newline inside the line";
  if (!nlohmann::json::accept(*line)) return "another parser refuses it";
  const absl::StatusOr<Record> back = record::FromJsonLine(*line);
  if (!back.ok()) return std::string(back.status().message());
  std::string difference;
  MessageDifferencer differencer;
  differencer.ReportDifferencesToString(&difference);
  return differencer.Compare(record, *back) ? "" : "came back different: " + difference;
}

Goal Fuzz(bool hostile, int records) {
  std::mt19937_64 random(hostile ? 2 : 1);
  int wrong = 0, refused = 0;
  std::string first;
  for (int i = 0; i < records; ++i) {
    const RandomRecord made = MakeRandomRecord(hostile, random);
    refused += made.must_be_refused;
    const std::string complaint = Complaint(made.record, made.must_be_refused);
    wrong += !complaint.empty();
    if (first.empty()) first = complaint;
  }
  return {.id = "G12",
          .what = hostile ? "hostile records (NaN, infinity, broken UTF-8) not refused, or not JSON"
                          : "random records whose JSON does not parse or come back equal",
          .measured = static_cast<double>(wrong),
          .wanted = 0,
          .peer = "Google Benchmark writes bare NaN",
          .detail = absl::StrFormat("%d records, %d to refuse%s", records, refused,
                                    first.empty() ? "" : ": " + first)};
}

}  // namespace

std::vector<Goal> RecordGoals(bool quick) {
  const int records = quick ? 300 : 3'000;
  return {Fuzz(/*hostile=*/false, records), Fuzz(/*hostile=*/true, records)};
}

}  // namespace assay::certify
