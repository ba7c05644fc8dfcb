"""For tests: files in other suites' formats, made up from their descriptions, and the program as a user starts it."""

import csv
import io
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

    def tables(self, *words):
        """Tables as dictionaries, of JSON."""
        return json.loads(self.expect(0, *words, "--format=json"))["tables"]

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
