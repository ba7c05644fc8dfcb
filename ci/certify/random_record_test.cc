#include "ci/certify/random_record.h"

#include <cmath>
#include <limits>
#include <random>
#include <set>
#include <string>

#include "benchmarks/harness/record/strict_json.h"
#include "google/protobuf/util/message_differencer.h"
#include "gtest/gtest.h"

namespace assay::certify {
namespace {

constexpr int kRecords = 300;

// Its eight bytes, as protobuf's wire format has them.
std::string Bytes(double number) {
  return std::string(reinterpret_cast<const char*>(&number), sizeof(number));
}

bool HoldsWhatJsonCannot(const Record& record) {
  const std::string wire = record.SerializeAsString();
  constexpr double kInf = std::numeric_limits<double>::infinity();
  for (const std::string& bad :
       {Bytes(std::nan("")), Bytes(kInf), Bytes(-kInf), std::string("broken")}) {
    if (wire.find(bad) != std::string::npos) return true;
  }
  return false;
}

// A bad value that a later one of the same oneof takes the place of is not in the record.
TEST(RandomRecord, HoldsTheBadValueForWhichItMustBeRefused) {
  std::mt19937_64 random(2);
  int to_refuse = 0;
  for (int i = 0; i < kRecords; ++i) {
    const RandomRecord made = MakeRandomRecord(/*hostile=*/true, random);
    to_refuse += made.must_be_refused;
    EXPECT_EQ(HoldsWhatJsonCannot(made.record), made.must_be_refused) << made.record.DebugString();
  }
  EXPECT_GT(to_refuse, kRecords / 4);
}

TEST(RandomRecord, HoldsNothingBadUnlessItIsHostile) {
  std::mt19937_64 random(1);
  for (int i = 0; i < kRecords; ++i) {
    const RandomRecord made = MakeRandomRecord(/*hostile=*/false, random);
    EXPECT_FALSE(made.must_be_refused || HoldsWhatJsonCannot(made.record));
  }
}

TEST(RandomRecord, ReachesMapsAndEveryMemberOfAOneof) {
  std::mt19937_64 random(3);
  std::set<int> programs, kinds;
  for (int i = 0; i < 10 * kRecords; ++i) {
    const Record record = MakeRandomRecord(/*hostile=*/false, random).record;
    programs.insert(record.benchmark_case().program_case());
    for (const auto& [name, value] : record.benchmark_case().parameters()) {
      kinds.insert(value.value_case());
    }
  }
  EXPECT_EQ(programs.size(), 3);  // with "not set"
  EXPECT_EQ(kinds.size(), 6);
}

TEST(RandomRecord, IsRefusedOrComesBackEqual) {
  std::mt19937_64 random(4);
  for (int i = 0; i < kRecords; ++i) {
    const RandomRecord made = MakeRandomRecord(/*hostile=*/true, random);
    const auto line = record::ToJsonLine(made.record);
    ASSERT_EQ(line.ok(), !made.must_be_refused) << made.record.DebugString();
    if (!line.ok()) continue;
    const auto back = record::FromJsonLine(*line);
    ASSERT_TRUE(back.ok()) << back.status();
    EXPECT_TRUE(google::protobuf::util::MessageDifferencer::Equals(made.record, *back)) << *line;
  }
}

}  // namespace
}  // namespace assay::certify
