#include "benchmarks/operators/param/output.h"

#include <string>

#include "gtest/gtest.h"

namespace assay::param {
namespace {

const OperatorEntry kEntry = {.name = "torch.add"};

RunItem Item() {
  RunItem item = {.entry = &kEntry, .id = "0|0|1"};
  item.input = Json::parse(R"({"args": []})");
  return item;
}

TEST(Output, AnInputsLineHasParamsFieldsInParamsOrder) {
  const sampling::PresetResult result = {
      .forward = {.warmup_ns = {2e6}, .measured_ns = {1e6, 1.5e6}},
      .backward = {.warmup_ns = {4e6}, .measured_ns = {3e6, 3e6}}};
  const Settings settings = {.backward = true};
  EXPECT_EQ(LineText(ResultLine(Item(), result, {}, settings)),
            R"({"op_name":"torch.add","id":"0|0|1","metric":{)"
            R"("forward":{"warmup.time":[2.0],"warmup.gpu.memory":[0],)"
            R"("measure.time":[1.0,1.5],"measure.gpu.memory":[0,0]},)"
            R"("backward":{"warmup.time":[4.0],"warmup.gpu.memory":[0],)"
            R"("measure.time":[3.0,3.0],"measure.gpu.memory":[0,0]}},)"
            R"("config":{"build":null,"input":{"args":[]}}})");
}

TEST(Output, MemoryIsInMbOf2To20BytesAndAbsentOnTheHostInOtherModes) {
  const sampling::PresetResult result = {
      .forward = {.measured_ns = {1e6}, .peak_device_bytes = {3 << 20}}};
  const Json gpu = ResultLine(Item(), result, {.host = false}, Settings());
  EXPECT_EQ(gpu["metric"]["forward"]["measure.gpu.memory"], Json::parse("[3.0]"));
  EXPECT_FALSE(gpu["metric"].contains("backward"));
  const Json host =
      ResultLine(Item(), {.forward = {.measured_ns = {1e6}}}, {}, {.exec_mode = "continuous"});
  EXPECT_EQ(host["metric"]["forward"]["measure.gpu.memory"], Json::array());
}

TEST(Output, TheVerdictStandsBehindParamsKeys) {
  Verdict verdict;
  verdict.set_outcome(PASS);
  verdict.add_outputs()->set_max_error(0.25);
  verdict.mutable_outputs(0)->set_name("forward and gradients");
  const auto value = [&] {
    return ResultLine(Item(), {}, {.verdict = &verdict, .note = "n"}, Settings());
  };
  EXPECT_EQ(LineText(value()["verdict"]),
            R"({"outcome":"PASS","largest_error":0.25,"gradients":true})");
  EXPECT_EQ(value()["note"], "n");
  verdict.set_outcome(NOT_VERIFIED);
  verdict.set_message("random");
  EXPECT_EQ(LineText(value()["verdict"]), R"({"outcome":"NOT_VERIFIED","message":"random"})");
}

TEST(Output, AnErrorHasAnEmptyMetricItsClassAndItsConfiguration) {
  EXPECT_EQ(LineText(ErrorLine(ItemLine(Item()), "CRASH", "signal 6\n\xff")),
            "{\"op_name\":\"torch.add\",\"id\":\"0|0|1\","
            "\"config\":{\"build\":null,\"input\":{\"args\":[]}},\"metric\":{},"
            "\"error\":{\"class\":\"CRASH\",\"message\":\"signal 6\\n\xEF\xBF\xBD\"}}");
}

TEST(Output, TheHeaderHasParamsFields) {
  const Json header =
      HeaderLine(Settings(), {.torch_version = "2.11.0", .cuda = true}, absl::UnixEpoch());
  for (const char* key :
       {"hostname", "pid", "cwd", "python_version", "param_train_compute_version", "cuda_available",
        "cuda", "cuda_device_driver", "cuda_gencode", "cuda_device_id", "cuda_device_name",
        "cuda_device_property", "cudnn", "cudnn_enabled", "pytorch_version", "pytorch_debug_build",
        "pytorch_build_config"})
    EXPECT_TRUE(header["sys_info"].contains(key)) << key;
  for (const char* key : {"device",         "pass_type",        "warmup",
                          "iteration",      "op_exec_mode",     "cuda_l2_cache",
                          "time_unit",      "out_file_prefix",  "out_stream",
                          "run_ncu",        "ncu_bin",          "ncu_args",
                          "ncu_warmup",     "ncu_iteration",    "run_nsys",
                          "nsys_bin",       "nsys_args",        "nsys_warmup",
                          "nsys_iteration", "run_batch_size",   "batch_cuda_device",
                          "batch_cmd",      "resume_op_run_id", "stop_op_run_id",
                          "cmd_args"})
    EXPECT_TRUE(header["run_options"].contains(key)) << key;
  EXPECT_EQ(header["start_time"].get<std::string>().size(), 19u);
  EXPECT_FALSE(HeaderLine(Settings(), {}, absl::UnixEpoch())["sys_info"].contains("cudnn"));
}

TEST(TracePath, IsAFileForEachInput) {
  EXPECT_EQ(TracePath("out/result_1_2.json", "aten::add|0|0|0_3"),
            "out/result_1_2_trace/aten--add-0-0-0_3.json");
}

}  // namespace
}  // namespace assay::param
