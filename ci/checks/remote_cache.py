"""A cache of actions that machines share, by Debian's nginx: a second tree's tests are all cached, and no fault of the cache
fails a build or turns a red test green."""

import http.client
import os
import shutil
import socket
import subprocess
import threading
import unittest

from ci.check import BAZEL, ROOT, Check

_TESTS = ["//artifacts/format:atomic_file_test", "//artifacts/format:lock_table_test"]
_RED = """
load("@rules_shell//shell:sh_test.bzl", "sh_test")
sh_test(name = "red_test", srcs = ["red_test.sh"])
"""


class _Silent:
    """A server that accepts connections and says `answer` to each, or nothing."""

    def __init__(self, answer):
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.address = "http://127.0.0.1:%d" % self._socket.getsockname()[1]
        self._open = []
        self._answer = answer
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        try:
            while True:
                connection, _ = self._socket.accept()
                if self._answer:
                    connection.recv(65536)
                    connection.sendall(self._answer)
                    connection.close()
                else:
                    self._open.append(connection)
        except OSError:
            pass

    def close(self):
        self._socket.close()
        for connection in self._open:
            connection.close()


@unittest.skipUnless(shutil.which("nginx"), "no nginx here: apt-get install nginx-light")
class RemoteCache(Check):
    beside = True

    def setUp(self):
        super().setUp()
        self.folder = os.path.join(self.scratch, "nginx")
        for name in ["", "cache", "tmp"]:
            os.makedirs(os.path.join(self.folder, name), exist_ok=True)
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        self.address = "http://127.0.0.1:%d" % port
        text = self.read(os.path.join(ROOT, "tools/remote/nginx.conf"))
        text = text.replace("FOLDER", self.folder).replace("127.0.0.1:8090", "127.0.0.1:%d" % port)
        user = "user root;\n" if os.getuid() == 0 else ""
        self.configuration = self.write(os.path.join(self.folder, "nginx.conf"), user + text)
        self.start()
        self.tree = self.copied(".")
        red = os.path.join(self.tree, "red")
        os.makedirs(red)
        self.write(os.path.join(red, "BUILD.bazel"), _RED)
        os.chmod(self.write(os.path.join(red, "red_test.sh"), "#!/bin/sh\nexit 1\n"), 0o755)

    def start(self):
        self.server = subprocess.Popen(["nginx", "-c", self.configuration], stderr=subprocess.DEVNULL)
        self.addCleanup(self.stop)

    def stop(self):
        self.server.terminate()
        self.server.wait()

    def files(self, kind):
        folder = os.path.join(self.folder, "cache", kind)
        return [os.path.join(folder, name) for name in sorted(os.listdir(folder))]

    def run_tests(self, base, *texts, address=None, flags=(), tests=_TESTS, code=0):
        """Runs the tests in the copied tree with an output base of its own."""
        bazel = [BAZEL, "--output_base=" + os.path.join(self.scratch, base)]
        words = [*bazel, "test", "--noshow_progress", *flags, *tests]
        try:
            return self.expect(words, *texts, code=code, cwd=self.tree, ASSAY_REMOTE_CACHE=address or self.address)
        finally:
            self.expect([*bazel, "clean"], cwd=self.tree)

    def test_faults(self):
        """remote cache: a second tree's tests are all cached, and no fault of the cache fails a build"""
        for base in ["first", "second"]:
            self.addCleanup(self.expect, [BAZEL, "--output_base=" + os.path.join(self.scratch, base), "shutdown"], cwd=self.tree)
        self.run_tests("first", "2 tests pass")
        self.assertFalse(os.path.exists(os.path.join(self.folder, "cache/ac")), "it was written to by one who only reads")
        writes = ["--config=remote_cache_writer"]
        self.run_tests("first", "2 tests pass", flags=writes)
        self.assertGreaterEqual(len(self.files("ac")), 2)
        self.run_tests("second", "Executed 0 out of 2 tests: 2 tests pass")

        # A test that fails is no entry, so it fails on each machine. Bazel's script that writes its log as XML may be one.
        before = self.files("ac")
        self.run_tests("first", "1 fails locally", flags=writes, tests=["//red:red_test"], code=3)
        self.run_tests("second", "Executed 1 out of 1 test: 1 fails locally", tests=["//red:red_test"], code=3)
        self.assertLessEqual(len(self.files("ac")), len(before) + 1)

        def damaged(kind, change):
            kept = {path: open(path, "rb").read() for path in self.files(kind)}
            for path in kept:
                change(path)
            self.run_tests("second", "2 tests pass")
            for path, content in kept.items():
                with open(path, "wb") as f:
                    f.write(content)

        def altered(path):
            with open(path, "r+b") as f:
                f.write(b"\xff\xfe\xfd")

        damaged("cas", altered)
        damaged("cas", lambda path: os.truncate(path, os.path.getsize(path) // 2))
        damaged("cas", os.remove)
        damaged("ac", altered)
        damaged("ac", os.remove)
        self.run_tests("second", "Executed 0 out of 2 tests: 2 tests pass")

        # An entry of no bytes would fail a build, so the server takes none.
        for size, status in [(0, 400), (1, 201)]:
            connection = http.client.HTTPConnection(self.address.split("//")[1])
            connection.request("PUT", "/ac/%064d" % size, body=size * b"x", headers={"Content-Length": str(size)})
            self.assertEqual(connection.getresponse().status, status)
            connection.close()

        self.stop()
        self.run_tests("second", "2 tests pass")  # nobody listens
        for answer in [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf", b"no HTTP at all\r\n\r\n"]:
            server = _Silent(answer)
            self.run_tests("second", "2 tests pass", address=server.address)
            server.close()
