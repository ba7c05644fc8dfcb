#include "benchmarks/operators/param/parsing/config_file.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <utility>

#include "absl/memory/memory.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/text/untrusted_text.h"

namespace assay::param {
namespace {

// Counts the characters that the parser has read. The parser reads ahead only after numbers, and
// puts that character back before it reports the next token.
class TrackedCharacter {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  TrackedCharacter(const char* at, const char** reached) : at_(at), reached_(reached) {}
  const char& operator*() const { return *at_; }
  TrackedCharacter& operator++() {
    *reached_ = ++at_;
    return *this;
  }
  TrackedCharacter operator++(int) {
    const TrackedCharacter before = *this;
    ++*this;
    return before;
  }
  bool operator==(const TrackedCharacter& other) const { return at_ == other.at_; }
  bool operator!=(const TrackedCharacter& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** reached_;
};

}  // namespace

bool IsComment(std::string_view key) {
  return key == "comment" || key == "note" || key == "description" ||
         (absl::StartsWith(key, "_") && !absl::StartsWith(key, "__"));
}

std::string UnknownKey(std::string_view key, absl::Span<const std::string> known) {
  return absl::StrCat("there is no key ", base::Quoted(key), "; there are ",
                      absl::StrJoin(known, ", "));
}

// The parser's place in the file, by depth: 0 outside, 1 in the file's object, 2 in an operator's,
// 3 in its list "config", 4 in an element of that, 5 in a list "build" or "input".
class Indexer : public Json::json_sax_t {
 public:
  Indexer(const ConfigFile& file, const char* begin, std::vector<OperatorEntry>& operators,
          std::optional<Span>& run_options)
      : file_(file),
        begin_(begin),
        reached_(begin),
        operators_(operators),
        run_options_(run_options) {}

  const char** reached() { return &reached_; }
  const std::string& error() const { return error_; }

  bool null() override { return Scalar(); }
  bool boolean(bool) override { return Scalar(); }
  bool number_integer(number_integer_t) override { return Scalar(); }
  bool number_unsigned(number_unsigned_t) override { return Scalar(); }
  bool number_float(number_float_t, const string_t&) override { return Scalar(); }
  bool binary(binary_t&) override { return Scalar(); }

  bool string(string_t& value) override {
    if (skipped_ > 0) return true;
    if (depth_ == 1 && keys_[1] == "op_name") {
      batch_name_ = value;
      return true;
    }
    if (depth_ == 1 && keys_[1] == "schema") trace_schema_ = value;
    if (depth_ == 1 && (keys_[1] == "config_build_id" || keys_[1] == "build_id")) {
      batch_id_ = value;
      return true;
    }
    if (depth_ == 2) {
      OperatorEntry& entry = operators_.back();
      std::string* const attribute =
          keys_[2] == "build_iterator"         ? &entry.build_iterator
          : keys_[2] == "input_iterator"       ? &entry.input_iterator
          : keys_[2] == "build_data_generator" ? &entry.build_data_generator
          : keys_[2] == "input_data_generator" ? &entry.input_data_generator
                                               : nullptr;
      if (attribute != nullptr) {
        *attribute = value;
        return true;
      }
    }
    return Scalar();
  }

  bool key(string_t& value) override {
    const uint64_t place = Byte() - value.size() - 2;  // of the quote, unless the key has escapes
    const auto [other, added] = open_.back().emplace(value, place);
    if (!added && !Twice(value, place, other->second)) return false;
    if (skipped_ == 0 && (depth_ == 1 || depth_ == 2 || depth_ == 4)) {
      keys_[depth_] = value;
      key_place_ = place;
      if (!IsKnown(value)) return Problem(place, UnknownKey(value, KeysOf(depth_)));
    }
    return true;
  }

  bool start_object(std::size_t) override {
    open_.emplace_back();
    if (skipped_ > 0) return Skip();
    switch (depth_) {
      case 0:
        ++depth_;
        return true;
      case 1:
        if (keys_[1] == "run_options") {
          BeginOptions();
          return Skip();
        }
        operators_.push_back({.name = keys_[1]});
        ++depth_;
        return true;
      case 2:
        if (keys_[2] == "config") Problem("\"config\" is a list");
        return Skip();
      case 3:
        operators_.back().configs.emplace_back();
        ++depth_;
        return true;
      case 4:
        // run_batch's build, which is no list.
        if (keys_[4] == "build") List() = std::vector<Span>{{Byte() - 1, 0}};
        return Skip();
      case 5:
        List()->push_back({Byte() - 1, 0});
        return Skip();
      default:
        return Skip();
    }
  }

