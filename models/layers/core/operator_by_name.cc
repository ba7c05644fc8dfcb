#include "models/layers/core/operator_by_name.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include <utility>

namespace assay::models {

c10::IValue CallByName(const char* name, const char* overload, torch::jit::Stack arguments) {
  c10::Dispatcher::singleton().findSchemaOrThrow(name, overload).callBoxed(arguments);
  return std::move(arguments.at(0));
}

bool HasKernelForCpu(const char* name, const char* overload) {
  return c10::Dispatcher::singleton()
      .findSchemaOrThrow(name, overload)
      .hasKernelForDispatchKey(c10::DispatchKey::CPU);
}

}  // namespace assay::models
