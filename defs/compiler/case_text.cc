#include "defs/compiler/case_text.h"

#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/text_format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "defs/compiler/utf8.h"

namespace assay {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

constexpr int kDeepest = 20;             // nesting; suite.proto needs 5
constexpr size_t kLongestProblem = 500;  // bytes of protobuf's part
constexpr size_t kLongestString = 2000;  // bytes of one field
constexpr size_t kMostProblems = 20;     // of one text

// Values of the enum field `name` of `message` or of a message inside it, for error messages.
std::string AllowedValues(const Descriptor& message, const std::string& name, int depth = 0) {
  for (int i = 0; i < message.field_count() && depth < 4; ++i) {
    const FieldDescriptor& field = *message.field(i);
    if (field.name() == name && field.enum_type() != nullptr) {
      std::vector<std::string> values;
      for (int v = 1; v < field.enum_type()->value_count(); ++v)
        values.push_back(field.enum_type()->value(v)->name());
      return absl::StrJoin(values, ", ");
    }
    if (field.message_type() == nullptr) continue;
    std::string inner = AllowedValues(*field.message_type(), name, depth + 1);
    if (!inner.empty()) return inner;
  }
  return "";
}

// Adds to protobuf's messages the values that would be allowed in the place of an unknown one.
class AllowedCollector : public google::protobuf::io::ErrorCollector {
 public:
  // `source` is the parsed text; nullptr if its line numbers mean nothing to its author.
  AllowedCollector(std::string where, const std::string* source, const Descriptor& message,
                   Problems* problems)
      : where_(std::move(where)), source_(source), message_(message), problems_(problems) {}

  void AddError(int line, google::protobuf::io::ColumnNumber, const std::string& text) override {
    if (++count_ > kMostProblems) return;  // the first ones are enough
    const std::string place =
        source_ == nullptr ? where_ : absl::StrCat(where_, ":", Line(line, text) + 1);
    problems_->push_back(absl::StrCat(place, ": ", Shown(text), Allowed(text)));
  }

 private:
  static std::string Shown(const std::string& text) {
    if (text.size() > kLongestProblem) {
      return absl::Utf8SafeCHexEscape(text.substr(0, kLongestProblem)) + "…";
    }
    const bool printable = std::all_of(text.begin(), text.end(), [](char c) {
      return static_cast<unsigned char>(c) >= ' ' && c != 0x7f;
    });
    return printable ? text : absl::Utf8SafeCHexEscape(text);
  }

  // The parser reports a bad enum value at the next token, which may be on the next line.
  int Line(int reported, const std::string& text) const {
    const std::vector<std::string> quoted = absl::StrSplit(text, '"');
    if (!absl::StrContains(text, "enumeration value") || quoted.size() < 4) return reported;
    const std::vector<std::string> lines = absl::StrSplit(*source_, '\n');
    for (int i = std::min<int>(reported, lines.size() - 1); i >= 0; --i) {
      if (absl::StrContains(lines[i], quoted[1]) && absl::StrContains(lines[i], quoted[3]))
        return i;
    }
    return reported;
  }

  std::string Allowed(const std::string& text) const {
    const std::vector<std::string> quoted = absl::StrSplit(text, '"');
    if (absl::StrContains(text, "enumeration value") && quoted.size() > 3) {
      return absl::StrCat(" One of: ", AllowedValues(message_, quoted[3]));
    }
    if (!absl::StrContains(text, "has no field named") || quoted.size() < 4) return "";
    const Descriptor* type = message_.file()->pool()->FindMessageTypeByName(quoted[1]);
    if (type == nullptr) return "";
    std::vector<std::string> fields;
    for (int i = 0; i < type->field_count(); ++i) fields.push_back(type->field(i)->name());
    return absl::StrCat(" It has: ", absl::StrJoin(fields, ", "));
  }

  const std::string where_;
  const std::string* const source_;
  const Descriptor& message_;
  Problems* const problems_;
  size_t count_ = 0;
};

// The reason, with its line, why `text` is not a text; empty if it is.
std::string NoText(std::string_view text) {
  if (absl::StartsWith(text, "\xef\xbb\xbf")) {
    return "1: begins with a byte order mark; save it as UTF-8 without one";
  }
  int line = 1;
  for (size_t at = 0; at < text.size();) {
    const size_t length = Utf8Length(text, at);
    if (length == 0) return absl::StrCat(line, ": is not UTF-8");
    const char c = text[at];
    const bool space = c == '\n' || c == '\t' || c == '\r';
    if ((static_cast<unsigned char>(c) < ' ' && !space) || c == 0x7f) {
      return absl::StrCat(line, ": has the control character \\x", absl::Hex(c, absl::kZeroPad2));
    }
    line += c == '\n';
    at += length;
  }
  return "";
}

// Escapes may put into a string what the text itself must not contain: "\000", "\377", "
//
// ".
std::string BadString(const google::protobuf::Message& message) {
  const google::protobuf::Reflection& reflection = *message.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection.ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    const bool is_string = field->cpp_type() == FieldDescriptor::CPPTYPE_STRING;
    if (!is_string && field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
    const int count = field->is_repeated() ? reflection.FieldSize(message, field) : 1;
    for (int i = 0; i < count; ++i) {
      if (!is_string) {
        const std::string inner =
            BadString(field->is_repeated() ? reflection.GetRepeatedMessage(message, field, i)
                                           : reflection.GetMessage(message, field));
        if (!inner.empty()) return inner;
        continue;
      }
      const std::string value = field->is_repeated()
                                    ? reflection.GetRepeatedString(message, field, i)
                                    : reflection.GetString(message, field);
      if (value.size() > kLongestString || !NoText(value).empty() ||
          value.find_first_of("\r\n\t") != value.npos) {
        return absl::StrCat("field \"", field->name(), "\" is more than ", kLongestString,
                            " bytes, not UTF-8, or has control characters");
      }
    }
  }
  return "";
}

}  // namespace

void ParseCaseText(const std::string& text, const std::string& where, bool with_line,
                   google::protobuf::Message* message, Problems* problems) {
  if (with_line && text.size() > kLongestCaseText) {
    problems->push_back(absl::StrCat(where, ": has ", text.size(), " bytes; a case has at most ",
                                     kLongestCaseText));
    return;
  }
  if (const std::string problem = NoText(text); !problem.empty()) {
    problems->push_back(absl::StrCat(where, ":", problem));
    return;
  }
  AllowedCollector collector(where, with_line ? &text : nullptr, *message->GetDescriptor(),
                             problems);
  google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&collector);
  parser.SetRecursionLimit(kDeepest);
  if (!parser.ParseFromString(text, message)) return;
  if (const std::string problem = BadString(*message); !problem.empty()) {
    problems->push_back(absl::StrCat(where, ": ", problem));
  }
}

}  // namespace assay
