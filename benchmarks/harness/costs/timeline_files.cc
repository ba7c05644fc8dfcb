#include "benchmarks/harness/costs/timeline_files.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "benchmarks/harness/output/output.h"
#include "benchmarks/harness/text/byte_text.h"

namespace assay::costs {
namespace {

constexpr size_t kShownInPicture = 8, kShownInText = 3;

std::string BlockText(const MemoryBlock& block) {
  return absl::StrCat(base::ByteText(block.bytes), " ", MemoryUseName(block.use),
                      block.allocated_by.empty() ? "" : " by " + block.allocated_by);
}

// "parameters 1.13 MiB, inputs 32.0 KiB", without uses that have no bytes.
std::string UsesText(const BytesByUse& bytes) {
  std::vector<std::string> parts;
  for (size_t use = 0; use < kMemoryUses; ++use) {
    if (bytes[use] > 0)
      parts.push_back(absl::StrCat(MemoryUseName(static_cast<MemoryUse>(use)), " ",
                                   base::ByteText(bytes[use])));
  }
  return absl::StrJoin(parts, ", ");
}

// ------------------------------------------ CSV

std::string Csv(const MemoryTimeline& timeline) {
  std::string csv = "us,action,address,bytes,use,operator,running";
  for (size_t use = 0; use < kMemoryUses; ++use)
    absl::StrAppend(&csv, ",", MemoryUseName(static_cast<MemoryUse>(use)));
  csv += ",total\n";
  const std::vector<BytesByUse> over = AliveOver(timeline);
  const auto add = [&](const std::string& us, std::string_view action, size_t place,
                       const BytesByUse& alive) {
    const MemoryBlock& block = timeline.blocks[place];
    absl::StrAppend(&csv, us, ",", action, ",", block.address, ",", block.bytes, ",",
                    MemoryUseName(block.use), ",", output::CsvField(block.allocated_by), ",",
                    output::CsvField(absl::StrJoin(block.running, " > ")), ",",
                    absl::StrJoin(alive, ","), ",", Sum(alive), "\n");
  };
  for (size_t block = 0; block < timeline.before; ++block) add("", "before", block, over[0]);
  for (size_t i = 0; i < timeline.changes.size(); ++i) {
    const MemoryChange& change = timeline.changes[i];
    add(absl::StrFormat("%.3f", 1e-3 * static_cast<double>(change.ns)),
        change.allocates ? "allocate" : "free", change.block, over[i + 1]);
  }
  return csv;
}

// ------------------------------------------ SVG

constexpr double kWidth = 1000, kLeft = 80, kRight = 980, kTop = 70, kBottom = 420;
constexpr const char* kColours[kMemoryUses] = {"#4e79a7", "#59a14f", "#76b7b2", "#bab0ab",
                                               "#f28e2c", "#edc949", "#e15759"};

std::string Label(double x, double y, std::string_view anchor, std::string_view text) {
  return absl::StrFormat("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y, anchor,
                         absl::StrReplaceAll(text, {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}}));
}

// A stretch of the picture, until the next one begins.
struct Column {
  double x = 0;
  BytesByUse alive = {};
};

// For each point that has changes: the most that was alive there, and behind it what is then alive.
std::vector<Column> ColumnsOf(const MemoryTimeline& timeline, const std::vector<BytesByUse>& over) {
  const double last_ns =
      timeline.changes.empty() ? 1 : std::max(1.0, 1.0 * timeline.changes.back().ns);
  std::vector<Column> columns = {{kLeft, over[0]}};
  for (size_t i = 0; i < timeline.changes.size();) {
    const auto at = [&](size_t change) {
      return std::floor(kLeft + (kRight - kLeft) * timeline.changes[change].ns / last_ns);
    };
    const double x = at(i);
    Column column = {x, over[i + 1]};
    for (; i < timeline.changes.size() && at(i) <= x; ++i) {
      if (Sum(over[i + 1]) > Sum(column.alive)) column.alive = over[i + 1];
    }
    columns.push_back(column);
    columns.push_back({x + 1, over[i]});
  }
  columns.push_back({kRight + 1, over.back()});
  return columns;
}

// Uses that have bytes at some time.
std::vector<size_t> UsesOf(const std::vector<BytesByUse>& over) {
  std::vector<size_t> uses;
  for (size_t use = 0; use < kMemoryUses; ++use) {
    if (absl::c_any_of(over, [&](const BytesByUse& alive) { return alive[use] > 0; }))
      uses.push_back(use);
  }
  return uses;
}

std::string Areas(const std::vector<Column>& columns, const std::vector<size_t>& uses,
                  double most) {
  std::string svg;
  std::vector<int64_t> below(columns.size());
  const auto y = [&](int64_t bytes) { return kBottom - (kBottom - kTop) * bytes / most; };
  for (const size_t use : uses) {
    std::string upper, lower;
    for (size_t i = 0; i + 1 < columns.size(); ++i) {
      const double begin = columns[i].x, end = columns[i + 1].x;
      const double bottom = y(below[i]);
      below[i] += columns[i].alive[use];
      absl::StrAppendFormat(&upper, "%.0f,%.1f %.0f,%.1f ", begin, y(below[i]), end, y(below[i]));
      lower = absl::StrFormat("%.0f,%.1f %.0f,%.1f ", end, bottom, begin, bottom) + lower;
    }
    absl::StrAppend(&svg, "<polygon fill=\"", kColours[use], "\" points=\"", upper, lower,
                    "\"/>\n");
  }
  return svg;
}

std::string Svg(const MemoryTimeline& timeline, const std::string& case_name) {
  const std::vector<BytesByUse> over = AliveOver(timeline);
  const MemoryPeak peak = PeakOf(timeline);
  const BytesByUse& at_peak = over[peak.after];
  const double most = std::max<double>(1, static_cast<double>(Sum(at_peak)));
  const size_t shown = std::min(kShownInPicture, peak.blocks.size());
  std::string svg = absl::StrFormat(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n"
      "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
      kWidth, kBottom + 75 + 18 * static_cast<double>(shown));
  absl::StrAppend(&svg, Label(kLeft, 24, "start",
                              absl::StrCat(case_name, ", ", timeline.step, ": memory of one call, ",
                                           "peak ", base::ByteText(Sum(at_peak)))));
  const std::vector<size_t> uses = UsesOf(over);
  double x = kLeft;
  for (const size_t use : uses) {
    absl::StrAppendFormat(&svg,
                          "<rect x=\"%.0f\" y=\"38\" width=\"11\" height=\"11\" fill=\"%s\"/>\n", x,
                          kColours[use]);
    absl::StrAppend(&svg, Label(x + 16, 48, "start", MemoryUseName(static_cast<MemoryUse>(use))));
    x += 120;
  }
  absl::StrAppend(&svg, Areas(ColumnsOf(timeline, over), uses, most));
  for (int part = 0; part <= 4; ++part) {
    const double y = kBottom - (kBottom - kTop) * part / 4;
    absl::StrAppendFormat(&svg,
                          "<path d=\"M%.0f %.1fH%.0f\" stroke=\"#888888\" opacity=\"0.4\"/>\n",
                          kLeft, y, kRight);
    absl::StrAppend(&svg, Label(kLeft - 6, y + 4, "end",
                                base::ByteText(static_cast<int64_t>(most * part / 4))));
  }
  const int64_t last_ns = timeline.changes.empty() ? 0 : timeline.changes.back().ns;
  absl::StrAppend(&svg, Label(kLeft, kBottom + 18, "start", "0"),
                  Label(kRight, kBottom + 18, "end",
                        absl::StrCat(output::TimeText(static_cast<double>(last_ns)),
                                     " of the recorded call, which is slow")),
                  Label(kLeft, kBottom + 48, "start", "The largest blocks at the peak:"));
  for (size_t i = 0; i < shown; ++i)
    absl::StrAppend(&svg, Label(kLeft, kBottom + 66 + 18 * static_cast<double>(i), "start",
                                BlockText(timeline.blocks[peak.blocks[i]])));
  return svg + "</svg>\n";
}

// ------------------------------------------ pickle

// Writes a value of dicts, lists, texts and whole numbers by protocol 2 of Python's pickle.
class Pickle {
 public:
  Pickle() { bytes_ = "\x80\x02"; }
  void BeginDict() { bytes_ += "}("; }
  void EndDict() { bytes_ += 'u'; }
  void BeginList() { bytes_ += "]("; }
  void EndList() { bytes_ += 'e'; }
  void Text(std::string_view text) {
    bytes_ += 'X';
    Little(text.size(), 4);
    bytes_ += text;
  }
  void Number(uint64_t number) {
    if (number <= INT32_MAX) {
      bytes_ += 'J';
      Little(number, 4);
    } else {  // addresses and sizes are below 2^63, so this signed number is positive
      bytes_ += "\x8a\x08";
      Little(number, 8);
    }
  }
  void Entry(std::string_view key, std::string_view text) {
    Text(key);
    Text(text);
  }
  void Entry(std::string_view key, uint64_t number) {
    Text(key);
    Number(number);
  }
  std::string Take() {
    bytes_ += '.';
    return std::move(bytes_);
  }

