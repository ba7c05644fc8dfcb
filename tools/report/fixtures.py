"""For tests: files in other suites' formats, made up from their descriptions, and the program as a user starts it."""

import csv
import io
import itertools
import json
import random

from tools.report import program
from tools.results import test_files

BACKENDS = {"inductor": ("inductor", None), "openxla+dynamo": ("openxla", "PJRT"), "openxla+lazytensor": (None, "PJRT")}
MOMENTS = (1699680738.723407, 1699767138.0, 1699853538.5)
_MODELS = ("BERT_pytorch", "Background_Matting", "alexnet", "hf_GPT2", "resnet50")


class ReportTest(test_files.ProgramTest):
    def run_program(self, *words):
        out, err = io.StringIO(), io.StringIO()
        code = program.main(list(words), {"BUILD_WORKING_DIRECTORY": self.folder}, out, err)
        return code, out.getvalue(), err.getvalue()

    def tables(self, *words, code=0):
        """Tables as dictionaries, of JSON."""
        return json.loads(self.expect(code, *words, "--format=json"))["tables"]

    def csv(self, *words):
        """Rows of CSV, the first with the names of columns."""
        return list(csv.reader(io.StringIO(self.expect(0, *words, "--format=csv"))))


def xla_rows(seed=7):
    """Lines of pytorch/xla's results.jsonl as dictionaries: three campaigns of five models in two batch sizes by three back ends,
    of which some failed, some have too few samples, and one model is run by one back end only."""
    chance = random.Random(seed)
    made = []
    for day, moment in enumerate(MOMENTS):
        for number, (model, batch, backend) in enumerate((m, b, x) for m in _MODELS for b in (8, 16) for x in BACKENDS):
            if model == "hf_GPT2" and backend != "inductor":
                continue
            dynamo, xla = BACKENDS[backend]
            base = 0.01 * (1 + _MODELS.index(model)) * batch / 8 * (0.9**day)
            times = [base * 300, base * 2, base * 1.5] + [base * chance.uniform(0.9, 1.1) for _ in range(4)]
            row = {
                "model": {"suite_name": "torchbench", "model_name": model},
                "experiment": {
                    "accelerator": "cuda",
                    "accelerator_model": "NVIDIA A100-SXM4-40GB",
                    "xla": xla,
                    "xla_flags": None,
                    "dynamo": dynamo,
                    "test": "eval",
                    "batch_size": batch,
                },
                "repeat": len(times),
                "iterations_per_run": 1,
                "metrics": {"total_time": times, "per_iter_time": times},
                "timestamp": moment,
                "verification_code": "PASS",
            }
            if number % 11 == 5:
                row["verification_code"] = "FAIL"
            if number % 13 == 7:
                row["metrics"] = {"error": "Subprocess timed out after 1800 seconds"}
            if number == 4 and day == 1:  # one sample of what is reported
                row["metrics"] = {"total_time": times[:4], "per_iter_time": times[:4]}
            if number == 1 and day == 2:
                row["metrics"] = {"total_time": times[:3], "per_iter_time": times[:3]}
            made.append(row)
    return made


def dynamo_files(suites, dtypes, modes, compilers, device, seed=11):
    """{name: text} of TorchDynamo's runner, of accuracies and of times: models that failed, were skipped, did not run or have no
    accuracy, and some that only one compiler can take."""
    chance, made = random.Random(seed), {}
    for suite, dtype, mode, compiler in itertools.product(suites, dtypes, modes, compilers):
        accuracies, times = ["dev,name,batch_size,accuracy"], ["dev,name,batch_size,speedup,abs_latency,compilation_latency,compression_ratio"]
        for number in range(12):
            word = {3: "fail_accuracy", 5: "pass_due_to_skip", 7: "eager_1st_run_OOM"}.get((number + len(compiler)) % 12, "pass")
            if number != 9:
                accuracies.append("%s,model_%d,4,%s" % (device, number, word))
            figures = [chance.uniform(0.6, 2.5), chance.uniform(1, 50), chance.uniform(5, 200), chance.uniform(0.8, 1.3)]
            figures = ["%.6f" % f for f in figures] if word != "eager_1st_run_OOM" else ["0.000000", "0.000000", "0", "0"]
            times.append(",".join([device, "model_%d" % number, "8" if figures[2] != "0" else "0", *figures]))
        stem = "_".join((compiler, suite, dtype, mode, device))
        made[stem + "_accuracy.csv"], made[stem + "_performance.csv"] = "\n".join(accuracies) + "\n", "\n".join(times) + "\n"
    return made


def openxla_document(seed=13):
    """openxla-benchmark's results of two targets and two compilers, of which some have an error, or were not run on one target."""
    chance, made = random.Random(seed), []
    models = [("RESNET50_PT_%s_BATCH%d" % (d.upper(), b), d, b) for d in ("fp32", "fp16") for b in (1, 64)]
    for number, ((model, dtype, batch), compiler, device) in enumerate(
        itertools.product(models, ("inductor", "xla"), ("a2-highgpu-1g", "c2-standard-16"))
    ):
        definition = {"benchmark_name": "models/%s/inputs/INPUT_DATA_MODEL_DEFAULT" % model, "framework": "ModelFrameworkType.PYTORCH"}
        definition.update(data_type=dtype, batch_size=batch, compiler=compiler, device=device, tags=[])
        middle = chance.uniform(1, 100)
        level = {name + "_latency_ms": middle * factor for name, factor in (("min", 0.9), ("max", 1.2), ("mean", 1.01), ("median", 1))}
        level = {"error": "CUDA out of memory"} if number == 6 else level
        if number != 9:
            made.append({"definition": definition, "metrics": {"framework_level": level}})
    return {"trigger": {"timestamp": "2024-02-11T03:12:44+00:00"}, "execution_environment": {}, "benchmarks": made}
