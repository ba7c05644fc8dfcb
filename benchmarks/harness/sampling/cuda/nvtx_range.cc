#include "benchmarks/harness/sampling/cuda/nvtx_range.h"

#include "benchmarks/harness/sampling/device/device.h"

#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>

namespace assay::sampling {
namespace {

nvtxDomainHandle_t Domain() {
  static nvtxDomainHandle_t domain = nvtxDomainCreateA(kRangeDomain);
  return domain;
}

}  // namespace

uint64_t StartNvtxRange(const std::string& name) {
  nvtxEventAttributes_t attributes = {};
  attributes.version = NVTX_VERSION;
  attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
  attributes.message.ascii = name.c_str();
  return nvtxDomainRangeStartEx(Domain(), &attributes);
}

void EndNvtxRange(uint64_t range) { nvtxDomainRangeEnd(Domain(), range); }

}  // namespace assay::sampling

#else

namespace assay::sampling {

uint64_t StartNvtxRange(const std::string&) { return 0; }
void EndNvtxRange(uint64_t) {}

}  // namespace assay::sampling

#endif
