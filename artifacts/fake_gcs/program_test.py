"""The fake as a program: says its address first, serves a folder and a script, and ends with its parent."""

import os
import signal
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.request

_PROGRAM = [sys.executable, "-m", "artifacts.fake_gcs"]
# Starts the fake with this program's own output, and waits to be killed.
_PARENT = "import subprocess, time; child = subprocess.Popen(%r); time.sleep(600)"


class ProgramTest(unittest.TestCase):
    def test_serves_a_folder_under_a_script(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "n"), "wb") as f:
                f.write(b"data")
            script = os.path.join(folder, "script.json")
            with open(script, "w", encoding="utf-8") as f:
                f.write('[{"status": 503, "times": 1}]')
            command = _PROGRAM + ["--bucket=one", "--folder=" + folder, "--script=" + script]
            with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
                url = program.stdout.readline().strip()
                with self.assertRaises(urllib.error.HTTPError) as caught:
                    urllib.request.urlopen(url + "/one/n", timeout=10)
                caught.exception.close()
                with urllib.request.urlopen(url + "/one/n", timeout=10) as answer:
                    self.assertEqual(b"data", answer.read())
                program.send_signal(signal.SIGTERM)
                self.assertEqual(0, program.wait(timeout=10))

    def test_ends_when_its_parent_is_killed(self):
        with subprocess.Popen([sys.executable, "-c", _PARENT % _PROGRAM], stdout=subprocess.PIPE, text=True) as parent:
            self.assertTrue(parent.stdout.readline().startswith("http://127.0.0.1:"))
            parent.kill()
            # The fake has the pipe's other end too, so the end is read when both are gone.
            self.assertEqual("", parent.stdout.read())

    def test_a_bad_script_is_a_usage_error(self):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as script:
            script.write('[{"statsu": 1}]')
            script.flush()
            got = subprocess.run(_PROGRAM + ["--script=" + script.name], capture_output=True, text=True, timeout=30)
        self.assertEqual(3, got.returncode)
        self.assertIn("unknown statsu", got.stderr)


if __name__ == "__main__":
    unittest.main()
