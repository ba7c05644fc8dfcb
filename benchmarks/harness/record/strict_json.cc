#include "benchmarks/harness/record/strict_json.h"

#include <cmath>
#include <cstddef>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "benchmarks/harness/record/agreement.h"
#include "benchmarks/harness/record/repeated_names.h"
#include "defs/compiler/utf8.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "google/protobuf/util/json_util.h"

namespace assay::record {
namespace {

using ::google::protobuf::FieldDescriptor;
using ::google::protobuf::Message;
using ::google::protobuf::Reflection;

constexpr int kSchemaVersion = 2;

absl::Status CheckNumber(double value, const std::string& path) {
  if (std::isfinite(value)) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrFormat(
      "%s is %g, which JSON has no number for; leave the field unset where a figure is not known",
      path, value));
}

absl::Status CheckText(const std::string& text, const std::string& path) {
  if (IsUtf8(text)) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(path, " holds text that is not UTF-8"));
}

absl::Status CheckMessage(const Message& message, const std::string& prefix);

// One value: of a singular field where `index` is negative.
absl::Status CheckValue(const Message& message, const FieldDescriptor* field, int index,
                        const std::string& path) {
  const Reflection& reflection = *message.GetReflection();
  const bool one = index < 0;
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return CheckNumber(one ? reflection.GetDouble(message, field)
                             : reflection.GetRepeatedDouble(message, field, index),
                         path);
    case FieldDescriptor::CPPTYPE_FLOAT:
      return CheckNumber(one ? reflection.GetFloat(message, field)
                             : reflection.GetRepeatedFloat(message, field, index),
                         path);
    case FieldDescriptor::CPPTYPE_STRING:
      return CheckText(one ? reflection.GetString(message, field)
                           : reflection.GetRepeatedString(message, field, index),
                       path);
    case FieldDescriptor::CPPTYPE_MESSAGE:
      return CheckMessage(one ? reflection.GetMessage(message, field)
                              : reflection.GetRepeatedMessage(message, field, index),
                          absl::StrCat(path, "."));
    default:
      return absl::OkStatus();
  }
}

absl::Status CheckMessage(const Message& message, const std::string& prefix) {
  std::vector<const FieldDescriptor*> fields;
  message.GetReflection()->ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    const std::string path = absl::StrCat(prefix, field->name());
    if (!field->is_repeated()) {
      if (absl::Status s = CheckValue(message, field, -1, path); !s.ok()) return s;
      continue;
    }
    const int size = message.GetReflection()->FieldSize(message, field);
    for (int i = 0; i < size; ++i) {
      absl::Status s = CheckValue(message, field, i, absl::StrFormat("%s[%d]", path, i));
      if (!s.ok()) return s;
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> ToJsonLine(const Record& record) {
  if (record.outcome() == OUTCOME_UNSPECIFIED && !record.has_suite_run()) {
    return absl::InvalidArgumentError("outcome is not set");
  }
  if (absl::Status status = CheckMessage(record, ""); !status.ok()) return status;
  google::protobuf::util::JsonPrintOptions options;
  options.preserve_proto_field_names = true;
  std::string line;
  const auto status = google::protobuf::util::MessageToJsonString(record, &line, options);
  if (!status.ok()) {
    return absl::InternalError(absl::StrCat("record to JSON: ", status.ToString()));
  }
  return line;
}

absl::StatusOr<Record> FromJsonLine(std::string_view line) {
  google::protobuf::util::JsonParseOptions options;
  options.ignore_unknown_fields = true;
  Record record;
  const auto status = google::protobuf::util::JsonStringToMessage(
      google::protobuf::StringPiece(line.data(), line.size()), &record, options);
  if (!status.ok()) {
    return absl::InvalidArgumentError(absl::StrCat("not a record: ", status.ToString()));
  }
  if (record.schema_version() > kSchemaVersion) {
    return absl::UnimplementedError(
        absl::StrFormat("the record has schema version %d and this program reads up to %d; use a "
                        "newer one",
                        record.schema_version(), kSchemaVersion));
  }
  // Ignoring unknown fields also ignores unknown values of an enum.
  if (record.outcome() == OUTCOME_UNSPECIFIED && !record.has_suite_run()) {
    return absl::InvalidArgumentError("not a record: its outcome is missing or unknown");
  }
  if (record.schema_version() < kSchemaVersion) {
    return absl::UnimplementedError(
        absl::StrFormat("the record has schema version %d, whose steps and checks had other names "
                        "than those of %d; measure again",
                        record.schema_version(), kSchemaVersion));
  }
  // protobuf's reader takes the texts "NaN" and "Infinity" for numbers, and of a name that stands
  // twice the last value.
  if (absl::Status status = CheckMessage(record, ""); !status.ok()) return status;
  if (absl::Status status = CheckNamesOnce(line); !status.ok()) return status;
  if (absl::Status status = CheckAgreement(record); !status.ok()) return status;
  return record;
}

}  // namespace assay::record