  bool end_object() override {
    file_.Passed(Byte());
    open_.pop_back();
    if (skipped_ == 0) {
      --depth_;
      return true;
    }
    --skipped_;
    if (skipped_ == 0 && (depth_ == 5 || (depth_ == 4 && keys_[4] == "build")))
      List()->back().end = Byte();
    if (skipped_ == 0 && depth_ == 1) run_options_->end = Byte();
    return true;
  }

  bool start_array(std::size_t) override {
    if (skipped_ > 0) return Skip();
    if (depth_ == 2 && keys_[2] == "config") {
      ++depth_;
      return true;
    }
    if (depth_ == 4 && (keys_[4] == "build" || keys_[4] == "input")) {
      List().emplace();
      ++depth_;
      return true;
    }
    if (depth_ == 1 && keys_[1] == "nodes") trace_place_ = key_place_;
    return Scalar() && Skip();
  }

  bool end_array() override {
    if (skipped_ > 0) {
      --skipped_;
    } else {
      --depth_;
    }
    return true;
  }

  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& e) override {
    std::string_view what = e.what();
    if (const size_t bracket = what.find("] "); bracket != std::string_view::npos)
      what.remove_prefix(bracket + 2);
    constexpr size_t kLongest = 300;
    error_ = absl::StrCat(file_.Place(Byte() - (Byte() > 0 ? 1 : 0)), ": ",
                          base::Printable(what, kLongest));
    return false;
  }

  // Called after the last token; false, with error(), for a file that holds no operators at all.
  bool Finish() {
    if (trace_place_ && trace_schema_) {
      error_ = absl::StrCat(
          file_.Place(*trace_place_), ": this is an execution trace, schema ",
          base::Quoted(*trace_schema_),
          "; wanted are configurations of operators: {\"torch.add\": {\"config\": [...]}}");
      return false;
    }
    if (operators_.empty()) {
      error_ = absl::StrCat(file_.Place(0), ": holds no operators: {\"torch.add\": {...}}");
      return false;
    }
    if (!batch_name_) return true;
    for (OperatorEntry& entry : operators_) {
      if (entry.name != "op_info") continue;
      entry.name = *batch_name_;
      entry.config_build_id = batch_id_.value_or("0|0");
    }
    return true;
  }

 private:
  uint64_t Byte() const { return static_cast<uint64_t>(reached_ - begin_); }

  std::optional<std::vector<Span>>& List() {
    ConfigEntry& config = operators_.back().configs.back();
    return keys_[4] == "build" ? config.build : config.input;
  }

  bool Skip() {
    ++skipped_;
    return true;
  }

  bool Problem(const std::string& what) { return Problem(Byte() - 1, what); }

  // Keeps the first problem only.
  bool Problem(uint64_t place, const std::string& what) {
    std::string& problem = operators_.back().problem;
    if (problem.empty()) problem = absl::StrCat(file_.Place(place), ": ", what);
    return true;
  }

  // The keys of an operator's object (depth 2) and of an element of its "config" (depth 4).
  static const std::vector<std::string>& KeysOf(int depth) {
    static const auto* const of_operator =
        new std::vector<std::string>{"config", "build_iterator", "input_iterator",
                                     "build_data_generator", "input_data_generator"};
    static const auto* const of_config = new std::vector<std::string>{"build", "input"};
    return depth == 2 ? *of_operator : *of_config;
  }

  // The names of operators, at depth 1, are the file's own.
  bool IsKnown(const std::string& key) const {
    if (depth_ == 1 || IsComment(key)) return true;
    const std::vector<std::string>& keys = KeysOf(depth_);
    return std::find(keys.begin(), keys.end(), key) != keys.end();
  }

  // A key that its object has already is its operator's problem or, outside of all, the file's end.
  bool Twice(const std::string& key, uint64_t place, uint64_t other) {
    std::string& problem = depth_ == 1 ? error_ : operators_.back().problem;
    if (problem.empty()) {
      problem = absl::StrCat(file_.Place(place), ": ", base::Quoted(key), " stands already at ",
                             file_.Place(other));
    }
    return depth_ > 1;
  }

  void BeginOptions() { run_options_ = {Byte() - 1, 0}; }