 private:
  void Little(uint64_t number, int count) {
    for (int i = 0; i < count; ++i) bytes_ += static_cast<char>(number >> (8 * i));
  }

  std::string bytes_;
};

// As torch.profiler names them, in the singular.
std::string_view CategoryOf(MemoryUse use) {
  constexpr std::string_view kNames[kMemoryUses] = {
      "parameter", "optimizer_state", "cache", "input", "gradient", "activation", "temporary"};
  return kNames[static_cast<size_t>(use)];
}

class Snapshot {
 public:
  explicit Snapshot(const MemoryTimeline& timeline) : timeline_(timeline) {
    for (size_t block = 0; block < timeline.blocks.size(); ++block) {
      if (block < timeline.before) alive_.insert({timeline.blocks[block].address, block});
      ranges_.push_back({timeline.blocks[block].address, EndOf(timeline.blocks[block])});
    }
    for (const MemoryChange& change : timeline.changes) {
      const std::pair<uint64_t, size_t> at = {timeline.blocks[change.block].address, change.block};
      change.allocates ? (void)alive_.insert(at) : (void)alive_.erase(at);
    }
    std::sort(ranges_.begin(), ranges_.end());
  }

  std::string Pickled() {
    pickle_.BeginDict();
    pickle_.Text("segments");
    pickle_.BeginList();
    for (size_t i = 0; i < ranges_.size();) {
      uint64_t begin = ranges_[i].first, end = ranges_[i].second;
      for (++i; i < ranges_.size() && ranges_[i].first <= end + kAside; ++i)
        end = std::max(end, ranges_[i].second);
      AddSegment(begin, end);
    }
    pickle_.EndList();
    pickle_.Text("device_traces");
    pickle_.BeginList();
    pickle_.BeginList();
    // Without a category of this name, a release of MemoryViz.js stops.
    pickle_.BeginDict();
    pickle_.Entry("action", "snapshot");
    for (const char* key : {"addr", "size", "stream"}) pickle_.Entry(key, 0);
    pickle_.Entry("category", "unknown");
    pickle_.EndDict();
    for (size_t block = 0; block < timeline_.before; ++block) AddEvent("alloc", block);
    for (const MemoryChange& change : timeline_.changes) {
      if (change.allocates) {
        AddEvent("alloc", change.block);
      } else {
        AddEvent("free_requested", change.block);
        AddEvent("free_completed", change.block);
      }
    }
    pickle_.EndList();
    pickle_.EndList();
    pickle_.EndDict();
    return pickle_.Take();
  }

