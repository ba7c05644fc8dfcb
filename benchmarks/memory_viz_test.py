"""Holds --memory-timeline=FILE.pickle to what reads such files: Python's pickle and torch.cuda._memory_viz, which makes the page
that pytorch.org/memory_viz shows. Argument: the program of a training case."""

import csv
import os
import pickle
import subprocess
import sys
import tempfile
import unittest

from torch.cuda import _memory_viz

_CASE = os.path.abspath(sys.argv.pop())


def _written(folder, ending):
    path = os.path.join(folder, "step." + ending)
    subprocess.run([_CASE, "--modes=wall", "--budget=0.05", "--steps=train_step", "--verify=off", "--threads=1", "--memory-timeline=" + path], check=True, stdout=subprocess.DEVNULL)
    return path


class MemoryViz(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls._folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls._folder.cleanup)
        with open(_written(cls._folder.name, "pickle"), "rb") as f:
            cls.snapshot = pickle.load(f)
        (cls.events,) = cls.snapshot["device_traces"]

    def test_pages(self):
        """trace_plot and segment_plot take the snapshot"""
        for page in (_memory_viz.trace_plot(self.snapshot), _memory_viz.segment_plot(self.snapshot)):
            self.assertIn("snapshot.pickle", page)

    def test_segments(self):
        """segsum, which checks that blocks fill their segments, and trace take it"""
        self.assertIn("segments: %d" % len(self.snapshot["segments"]), _memory_viz.segsum(self.snapshot))
        self.assertIn("Device 0", _memory_viz.trace(self.snapshot))

    def test_every_event_lies_in_a_segment(self):
        """MemoryViz.js looks for the segment of each block"""
        ranges = [(s["address"], s["address"] + s["total_size"]) for s in self.snapshot["segments"]]
        for event in self.events[1:]:
            begin, end = event["addr"], event["addr"] + event["size"]
            self.assertEqual(1, sum(low <= begin and end <= high for low, high in ranges))

    def test_uses(self):
        """categories are torch.profiler's, and bytes those of the CSV of another run"""
        at_end = {}
        alive = {}
        for event in self.events[1:]:
            if event["action"] == "alloc":
                alive[event["addr"]] = event
            elif event["action"] == "free_completed":
                del alive[event["addr"]]
        for event in alive.values():
            at_end[event["category"]] = at_end.get(event["category"], 0) + event["size"]
        with open(_written(self._folder.name, "csv")) as f:
            *_, last = csv.DictReader(f)
        names = {"parameter": "parameters", "optimizer_state": "optimizer", "input": "inputs", "gradient": "gradients", "activation": "activations"}
        self.assertEqual({names[category]: size for category, size in at_end.items()}, {use: int(last[use]) for use in names.values()})
        self.assertEqual(at_end["parameter"], at_end["gradient"])
        blocks = [b for s in self.snapshot["segments"] for b in s["blocks"] if b["state"] == "active_allocated"]
        self.assertEqual(sum(b["size"] for b in blocks), int(last["total"]))


if __name__ == "__main__":
    unittest.main()
