#include "ci/certify/random_record.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"

namespace assay::certify {
namespace {

using ::google::protobuf::FieldDescriptor;
using ::google::protobuf::Message;
using ::google::protobuf::Reflection;

constexpr int kDeepest = 6;  // messages within messages

class Filler {
 public:
  Filler(bool hostile, std::mt19937_64& random) : hostile_(hostile), random_(random) {}

  bool must_be_refused() const { return must_be_refused_; }

  void Fill(Message& message, int depth) {
    if (depth > kDeepest) return;
    for (int i = 0; i < message.GetDescriptor()->field_count(); ++i) {
      const FieldDescriptor* field = message.GetDescriptor()->field(i);
      if (Below(3) == 0 || SiblingIsSet(message, field)) continue;
      // Two entries of a map might have one key, and one of them would not come back.
      const int times = field->is_repeated() && !field->is_map() ? Below(4) : 1;
      for (int k = 0; k < times; ++k) Set(message, field, depth);
    }
  }

 private:
  int Below(int limit) { return std::uniform_int_distribution<int>(0, limit - 1)(random_); }

  // Setting this field would take away what another of its oneof was set to, and with it perhaps
  // what the record must be refused for.
  static bool SiblingIsSet(const Message& message, const FieldDescriptor* field) {
    const auto* const oneof = field->containing_oneof();
    return oneof != nullptr && message.GetReflection()->HasOneof(message, oneof);
  }

  bool Bad() {
    const bool bad = hostile_ && Below(50) == 0;
    must_be_refused_ |= bad;
    return bad;
  }

  double Number() {
    constexpr double kInf = std::numeric_limits<double>::infinity();
    // Not -0: protobuf's JSON leaves out what equals zero, so it comes back as 0.
    const double usual[] = {0.0, 1e-310, 5e-324, 1e308, -1e308, 0.1, 1.0 / 3, 461e6, -2.5};
    const double bad[] = {std::nan(""), kInf, -kInf};
    return Bad() ? bad[Below(3)] : usual[Below(9)];
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
    const std::string bad[] = {"broken\xff", "broken\xc0\x80", "broken\xed\xa0\x80",
                               "broken\xe2\x82"};
    return Bad() ? bad[Below(4)] : usual[Below(12)];
  }

  int64_t Integer() {
    const int64_t values[] = {0,
                              1,
                              -1,
                              std::numeric_limits<int64_t>::max(),
                              std::numeric_limits<int64_t>::min(),
                              int64_t{1} << 53};
    return values[Below(6)];
  }

  // Sets, or adds to, one field.
  void Set(Message& m, const FieldDescriptor* f, int depth) {
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
        return many ? r.AddUInt64(&m, f, random_()) : r.SetUInt64(&m, f, random_());
      case FieldDescriptor::CPPTYPE_INT32:
        return many ? r.AddInt32(&m, f, Below(99)) : r.SetInt32(&m, f, Below(99));
      case FieldDescriptor::CPPTYPE_UINT32:
        return many ? r.AddUInt32(&m, f, 4'294'967'295u) : r.SetUInt32(&m, f, 4'294'967'295u);
      case FieldDescriptor::CPPTYPE_BOOL:
        return many ? r.AddBool(&m, f, true) : r.SetBool(&m, f, true);
      case FieldDescriptor::CPPTYPE_ENUM: {
        const auto* value = f->enum_type()->value(Below(f->enum_type()->value_count()));
        return many ? r.AddEnum(&m, f, value) : r.SetEnum(&m, f, value);
      }
      case FieldDescriptor::CPPTYPE_STRING:
        // protobuf's own setter of a map's key takes any text; the entry is a message like others.
        return many ? r.AddString(&m, f, Text()) : r.SetString(&m, f, Text());
      case FieldDescriptor::CPPTYPE_MESSAGE:
        return Fill(many ? *r.AddMessage(&m, f) : *r.MutableMessage(&m, f), depth + 1);
    }
  }

  const bool hostile_;
  std::mt19937_64& random_;
  bool must_be_refused_ = false;
};

// A reader refuses a record that says PASS beside a part that failed, and an end of a suite's run
// that has an outcome (record/agreement.h).
void MakeItsPartsAgree(Record& record) {
  record.set_outcome(record.has_suite_run() ? OUTCOME_UNSPECIFIED : FAIL_ACCURACY);
  if (record.verdict().outcome() == PASS) record.mutable_verdict()->set_outcome(FAIL_ACCURACY);
}

}  // namespace

RandomRecord MakeRandomRecord(bool hostile, std::mt19937_64& random) {
  RandomRecord made;
  Filler filler(hostile, random);
  filler.Fill(made.record, 0);
  MakeItsPartsAgree(made.record);
  made.record.set_schema_version(2);
  made.must_be_refused = filler.must_be_refused();
  return made;
}

}  // namespace assay::certify