 private:
  static constexpr uint64_t kAside = 1 << 20;  // between two segments

  static uint64_t EndOf(const MemoryBlock& block) {
    return block.address + static_cast<uint64_t>(block.bytes);
  }

  void AddFrames(const MemoryBlock& block) {
    pickle_.Text("frames");
    pickle_.BeginList();
    for (auto name = block.running.rbegin(); name != block.running.rend(); ++name) {
      pickle_.BeginDict();
      pickle_.Entry("name", *name);
      pickle_.Entry("filename", timeline_.step);
      pickle_.Entry("line", 0);
      pickle_.EndDict();
    }
    pickle_.EndList();
  }

  void AddEvent(std::string_view action, size_t place) {
    const MemoryBlock& block = timeline_.blocks[place];
    pickle_.BeginDict();
    pickle_.Entry("action", action);
    pickle_.Entry("addr", block.address);
    pickle_.Entry("size", static_cast<uint64_t>(block.bytes));
    pickle_.Entry("stream", 0);
    if (action == "alloc") pickle_.Entry("category", CategoryOf(block.use));
    AddFrames(block);
    pickle_.EndDict();
  }

  void AddBlock(std::string_view state, uint64_t bytes, const MemoryBlock* block) {
    if (bytes == 0) return;
    pickle_.BeginDict();
    pickle_.Entry("state", state);
    pickle_.Entry("size", bytes);
    pickle_.Entry("requested_size", block != nullptr ? bytes : 0);
    AddFrames(block != nullptr ? *block : MemoryBlock());
    pickle_.EndDict();
  }

