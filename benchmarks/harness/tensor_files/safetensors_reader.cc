// ParseSafetensors. The header is read by events, not into a tree: a tree keeps the last of two
// equal keys and forgets the first, and has no bound on depth.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/tensor_files/safetensors.h"
#include "benchmarks/harness/tensor_files/safetensors_internal.h"
#include "benchmarks/harness/text/shape_text.h"
#include "benchmarks/harness/text/untrusted_text.h"

namespace assay::tensor_files {
namespace {

using base::Quoted;
using base::ShapeText;
using Json = nlohmann::json;

static_assert(std::endian::native == std::endian::little, "the format is little-endian");

absl::Status Fault(SafetensorsFault fault, std::string_view message) {
  return internal::FaultStatus(absl::StatusCode::kDataLoss, fault,
                               absl::StrCat("not a valid safetensors file: ", message));
}

// Follows {"name": {"dtype": …, "shape": […], "data_offsets": [b, e]}, "__metadata__": {…}} event
// by event and refuses the first that does not belong. A callback that returns false ends the
// parse.
class HeaderEvents : public nlohmann::json_sax<Json> {
 public:
  explicit HeaderEvents(SafetensorsIndex& index) : index_(index) {}

  const absl::Status& status() const { return status_; }

  bool start_object(size_t) override {
    switch (place_) {
      case Place::kOutside:
        place_ = Place::kTop;
        return true;
      case Place::kTop:
        if (key_ == internal::kMetadataKey) {
          place_ = Place::kMetadata;
          return true;
        }
        index_.entries.emplace_back().name = key_;
        members_.clear();
        offsets_.clear();
        place_ = Place::kEntry;
        return true;
      default:
        return Misplaced("an object");
    }
  }

  bool key(std::string& key) override {
    key_ = key;
    switch (place_) {
      case Place::kTop:
        if (!names_.insert(key).second) return Duplicate("name");
        return true;
      case Place::kMetadata:
        if (index_.metadata.contains(key)) return Duplicate("metadata key");
        return true;
      default:
        if (!members_.insert(key).second) return Duplicate("member");
        if (key == "dtype" || key == "shape" || key == "data_offsets") return true;
        return Fail(SafetensorsFault::kBadEntry, absl::StrCat("unknown member ", Quoted(key)));
    }
  }

  bool string(std::string& value) override {
    if (place_ == Place::kMetadata) {
      index_.metadata[key_] = value;
      return true;
    }
    if (place_ != Place::kEntry || key_ != "dtype") return Misplaced("a string");
    const std::optional<SafetensorsDtype> dtype = internal::SafetensorsDtypeFromName(value);
    if (!dtype.has_value()) {
      return Fail(SafetensorsFault::kUnknownDtype, absl::StrCat("unknown dtype ", Quoted(value)));
    }
    Entry().dtype = *dtype;
    return true;
  }

  bool start_array(size_t) override {
    if (place_ != Place::kEntry || key_ == "dtype") return Misplaced("an array");
    place_ = key_ == "shape" ? Place::kShape : Place::kOffsets;
    return true;
  }

  bool number_unsigned(uint64_t value) override {
    if (place_ == Place::kOffsets) {
      offsets_.push_back(value);
      return offsets_.size() <= 2 ||
             Fail(SafetensorsFault::kBadEntry, "data_offsets has more than two numbers");
    }
    if (place_ != Place::kShape) return Misplaced("a number");
    if (value > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
      return Fail(SafetensorsFault::kShapeOverflow, absl::StrCat("size ", value, " is too large"));
    }
    Entry().shape.push_back(static_cast<int64_t>(value));
    return true;
  }

  bool end_array() override {
    if (place_ == Place::kOffsets && offsets_.size() != 2) {
      return Fail(SafetensorsFault::kBadEntry, "data_offsets has fewer than two numbers");
    }
    place_ = Place::kEntry;
    return true;
  }

  bool end_object() override {
    if (place_ == Place::kEntry) {
      if (members_.size() != 3) {
        return Fail(SafetensorsFault::kBadEntry, "dtype, shape or data_offsets is missing");
      }
      Entry().begin = offsets_[0];
      Entry().end = offsets_[1];
    }
    place_ = place_ == Place::kTop ? Place::kOutside : Place::kTop;
    return true;
  }

  bool null() override {
    // The format's own library takes "__metadata__": null for none.
    return (place_ == Place::kTop && key_ == internal::kMetadataKey) || Misplaced("null");
  }
  bool boolean(bool) override { return Misplaced("a boolean"); }
  bool number_integer(int64_t) override { return Misplaced("a negative number"); }
  bool number_float(double, const std::string&) override {
    return Misplaced("a number that is no integer of 64 bits");
  }
  bool binary(Json::binary_t&) override { return Misplaced("binary data"); }

  bool parse_error(size_t position, const std::string&, const Json::exception&) override {
    status_ = Fault(SafetensorsFault::kBadJson,
                    absl::StrCat("the header is not JSON in UTF-8, seen at its byte ", position));
    return false;
  }

 private:
  enum class Place { kOutside, kTop, kMetadata, kEntry, kShape, kOffsets };

  SafetensorsEntry& Entry() { return index_.entries.back(); }

  bool Fail(SafetensorsFault fault, std::string_view problem) {
    status_ = Fault(fault, absl::StrCat("tensor ", Quoted(Entry().name), ": ", problem));
    return false;
  }

  bool Duplicate(std::string_view kind) {
    status_ = Fault(SafetensorsFault::kDuplicateKey,
                    absl::StrCat(kind, " ", Quoted(key_), " is there twice"));
    return false;
  }

