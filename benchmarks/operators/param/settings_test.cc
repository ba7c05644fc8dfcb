#include "benchmarks/operators/param/settings.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace assay::param {
namespace {

using Words = std::vector<std::string>;

std::string SettingsError(const Words& words) {
  return std::string(ParseSettings(words).status().message());
}

TEST(Settings, DefaultsAreParams) {
  const auto settings = ParseSettings(Words({"-c", "f.json"}));
  ASSERT_TRUE(settings.ok()) << settings.status();
  EXPECT_EQ(settings->config, "f.json");
  EXPECT_EQ(settings->warmup, 1);
  EXPECT_EQ(settings->iteration, 1);
  EXPECT_FALSE(settings->backward);
  EXPECT_EQ(settings->device, "cpu");
  EXPECT_EQ(settings->output_prefix, "benchmark_result");
  EXPECT_EQ(settings->cuda_l2_cache, "on");
  EXPECT_EQ(settings->exec_mode, "discrete");
  EXPECT_EQ(settings->threads, 1);
}

TEST(Settings, LettersAndNamesAreTheSame) {
  const Words letters = {"-c", "f", "-w", "5", "-i", "20", "-b", "-d", "cuda:1",
                         "-o", "p", "-r", "x", "-s", "y",  "-a", "-l", "WARNING"};
  const Words names = {
      "--config", "f",        "--warmup",           "5", "--iteration", "20", "--backward",
      "--device", "cuda:1",   "--output-prefix",    "p", "--resume-id", "x",  "--stop_id",
      "y",        "--append", "--log-level=warning"};
  for (const Words& words : {letters, names}) {
    const auto settings = ParseSettings(words);
    ASSERT_TRUE(settings.ok()) << settings.status();
    EXPECT_EQ(settings->warmup, 5);
    EXPECT_EQ(settings->iteration, 20);
    EXPECT_TRUE(settings->backward);
    EXPECT_EQ(settings->device, "cuda:1");
    EXPECT_EQ(settings->output_prefix, "p");
    EXPECT_EQ(settings->selection.resume, "x");
    EXPECT_EQ(settings->selection.stop, "y");
    EXPECT_TRUE(settings->append);
    EXPECT_EQ(settings->log_level, "warning");
    EXPECT_EQ(settings->as_given, words);
  }
}

TEST(Settings, ToolsHaveParamsDefaults) {
  const auto settings = ParseSettings(
      Words({"-c", "f", "-p", "--nsys", "--nsys-bin", "/opt/nsys", "--run-batch-size", "7"}));
  ASSERT_TRUE(settings.ok()) << settings.status();
  EXPECT_TRUE(settings->profile);
  EXPECT_TRUE(settings->nsys.asked);
  EXPECT_EQ(settings->nsys.program, "/opt/nsys");
  EXPECT_EQ(settings->nsys.warmup, 5);
  EXPECT_EQ(settings->nsys.iteration, 10);
  EXPECT_EQ(settings->ncu.iteration, 1);
  EXPECT_EQ(settings->run_batch_size, 7);
}

TEST(Settings, PeaksNeedARecord) {
  EXPECT_EQ(SettingsError({"-c", "f", "--peaks"}),
            "--peaks: they are kept in records; give --record=FILE too");
  EXPECT_TRUE(ParseSettings(Words({"-c", "f", "--peaks", "--record=r"}))->peaks);
}

TEST(Settings, AChildReadsBackWhatItsParentWrites) {
  Settings parent = *ParseSettings(Words({"-c", "f", "-w", "3"}));
  parent.first_item = 7;
  parent.config_path = "/a/f";
  parent.output = "o.json";
  parent.journal = "j";
  parent.cuda_plugin = "";
  parent.batch_report = "r";
  const auto child = ParseSettings(ChildWords(parent));
  ASSERT_TRUE(child.ok()) << child.status();
  EXPECT_TRUE(child->child);
  EXPECT_EQ(child->first_item, 7);
  EXPECT_EQ(child->config_path, "/a/f");
  EXPECT_EQ(child->warmup, 3);
  EXPECT_EQ(child->batch_report, "r");
  EXPECT_EQ(child->as_given, parent.as_given);
}

TEST(Settings, TheCommandLineGoesBeforeTheFile) {
  const auto parse = [](const Words& typed, const Words& of_file) {
    return ParseSettings(typed, [&](const std::string&) { return absl::StatusOr<Words>(of_file); });
  };
  const Words of_file = {"--device=cuda", "--backward", "--warmup=3"};
  const auto settings = parse({"-c", "f", "--cuda-graph", "-w", "5"}, of_file);
  ASSERT_TRUE(settings.ok()) << settings.status();
  EXPECT_EQ(settings->device, "cuda");
  EXPECT_TRUE(settings->backward);
  EXPECT_EQ(settings->warmup, 5);
  EXPECT_EQ(ParseSettings(ChildWords(*settings))->as_given, settings->as_given);
  EXPECT_FALSE(parse({"-c", "f", "--nobackward"}, of_file)->backward);
  EXPECT_EQ(parse({"-c", "f"}, {"--device=tpu"}).status().message(),
            "run_options of f: --device=tpu: one of cpu, cuda, cuda:0, cuda:1, ...");
}

TEST(Settings, WrongOnesSayWhatIsAllowed) {
  EXPECT_EQ(SettingsError({}), "-c FILE is missing");
  EXPECT_EQ(SettingsError({"-c", "f", "--exec-mode", "fast"}),
            "--exec-mode=fast: one of discrete, continuous, continuous_events");
  EXPECT_EQ(SettingsError({"-c", "f", "-d", "tpu"}),
            "--d=tpu: one of cpu, cuda, cuda:0, cuda:1, ...");
  EXPECT_EQ(SettingsError({"-c", "f", "-i", "0"}),
            "-i 0 measures nothing; with -w 0 it lists what there is to measure");
  EXPECT_TRUE(ParseSettings(Words({"-c", "f", "-i", "0", "-w", "0"})).ok());
  EXPECT_EQ(SettingsError({"-c", "f", "--ncu"}), "--ncu is for -d cuda");
  EXPECT_EQ(SettingsError({"-c", "f", "--cuda-graph"}), "--cuda-graph is for -d cuda");
  EXPECT_EQ(SettingsError({"-c", "f", "-d", "cuda", "--ncu", "--nsys"}),
            "--ncu and --nsys: one tool at a time");
  EXPECT_NE(SettingsError({"-c", "f", "--et"}).find("execution traces"), std::string::npos);
}

}  // namespace
}  // namespace assay::param
