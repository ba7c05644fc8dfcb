"""The models of pytorch/xla's tiers, out of the file that run_suite reads, too.

models([1, 2])      # a frozenset of names, those of TorchBench and those of the same models here
"""

import re

from tools.results.errors import USAGE, Stop

_FILE = "tools/suite/plan/other_suites.textproto"
_TIERS = re.compile(r"^tiers \{(.*?)^\}", re.M | re.S)


def models(numbers):
    if not numbers:
        return frozenset()
    with open(_FILE, encoding="utf-8") as f:
        text = f.read()
    tiers = {}
    for body in _TIERS.findall(text):
        tiers[int(re.search(r"\bnumber: (\d+)", body).group(1))] = re.findall(r'\bmodels: "([^"]+)"', body)
    here = {}
    for line in re.findall(r"^models \{(.*)", text, re.M):
        name = re.search(r'\bname: "([^"]+)"', line).group(1)
        here[name] = re.findall(r'\bhere: "([^"]+)"', line)
    found = set()
    for number in numbers:
        if number not in tiers:
            raise Stop(USAGE, "tier %d: there are %s" % (number, ", ".join(map(str, sorted(tiers)))))
        for name in tiers[number]:
            found.update([name, *here.get(name, ())])
    return frozenset(found)
