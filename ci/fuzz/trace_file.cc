// Files of traces of any format, packed and in archives: a printable error, or nodes that were counted. No name in an
// archive leads outside it.
#include "benchmarks/traces/reader/trace_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <string>

#include "benchmarks/traces/reader/trace_pieces.h"
#include "ci/fuzz/property.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace assay::traces;
  using assay::fuzz::Require;
  // The readers take paths. The file is in memory, and the same for each input.
  static const int file = memfd_create("trace", 0);
  static const std::string path = "/proc/self/fd/" + std::to_string(file);
  Require(ftruncate(file, 0) == 0 && pwrite(file, data, size, 0) == static_cast<ssize_t>(size),
          "a file in memory can be written");
  const absl::StatusOr<std::vector<std::string>> members = ArchiveMembers(path);
  if (members.ok()) {
    for (const std::string& member : *members) {
      Require(member.empty() || member[0] != '/', "no name is absolute");
      Require(("/" + member + "/").find("/../") == std::string::npos, "no name leads outside");
    }
  }
  const absl::StatusOr<Trace> read = LoadTrace(path);
  if (!read.ok()) {
    assay::fuzz::RequireMessage(read.status().message());
    return 0;
  }
  int64_t nodes = 0;
  for (const TraceNode& node : read->nodes) nodes += node.outputs.size() < SIZE_MAX ? 1 : 0;
  Require(read->about.nodes == nodes, "each node is counted");
  return 0;
}