  bool Misplaced(std::string_view what) {
    if (place_ == Place::kOutside) {
      status_ = Fault(SafetensorsFault::kNotAnObject, "the header is not a JSON object");
    } else if (place_ == Place::kMetadata ||
               (place_ == Place::kTop && key_ == internal::kMetadataKey)) {
      status_ = Fault(SafetensorsFault::kBadMetadata,
                      absl::StrCat("__metadata__ must map strings to strings; it has ", what,
                                   " at ", Quoted(key_)));
    } else {
      const std::string_view name = place_ == Place::kTop ? key_ : Entry().name;
      status_ = Fault(SafetensorsFault::kBadEntry,
                      absl::StrCat("tensor ", Quoted(name), ": ", what, " at ", Quoted(key_)));
    }
    return false;
  }

  SafetensorsIndex& index_;
  absl::Status status_;
  Place place_ = Place::kOutside;
  std::string key_;                // the last key, at whatever depth
  std::set<std::string> names_;    // keys of the header
  std::set<std::string> members_;  // keys of the entry
  std::vector<uint64_t> offsets_;
};

absl::Status CheckSize(const SafetensorsEntry& entry) {
  const std::optional<uint64_t> want = internal::BytesOf(entry.shape, entry.dtype);
  if (!want.has_value()) {
    return Fault(SafetensorsFault::kShapeOverflow,
                 absl::StrCat("tensor ", Quoted(entry.name), ": shape ", ShapeText(entry.shape),
                              " is too large"));
  }
  if (internal::EndsWithinAByte(entry.shape, entry.dtype)) {
    return Fault(
        SafetensorsFault::kSizeMismatch,
        absl::StrCat("tensor ", Quoted(entry.name), ": ", SafetensorsDtypeName(entry.dtype),
                     " of shape ", ShapeText(entry.shape), " ends within a byte"));
  }
  if (entry.end < entry.begin || entry.end - entry.begin != *want) {
    return Fault(
        SafetensorsFault::kSizeMismatch,
        absl::StrCat("tensor ", Quoted(entry.name), ": ", SafetensorsDtypeName(entry.dtype),
                     " of shape ", ShapeText(entry.shape), " takes ", *want,
                     " bytes, data_offsets are [", entry.begin, ", ", entry.end, "]"));
  }
  return absl::OkStatus();
}

// Sorts the entries by their bytes, which must cover [0, data_bytes) without hole or overlap.
absl::Status CheckLayout(std::vector<SafetensorsEntry>& entries, uint64_t data_bytes) {
  // Empty tensors come before the one that begins where they are.
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
  });
  uint64_t covered = 0;
  for (const SafetensorsEntry& entry : entries) {
    if (entry.begin != covered) {
      const bool hole = entry.begin > covered;
      return Fault(hole ? SafetensorsFault::kHole : SafetensorsFault::kOverlap,
                   absl::StrCat("tensor ", Quoted(entry.name), " begins at byte ", entry.begin,
                                ", the one before ends at ", covered));
    }
    covered = entry.end;
  }
  if (covered != data_bytes) {
    const bool truncated = covered > data_bytes;
    return Fault(
        truncated ? SafetensorsFault::kTruncated : SafetensorsFault::kTrailingBytes,
        absl::StrCat("the tensors take ", covered, " bytes, the file has ", data_bytes,
                     truncated ? "; it is cut short, as by a download that broke off" : ""));
  }
  return absl::OkStatus();
}

// The header's JSON, checked against the file's size only.
absl::StatusOr<std::string_view> HeaderText(std::string_view file) {
  if (file.size() < internal::kLengthBytes) {
    return Fault(SafetensorsFault::kTooShort, absl::StrCat("it has only ", file.size(), " bytes"));
  }
  uint64_t length = 0;
  std::memcpy(&length, file.data(), sizeof(length));
  const uint64_t room = file.size() - internal::kLengthBytes;
  if (length > std::min(room, internal::kLongestHeader)) {
    return Fault(SafetensorsFault::kHeaderTooLong,
                 absl::StrCat("its header of ", length, " bytes does not fit (", room,
                              " bytes follow, at most ", internal::kLongestHeader, " allowed)"));
  }
  const std::string_view text = file.substr(internal::kLengthBytes, length);
  if (!text.starts_with('{')) {
    return Fault(SafetensorsFault::kNotAnObject, "its header does not begin with '{'");
  }
  // The JSON library takes a zero byte for the end of its input and ignores the rest.
  if (const size_t zero = text.find('\0'); zero != text.npos) {
    return Fault(SafetensorsFault::kBadJson,
                 absl::StrCat("the header has a zero byte at its byte ", zero));
  }
  return text;
}

}  // namespace

absl::StatusOr<SafetensorsIndex> ParseSafetensors(std::string_view file) {
  const absl::StatusOr<std::string_view> header = HeaderText(file);
  if (!header.ok()) return header.status();

  SafetensorsIndex index;
  index.data_start = internal::kLengthBytes + header->size();
  HeaderEvents events(index);
  if (!Json::sax_parse(header->begin(), header->end(), &events)) return events.status();
  for (const SafetensorsEntry& entry : index.entries) {
    if (absl::Status status = CheckSize(entry); !status.ok()) return status;
  }
  absl::Status status = CheckLayout(index.entries, file.size() - index.data_start);
  if (!status.ok()) return status;
  return index;
}

}  // namespace assay::tensor_files
