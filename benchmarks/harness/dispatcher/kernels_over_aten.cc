#include "benchmarks/harness/dispatcher/kernels_over_aten.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace assay::execution {
namespace {

using c10::Dispatcher;
using c10::DispatchKey;
using c10::FunctionSchema;
using c10::KernelFunction;
using c10::OperatorName;
using c10::RegistrationHandleRAII;
using CppSignature = std::optional<c10::impl::CppSignature>;

// Folders of LibTorch's sources in which kernels are registered. The first has generated ones.
constexpr std::string_view kFolders[] = {"build/aten/src/ATen/", "aten/src/ATen/", "torch/csrc/"};

std::string_view PathIn(std::string_view debug) {
  return absl::StripPrefix(debug, "registered at ");
}

// "/pytorch/" of "registered at /pytorch/build/aten/src/ATen/RegisterCPU_1.cpp:4701"; nullopt where
// the file is none of LibTorch's.
std::optional<std::string> RootOf(std::string_view debug) {
  const std::string_view path = PathIn(debug);
  for (const std::string_view folder : kFolders) {
    const size_t at = path.find(folder);
    if (at != std::string_view::npos && (at == 0 || path[at - 1] == '/'))
      return std::string(path.substr(0, at));
  }
  return std::nullopt;
}

// One registration of somebody else. While it is set aside, `handle` is empty.
struct Registration {
  std::optional<OperatorName> name;  // nullopt: a fallback
  std::optional<DispatchKey> key;
  KernelFunction kernel;
  CppSignature signature;
  std::shared_ptr<const FunctionSchema> schema;
  std::string debug;
  std::optional<RegistrationHandleRAII> handle;
};

// All that this process knows of registrations. The first comes before any static object of this
// file is initialised, and the last handle is destroyed after.
struct Register {
  std::recursive_mutex mutex;
  std::optional<std::string> root;  // of LibTorch's sources
  int64_t passed = 0;               // registrations that went through here
  std::list<Registration> others;
  int64_t changes = 0;   // of `others`
  int64_t checked = -1;  // `changes` when no other kernel was found
  int set_aside = 0;     // how many OwnKernels there are
};

Register& TheRegister() {
  static auto* const kept = new Register();
  return *kept;
}

using RegisterImpl = RegistrationHandleRAII (*)(Dispatcher*, OperatorName,
                                                std::optional<DispatchKey>, KernelFunction,
                                                CppSignature, std::unique_ptr<FunctionSchema>,
                                                std::string);
using RegisterFallback = RegistrationHandleRAII (*)(Dispatcher*, DispatchKey, KernelFunction,
                                                    std::string);

// LibTorch's own function of that name, which this library's hides. A member function is called like
// a function whose first argument is the object.
template <typename Function>
Function Hidden(const char* symbol) {
  void* const found = dlsym(RTLD_NEXT, symbol);
  if (found == nullptr) {
    std::cerr << "kernels_over_aten.cc: LibTorch has no " << symbol
              << "; its Dispatcher.h is of another version than its library\n";
    std::abort();
  }
  return reinterpret_cast<Function>(found);
}

RegistrationHandleRAII HiddenImpl(Dispatcher& dispatcher, OperatorName name,
                                  std::optional<DispatchKey> key, KernelFunction kernel,
                                  CppSignature signature, std::unique_ptr<FunctionSchema> schema,
                                  std::string debug) {
  static const auto hidden = Hidden<RegisterImpl>(
      "_ZN3c1010Dispatcher12registerImplENS_12OperatorNameESt8optionalINS_11DispatchKeyEENS_"
      "14KernelFunctionES2_INS_4impl12CppSignatureEESt10unique_ptrINS_14FunctionSchemaESt14default_"
      "deleteISA_EENSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE");
  return hidden(&dispatcher, std::move(name), key, std::move(kernel), std::move(signature),
                std::move(schema), std::move(debug));
}

RegistrationHandleRAII HiddenFallback(Dispatcher& dispatcher, DispatchKey key,
                                      KernelFunction kernel, std::string debug) {
  static const auto hidden = Hidden<RegisterFallback>(
      "_ZN3c1010Dispatcher16registerFallbackENS_11DispatchKeyENS_14KernelFunctionENSt7__"
      "cxx1112basic_stringIcSt11char_traitsIcESaIcEEE");
  return hidden(&dispatcher, key, std::move(kernel), std::move(debug));
}

// Puts a registration into the dispatcher.
void Enter(Registration& registration) {
  Dispatcher& dispatcher = Dispatcher::singleton();
  if (!registration.name) {
    registration.handle.emplace(
        HiddenFallback(dispatcher, *registration.key, registration.kernel, registration.debug));
    return;
  }
  registration.handle.emplace(HiddenImpl(
      dispatcher, *registration.name, registration.key, registration.kernel, registration.signature,
      registration.schema == nullptr ? nullptr
                                     : std::make_unique<FunctionSchema>(*registration.schema),
      registration.debug));
}

// Whether it is other people's. The first file with a root is LibTorch's.
bool IsOthers(std::string_view debug, Register& all) {
  ++all.passed;
  if (!all.root) {
    all.root = RootOf(debug);
    return false;
  }
  return !IsOfLibTorch(debug, *all.root);
}

// Enters a registration and keeps it. The handle that is returned ends it.
RegistrationHandleRAII Held(Registration registration, Register& all) {
  Enter(registration);
  all.others.push_back(std::move(registration));
  ++all.changes;
  return RegistrationHandleRAII([at = std::prev(all.others.end())] {
    Register& known = TheRegister();
    const std::lock_guard lock(known.mutex);
    known.others.erase(at);
    ++known.changes;
  });
}

// Whether LibTorch has an operator of that name. A new operator in namespace aten is over nothing.
bool IsOverLibTorchs(const Registration& registration, const Register& all) {
  if (!registration.name) return true;
  const auto handle = Dispatcher::singleton().findSchema(*registration.name);
  return handle && all.root && IsOfLibTorch(handle->debug(), *all.root);
}

KernelOverAten Described(const Registration& registration) {
  return {.operator_name = registration.name ? c10::toString(*registration.name) : "every operator",
          .dispatch_key =
              registration.key ? c10::toString(*registration.key) : "CompositeImplicitAutograd",
          .place = std::string(PathIn(registration.debug))};
}

// "softmax.cc:12"
std::string_view WithoutFolder(std::string_view place) {
  return place.substr(place.rfind('/') + 1);  // npos + 1 is 0
}

std::string TextOf(const KernelOverAten& kernel) {
  return absl::StrCat(kernel.operator_name, " (", kernel.dispatch_key, ", ",
                      WithoutFolder(kernel.place), ")");
}

// The place of a kernel of the operator that is not LibTorch's; empty where there is none.
std::string ForeignPlace(const OperatorName& name, const std::string& root) {
  const auto handle = Dispatcher::singleton().findSchema(name);
  if (!handle) return "";
  for (const std::string_view line : absl::StrSplit(handle->dumpState(), '\n')) {
    // "CPU: registered at /pytorch/build/aten/src/ATen/RegisterCPU_1.cpp:4701 :: (Tensor _0) -> ..."
    const size_t at = line.find(": "), end = line.find(" :: (");
    if (end == std::string_view::npos || absl::StrContains(line.substr(0, at), "(inactive)"))
      continue;
    const std::string_view debug = line.substr(at + 2, end - at - 2);
    if (!IsOfLibTorch(debug, root)) return std::string(PathIn(debug));
  }
  return "";
}

absl::Status StillThere(std::string_view name, std::string_view place) {
  return absl::FailedPreconditionError(
      absl::StrCat("the kernel of ", name, " is not LibTorch's own (", place,
                   "), and cannot be taken away while the truth is computed; run without it, or "
                   "give the outputs "
                   "of another implementation by --reference=FILE"));
}

// Whether only LibTorch's own kernels are there. Looking at all of ATen's operators takes 0.13 s; it
// is done once, and only where there are kernels of others or registrations did not pass through
// this library.
absl::Status CheckOnlyOwn(Register& all, const std::vector<KernelOverAten>& replaced) {
  constexpr int64_t kOfLibTorch = 1000;  // it registers 16,000
  if (all.passed >= kOfLibTorch && (replaced.empty() || all.checked == all.changes))
    return absl::OkStatus();
  if (!all.root) {
    const auto known = Dispatcher::singleton().findSchema({"aten::mm", ""});
    if (known) all.root = RootOf(known->debug());
  }
  if (!all.root)
    return absl::FailedPreconditionError("LibTorch does not say which kernels are its own");
  for (const OperatorName& name : Dispatcher::singleton().getAllOpNames()) {
    if (!absl::StartsWith(name.name, "aten::")) continue;
    const auto handle = Dispatcher::singleton().findSchema(name);
    if (!handle || !IsOfLibTorch(handle->debug(), *all.root)) continue;
    const std::string place = ForeignPlace(name, *all.root);
    if (!place.empty()) return StillThere(c10::toString(name), place);
  }
  all.checked = all.changes;
  return absl::OkStatus();
}

}  // namespace