  // A value that is not the object or list that should begin here.
  bool Scalar() {
    if (skipped_ > 0) return true;
    switch (depth_) {
      case 0:
        error_ =
            absl::StrCat(file_.Place(0), ": want an object of operators: {\"torch.add\": {...}}");
        return false;
      case 1:
        if (keys_[1] == "run_options") {
          BeginOptions();
          return true;
        }
        if (batch_name_ || keys_[1] == "op_name" || keys_[1] == "config_build_id") return true;
        operators_.push_back({.name = keys_[1]});
        return Problem("an operator's configuration is an object with the list \"config\"");
      case 2:
        if (keys_[2] == "config") return Problem("\"config\" is a list");
        return true;
      case 3:
        return Problem("an element of \"config\" is an object with the list \"input\"");
      case 4:
        return true;  // "build": null means no build
      default:
        List()->push_back({Byte() - 1, 0});
        return true;
    }
  }

  const ConfigFile& file_;
  const char* const begin_;
  const char* reached_;
  std::vector<OperatorEntry>& operators_;
  std::optional<Span>& run_options_;
  int depth_ = 0;
  int64_t skipped_ = 0;  // open objects and lists within one that is skipped
  std::string keys_[5];
  std::vector<std::map<std::string, uint64_t>> open_;  // objects: their keys, each with its place
  uint64_t key_place_ = 0;                             // of the last key at depth 1, 2 or 4
  std::optional<std::string> batch_name_, batch_id_;
  std::optional<uint64_t> trace_place_;  // an execution trace's "nodes"
  std::optional<std::string> trace_schema_;
  std::string error_;
};

absl::StatusOr<std::unique_ptr<ConfigFile>> ConfigFile::Open(const std::string& path) {
  absl::StatusOr<std::shared_ptr<const tensor_files::MappedFile>> mapped =
      tensor_files::MappedFile::Open(path);
  if (!mapped.ok()) return mapped.status();
  const std::string_view text = (*mapped)->bytes();
  return Indexed(absl::WrapUnique(new ConfigFile(path, text, *std::move(mapped))));
}

absl::StatusOr<std::unique_ptr<ConfigFile>> ConfigFile::Parse(std::string name,
                                                              std::string_view text) {
  return Indexed(absl::WrapUnique(new ConfigFile(std::move(name), text, nullptr)));
}

absl::StatusOr<std::unique_ptr<ConfigFile>> ConfigFile::Indexed(std::unique_ptr<ConfigFile> file) {
  if (absl::Status indexed = file->Index(); !indexed.ok()) return indexed;
  return file;
}

void ConfigFile::Passed(uint64_t byte) const {
  constexpr uint64_t kKept = 16 << 20;
  if (byte < released_) released_ = byte;  // started again for another build
  if (file_ == nullptr || byte - released_ < kKept) return;
  file_->Release(released_, byte);
  released_ = byte;
}

absl::Status ConfigFile::Index() {
  const char* const begin = text_.data();
  Indexer indexer(*this, begin, operators_, run_options_);
  const TrackedCharacter first(begin, indexer.reached());
  const TrackedCharacter last(begin + text_.size(), indexer.reached());
  if (!Json::sax_parse(first, last, &indexer)) return absl::InvalidArgumentError(indexer.error());
  if (!indexer.Finish()) return absl::InvalidArgumentError(indexer.error());
  return absl::OkStatus();
}

absl::StatusOr<Json> ConfigFile::ReadOptions() const {
  if (!run_options_) return Json();
  if (run_options_->end > 0) return Read(*run_options_);
  return absl::InvalidArgumentError(
      absl::StrCat(Place(run_options_->begin), ": \"run_options\" is an object"));
}

absl::StatusOr<Json> ConfigFile::Read(const Span& span) const {
  if (span.end <= span.begin) {
    return absl::InvalidArgumentError(absl::StrCat(
        Place(span.begin), ": want an object with \"args\", a list, and \"kwargs\", an object"));
  }
  Passed(span.begin);
  const char* const begin = text_.data();
  return Json::parse(begin + span.begin, begin + span.end, nullptr, /*allow_exceptions=*/false);
}

std::string ConfigFile::Place(uint64_t byte) const {
  const std::string_view before = text_.substr(0, byte);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const size_t newline = before.rfind('\n');
  const size_t column = newline == std::string_view::npos ? byte + 1 : byte - newline;
  return absl::StrCat(name_, ":", line, ":", column);
}

}  // namespace assay::param
