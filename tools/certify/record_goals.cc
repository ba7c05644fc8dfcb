// G12: whatever a record holds, its JSON is JSON, and gives the record back; or it is refused.
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "benchmarks/harness/record/strict_json.h"
#include "defs/record.pb.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "google/protobuf/util/message_differencer.h"
#include "nlohmann/json.hpp"
#include "tools/certify/simulated_goals.h"

namespace assay::certify {
namespace {

using ::google::protobuf::FieldDescriptor;
using ::google::protobuf::Message;
using ::google::protobuf::Reflection;
using ::google::protobuf::util::MessageDifferencer;
using Random = std::mt19937_64;

int Below(Random& random, int limit) {
  return std::uniform_int_distribution<int>(0, limit - 1)(random);
}

// What goes into a record, and whether any of it must be refused.
struct Filler {
  Random& random;
  bool hostile;  // NaN, infinities and broken UTF-8 as well
  bool must_be_refused = false;

  double Number() {
    constexpr double kInf = std::numeric_limits<double>::infinity();
    // Not -0: protobuf's JSON leaves out what equals zero, so it comes back as 0.
    const double usual[] = {0.0, 1e-310, 5e-324, 1e308, -1e308, 0.1, 1.0 / 3, 461e6, -2.5};
    const double bad[] = {std::nan(""), kInf, -kInf};
    if (hostile && Below(random, 50) == 0) {
      must_be_refused = true;
      return bad[Below(random, 3)];
    }
    return usual[Below(random, 9)];
  }
  std::string Text() {
    const std::string usual[] = {"",
                                 "resnet50_fp32_b8",
                                 "\"\\/\b\f\n\r\t",
                                 std::string(1, '\0'),
                                 "é",
                                 "\u2028\u2029",
                                 "\U0001F600",
                                 "</script>",
                                 "null",
                                 std::string(300, 'n'),
                                 "\x7f",
                                 "日本語"};
    const std::string bad[] = {"\xff", "\xc0\x80", "\xed\xa0\x80", "a\xe2\x82"};
    if (hostile && Below(random, 50) == 0) {
      must_be_refused = true;
      return bad[Below(random, 4)];
    }
    return usual[Below(random, 12)];
  }
  int64_t Integer() {
    const int64_t values[] = {0,
                              1,
                              -1,
                              std::numeric_limits<int64_t>::max(),
                              std::numeric_limits<int64_t>::min(),
                              int64_t{1} << 53};
    return values[Below(random, 6)];
  }
  void Fill(Message& message, int depth);
  void Set(Message& message, const FieldDescriptor* field, int depth);
};

// Sets, or adds to, one field.
void Filler::Set(Message& m, const FieldDescriptor* f, int depth) {
  const Reflection& r = *m.GetReflection();
  const bool many = f->is_repeated();
  switch (f->cpp_type()) {
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return many ? r.AddDouble(&m, f, Number()) : r.SetDouble(&m, f, Number());
    case FieldDescriptor::CPPTYPE_FLOAT:
      return many ? r.AddFloat(&m, f, 0.5f) : r.SetFloat(&m, f, 0.5f);
    case FieldDescriptor::CPPTYPE_INT64:
      return many ? r.AddInt64(&m, f, Integer()) : r.SetInt64(&m, f, Integer());
    case FieldDescriptor::CPPTYPE_UINT64:
      return many ? r.AddUInt64(&m, f, random()) : r.SetUInt64(&m, f, random());
    case FieldDescriptor::CPPTYPE_INT32:
      return many ? r.AddInt32(&m, f, Below(random, 99)) : r.SetInt32(&m, f, Below(random, 99));
    case FieldDescriptor::CPPTYPE_UINT32:
      return many ? r.AddUInt32(&m, f, 4'294'967'295u) : r.SetUInt32(&m, f, 4'294'967'295u);
    case FieldDescriptor::CPPTYPE_BOOL:
      return many ? r.AddBool(&m, f, true) : r.SetBool(&m, f, true);
    case FieldDescriptor::CPPTYPE_ENUM: {
      const auto* value = f->enum_type()->value(Below(random, f->enum_type()->value_count()));
      return many ? r.AddEnum(&m, f, value) : r.SetEnum(&m, f, value);
    }
    case FieldDescriptor::CPPTYPE_STRING:
      // protobuf's own setter of a map's key takes any text; the entry is a message like others.
      return many ? r.AddString(&m, f, Text()) : r.SetString(&m, f, Text());
    case FieldDescriptor::CPPTYPE_MESSAGE:
      if (f->is_map()) return;  // duplicate keys would not come back
      return Fill(many ? *r.AddMessage(&m, f) : *r.MutableMessage(&m, f), depth + 1);
  }
}

void Filler::Fill(Message& message, int depth) {
  if (depth > 6) return;
  for (int i = 0; i < message.GetDescriptor()->field_count(); ++i) {
    const FieldDescriptor* field = message.GetDescriptor()->field(i);
    if (Below(random, 3) == 0) continue;
    const int times = field->is_repeated() ? Below(random, 4) : 1;
    for (int k = 0; k < times; ++k) Set(message, field, depth);
  }
}

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
  Random random(hostile ? 2 : 1);
  int wrong = 0, refused = 0;
  std::string first;
  for (int i = 0; i < records; ++i) {
    Record record;
    Filler filler{random, hostile};
    filler.Fill(record, 0);
    record.set_outcome(PASS);
    record.set_schema_version(2);
    refused += filler.must_be_refused;
    const std::string complaint = Complaint(record, filler.must_be_refused);
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
