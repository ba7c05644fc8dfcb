// Writes the messages of record.proto, and those that they hold, as Python: defs/proto/record_types.py, which is made at build time
// and never checked in. //defs/proto:record_types is the py_library of it.
//
//   record_types > record_types.py
//   record_types outcomes > outcomes.py      the outcomes alone, which need no msgspec
//
// A message becomes a struct of msgspec, which reads Protocol Buffers' JSON by it (strict=False: 64-bit integers are texts
// there). A field that is absent has its proto's default: 0, false, "", [] or an empty struct; None in a oneof. An enumerator
// is its name.
#include <google/protobuf/descriptor.h>

#include <iostream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "defs/proto/record.pb.h"
#include "defs/proto/suite.pb.h"

namespace assay {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::EnumDescriptor;
using google::protobuf::FieldDescriptor;

constexpr std::string_view kHead =
    R"py("""The messages of defs/proto/record.proto as structs of msgspec. Made by //defs/proto:record_types_py."""

from typing import Annotated, Optional

import msgspec

Int32 = Annotated[int, msgspec.Meta(ge=-(1 << 31), le=(1 << 31) - 1)]
Int64 = Annotated[int, msgspec.Meta(ge=-(1 << 63), le=(1 << 63) - 1)]
UInt32 = Annotated[int, msgspec.Meta(ge=0, le=(1 << 32) - 1)]
UInt64 = Annotated[int, msgspec.Meta(ge=0)]
)py";

constexpr std::string_view kOutcomesHead =
    R"py("""The outcomes of defs/proto/record.proto, for a Python without msgspec. Made by //defs/proto:record_types_program."""
)py";

// "Training" for assay.Training, "CheckpointExtras_Stack" for a message within another.
std::string NameOf(const Descriptor& message) {
  const Descriptor* outer = message.containing_type();
  return outer == nullptr ? message.name() : absl::StrCat(NameOf(*outer), "_", message.name());
}

struct PythonType {
  std::string name, fallback;
};

PythonType TypeOf(const FieldDescriptor& field) {
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32:
      return {"Int32", "0"};
    case FieldDescriptor::CPPTYPE_INT64:
      return {"Int64", "0"};
    case FieldDescriptor::CPPTYPE_UINT32:
      return {"UInt32", "0"};
    case FieldDescriptor::CPPTYPE_UINT64:
      return {"UInt64", "0"};
    case FieldDescriptor::CPPTYPE_DOUBLE:
    case FieldDescriptor::CPPTYPE_FLOAT:
      return {"float", "0.0"};
    case FieldDescriptor::CPPTYPE_BOOL:
      return {"bool", "False"};
    case FieldDescriptor::CPPTYPE_ENUM:
    case FieldDescriptor::CPPTYPE_STRING:
      return {"str", "\"\""};
    case FieldDescriptor::CPPTYPE_MESSAGE:
      break;
  }
  const std::string name = NameOf(*field.message_type());
  return {name, absl::StrCat("msgspec.field(default_factory=", name, ")")};
}

std::string LineOf(const FieldDescriptor& field) {
  PythonType type;
  if (field.is_map()) {
    const std::string value = TypeOf(*field.message_type()->map_value()).name;
    type = {absl::StrCat("dict[str, ", value, "]"), "{}"};
  } else {
    type = TypeOf(field);
    if (field.is_repeated()) type = {absl::StrCat("list[", type.name, "]"), "[]"};
    if (field.containing_oneof() != nullptr)
      type = {absl::StrCat("Optional[", type.name, "]"), "None"};
  }
  return absl::StrCat("    ", field.name(), ": ", type.name, " = ", type.fallback, "\n");
}

// Appends the messages that `message` holds, then itself. No message holds itself.
void Write(const Descriptor& message, std::set<const Descriptor*>& written, std::string& text) {
  if (!written.insert(&message).second) return;
  std::string body;
  for (int i = 0; i < message.field_count(); ++i) {
    const FieldDescriptor& field = *message.field(i);
    const FieldDescriptor& value = field.is_map() ? *field.message_type()->map_value() : field;
    if (value.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE)
      Write(*value.message_type(), written, text);
    absl::StrAppend(&body, LineOf(field));
  }
  absl::StrAppend(&text, "\n\nclass ", NameOf(message), "(msgspec.Struct, gc=False):\n",
                  body.empty() ? "    pass\n" : body);
}

// Without the first, which no written record has.
std::string OutcomesText() {
  const EnumDescriptor& outcomes = *Outcome_descriptor();
  std::string text =
      "\n# How a run ended -> the exit code: 0 right, 1 the product is wrong, 2 the machine or the "
      "setup is.\n"
      "EXIT_CODES = {\n";
  for (int i = 1; i < outcomes.value_count(); ++i) {
    const auto& outcome = *outcomes.value(i);
    absl::StrAppend(&text, "    \"", outcome.name(),
                    "\": ", outcome.options().GetExtension(exit_code), ",\n");
  }
  return absl::StrCat(text, "}\n");
}

std::string TypesText() {
  std::string text = absl::StrCat(kHead, OutcomesText());
  std::set<const Descriptor*> written;
  for (const Descriptor* message : {Record::descriptor(), Registry::descriptor()})
    Write(*message, written, text);
  return text;
}

int Main(const std::vector<std::string_view>& words) {
  if (words.size() > 1 || (words.size() == 1 && words[0] != "outcomes")) {
    std::cerr << "usage: record_types [outcomes]\n";
    return 3;
  }
  std::cout << (words.empty() ? TypesText() : absl::StrCat(kOutcomesHead, OutcomesText()));
  return std::cout.flush() ? 0 : 1;
}

}  // namespace
}  // namespace assay

int main(int argc, char** argv) { return assay::Main({argv + 1, argv + argc}); }