bool IsOfLibTorch(std::string_view debug, std::string_view root) {
  std::string_view path = PathIn(debug);
  if (!absl::ConsumePrefix(&path, root)) return false;
  return std::any_of(std::begin(kFolders), std::end(kFolders),
                     [&](std::string_view folder) { return absl::StartsWith(path, folder); });
}

std::vector<KernelOverAten> KernelsOverAten() {
  Register& all = TheRegister();
  const std::lock_guard lock(all.mutex);
  std::vector<KernelOverAten> kernels;
  for (const Registration& registration : all.others) {
    if (IsOverLibTorchs(registration, all)) kernels.push_back(Described(registration));
  }
  return kernels;
}

std::string KernelsText(absl::Span<const KernelOverAten> kernels) {
  constexpr size_t kShown = 4;
  const size_t shown = std::min(kernels.size(), kShown);
  std::string text = absl::StrJoin(
      kernels.first(shown), ", ",
      [](std::string* out, const KernelOverAten& kernel) { out->append(TextOf(kernel)); });
  if (shown < kernels.size()) absl::StrAppend(&text, " and ", kernels.size() - shown, " more");
  return text;
}

std::string KernelsIdentity(absl::Span<const KernelOverAten> kernels) {
  std::vector<std::string> texts;
  texts.reserve(kernels.size());
  for (const KernelOverAten& kernel : kernels) {
    const std::string_view place = WithoutFolder(kernel.place);
    texts.push_back(absl::StrCat(kernel.operator_name, " (", kernel.dispatch_key, ", ",
                                 place.substr(0, place.rfind(':')), ")"));
  }
  std::sort(texts.begin(), texts.end());
  return absl::StrJoin(texts, ", ");
}

