#include "benchmarks/traces/reader/trace_pieces.h"

#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <functional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/tensor_files/mapped_file.h"
#include "benchmarks/harness/tensor_files/zip_archive.h"
#include "benchmarks/harness/text/untrusted_text.h"

namespace assay::traces {
namespace {

constexpr size_t kBlock = 512, kPieceBytes = 1 << 18;
constexpr int64_t kLongestName = 1 << 16;
constexpr size_t kMostMembers = 1 << 16;

using File = std::unique_ptr<gzFile_s, int (*)(gzFile_s*)>;
using Block = std::array<char, kBlock>;

absl::StatusOr<File> OpenFile(const std::string& path) {
  struct stat facts = {};
  if (stat(path.c_str(), &facts) != 0)
    return absl::NotFoundError(absl::StrCat(path, ": ", std::strerror(errno)));
  if (S_ISDIR(facts.st_mode))
    return absl::InvalidArgumentError(absl::StrCat(path, ": it is a folder"));
  File file(gzopen(path.c_str(), "rb"), gzclose);
  if (file == nullptr) return absl::NotFoundError(absl::StrCat(path, ": ", std::strerror(errno)));
  gzbuffer(file.get(), 1 << 18);
  return file;
}

std::string_view FieldOf(const Block& block, size_t at, size_t size) {
  const std::string_view field(block.data() + at, size);
  return field.substr(0, field.find('\0'));
}

// Octal digits, or the big-endian bytes of GNU tar for more than 8 GiB. -1: neither.
int64_t NumberIn(const Block& block, size_t at, size_t size) {
  if ((block[at] & '\x80') != 0) {
    int64_t number = 0;
    for (size_t i = size - 8; i < size; ++i)
      number = static_cast<int64_t>((static_cast<uint64_t>(number) << 8) |
                                    static_cast<unsigned char>(block[at + i]));
    return number;
  }
  int64_t number = 0;
  for (const char c : absl::StripAsciiWhitespace(FieldOf(block, at, size))) {
    if (c < '0' || c > '7') return -1;
    number = 8 * number + (c - '0');
  }
  return number;
}

// The sum of the header's bytes, with spaces in place of the sum itself.
bool IsTarHeader(const Block& block) {
  int64_t sum = 0;
  for (size_t i = 0; i < kBlock; ++i)
    sum += i >= 148 && i < 156 ? ' ' : static_cast<unsigned char>(block[i]);
  return block[0] != '\0' && NumberIn(block, 148, 8) == sum;
}

bool LeadsOutside(std::string_view name) {
  if (absl::StartsWith(name, "/")) return true;
  for (const std::string_view part : absl::StrSplit(name, '/')) {
    if (part == "..") return true;
  }
  return false;
}

// "27 path=rank-0/et.json\n" in a pax header.
std::string PaxPath(std::string_view text) {
  for (const std::string_view line : absl::StrSplit(text, '\n')) {
    const size_t space = line.find(' ');
    std::string_view record = line.substr(space == std::string_view::npos ? 0 : space + 1);
    if (absl::ConsumePrefix(&record, "path=")) return std::string(record);
  }
  return "";
}

bool ReadBlock(gzFile file, Block& block) {
  return gzread(file, block.data(), kBlock) == static_cast<int>(kBlock);
}

absl::Status BadMember(std::string_view name, std::string_view why) {
  return absl::InvalidArgumentError(
      absl::StrCat("the archive's member ", base::Quoted(name), " ", why));
}

// Calls `take` with each regular file, whose bytes follow in `file`, until it returns true.
absl::Status WalkTar(gzFile file,
                     const std::function<bool(const std::string& name, int64_t size)>& take) {
  Block block;
  std::string long_name;
  while (ReadBlock(file, block)) {
    if (std::all_of(block.begin(), block.end(), [](char c) { return c == '\0'; }))
      return absl::OkStatus();
    if (!IsTarHeader(block)) return BadMember("", "has a damaged header");
    const std::string_view prefix =
        std::memcmp(block.data() + 257, "ustar\0", 6) == 0 ? FieldOf(block, 345, 155) : "";
    std::string name = absl::StrCat(prefix, prefix.empty() ? "" : "/", FieldOf(block, 0, 100));
    if (!long_name.empty()) name = std::exchange(long_name, "");
    const int64_t size = NumberIn(block, 124, 12);
    if (size < 0 || size > (int64_t{1} << 50)) return BadMember(name, "has no size");
    const char type = block[156];
    const int64_t padded = (size + 511) / 512 * 512;
    if (type == 'L' || type == 'x') {
      if (size > kLongestName) return BadMember(name, "has a name of more than 64 KiB");
      std::string text(static_cast<size_t>(padded), '\0');
      if (gzread(file, text.data(), static_cast<unsigned>(padded)) != padded)
        return BadMember(name, "is cut off");
      text.resize(static_cast<size_t>(size));
      long_name = type == 'L' ? std::string(text.c_str()) : PaxPath(text);
      continue;
    }
    if (LeadsOutside(name)) return BadMember(name, "leads outside the archive");
    if (type == '1' || type == '2') return BadMember(name, "is a link");
    if (type != '0' && type != '\0' && type != '5' && type != 'g' && type != '7')
      return BadMember(name, "is no regular file");
    if ((type == '0' || type == '\0' || type == '7') && take(name, size)) return absl::OkStatus();
    if (gzseek(file, static_cast<z_off_t>(padded), SEEK_CUR) < 0)
      return BadMember(name, "is cut off");
  }
  return absl::OkStatus();
}

// A zip archive's bytes and members.
struct OpenZip {
  std::shared_ptr<const tensor_files::MappedFile> file = {};  // null: it is no zip archive
  std::vector<tensor_files::ZipEntry> entries = {};
};

absl::StatusOr<OpenZip> TryOpenZip(const std::string& path) {
  std::array<char, 4> first = {};
  std::ifstream(path, std::ios::binary).read(first.data(), first.size());
  const std::string_view magic(first.data(), first.size());
  if (magic != "PK\x03\x04" && magic != "PK\x05\x06") return OpenZip();
  auto file = tensor_files::MappedFile::Open(path);
  if (!file.ok()) return file.status();
  auto entries = tensor_files::ReadZipDirectory((*file)->bytes());
  if (!entries.ok()) return absl::InvalidArgumentError(entries.status().message());
  for (const tensor_files::ZipEntry& entry : *entries)
    if (LeadsOutside(entry.name)) return BadMember(entry.name, "leads outside the archive");
  return OpenZip{.file = *std::move(file), .entries = *std::move(entries)};
}

absl::Status WithPath(const std::string& path, const absl::Status& status) {
  return status.ok() ? status
                     : absl::Status(status.code(), absl::StrCat(path, ": ", status.message()));
}

}  // namespace

struct TracePieces::Streams {
  File file = {nullptr, gzclose};
  int64_t left = -1;  // bytes of the member; -1: to the end of the file
  // The zip archive and the member's bytes; null: it is none.
  std::shared_ptr<const tensor_files::MappedFile> mapped = {};
  std::unique_ptr<tensor_files::ZipMemberReader> zip = {};
  std::vector<char> buffer = std::vector<char>(kPieceBytes);
  // Inflates a packed member of an archive.
  bool packed = false, begun = false;
  z_stream inflater = {};
  std::vector<char> inflated = {};

