#include "benchmarks/harness/output/ranges.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace assay::output {
namespace {

using Texts = std::vector<std::string>;

TEST(WithRanges, MergesWhatDiffersInNumbersAlone) {
  EXPECT_EQ(WithRanges({"2905 MHz; 33.3 % below 90 % of it", "2921 MHz; 16.7 % below 90 % of it",
                        "2919 MHz; 16.7 % below 90 % of it"}),
            Texts{"2905 to 2921 MHz; 16.7 to 33.3 % below 90 % of it"});
  EXPECT_EQ(WithRanges({"9 ms", "10 ms"}), Texts{"9 to 10 ms"}) << "as numbers";
  EXPECT_EQ(WithRanges({"1e-05 %", "0.075 %", "3.66 %"}), Texts{"1e-05 to 3.66 %"});
}

TEST(WithRanges, KeepsOtherTextsApartAndInOrder) {
  EXPECT_EQ(WithRanges({"after 4 s", "after 12 ms", "after 30 s"}),
            (Texts{"after 4 to 30 s", "after 12 ms"}));
  EXPECT_EQ(WithRanges({"p95 of fp32", "p90 of fp16"}), (Texts{"p95 of fp32", "p90 of fp16"}));
  EXPECT_EQ(WithRanges({"the same", "the same"}), Texts{"the same"});
  EXPECT_EQ(WithRanges({}), Texts{});
  EXPECT_EQ(WithRanges({"7"}), Texts{"7"});
}

}  // namespace
}  // namespace assay::output
