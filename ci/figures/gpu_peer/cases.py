"""The registry's entries of workloads.PLAN, for gpu_peer.py, which travels without the registry: cases.py REGISTRY OUT"""

import json
import sys

from ci.figures.gpu_peer import workloads


def main(registry_path, out):
    with open(registry_path, encoding="utf-8") as file:
        registry = json.load(file)
    implementations, models = ({item["name"]: item for item in registry[what]} for what in ("implementations", "models"))
    by_name = {entry["benchmark_case"]["name"]: entry for entry in registry["cases"]}
    chosen = []
    for name in dict.fromkeys(name for name, _, _ in workloads.PLAN):
        entry = by_name.get(name) or sys.exit("PLAN of ci/figures/gpu_peer/workloads.py: there is no case %s" % name)
        model = models.get(entry["benchmark_case"].get("model")) or entry["model"]
        chosen.append(dict(entry, implementation=entry.get("implementation") or implementations[model["implementation"]]))
    with open(out, "w", encoding="utf-8") as file:
        json.dump(chosen, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
