#include "benchmarks/harness/programs/autocast.h"

#include <c10/core/DeviceType.h>
#include <c10/core/ScalarType.h>

// ATen/autocast_mode.h declares these, but includes every operator of ATen, which takes 5 s of each compilation. The linker
// tells where the two differ.
namespace at::autocast {
bool is_autocast_enabled(c10::DeviceType device);
void set_autocast_enabled(c10::DeviceType device, bool enabled);
c10::ScalarType get_autocast_dtype(c10::DeviceType device);
void set_autocast_dtype(c10::DeviceType device, c10::ScalarType dtype);
void clear_cache();
int increment_nesting();
int decrement_nesting();
}  // namespace at::autocast

namespace assay::execution {

namespace autocast = at::autocast;

AutocastScope::AutocastScope(c10::DeviceType device, c10::ScalarType dtype)
    : device_(device),
      was_enabled_(autocast::is_autocast_enabled(device)),
      old_dtype_(autocast::get_autocast_dtype(device)) {
  autocast::set_autocast_enabled(device_, true);
  autocast::set_autocast_dtype(device_, dtype);
  autocast::increment_nesting();
}

AutocastScope::~AutocastScope() {
  if (autocast::decrement_nesting() == 0) autocast::clear_cache();
  autocast::set_autocast_dtype(device_, old_dtype_);
  autocast::set_autocast_enabled(device_, was_enabled_);
}

AutocastPause::AutocastPause(c10::DeviceType device)
    : device_(device), was_enabled_(autocast::is_autocast_enabled(device)) {
  if (!was_enabled_) return;
  autocast::set_autocast_enabled(device_, false);
  autocast::clear_cache();
}

AutocastPause::~AutocastPause() { autocast::set_autocast_enabled(device_, was_enabled_); }

}  // namespace assay::execution
