// ParseCheckpointIndex. It parses by events, like the reader of safetensors' headers: a tree would
// keep only the last of two equal names.

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/tensor_files/checkpoint.h"
#include "benchmarks/harness/tensor_files/safetensors_internal.h"
#include "benchmarks/harness/text/untrusted_text.h"

namespace assay::tensor_files {
namespace {

using base::Quoted;
using Json = nlohmann::json;

absl::Status Malformed(std::string_view problem) {
  return absl::DataLossError(absl::StrCat("not a valid index of a checkpoint: ", problem));
}

bool IsPlainFileName(std::string_view name) {
  if (name.empty() || name.size() > 255 || name == "." || name == "..") return false;
  for (const char c : name) {
    if (c == '/' || c == '\\' || absl::ascii_iscntrl(static_cast<unsigned char>(c))) return false;
  }
  return true;
}

// Follows {"metadata": {anything}, "weight_map": {"name": "file", …}}. A callback that returns
// false ends the parse.
class IndexEvents : public nlohmann::json_sax<Json> {
 public:
  const absl::Status& status() const { return status_; }
  std::map<std::string, std::string> TakeMap() { return std::move(files_); }

  bool start_object(size_t) override {
    ++depth_;
    if (depth_ == 1 || member_ == Member::kMetadata) return true;
    if (depth_ == 2 && member_ == Member::kWeightMap) return true;
    return Misplaced("an object");
  }
  bool end_object() override {
    --depth_;
    if (depth_ == 1) member_ = Member::kNone;
    if (depth_ == 0 && !map_seen_) return Fail("it has no \"weight_map\"");
    return true;
  }
  bool key(std::string& key) override {
    key_ = key;
    if (depth_ == 1) return Begin(key);
    if (member_ == Member::kWeightMap && files_.contains(key)) {
      return Fail(absl::StrCat("tensor ", Quoted(key), " is there twice"));
    }
    return true;
  }
  bool string(std::string& value) override {
    if (Skipping()) return true;
    if (member_ != Member::kWeightMap || depth_ != 2) return Misplaced("a string");
    if (!IsPlainFileName(value)) {
      return Fail(absl::StrCat("tensor ", Quoted(key_), ": ", Quoted(value),
                               " is not the plain name of a file beside the index"));
    }
    files_[key_] = value;
    return true;
  }
  bool start_array(size_t) override {
    if (!Skipping()) return Misplaced("an array");
    ++depth_;
    return true;
  }
  bool end_array() override {
    --depth_;
    return true;
  }
  bool null() override { return Skipping() || Misplaced("null"); }
  bool boolean(bool) override { return Skipping() || Misplaced("a boolean"); }
  bool number_integer(int64_t) override { return Skipping() || Misplaced("a number"); }
  bool number_unsigned(uint64_t) override { return Skipping() || Misplaced("a number"); }
  bool number_float(double, const std::string&) override {
    return Skipping() || Misplaced("a number");
  }
  bool binary(Json::binary_t&) override { return Misplaced("binary data"); }
  bool parse_error(size_t position, const std::string&, const Json::exception&) override {
    return Fail(absl::StrCat("no JSON in UTF-8, seen at its byte ", position));
  }

 private:
  enum class Member { kNone, kMetadata, kWeightMap };

  bool Begin(const std::string& key) {
    bool& seen = key == "metadata" ? metadata_seen_ : map_seen_;
    if (key != "metadata" && key != "weight_map") {
      return Fail(absl::StrCat("unknown member ", Quoted(key)));
    }
    if (seen) return Fail(absl::StrCat(Quoted(key), " is there twice"));
    seen = true;
    member_ = key == "metadata" ? Member::kMetadata : Member::kWeightMap;
    return true;
  }

  // Inside of "metadata", which nothing reads. Its depth costs one counter.
  bool Skipping() const { return member_ == Member::kMetadata && depth_ >= 2; }

  bool Fail(std::string_view problem) {
    status_ = Malformed(problem);
    return false;
  }
  bool Misplaced(std::string_view what) {
    return Fail(depth_ == 0 ? std::string("it is no JSON object")
                            : absl::StrCat(what, " at ", Quoted(key_)));
  }

  std::map<std::string, std::string> files_;
  absl::Status status_;
  Member member_ = Member::kNone;
  bool metadata_seen_ = false;
  bool map_seen_ = false;
  int64_t depth_ = 0;
  std::string key_;
};

}  // namespace

absl::StatusOr<std::map<std::string, std::string>> ParseCheckpointIndex(std::string_view json) {
  // The JSON library takes a zero byte for the end of its input and ignores the rest.
  if (const size_t zero = json.find('\0'); zero != json.npos) {
    return Malformed(absl::StrCat("it has a zero byte at its byte ", zero));
  }
  IndexEvents events;
  if (!Json::sax_parse(json.begin(), json.end(), &events)) return events.status();
  std::map<std::string, std::string> files = events.TakeMap();
  if (files.empty()) return Malformed("its \"weight_map\" is empty");
  return files;
}

}  // namespace assay::tensor_files