  Streams() = default;
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;
  ~Streams() {
    if (packed) inflateEnd(&inflater);
  }
};

TracePieces::TracePieces() : streams_(std::make_shared<Streams>()) {}

absl::StatusOr<TracePieces> TracePieces::Open(const TraceSource& source) {
  absl::StatusOr<File> file = OpenFile(source.path);
  if (!file.ok()) return file.status();
  TracePieces pieces;
  pieces.streams_->file = *std::move(file);
  if (source.member.empty()) return pieces;
  const absl::StatusOr<OpenZip> zip = TryOpenZip(source.path);
  if (!zip.ok()) return WithPath(source.path, zip.status());
  for (const tensor_files::ZipEntry& entry : zip->entries) {
    if (entry.name != source.member) continue;
    pieces.streams_->left = entry.size;
    pieces.streams_->mapped = zip->file;
    pieces.streams_->zip = std::make_unique<tensor_files::ZipMemberReader>(entry);
    return pieces;
  }
  if (zip->file == nullptr) {
    const absl::Status walked =
        WalkTar(pieces.streams_->file.get(), [&](const std::string& name, int64_t size) {
          if (name == source.member) pieces.streams_->left = size;
          return name == source.member;
        });
    if (!walked.ok()) return WithPath(source.path, walked);
  }
  if (pieces.streams_->left < 0)
    return absl::NotFoundError(
        absl::StrCat(source.path, ": the archive has no member ", base::Quoted(source.member)));
  return pieces;
}

std::string_view TracePieces::Raw() {
  Streams& streams = *streams_;
  const size_t most =
      streams.left < 0 ? kPieceBytes : std::min(kPieceBytes, static_cast<size_t>(streams.left));
  if (most == 0) return "";
  if (streams.zip != nullptr) {
    const absl::StatusOr<size_t> got = streams.zip->Read(streams.buffer.data(), most);
    if (!got.ok()) damage_ = got.status().message();
    streams.left -= static_cast<int64_t>(got.value_or(0));
    return {streams.buffer.data(), got.value_or(0)};
  }
  const int got = gzread(streams.file.get(), streams.buffer.data(), static_cast<unsigned>(most));
  int code = Z_OK;
  const char* text = gzerror(streams.file.get(), &code);
  if (code != Z_OK && code != Z_STREAM_END) damage_ = text;
  if (got <= 0 && streams.left > 0 && damage_.empty()) damage_ = "the archive is cut off";
  if (streams.left > 0) streams.left -= std::max(got, 0);
  return {streams.buffer.data(), static_cast<size_t>(std::max(got, 0))};
}

std::string_view TracePieces::Next() {
  Streams& streams = *streams_;
  z_stream& inflater = streams.inflater;
  if (!streams.packed) {
    const std::string_view raw = Raw();
    const bool first = !std::exchange(streams.begun, true);
    if (!first || streams.left < 0 || !absl::StartsWith(raw, "\x1f\x8b")) return raw;
    // 16: the header is gzip's.
    streams.packed = inflateInit2(&inflater, 16 + MAX_WBITS) == Z_OK;
    if (!streams.packed) return "";
    streams.inflated.resize(kPieceBytes);
    inflater.next_in = reinterpret_cast<Bytef*>(streams.buffer.data());
    inflater.avail_in = static_cast<uInt>(raw.size());
  }
  inflater.next_out = reinterpret_cast<Bytef*>(streams.inflated.data());
  inflater.avail_out = static_cast<uInt>(streams.inflated.size());
  while (inflater.avail_out == streams.inflated.size()) {
    if (inflater.avail_in == 0) {
      const std::string_view raw = Raw();
      inflater.next_in = reinterpret_cast<Bytef*>(streams.buffer.data());
      inflater.avail_in = static_cast<uInt>(raw.size());
      if (raw.empty()) return "";
    }
    const int code = inflate(&inflater, Z_NO_FLUSH);
    // Another packed stream may follow, as where files were joined.
    if (code == Z_STREAM_END) inflateReset(&inflater);
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) {
      damage_ = inflater.msg != nullptr ? inflater.msg : "it cannot be inflated";
      break;
    }
  }
  return {streams.inflated.data(), streams.inflated.size() - inflater.avail_out};
}

absl::StatusOr<std::vector<std::string>> ArchiveMembers(const std::string& path) {
  absl::StatusOr<File> file = OpenFile(path);
  if (!file.ok()) return file.status();
  const absl::StatusOr<OpenZip> zip = TryOpenZip(path);
  if (!zip.ok()) return WithPath(path, zip.status());
  std::vector<std::string> names;
  for (const tensor_files::ZipEntry& entry : zip->entries)
    if (!entry.name.ends_with('/')) names.emplace_back(entry.name);
  if (zip->file != nullptr && names.empty())
    return absl::InvalidArgumentError(absl::StrCat(path, ": the archive has no members"));
  if (zip->file != nullptr) return names;
  Block block;
  if (!ReadBlock(file->get(), block) || !IsTarHeader(block)) return names;
  gzrewind(file->get());
  const absl::Status walked = WalkTar(file->get(), [&](const std::string& name, int64_t) {
    names.push_back(name);
    return names.size() > kMostMembers;
  });
  if (!walked.ok()) return WithPath(path, walked);
  if (names.size() > kMostMembers)
    return absl::InvalidArgumentError(absl::StrCat(path, ": it has more than 65536 members"));
  return names;
}

}  // namespace assay::traces
