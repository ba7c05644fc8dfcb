#include "benchmarks/harness/trace/node_text.h"

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/text/json_text.h"

namespace assay::trace {
namespace {

void AppendList(c10::IntArrayRef numbers, std::string& text) {
  text += '[';
  for (size_t i = 0; i < numbers.size(); ++i) absl::StrAppend(&text, i == 0 ? "" : ",", numbers[i]);
  text += ']';
}

void AppendDevice(c10::Device device, std::string& text) {
  if (device.is_cpu() && !device.has_index()) {
    text += "cpu";
  } else {
    text += device.str();
  }
}

void AppendTensor(const at::Tensor& tensor, Identities& ids, ValuesText& text) {
  text.tensors.push_back(tensor);
  const uint64_t id = ids.OfTensor(tensor);
  const Identities::Storage* storage = ids.OfStorage(tensor);
  absl::StrAppend(&text.types, "Tensor(", std::string_view(tensor.dtype().name()), ")");
  // Sparse tensors have no memory of their own to be described.
  if (storage == nullptr) {
    absl::StrAppend(&text.values, "[", id, ",0,0,0,0,\"\"]");
    AppendList(tensor.defined() ? tensor.sizes() : c10::IntArrayRef(), text.shapes);
    text.strides += "[]";
    return;
  }
  absl::StrAppend(&text.values, "[", id, ",", storage->id, ",", tensor.storage_offset());
  absl::StrAppend(&text.values, ",", tensor.numel(), ",", tensor.itemsize(), ",\"");
  AppendDevice(tensor.device(), text.values);
  text.values += "\"]";
  AppendList(tensor.sizes(), text.shapes);
  AppendList(tensor.strides(), text.strides);
}

void AppendNumber(const c10::IValue& value, std::string& text) {
  if (value.isDouble()) {
    text += base::JsonNumber(value.toDouble());
  } else if (value.isInt()) {
    absl::StrAppend(&text, value.toInt());
  } else if (value.isBool()) {
    text += value.toBool() ? "true" : "false";
  } else if (value.isString()) {
    text += base::JsonText(value.toStringRef());
  } else if (value.isDevice()) {
    absl::StrAppend(&text, "\"", value.toDevice().str(), "\"");
  } else if (value.isComplexDouble()) {
    const c10::complex<double> number = value.toComplexDouble();
    absl::StrAppend(&text, "[", base::JsonNumber(number.real()), ",",
                    base::JsonNumber(number.imag()), "]");
  } else {
    absl::StrAppend(&text, "\"<", value.tagKind(), ">\"");
  }
}

// Adds to each list, whose brackets the caller writes.
void Append(const c10::IValue& value, Identities& ids, ValuesText& text) {
  if (value.isTensor()) {
    AppendTensor(value.toTensor(), ids, text);
    return;
  }
  if (!value.isTuple() && !value.isList()) {
    AppendNumber(value, text.values);
    text.shapes += "[]";
    text.types += value.tagKind();
    text.strides += "[]";
    return;
  }
  text.types += value.isTuple() ? "Tuple[" : "GenericList[";
  for (std::string* list : {&text.values, &text.shapes, &text.strides}) *list += '[';
  const char* comma = "";
  for (const c10::IValue& item :
       value.isTuple() ? value.toTupleRef().elements().asArrayRef() : value.toListRef()) {
    for (std::string* list : {&text.values, &text.shapes, &text.types, &text.strides})
      *list += comma;
    Append(item, ids, text);
    comma = ",";
  }
  for (std::string* list : {&text.values, &text.shapes, &text.types, &text.strides}) *list += ']';
}

}  // namespace

ValuesText TextOf(absl::Span<const c10::IValue> values, Identities& ids) {
  ValuesText text = {.values = "[", .shapes = "[", .types = "[", .strides = "[", .tensors = {}};
  const char* comma = "";
  for (const c10::IValue& value : values) {
    for (std::string* list : {&text.values, &text.shapes, &text.types, &text.strides})
      *list += comma;
    // Names of kinds and dtypes need no escapes.
    text.types += '"';
    Append(value, ids, text);
    text.types += '"';
    comma = ",";
  }
  for (std::string* list : {&text.values, &text.shapes, &text.types, &text.strides}) *list += ']';
  return text;
}

}  // namespace assay::trace
