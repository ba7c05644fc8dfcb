#include "benchmarks/traces/replay/random_start.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>

#include <mutex>

namespace assay::traces {
namespace {

void SetState(at::Generator generator, const at::Tensor& state) {
  const std::lock_guard lock(generator.mutex());
  generator.set_state(state);
}

}  // namespace

void RandomStart::Restore() const {
  for (const auto& [generator, at_call] : given) SetState(generator, at_call);
  if (!draws) return;
  if (!state.defined()) return at::manual_seed(seed);
  SetState(at::detail::getDefaultCPUGenerator(), state);
}

}  // namespace assay::traces
