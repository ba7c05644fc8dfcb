"""Facts that a bundle finds on its machine."""

import os
import subprocess
import sys
import tempfile
import unittest

from ci.gpu import machine

# The driver's library, as far as it is asked; what it says is in the environment.
_DRIVER = """
#include <cstdlib>
static int Told(const char* name) { return std::atoi(std::getenv(name)); }
extern "C" int cuInit(unsigned) { return Told("INIT"); }
extern "C" int cuDeviceGetCount(int* count) { *count = Told("COUNT"); return 0; }
extern "C" int cuDriverGetVersion(int* version) { *version = Told("VERSION"); return 0; }
extern "C" int cuDeviceGet(int* device, int) { *device = 0; return 0; }
extern "C" int cuDevicePrimaryCtxRetain(void** context, int) { *context = context; return 0; }
"""
_HOLDS = "from ci.gpu import machine\nwith machine.held_context() as held: print(held)"


class MachineTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, path, text, mode=0o644):
        path = os.path.join(self.folder, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        os.chmod(path, mode)

    def test_the_driver_is_asked(self):
        words = ["g++", "-x", "c++", "-shared", "-fPIC", "-", "-o", os.path.join(self.folder, "libcuda.so.1")]
        subprocess.run(words, input=_DRIVER, encoding="utf-8", check=True)
        self.write("nvidia-smi", "#!/bin/sh\necho 'NVIDIA H100, 580.65'\n", 0o755)
        finds = "from ci.gpu import machine; print(machine.find_gpu(), machine.gpu_is_lost())"
        for code, init, count, version, found in [
            (finds, 0, 1, 13000, "('NVIDIA H100, 580.65', '') False"),
            (finds, 0, 1, 12080, "too old, for CUDA 12.8: install version 580"),
            (finds, 0, 0, 13000, "sees no GPU"),
            (finds, 100, 0, 0, "sees no GPU (error 100): look at nvidia-smi and CUDA_VISIBLE_DEVICES') True"),
            (_HOLDS, 0, 1, 13000, "True"),
            (_HOLDS, 100, 1, 13000, "False"),
        ]:
            environment = dict(os.environ, LD_LIBRARY_PATH=self.folder, PATH=self.folder + ":" + os.environ["PATH"], INIT=str(init),
                               COUNT=str(count), VERSION=str(version))
            said = subprocess.run([sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, encoding="utf-8").stdout
            self.assertIn(found, said)

    def test_torch(self):
        built = {"torch": "2.11.0+cu130", "linked_with": "/nonexistent"}
        self.assertIn("no torch in " + self.folder, machine.find_torch(self.folder, built)[2])
        self.write("torch/version.py", "__version__ = '2.10.0+cu126'\n")
        self.assertIn("pip install torch==2.11.0", machine.find_torch(self.folder, built)[2])
        self.write("torch/version.py", "__version__ = '2.11.0+cu130'\n")
        for given in (self.folder, os.path.join(self.folder, "torch")):
            self.assertEqual(machine.find_torch(given, built), (self.folder, "2.11.0+cu130", ""))

    def test_carried_libraries_are_for_a_machine_that_lacks_one(self):
        lib = os.path.join(self.folder, "lib")
        self.assertEqual(machine.own_libraries(lib), "")
        self.write("lib/libc.so.6", "")
        self.assertEqual(machine.own_libraries(lib), "")
        self.write("lib/libnowhere.so.3", "")
        self.assertEqual(machine.own_libraries(lib), lib)

    def test_reads_every_library_once(self):
        self.write("torch/lib/libtorch.so", "12345")
        self.write("nvidia/cu13/lib/libcudart.so.13", "123")
        self.write("torch/lib/other.txt", "1")
        self.assertEqual(machine.prewarm(self.folder), 8)


if __name__ == "__main__":
    unittest.main()
