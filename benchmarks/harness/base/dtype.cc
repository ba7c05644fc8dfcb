#include "benchmarks/harness/base/dtype.h"

#include <array>

namespace assay::base {
namespace {

struct Row {
  Dtype dtype;
  c10::ScalarType scalar_type;
  std::string_view name;
  bool floating_point;
};

constexpr std::array<Row, 9> kRows = {{
    {Dtype::FP32, c10::ScalarType::Float, "fp32", true},
    {Dtype::FP64, c10::ScalarType::Double, "fp64", true},
    {Dtype::BF16, c10::ScalarType::BFloat16, "bf16", true},
    {Dtype::FP16, c10::ScalarType::Half, "fp16", true},
    {Dtype::INT64, c10::ScalarType::Long, "int64", false},
    {Dtype::INT32, c10::ScalarType::Int, "int32", false},
    {Dtype::BOOL, c10::ScalarType::Bool, "bool", false},
    {Dtype::INT8, c10::ScalarType::Char, "int8", false},
    {Dtype::UINT8, c10::ScalarType::Byte, "uint8", false},
}};

const Row* FindRow(Dtype dtype) {
  for (const Row& row : kRows) {
    if (row.dtype == dtype) return &row;
  }
  return nullptr;
}

}  // namespace

c10::ScalarType ToScalarType(Dtype dtype) {
  const Row* row = FindRow(dtype);
  return row == nullptr ? c10::ScalarType::Undefined : row->scalar_type;
}

Dtype FromScalarType(c10::ScalarType type) {
  for (const Row& row : kRows) {
    if (row.scalar_type == type) return row.dtype;
  }
  return Dtype::DTYPE_UNSPECIFIED;
}

std::string_view DtypeName(Dtype dtype) {
  const Row* row = FindRow(dtype);
  return row == nullptr ? "unspecified" : row->name;
}

bool IsFloatingPoint(Dtype dtype) {
  const Row* row = FindRow(dtype);
  return row != nullptr && row->floating_point;
}

}  // namespace assay::base
