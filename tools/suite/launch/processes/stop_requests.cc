#include "tools/suite/launch/processes/stop_requests.h"

#include <unistd.h>

#include <csignal>
#include <string_view>

namespace assay::suite {
namespace {

StopRequests requests;

void OnSignal(int) {
  if (requests.soon) {
    requests.now = true;
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    return;
  }
  requests.soon = true;
  constexpr std::string_view kText =
      "\nstopping after the process that runs now; Ctrl-C again stops it too\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kText.data(), kText.size());
}

}  // namespace

const StopRequests& CatchStopRequests() {
  std::signal(SIGINT, OnSignal);
  std::signal(SIGTERM, OnSignal);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  return requests;
}

}  // namespace assay::suite
