#include "tools/suite/launch/processes/secrets.h"

#include "defs/proto/record.pb.h"
#include "gtest/gtest.h"

namespace assay::suite {
namespace {

TEST(Secrets, AreTakenOutOfText) {
  const Secrets secrets(
      {"A_TOKEN=123456", "B_TOKEN=1234567890", "C_KEY=short", "HOME=/home/me", "NOTHING"});
  EXPECT_EQ(secrets.Removed("1234567890 123456 short /home/me"), "*** *** short /home/me");
}

TEST(Secrets, GoWhereTheirNameSaysWhatTheyAre) {
  const Secrets secrets({"A_TOKEN=123456"});
  EXPECT_EQ(secrets.Removed("run --api-key abc --pass=x\nC_KEY=1 --n 3  123456\n"),
            "run --api-key *** --pass=***\nC_KEY=*** --n 3  ***\n");
  EXPECT_EQ(secrets.Removed("--token --n=1"), "--token --n=1");
  const std::vector<std::string> words = {"--api-key", "a b",       "GH_PAT=x y",
                                          "--n",       "is 123456", "--token"};
  EXPECT_EQ(secrets.Removed(words), std::vector<std::string>({"--api-key", "***", "GH_PAT=***",
                                                              "--n", "is ***", "--token"}));
}

TEST(Secrets, AreTakenOutOfEveryTextOfARecord) {
  Record record;
  record.set_error("git clone me:abcdef@host/x");
  record.add_flags("--token");
  record.add_flags("abcdef");
  record.add_flags("--weights=https://me:abcdef@host/x?sig=abcdef");
  record.mutable_verdict()->set_message("known123 is ghp_abcdefabcdef");
  (*record.mutable_environment()->mutable_variables())["TORCH_X"] = "https://me:abcdef@host";
  (*record.mutable_launch()->mutable_variables())["MY_API_KEY"] = "abcdef";
  record.mutable_environment()->add_facts()->set_value("password is abcdef");
  record.mutable_benchmark_case()->set_label("//a:b");
  (*record.mutable_benchmark_case()->mutable_parameters())["head"].set_text("AUTH=abcdef");
  record.add_measurements()->set_median_ns(7);
  Secrets({"A_TOKEN=known123"}).RemoveFrom(record);
  const std::string text = record.ShortDebugString();
  EXPECT_EQ(text.find("abcdef"), std::string::npos) << text;
  EXPECT_EQ(text.find("known123"), std::string::npos) << text;
  EXPECT_EQ(record.flags(2), "--weights=https://***@host/x?***");
  EXPECT_EQ(record.launch().variables().at("MY_API_KEY"), "***");
  EXPECT_EQ(record.benchmark_case().label(), "//a:b");
  EXPECT_EQ(record.measurements(0).median_ns(), 7);
}

TEST(Secrets, OfThisProcessAreKnown) {
  setenv("A_TEST_TOKEN", "tell nobody", 1);
  EXPECT_EQ(KnownSecrets({"B_TOKEN=nor this"}).Removed("<tell nobody nor this>"), "<*** ***>");
}

}  // namespace
}  // namespace assay::suite
