#ifndef ASSAY_BENCHMARKS_TRACES_READER_TRACE_PIECES_H_
#define ASSAY_BENCHMARKS_TRACES_READER_TRACE_PIECES_H_

// ---------------------------------------------------------------------------------------------
// trace_pieces.h: the bytes of a trace in pieces, unpacked where they are packed: of a file, or of a
// member of a tar or zip archive. The file and the member may be packed with gzip. Nothing is unpacked
// to disk.
//
// zlib inflates; tar's headers are read here (POSIX 1003.1 ustar and pax, GNU's long names), as
// libarchive would be one more library on every machine for one loop over 512 bytes. zip_archive.h has
// what a zip archive may not be.
//
// Example:
//   absl::StatusOr<TracePieces> pieces = TracePieces::Open({.path = "ranks.tar.gz", .member = "rank-0.json"});
//   for (std::string_view piece = pieces->Next(); !piece.empty(); piece = pieces->Next()) ...
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace assay::traces {

struct TraceSource {
  std::string path = {};
  std::string member = {};  // of the archive at `path`; empty: the file itself

  // For messages.
  std::string Name() const { return member.empty() ? path : path + "/" + member; }
};

class TracePieces {
 public:
  // NotFound for no file and no such member; the errors of ArchiveMembers().
  static absl::StatusOr<TracePieces> Open(const TraceSource& source);

  // Empty at the end, and where the packed data is damaged. Valid until the next call.
  std::string_view Next();

  // The fault of the packed data; empty: there is none yet.
  const std::string& Damage() const { return damage_; }

 private:
  struct Streams;
  TracePieces();

  std::string_view Raw();

  // Shared, as the type is complete in the .cc only.
  std::shared_ptr<Streams> streams_;
  std::string damage_ = {};
};

// The names of the regular files in an archive; nothing for a file that is neither tar nor zip archive.
// InvalidArgument, naming the member, for one that leads outside ("../", absolute), a link or a
// device, and for damaged headers and directories. NotFound for no file.
absl::StatusOr<std::vector<std::string>> ArchiveMembers(const std::string& path);

}  // namespace assay::traces

#endif  // ASSAY_BENCHMARKS_TRACES_READER_TRACE_PIECES_H_
