#include "benchmarks/harness/costs/timeline_files.h"

#include <ATen/core/ivalue.h>
#include <torch/csrc/jit/serialization/pickle.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::costs {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr uint64_t kHeap = 94'000'000'000'000, kMapped = 139'000'000'000'000;

// A weight; an activation that stays; a temporary, twice at one address, which is freed.
MemoryTimeline Step() {
  return {
      .step = "forward",
      .blocks = {{MemoryUse::kParameters, 4096, kMapped},
                 {MemoryUse::kActivations, 1000, kHeap, "aten::mm", {"aten::linear", "aten::mm"}},
                 {MemoryUse::kTemporaries, 500, kHeap + 1024, "my::op<a,\"b\">"},
                 {MemoryUse::kTemporaries, 200, kHeap + 1024}},
      .before = 1,
      .changes = {
          {1, true, 1500}, {2, true, 2500}, {2, false, 3500}, {3, true, 4000}, {3, false, 4500}}};
}

std::string File(const MemoryTimeline& timeline, std::string_view ending) {
  return TimelineFile(timeline, "a_case", std::string("x") + std::string(ending));
}

TEST(TimelineFile, CsvHasARowForEachChangeWithWhatIsAliveAfterIt) {
  EXPECT_EQ(File(Step(), ".csv"),
            "us,action,address,bytes,use,operator,running,parameters,optimizer,cache,inputs,"
            "gradients,activations,temporaries,total\n"
            ",before,139000000000000,4096,parameters,,,4096,0,0,0,0,0,0,4096\n"
            "1.500,allocate,94000000000000,1000,activations,aten::mm,aten::linear > aten::mm,4096,"
            "0,0,0,0,1000,0,5096\n"
            "2.500,allocate,94000000001024,500,temporaries,\"my::op<a,\"\"b\"\">\",,4096,0,0,0,0,"
            "1000,500,5596\n"
            "3.500,free,94000000001024,500,temporaries,\"my::op<a,\"\"b\"\">\",,4096,0,0,0,0,1000,"
            "0,5096\n"
            "4.000,allocate,94000000001024,200,temporaries,,,4096,0,0,0,0,1000,200,5296\n"
            "4.500,free,94000000001024,200,temporaries,,,4096,0,0,0,0,1000,0,5096\n");
}

TEST(TimelineFile, SvgShowsTheUsesThatThereAreAndThePeak) {
  const std::string svg = File(Step(), ".svg");
  EXPECT_THAT(svg, HasSubstr("a_case, forward: memory of one call, peak 5.46 KiB"));
  EXPECT_THAT(svg, HasSubstr("activations"));
  EXPECT_THAT(svg, Not(HasSubstr("optimizer")));
  EXPECT_THAT(svg, HasSubstr("500 B temporaries by my::op&lt;a,"));
  // The highest area reaches the top, at its time: 80 + 900 * 2500 / 4500.
  EXPECT_THAT(svg, HasSubstr("580,70.0 581,70.0"));
  EXPECT_THAT(svg, Not(HasSubstr("582,70.0")));
  EXPECT_EQ(svg.substr(svg.size() - 7), "</svg>\n");
  EXPECT_THAT(File({.step = "optimizer"}, ".svg"), HasSubstr("peak 0 B")) << "without any memory";
}

// A point of the picture shows its peak, and not what follows.
TEST(TimelineFile, SvgKeepsAPeakThatIsShorterThanAPoint) {
  MemoryTimeline timeline = Step();
  timeline.blocks[1].bytes = 8192;
  timeline.changes = {{1, true, 500'000}, {1, false, 500'001}, {2, true, 1'000'000}};
  const std::string svg = File(timeline, ".svg");
  EXPECT_THAT(svg, HasSubstr("530,70.0 531,70.0 531,303.3"));
}

using Dict = c10::impl::GenericDict;

Dict Unpickled(const std::string& pickle) {
  return torch::jit::unpickle(pickle.data(), pickle.size()).toGenericDict();
}

std::vector<Dict> DictsOf(const c10::IValue& list) {
  std::vector<Dict> dicts;
  for (const c10::IValue& value : list.toListRef()) dicts.push_back(value.toGenericDict());
  return dicts;
}

// LibTorch's own reader of pickles opens it. (benchmarks/memory_viz_test.py has Python open one.)
TEST(TimelineFile, PickleIsASnapshotOfBlocksAndEvents) {
  const Dict snapshot = Unpickled(File(Step(), ".pickle"));
  std::vector<std::string> events;
  for (const Dict& event : DictsOf(snapshot.at("device_traces").toListRef()[0])) {
    std::string text = event.at("action").toStringRef();
    text += " " + std::to_string(event.at("size").toInt());
    if (event.contains("category")) text += " " + event.at("category").toStringRef();
    events.push_back(text);
  }
  EXPECT_THAT(events,
              ElementsAre("snapshot 0 unknown", "alloc 4096 parameter", "alloc 1000 activation",
                          "alloc 500 temporary", "free_requested 500", "free_completed 500",
                          "alloc 200 temporary", "free_requested 200", "free_completed 200"));
  const Dict activation = DictsOf(snapshot.at("device_traces").toListRef()[0])[2];
  EXPECT_EQ(activation.at("addr").toInt(), static_cast<int64_t>(kHeap));
  EXPECT_EQ(DictsOf(activation.at("frames"))[0].at("name").toStringRef(), "aten::mm")
      << "the innermost first";

  const std::vector<Dict> segments = DictsOf(snapshot.at("segments"));
  ASSERT_EQ(segments.size(), 2) << "heap and mapped memory lie far apart";
  EXPECT_EQ(segments[0].at("address").toInt(), static_cast<int64_t>(kHeap));
  EXPECT_EQ(segments[0].at("total_size").toInt(), 1024 + 500);
  EXPECT_EQ(segments[0].at("allocated_size").toInt(), 1000);
  const std::vector<Dict> blocks = DictsOf(segments[0].at("blocks"));
  ASSERT_EQ(blocks.size(), 2);
  EXPECT_EQ(blocks[0].at("state").toStringRef(), "active_allocated");
  EXPECT_EQ(blocks[1].at("state").toStringRef(), "inactive");
  EXPECT_EQ(blocks[0].at("size").toInt() + blocks[1].at("size").toInt(), 1524);
}

TEST(TimelineFile, PickleHoldsLargeNumbersAndNothing) {
  MemoryTimeline timeline = {.blocks = {{.bytes = int64_t{5} << 30, .address = kMapped}},
                             .before = 1};
  const Dict snapshot = Unpickled(File(timeline, ".pickle"));
  EXPECT_EQ(DictsOf(snapshot.at("segments"))[0].at("total_size").toInt(), int64_t{5} << 30);
  EXPECT_EQ(Unpickled(File({}, ".pickle")).at("segments").toListRef().size(), 0);
}

TEST(TimelineLines, TellThePeakAndItsLargestBlocks) {
  EXPECT_EQ(TimelineLines(Step()),
            "timeline  forward    3 allocations; peak 5.46 KiB: parameters 4.00 KiB, activations "
            "1000 B, temporaries 500 B\n"
            "          largest    4.00 KiB parameters, 1000 B activations by aten::mm, 500 B "
            "temporaries by my::op<a,\"b\">\n");
}

}  // namespace
}  // namespace assay::costs
