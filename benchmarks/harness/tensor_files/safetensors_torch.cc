#include "benchmarks/harness/tensor_files/safetensors_torch.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ATen/core/Tensor.h"
#include "ATen/ops/empty.h"
#include "ATen/ops/from_blob.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "benchmarks/harness/tensor_files/mapped_file.h"
#include "benchmarks/harness/tensor_files/safetensors.h"
#include "benchmarks/harness/tensor_files/safetensors_internal.h"
#include "c10/core/ScalarType.h"

namespace assay::tensor_files {
namespace {

using c10::ScalarType;

constexpr std::array<std::pair<SafetensorsDtype, ScalarType>, 19> kTypes = {{
    {SafetensorsDtype::kBool, ScalarType::Bool},
    {SafetensorsDtype::kU8, ScalarType::Byte},
    {SafetensorsDtype::kI8, ScalarType::Char},
    {SafetensorsDtype::kF8E5M2, ScalarType::Float8_e5m2},
    {SafetensorsDtype::kF8E4M3, ScalarType::Float8_e4m3fn},
    {SafetensorsDtype::kF8E8M0, ScalarType::Float8_e8m0fnu},
    {SafetensorsDtype::kF8E4M3Fnuz, ScalarType::Float8_e4m3fnuz},
    {SafetensorsDtype::kF8E5M2Fnuz, ScalarType::Float8_e5m2fnuz},
    {SafetensorsDtype::kI16, ScalarType::Short},
    {SafetensorsDtype::kU16, ScalarType::UInt16},
    {SafetensorsDtype::kF16, ScalarType::Half},
    {SafetensorsDtype::kBF16, ScalarType::BFloat16},
    {SafetensorsDtype::kI32, ScalarType::Int},
    {SafetensorsDtype::kU32, ScalarType::UInt32},
    {SafetensorsDtype::kF32, ScalarType::Float},
    {SafetensorsDtype::kC64, ScalarType::ComplexFloat},
    {SafetensorsDtype::kF64, ScalarType::Double},
    {SafetensorsDtype::kI64, ScalarType::Long},
    {SafetensorsDtype::kU64, ScalarType::UInt64},
}};

std::optional<SafetensorsDtype> StoredTypeOf(ScalarType type) {
  for (const auto& [stored, scalar] : kTypes) {
    if (scalar == type) return stored;
  }
  return std::nullopt;
}

absl::Status CheckType(const SafetensorsTensor& tensor) {
  if (ScalarTypeOf(tensor.dtype) != ScalarType::Undefined) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "tensor \"", tensor.name, "\": LibTorch has no type ", SafetensorsDtypeName(tensor.dtype)));
}

// A BOOL byte other than 0 and 1 is undefined behaviour once it is a C++ bool.
absl::Status CheckBools(const SafetensorsTensor& tensor) {
  if (tensor.dtype != SafetensorsDtype::kBool) return absl::OkStatus();
  const std::string_view data = tensor.data;
  const size_t bad = data.find_first_not_of(std::string_view("\0\1", 2));
  if (bad == data.npos) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat("tensor \"", tensor.name, "\": element ", bad,
                                          " of a BOOL tensor is neither 0 nor 1"));
}

// The tensor as it is written: row-major on the CPU.
absl::StatusOr<at::Tensor> RowMajor(const StoredTensor& stored) {
  if (!stored.tensor.defined()) {
    return absl::InvalidArgumentError(
        absl::StrCat("writing tensor \"", stored.name, "\": it is undefined"));
  }
  at::Tensor plain;
  const absl::Status status = base::CatchTorch(
      absl::StrCat("copying tensor \"", stored.name, "\""),
      [&] { plain = stored.tensor.detach().cpu().resolve_conj().resolve_neg().contiguous(); });
  if (!status.ok()) return status;
  return plain;
}

}  // namespace

ScalarType ScalarTypeOf(SafetensorsDtype dtype) {
  for (const auto& [stored, scalar] : kTypes) {
    if (stored == dtype) return scalar;
  }
  return ScalarType::Undefined;
}

