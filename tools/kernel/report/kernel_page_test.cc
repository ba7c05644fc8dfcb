#include "tools/kernel/report/kernel_page.h"

#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"

namespace assay::kernel {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string PageSize(int columns, double bytes, const std::string& more = "") {
  return absl::StrCat("sizes { sizes { sizes { letter: 'c' number: ", columns,
                      " } } dtype: 'fp32' right: true bytes: ", bytes, " ", more,
                      " hot { candidate_ns: [40000, 50000, 60000] aten_ns: 100000 speedup: 2 low: "
                      "1.98 high: 2.02 conclusion: 'FASTER' }"
                      " cold { candidate_ns: 80000 aten_ns: 80000 speedup: 1 low: 0.99 high: 1.01 "
                      "conclusion: 'SAME' } }\n");
}

KernelReport PageReport(const std::string& candidates) {
  KernelReport report;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(
      "like: 'aten::softmax.int' seed: 7 machine: 'Xeon' fast_p_threshold: 1 " + candidates,
      &report));
  return report;
}

std::string PageCandidate(const std::string& file, const std::string& sizes) {
  return absl::StrCat("candidates { file: '", file,
                      "' operator_name: 'mine::softmax' verdict: 'RIGHT' ", sizes, "}\n");
}

size_t Occurrences(const std::string& page, const std::string& text) {
  size_t count = 0;
  for (size_t at = page.find(text); at != std::string::npos; at = page.find(text, at + 1)) ++count;
  return count;
}

TEST(KernelPageTest, CandidatesStandSideBySideInTableAndPlot) {
  const std::string sizes = PageSize(8, 64000) + PageSize(9, 512000);
  const std::string page =
      PageOf(PageReport(PageCandidate("a.cc", sizes) + PageCandidate("b.cc", sizes)));
  EXPECT_THAT(page, HasSubstr("<h1>2 kernels like aten::softmax.int</h1>\n<p>Xeon</p>"));
  EXPECT_EQ(Occurrences(page, "<td class=\"word\">a.cc"), 4);  // two sizes, hot and cold
  EXPECT_EQ(Occurrences(page, "<td class=\"word FASTER\">FASTER"), 4);
  EXPECT_EQ(Occurrences(page, "<svg "), 2);
  EXPECT_EQ(Occurrences(page, "<g class=\"s2\">"), 2);
  EXPECT_THAT(page, HasSubstr("b.cc, c=9: 10.2 GB/s (8.53 to 12.8), 50 us</title>"));
  EXPECT_EQ(Occurrences(page, "ATen, c=9: "), 2);
  EXPECT_THAT(page, Not(HasSubstr("class=\"roof\"")));  // the peaks are unknown
}

TEST(KernelPageTest, DtypesOfACandidateHavePlotsAndOneColour) {
  std::string other = PageSize(8, 32000);
  other.replace(other.find("fp32"), 4, "bf16");
  const std::string page =
      PageOf(PageReport(PageCandidate("a.cc", PageSize(8, 64000)) + PageCandidate("a.cc", other)));
  EXPECT_THAT(page, HasSubstr("<h1>mine::softmax like"));
  EXPECT_EQ(Occurrences(page, "<svg "), 4);
  EXPECT_EQ(Occurrences(page, "<g class=\"s1\">"), 4);
  EXPECT_EQ(Occurrences(page, "class=\"key "), 2);  // and ATen's
}

TEST(KernelPageTest, TheRoofIsThatOfThePeaks) {
  const std::string peaks = "peaks { bytes_per_s: 2e10 flops_per_s: 1e11 text: 'compute, stream' }";
  EXPECT_THAT(PageOf(PageReport(PageCandidate("a.cc", peaks + PageSize(8, 64000)))),
              HasSubstr("peak: 20 GB/s"));
  // 1e6 operations take 10 us; 64,000 bytes only 3.2 us.
  EXPECT_THAT(PageOf(PageReport(PageCandidate("a.cc", peaks + PageSize(8, 64000, "flops: 1e6")))),
              HasSubstr("peak: 100 GFLOP/s"));
}

TEST(KernelPageTest, AFailingElementComesFirstAndNamesAreText) {
  const std::string page = PageOf(PageReport(R"(
candidates {
  file: "<script>&'\".cc" verdict: "WRONG" verified_calls: 3 planned_calls: 100
  failure { kind: "differs" where: "b=1 c=9, fp32" text: "result [0, 8] is <b>" }
})"));
  EXPECT_THAT(page, HasSubstr("<dl class=\"WRONG\">"));
  EXPECT_THAT(
      page,
      HasSubstr("WRONG: differs at b=1 c=9, fp32\nresult [0, 8] is &lt;b&gt;\n3 of 100 checks"));
  EXPECT_THAT(page, HasSubstr("<h1>&lt;script&gt;&amp;&#39;&quot;.cc like"));
  EXPECT_THAT(page, Not(HasSubstr("<script>")));
  EXPECT_THAT(page, Not(HasSubstr("<table>")));
  EXPECT_THAT(page, Not(HasSubstr("<svg")));
}

TEST(KernelPageTest, ASizeWithoutKnownBytesIsInTheTableAlone) {
  const std::string page = PageOf(PageReport(PageCandidate("a.cc", PageSize(8, 0))));
  EXPECT_THAT(page, Not(HasSubstr("<svg")));
  EXPECT_THAT(page, HasSubstr("<table>"));
}

}  // namespace
}  // namespace assay::kernel
