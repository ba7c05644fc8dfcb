#include "tools/suite/launch/processes/secrets.h"

#include <google/protobuf/message.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_replace.h"
#include "benchmarks/harness/environment/secret_names.h"
#include "tools/suite/secrets/secret_place.h"
#include "tools/suite/secrets/secret_texts.h"

extern char** environ;

namespace assay::suite {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

void RemoveFromTexts(const Secrets& secrets, const FieldDescriptor* field, Message& message) {
  const Reflection& reflection = *message.GetReflection();
  if (!field->is_repeated()) {
    reflection.SetString(&message, field, secrets.Removed(reflection.GetString(message, field)));
    return;
  }
  std::vector<std::string> texts;
  for (int i = 0; i < reflection.FieldSize(message, field); ++i)
    texts.push_back(reflection.GetRepeatedString(message, field, i));
  texts = secrets.Removed(texts);  // perhaps the words of a command
  for (size_t i = 0; i < texts.size(); ++i)
    reflection.SetRepeatedString(&message, field, static_cast<int>(i), texts[i]);
}

// An entry of a map whose key says that its value is a secret. Keys stay.
void RemoveFromEntry(const Secrets& secrets, Message& entry) {
  const Reflection& reflection = *entry.GetReflection();
  const FieldDescriptor* const key = entry.GetDescriptor()->FindFieldByNumber(1);
  const FieldDescriptor* const value = entry.GetDescriptor()->FindFieldByNumber(2);
  if (value->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE)
    return secrets.RemoveFrom(*reflection.MutableMessage(&entry, value));
  if (value->cpp_type() != FieldDescriptor::CPPTYPE_STRING) return;
  const bool secret = key->cpp_type() == FieldDescriptor::CPPTYPE_STRING &&
                      environment::IsSecretName(reflection.GetString(entry, key));
  reflection.SetString(
      &entry, value,
      secret ? std::string(kHidden) : secrets.Removed(reflection.GetString(entry, value)));
}

void RemoveFromMessages(const Secrets& secrets, const FieldDescriptor* field, Message& message) {
  const Reflection& reflection = *message.GetReflection();
  if (!field->is_repeated()) return secrets.RemoveFrom(*reflection.MutableMessage(&message, field));
  for (int i = 0; i < reflection.FieldSize(message, field); ++i) {
    Message& inner = *reflection.MutableRepeatedMessage(&message, field, i);
    if (field->is_map()) {
      RemoveFromEntry(secrets, inner);
    } else {
      secrets.RemoveFrom(inner);
    }
  }
}

}  // namespace

Secrets::Secrets(const std::vector<std::string>& variables) {
  for (const std::string& variable : variables) {
    const size_t equals = variable.find('=');
    if (equals == std::string::npos || variable.size() - equals - 1 < 6) continue;
    if (environment::IsSecretName(variable.substr(0, equals)))
      values_.push_back(variable.substr(equals + 1));
  }
  // Longer values first: one may be the beginning of another.
  std::sort(values_.begin(), values_.end(),
            [](const std::string& a, const std::string& b) { return a.size() > b.size(); });
}

std::string Secrets::WithoutValues(std::string text) const {
  for (const std::string& value : values_) absl::StrReplaceAll({{value, kHidden}}, &text);
  return text;
}

std::string Secrets::Removed(std::string text) const {
  return CleanText(WithoutValues(std::move(text)));
}

std::vector<std::string> Secrets::Removed(const std::vector<std::string>& words) const {
  std::vector<std::string> removed;
  removed.reserve(words.size());
  for (const std::string& word : words) removed.push_back(WithoutValues(word));
  return CleanWords(removed);
}

void Secrets::RemoveFrom(Message& message) const {
  std::vector<const FieldDescriptor*> fields;
  message.GetReflection()->ListFields(message, &fields);
  for (const FieldDescriptor* const field : fields) {
    if (field->cpp_type() == FieldDescriptor::CPPTYPE_STRING)
      RemoveFromTexts(*this, field, message);
    if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE)
      RemoveFromMessages(*this, field, message);
  }
}

Secrets KnownSecrets(const std::vector<std::string>& added) {
  std::vector<std::string> variables = added;
  for (char** variable = environ; *variable != nullptr; ++variable) variables.push_back(*variable);
  return Secrets(variables);
}

}  // namespace assay::suite
