#include "benchmarks/harness/processes/series.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "benchmarks/harness/base/exit_code.h"

namespace assay::processes {
namespace {

// The journal has two lines: state and number, both of a fixed width, so that they are always
// overwritten whole; then the note. The rest of an earlier, longer note may follow.
constexpr char kBegun = 'B', kEnded = 'E', kFinished = 'F', kNothing = ' ';

struct Entry {
  char state = kNothing;
  int64_t number = 0;  // of the item; for kFinished the code
  std::string note;
};

Entry ReadEntry(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  Entry entry;
  if (!std::getline(file, line) || line.size() < 2 ||
      !absl::SimpleAtoi(line.substr(1), &entry.number))
    return {};
  entry.state = line[0];
  std::getline(file, entry.note);
  return entry;
}

absl::Status Empty(const std::string& path) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) return absl::ErrnoToStatus(errno, absl::StrCat("journal ", path));
  close(file);
  return absl::OkStatus();
}

absl::Status EndedEarly(const char* when, const ChildEnd& end) {
  return absl::AbortedError(absl::StrCat("the process that does the work ended ", when, " (",
                                         Describe(end), ")", end.errors.empty() ? "" : ": ",
                                         end.errors));
}

}  // namespace

absl::StatusOr<int> RunSeries(const std::string& journal,
                              absl::FunctionRef<ChildCommand(int64_t first)> command,
                              absl::FunctionRef<void(const LostItem&)> lost,
                              const std::atomic<bool>* interrupted) {
  int code = 0;
  for (int64_t first = 0;;) {
    if (absl::Status emptied = Empty(journal); !emptied.ok()) return emptied;
    const absl::StatusOr<ChildEnd> end = RunChild(command(first), interrupted);
    if (!end.ok()) return end.status();
    const Entry entry = ReadEntry(journal);
    if (entry.state == kFinished && end->ending == Ending::kExited)
      return base::WorseCode(code, static_cast<int>(entry.number));
    if (entry.state == kBegun) {
      lost({.item = entry.number,
            .note = entry.note,
            .end = *end,
            .timed_out = end->ending == Ending::kKilled && end->code == SIGALRM});
    }
    if (end->ending == Ending::kInterrupted) return absl::CancelledError("interrupted");
    if (entry.state == kNothing) return EndedEarly("before its first item", *end);
    if (entry.state == kFinished) return EndedEarly("after its last item", *end);
    if (entry.state == kEnded && end->ending == Ending::kExited)
      code = base::WorseCode(code, end->code);
    first = entry.number + 1;
  }
}

absl::StatusOr<Journal> Journal::Open(const std::string& path, absl::Duration timeout) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  if (file < 0) return absl::ErrnoToStatus(errno, absl::StrCat("journal ", path));
  return Journal(file, timeout);
}

absl::Status Journal::Write(std::string_view text) const {
  if (pwrite(file_, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()))
    return absl::OkStatus();
  return absl::ErrnoToStatus(errno == 0 ? ENOSPC : errno, "cannot write the journal");
}

absl::Status Journal::Begin(int64_t item, std::string_view note) {
  if (timeout_ != absl::InfiniteDuration()) {
    const itimerval timer = {.it_interval = {}, .it_value = absl::ToTimeval(timeout_)};
    setitimer(ITIMER_REAL, &timer, nullptr);
  }
  return Write(absl::StrFormat("%c%020d\n%s\n", kBegun, item, note));
}

absl::Status Journal::End() {
  const itimerval none = {};
  if (timeout_ != absl::InfiniteDuration()) setitimer(ITIMER_REAL, &none, nullptr);
  return Write(std::string_view(&kEnded, 1));
}

absl::Status Journal::Finish(int code) {
  return Write(absl::StrFormat("%c%020d\n\n", kFinished, code));
}

}  // namespace assay::processes
