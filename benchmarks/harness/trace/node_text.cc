#include "benchmarks/harness/trace/node_text.h"

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/text/json_text.h"

namespace assay::trace {
namespace {

// One value's part of each list.
struct Part {
  std::string value;
  std::string shape = "[]";
  std::string type;
  std::string stride = "[]";
};

std::string ListText(c10::IntArrayRef numbers) {
  std::string text = "[";
  for (const int64_t number : numbers) absl::StrAppend(&text, text.size() > 1 ? "," : "", number);
  return text + "]";
}

Part OfTensor(const at::Tensor& tensor, Identities& ids) {
  const uint64_t id = ids.OfTensor(tensor);
  const Identities::Storage* storage = ids.OfStorage(tensor);
  Part part;
  part.type = absl::StrCat("Tensor(", std::string_view(tensor.dtype().name()), ")");
  // Sparse tensors have no memory of their own to be described.
  if (storage == nullptr) {
    part.value = absl::StrCat("[", id, ",0,0,0,0,\"\"]");
    if (tensor.defined()) part.shape = ListText(tensor.sizes());
    return part;
  }
  part.value =
      absl::StrCat("[", id, ",", storage->id, ",", tensor.storage_offset(), ",", tensor.numel(),
                   ",", tensor.itemsize(), ",\"", tensor.device().str(), "\"]");
  part.shape = ListText(tensor.sizes());
  part.stride = ListText(tensor.strides());
  return part;
}

Part TextOfValue(const c10::IValue& value, Identities& ids, std::vector<at::Tensor>& tensors);

Part OfList(c10::ArrayRef<c10::IValue> list, std::string_view kind, Identities& ids,
            std::vector<at::Tensor>& tensors) {
  Part whole;
  std::string types;
  whole.shape.clear();
  whole.stride.clear();
  for (const c10::IValue& element : list) {
    const Part part = TextOfValue(element, ids, tensors);
    const char* comma = types.empty() ? "" : ",";
    absl::StrAppend(&whole.value, comma, part.value);
    absl::StrAppend(&whole.shape, comma, part.shape);
    absl::StrAppend(&types, comma, part.type);
    absl::StrAppend(&whole.stride, comma, part.stride);
  }
  for (std::string* text : {&whole.value, &whole.shape, &whole.stride})
    *text = absl::StrCat("[", *text, "]");
  whole.type = absl::StrCat(kind, "[", types, "]");
  return whole;
}

Part TextOfValue(const c10::IValue& value, Identities& ids, std::vector<at::Tensor>& tensors) {
  if (value.isTensor()) {
    tensors.push_back(value.toTensor());
    return OfTensor(value.toTensor(), ids);
  }
  if (value.isTuple()) return OfList(value.toTupleRef().elements(), "Tuple", ids, tensors);
  if (value.isList()) return OfList(value.toListRef(), "GenericList", ids, tensors);
  Part part;
  part.type = value.tagKind();
  if (value.isDouble()) {
    part.value = base::JsonNumber(value.toDouble());
  } else if (value.isInt()) {
    part.value = absl::StrCat(value.toInt());
  } else if (value.isBool()) {
    part.value = value.toBool() ? "true" : "false";
  } else if (value.isString()) {
    part.value = base::JsonText(value.toStringRef());
  } else if (value.isDevice()) {
    part.value = base::JsonText(value.toDevice().str());
  } else if (value.isComplexDouble()) {
    const c10::complex<double> number = value.toComplexDouble();
    part.value = absl::StrCat("[", base::JsonNumber(number.real()), ",",
                              base::JsonNumber(number.imag()), "]");
  } else {
    part.value = base::JsonText(absl::StrCat("<", part.type, ">"));
  }
  return part;
}

}  // namespace

ValuesText TextOf(absl::Span<const c10::IValue> values, Identities& ids) {
  ValuesText text = {.values = "[", .shapes = "[", .types = "[", .strides = "[", .tensors = {}};
  const char* comma = "";
  for (const c10::IValue& value : values) {
    const Part part = TextOfValue(value, ids, text.tensors);
    absl::StrAppend(&text.values, comma, part.value);
    absl::StrAppend(&text.shapes, comma, part.shape);
    absl::StrAppend(&text.types, comma, base::JsonText(part.type));
    absl::StrAppend(&text.strides, comma, part.stride);
    comma = ",";
  }
  for (std::string* list : {&text.values, &text.shapes, &text.types, &text.strides})
    list->append("]");
  return text;
}

}  // namespace assay::trace
