// A case that links this library has scaled_mm_on_cpu.h's kernel from its start to its end.
#include "models/testing/scaled_mm_on_cpu.h"

namespace assay::models {
namespace {

const ScaledMmOnCpu kernel;

}  // namespace
}  // namespace assay::models