  // Addresses with what was alive there when the call was over.
  void AddSegment(uint64_t begin, uint64_t end) {
    pickle_.BeginDict();
    pickle_.Entry("device", 0);
    pickle_.Entry("address", begin);
    pickle_.Entry("total_size", end - begin);
    pickle_.Entry("stream", 0);
    pickle_.Entry("segment_type", "large");
    pickle_.Text("blocks");
    pickle_.BeginList();
    uint64_t at = begin, allocated = 0;
    for (auto alive = alive_.lower_bound({begin, 0}); alive != alive_.end() && alive->first < end;
         ++alive) {
      const MemoryBlock& block = timeline_.blocks[alive->second];
      if (block.address < at) continue;  // part of another one
      AddBlock("inactive", block.address - at, nullptr);
      AddBlock("active_allocated", static_cast<uint64_t>(block.bytes), &block);
      at = EndOf(block);
      allocated += static_cast<uint64_t>(block.bytes);
    }
    AddBlock("inactive", end - at, nullptr);
    pickle_.EndList();
    for (const char* key : {"allocated_size", "active_size", "requested_size"})
      pickle_.Entry(key, allocated);
    pickle_.EndDict();
  }

  const MemoryTimeline& timeline_;
  std::set<std::pair<uint64_t, size_t>> alive_;  // when the call is over: addresses and blocks
  std::vector<std::pair<uint64_t, uint64_t>> ranges_;  // of all blocks, by their begin
  Pickle pickle_;
};

}  // namespace

std::string TimelineFile(const MemoryTimeline& timeline, const std::string& case_name,
                         std::string_view path) {
  if (absl::EndsWith(path, ".svg")) return Svg(timeline, case_name);
  if (absl::EndsWith(path, ".csv")) return Csv(timeline);
  return Snapshot(timeline).Pickled();
}

std::string TimelineLines(const MemoryTimeline& timeline) {
  const MemoryPeak peak = PeakOf(timeline);
  const BytesByUse bytes = AliveOver(timeline)[peak.after];
  std::vector<std::string> blocks;
  for (size_t i = 0; i < std::min(kShownInText, peak.blocks.size()); ++i)
    blocks.push_back(BlockText(timeline.blocks[peak.blocks[i]]));
  return absl::StrFormat(
      "%-10s%-11s%d allocations; peak %s: %s\n%-10s%-11s%s\n", "timeline", timeline.step,
      std::count_if(timeline.changes.begin(), timeline.changes.end(),
                    [](const MemoryChange& c) { return c.allocates; }),
      base::ByteText(Sum(bytes)), UsesText(bytes), "", "largest", absl::StrJoin(blocks, ", "));
}

}  // namespace assay::costs