OwnKernels::OwnKernels() {
  Register& all = TheRegister();
  const std::lock_guard lock(all.mutex);
  if (++all.set_aside == 1) {
    // The newest first, as they lie one over another.
    for (auto at = all.others.rbegin(); at != all.others.rend(); ++at) {
      if (IsOverLibTorchs(*at, all)) at->handle.reset();
    }
  }
  for (const Registration& registration : all.others) {
    if (!registration.handle) replaced_.push_back(Described(registration));
  }
  status_ = CheckOnlyOwn(all, replaced_);
}

OwnKernels::~OwnKernels() {
  Register& all = TheRegister();
  const std::lock_guard lock(all.mutex);
  if (--all.set_aside > 0) return;
  for (Registration& registration : all.others) {
    if (!registration.handle) Enter(registration);
  }
}

namespace kernels_over_aten {

// Does what c10's functions below do.
RegistrationHandleRAII Registered(Dispatcher& dispatcher, OperatorName name,
                                  std::optional<DispatchKey> key, KernelFunction kernel,
                                  CppSignature signature, std::unique_ptr<FunctionSchema> schema,
                                  std::string debug) {
  Register& all = TheRegister();
  {
    const std::lock_guard lock(all.mutex);
    if (absl::StartsWith(name.name, "aten::") && IsOthers(debug, all)) {
      return Held({.name = std::move(name),
                   .key = key,
                   .kernel = std::move(kernel),
                   .signature = std::move(signature),
                   .schema = std::move(schema),
                   .debug = std::move(debug),
                   .handle = std::nullopt},
                  all);
    }
  }
  return HiddenImpl(dispatcher, std::move(name), key, std::move(kernel), std::move(signature),
                    std::move(schema), std::move(debug));
}

RegistrationHandleRAII RegisteredFallback(Dispatcher& dispatcher, DispatchKey key,
                                          KernelFunction kernel, std::string debug) {
  Register& all = TheRegister();
  {
    const std::lock_guard lock(all.mutex);
    if (IsOthers(debug, all)) {
      return Held({.name = std::nullopt,
                   .key = key,
                   .kernel = std::move(kernel),
                   .signature = std::nullopt,
                   .schema = nullptr,
                   .debug = std::move(debug),
                   .handle = std::nullopt},
                  all);
    }
  }
  return HiddenFallback(dispatcher, key, std::move(kernel), std::move(debug));
}

}  // namespace kernels_over_aten
}  // namespace assay::execution

// The loader finds these before LibTorch's, since the executable comes first.
namespace c10 {

RegistrationHandleRAII Dispatcher::registerImpl(
    OperatorName op_name, std::optional<DispatchKey> dispatch_key, KernelFunction kernel,
    std::optional<impl::CppSignature> cpp_signature,
    std::unique_ptr<FunctionSchema> inferred_function_schema, std::string debug) {
  return assay::execution::kernels_over_aten::Registered(
      *this, std::move(op_name), dispatch_key, std::move(kernel), std::move(cpp_signature),
      std::move(inferred_function_schema), std::move(debug));
}

RegistrationHandleRAII Dispatcher::registerFallback(DispatchKey dispatch_key, KernelFunction kernel,
                                                    std::string debug) {
  return assay::execution::kernels_over_aten::RegisteredFallback(
      *this, dispatch_key, std::move(kernel), std::move(debug));
}

}  // namespace c10