absl::StatusOr<at::Tensor> CopyTensor(const SafetensorsTensor& tensor) {
  if (absl::Status status = CheckType(tensor); !status.ok()) return status;
  if (absl::Status status = CheckBools(tensor); !status.ok()) return status;
  at::Tensor copy;
  const absl::Status status =
      base::CatchTorch(absl::StrCat("allocating tensor \"", tensor.name, "\""),
                       [&] { copy = at::empty(tensor.shape, ScalarTypeOf(tensor.dtype)); });
  if (!status.ok()) return status;
  // An empty tensor has no memory, and memcpy needs a valid pointer even for 0 bytes.
  if (!tensor.data.empty())
    std::memcpy(copy.mutable_data_ptr(), tensor.data.data(), tensor.data.size());
  return copy;
}

absl::StatusOr<at::Tensor> ViewTensor(const std::shared_ptr<const MappedFile>& file,
                                      const SafetensorsIndex& index,
                                      const SafetensorsEntry& entry) {
  const SafetensorsTensor stored = {entry.name, entry.dtype, entry.shape,
                                    index.Data(file->bytes(), entry)};
  if (absl::Status status = CheckType(stored); !status.ok()) return status;
  const auto address = reinterpret_cast<uintptr_t>(stored.data.data());
  if (stored.data.empty() || address % static_cast<uintptr_t>(ItemBytes(entry.dtype)) != 0) {
    return CopyTensor(stored);
  }
  if (absl::Status status = CheckBools(stored); !status.ok()) return status;
  at::Tensor view;
  const absl::Status status =
      base::CatchTorch(absl::StrCat("viewing tensor \"", entry.name, "\""), [&] {
        // The mapping is private and writable, so a write changes only this process's copy.
        view = at::from_blob(
            const_cast<char*>(stored.data.data()), entry.shape, [file](void*) {},
            at::TensorOptions(ScalarTypeOf(entry.dtype)));
      });
  if (!status.ok()) return status;
  return view;
}

absl::StatusOr<std::vector<StoredTensor>> ReadTensors(const std::string& path) {
  const absl::StatusOr<std::shared_ptr<const MappedFile>> file = MappedFile::Open(path);
  if (!file.ok()) return file.status();
  const absl::StatusOr<SafetensorsIndex> index = ParseSafetensors((*file)->bytes());
  if (!index.ok()) return internal::AtPath(path, index.status());
  std::vector<StoredTensor> tensors;
  for (const SafetensorsEntry& entry : index->entries) {
    absl::StatusOr<at::Tensor> tensor = ViewTensor(*file, *index, entry);
    if (!tensor.ok()) return internal::AtPath(path, tensor.status());
    tensors.push_back({entry.name, *std::move(tensor)});
  }
  return tensors;
}

absl::Status WriteTensors(const std::string& path, const std::vector<StoredTensor>& tensors,
                          const std::map<std::string, std::string>& metadata) {
  std::vector<at::Tensor> keep;  // what the views below point into
  std::vector<SafetensorsTensor> views;
  for (const StoredTensor& stored : tensors) {
    absl::StatusOr<at::Tensor> plain = RowMajor(stored);
    if (!plain.ok()) return plain.status();
    const std::optional<SafetensorsDtype> dtype = StoredTypeOf(plain->scalar_type());
    if (!dtype.has_value()) {
      return absl::InvalidArgumentError(absl::StrCat("writing tensor \"", stored.name,
                                                     "\": safetensors has no type for ",
                                                     c10::toString(plain->scalar_type())));
    }
    views.push_back({stored.name,
                     *dtype,
                     plain->sizes().vec(),
                     {static_cast<const char*>(plain->const_data_ptr()), plain->nbytes()}});
    keep.push_back(*std::move(plain));
  }
  const absl::StatusOr<std::string> header = SerializeSafetensorsHeader(views, metadata);
  if (!header.ok()) return internal::AtPath(path, header.status());
  std::vector<std::string_view> pieces = {*header};
  for (const SafetensorsTensor& view : views) pieces.push_back(view.data);
  return WriteFileAtomically(path, pieces);
}

}  // namespace assay::tensor_files
