#ifndef ASSAY_BENCHMARKS_BACKENDS_MODULE_CACHE_H_
#define ASSAY_BENCHMARKS_BACKENDS_MODULE_CACHE_H_

// ---------------------------------------------------------------------------------------------
// module_cache.h: keeps a folder of exported files from growing without end. When a file was last
// used is its time of modification.
//
// Example:
//   NoteUse(path);
//   TrimFolder(folder, kMostModuleBytes);
// ---------------------------------------------------------------------------------------------

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace assay::backends {

// 40 files of a model like bert_base.
inline constexpr int64_t kMostModuleBytes = int64_t{20} << 30;

// Another process may be about to load a file that was used so lately.
inline constexpr std::chrono::hours kKeptAfterUse{1};

void NoteUse(const std::string& path);

// A file that is kept has its SHA-256 in a file beside it, whose name ends so.
inline constexpr std::string_view kDigestEnding = ".sha256";

// Removes files and their digests, the one that was used longest ago first, until the others take no more than
// `most_bytes`, or were all used lately. Says in one line how many. What cannot be removed stays.
void TrimFolder(const std::string& folder, int64_t most_bytes);

}  // namespace assay::backends

#endif  // ASSAY_BENCHMARKS_BACKENDS_MODULE_CACHE_H_
