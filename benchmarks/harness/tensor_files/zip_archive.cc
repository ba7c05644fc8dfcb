// End record, central directory, local headers, then the data. Field names are those of
// PKWARE's APPNOTE.TXT 6.3, sections 4.3.7 (local header), 4.3.12 (central), 4.3.16 (end record).
#include "benchmarks/harness/tensor_files/zip_archive.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/text/untrusted_text.h"

namespace assay::tensor_files {
namespace {

constexpr std::string_view kEndSignature("PK\5\6", 4);
constexpr std::string_view kCentralSignature("PK\1\2", 4);
constexpr std::string_view kLocalSignature("PK\3\4", 4);
constexpr size_t kEndBytes = 22;
constexpr size_t kCentralBytes = 46;
constexpr size_t kLocalBytes = 30;
constexpr uint32_t kInExtra = 0xffffffff;  // the value stands in the ZIP64 extra field
constexpr int kStored = 0;
constexpr int kDeflated = 8;
constexpr int kSizesFollow = 1 << 3;  // flag: sizes are behind the data, zero in the local header
constexpr int kUnusableFlags = 1 << 0 | 1 << 5 | 1 << 6 | 1 << 13;  // encryption, patches

absl::Status MemberFault(const ZipEntry& entry, std::string_view problem) {
  return ZipFault(absl::StrCat("member ", base::Quoted(entry.name), " ", problem));
}

template <typename T>
T At(std::string_view bytes, size_t position) {
  T value = 0;
  std::memcpy(&value, bytes.data() + position, sizeof(value));
  return value;
}

// The central directory's bytes and the number of its entries.
absl::StatusOr<std::pair<std::string_view, size_t>> FindDirectory(std::string_view file) {
  if (file.size() < kEndBytes || !file.substr(file.size() - kEndBytes).starts_with(kEndSignature)) {
    return ZipFault("it does not end with an end record (truncated, or with a comment)");
  }
  const size_t at = file.size() - kEndBytes;
  const std::string_view end = file.substr(at);
  const size_t count = At<uint16_t>(end, 10);
  const uint64_t bytes = At<uint32_t>(end, 12);
  const uint64_t start = At<uint32_t>(end, 16);
  if (count == 0xffff || bytes == kInExtra || start == kInExtra) {
    return ZipFault("it is larger than 4 GiB (ZIP64), which is not read");
  }
  if (At<uint16_t>(end, 4) != 0 || At<uint16_t>(end, 6) != 0 || At<uint16_t>(end, 8) != count) {
    return ZipFault("it is a part of an archive on several disks");
  }
  if (start + bytes != at || At<uint16_t>(end, 20) != 0) {
    return ZipFault(absl::StrCat("its directory of ", bytes, " bytes at ", start,
                                 " does not end where the end record begins, at ", at));
  }
  if (count > kMostZipMembers) {
    return ZipFault(absl::StrCat("it has ", count, " members; at most ", kMostZipMembers));
  }
  return std::make_pair(file.substr(start, bytes), count);
}

absl::Status CheckEntry(const ZipEntry& entry) {
  if ((entry.flags & kUnusableFlags) != 0) return MemberFault(entry, "is encrypted or a patch");
  if (entry.method != kStored && entry.method != kDeflated) {
    return MemberFault(entry, absl::StrCat("is compressed by method ", entry.method,
                                           "; 0 (stored) and 8 (deflated) are allowed"));
  }
  if (entry.compressed == kInExtra || entry.size == kInExtra || entry.local == kInExtra) {
    return MemberFault(
        entry, "is larger than 4 GiB (ZIP64), which is not read: give it without the archive");
  }
  if (entry.method == kStored && entry.compressed != entry.size) {
    return MemberFault(entry, "is stored in another number of bytes than it has");
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<ZipEntry>> ReadDirectory(std::string_view directory, size_t count) {
  std::vector<ZipEntry> entries;
  std::set<std::string_view> names;
  for (size_t i = 0; i < count; ++i) {
    if (directory.size() < kCentralBytes || !directory.starts_with(kCentralSignature)) {
      return ZipFault(absl::StrCat("entry ", i, " of its directory is damaged"));
    }
    ZipEntry entry{.name = {},
                   .flags = At<uint16_t>(directory, 8),
                   .method = At<uint16_t>(directory, 10),
                   .crc = At<uint32_t>(directory, 16),
                   .compressed = At<uint32_t>(directory, 20),
                   .size = At<uint32_t>(directory, 24),
                   .local = At<uint32_t>(directory, 42),
                   .data = {}};
    const size_t name_bytes = At<uint16_t>(directory, 28);
    const size_t rest = size_t{At<uint16_t>(directory, 30)} + At<uint16_t>(directory, 32);
    if (directory.size() < kCentralBytes + name_bytes + rest || At<uint16_t>(directory, 34) != 0) {
      return ZipFault(absl::StrCat("entry ", i, " of its directory is damaged"));
    }
    entry.name = directory.substr(kCentralBytes, name_bytes);
    directory.remove_prefix(kCentralBytes + name_bytes + rest);
    if (absl::Status status = CheckEntry(entry); !status.ok()) return status;
    if (!names.insert(entry.name).second) return MemberFault(entry, "is there twice");
    entries.push_back(entry);
  }
  if (!directory.empty()) return ZipFault("its directory has more entries than it says");
  return entries;
}

// Whether the sizes that a local header gives, directly or in its ZIP64 field (which NumPy always
// writes), are those of the directory.
bool SizesAgree(const ZipEntry& entry, std::string_view local, std::string_view extra) {
  if ((entry.flags & kSizesFollow) != 0) return true;
  uint64_t compressed = At<uint32_t>(local, 18);
  uint64_t size = At<uint32_t>(local, 22);
  while (compressed == kInExtra && size == kInExtra && extra.size() >= 4) {
    const size_t field_bytes = At<uint16_t>(extra, 2);
    if (extra.size() - 4 < field_bytes) return false;
    if (At<uint16_t>(extra, 0) == 1 && field_bytes >= 16) {
      size = At<uint64_t>(extra, 4);
      compressed = At<uint64_t>(extra, 12);
      break;
    }
    extra.remove_prefix(4 + field_bytes);
  }
  return compressed == entry.compressed && size == entry.size &&
         At<uint32_t>(local, 14) == entry.crc;
}

// Sets entry.data from the local header. `room` is the file up to its directory.
absl::Status FindData(std::string_view room, ZipEntry& entry) {
  if (entry.local > room.size()) return MemberFault(entry, "begins behind the end of the file");
  const std::string_view local = room.substr(entry.local);
  if (local.size() < kLocalBytes || !local.starts_with(kLocalSignature)) {
    return MemberFault(entry, "has no local header where the directory says");
  }
  const size_t name_bytes = At<uint16_t>(local, 26);
  const size_t extra_bytes = At<uint16_t>(local, 28);
  const size_t start = kLocalBytes + name_bytes + extra_bytes;
  if (local.size() < start || local.size() - start < entry.compressed) {
    return MemberFault(entry, "ends behind the end of the file");
  }
  if (local.substr(kLocalBytes, name_bytes) != entry.name ||
      At<uint16_t>(local, 8) != entry.method || At<uint16_t>(local, 6) != entry.flags ||
      !SizesAgree(entry, local, local.substr(kLocalBytes + name_bytes, extra_bytes))) {
    return MemberFault(entry, "has a local header that disagrees with the directory");
  }
  entry.data = local.substr(start, entry.compressed);
  return absl::OkStatus();
}

// No two members may share bytes: a small file could hold the same zip bomb a thousand times.
absl::Status CheckLayout(std::string_view file, std::vector<ZipEntry> entries) {
  std::sort(entries.begin(), entries.end(),
            [](const ZipEntry& a, const ZipEntry& b) { return a.local < b.local; });
  size_t covered = 0;
  for (const ZipEntry& entry : entries) {
    if (entry.local < covered) return MemberFault(entry, "overlaps the one before it");
    covered = entry.data.data() - file.data() + entry.data.size();
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ZipFault(std::string_view problem) {
  return absl::DataLossError(absl::StrCat("not a usable zip file: ", problem));
}

absl::StatusOr<std::vector<ZipEntry>> ReadZipDirectory(std::string_view file) {
  const auto found = FindDirectory(file);
  if (!found.ok()) return found.status();
  const auto& [directory, count] = *found;
  absl::StatusOr<std::vector<ZipEntry>> entries = ReadDirectory(directory, count);
  if (!entries.ok()) return entries.status();
  const std::string_view room = file.substr(0, directory.data() - file.data());
  for (ZipEntry& entry : *entries) {
    if (absl::Status status = FindData(room, entry); !status.ok()) return status;
  }
  if (absl::Status status = CheckLayout(file, *entries); !status.ok()) return status;
  return entries;
}

ZipMemberReader::ZipMemberReader(const ZipEntry& entry) : entry_(entry) {
  stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(entry.data.data()));
  stream_.avail_in = entry.data.size();
  inflateInit2(&stream_, -MAX_WBITS);
}

ZipMemberReader::~ZipMemberReader() { inflateEnd(&stream_); }

// At the end of the member also whether the data ends with it.
bool ZipMemberReader::Inflate(char* out, size_t size) {
  stream_.next_out = reinterpret_cast<Bytef*>(out);
  stream_.avail_out = size;
  int result = inflate(&stream_, Z_SYNC_FLUSH);
  const bool all = (result == Z_OK || result == Z_STREAM_END) && stream_.avail_out == 0;
  if (!all || read_ + size < entry_.size) return all;
  char more = 0;
  stream_.next_out = reinterpret_cast<Bytef*>(&more);
  stream_.avail_out = 1;
  if (result == Z_OK) result = inflate(&stream_, Z_FINISH);
  return result == Z_STREAM_END && stream_.avail_out == 1 && stream_.avail_in == 0;
}

absl::StatusOr<size_t> ZipMemberReader::Read(char* out, size_t most) {
  const size_t size = std::min<uint64_t>(most, entry_.size - read_);
  if (size == 0 && read_ > 0) return 0;
  if (entry_.method == kStored) {
    std::memcpy(out, entry_.data.data() + read_, size);
  } else if (!Inflate(out, size)) {
    return MemberFault(entry_, absl::StrCat("does not inflate to the ", entry_.size,
                                            " bytes that it declares: damaged, or a bomb"));
  }
  read_ += size;
  crc_ = crc32(crc_, reinterpret_cast<const Bytef*>(out), size);
  if (read_ == entry_.size && crc_ != entry_.crc)
    return MemberFault(entry_, "is damaged: its CRC differs");
  return size;
}

}  // namespace assay::tensor_files
