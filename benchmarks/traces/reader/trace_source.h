#ifndef ASSAY_BENCHMARKS_TRACES_READER_TRACE_SOURCE_H_
#define ASSAY_BENCHMARKS_TRACES_READER_TRACE_SOURCE_H_

// ---------------------------------------------------------------------------------------------
// trace_source.h: which trace a path means: a file, a folder or an archive with a trace of each rank,
// or a member of an archive ("ranks.tar.gz/rank-0.json").
//
// A rank is the number behind "rank" in a name, or else its last number: rank-3.json.gz, 3_et.json,
// model.3.et.
//
// Example:
//   absl::StatusOr<TraceSource> source = ChooseTrace("traces/", /*rank=*/3);
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "benchmarks/traces/reader/trace_pieces.h"

namespace assay::traces {

// `rank`: -1 for none. NotFound for no file; InvalidArgument, with the names that there are, where
// the path holds no trace, none of the rank, or more than one; the errors of ArchiveMembers().
absl::StatusOr<TraceSource> ChooseTrace(const std::string& path, int64_t rank = -1);

// -1: the name has no number.
int64_t RankOf(std::string_view name);

}  // namespace assay::traces

#endif  // ASSAY_BENCHMARKS_TRACES_READER_TRACE_SOURCE_H_
