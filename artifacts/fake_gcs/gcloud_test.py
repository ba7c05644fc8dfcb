"""`gcloud storage` uploads to, lists, reads and deletes from the fake: a second client beside Google's library.

If gcloud is not installed, the tests are skipped, and the test's log says so.
"""

import os
import shutil
import subprocess
import tempfile
import unittest

from artifacts.fake_gcs.server import FakeGcs

_GCLOUD = shutil.which("gcloud")


_WHY_NOT = "gcloud is not on PATH: the fake is proven by Google's Python client alone (conformance_test)"


def setUpModule():
    if not _GCLOUD:
        print("SKIPPED: " + _WHY_NOT, flush=True)


@unittest.skipUnless(_GCLOUD, _WHY_NOT)
class GcloudTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        cls.gcs = FakeGcs()
        cls.gcs.__enter__()
        cls.addClassCleanup(cls.gcs.stop)

    def gcloud(self, *arguments):
        environment = dict(
            os.environ,
            HOME=self.folder,
            CLOUDSDK_CONFIG=os.path.join(self.folder, "config"),
            CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE=self.gcs.url + "/storage/v1/",
            CLOUDSDK_AUTH_DISABLE_CREDENTIALS="true",
            CLOUDSDK_CORE_PROJECT="test",
            CLOUDSDK_CORE_DISABLE_USAGE_REPORTING="true",
            CLOUDSDK_COMPONENT_MANAGER_DISABLE_UPDATE_CHECK="true",
            CLOUDSDK_SURVEY_DISABLE_PROMPTS="true",
            CLOUDSDK_CORE_DISABLE_PROMPTS="1",
        )
        command = [_GCLOUD, "storage"] + list(arguments)
        return subprocess.run(command, env=environment, capture_output=True, timeout=120, stdin=subprocess.DEVNULL)

    def file(self, name, data):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as f:
            f.write(data)
        return path

    def test_creates_once_reads_lists_and_deletes_a_small_object(self):
        path = self.file("small", bytes(range(256)))
        got = self.gcloud("cp", "--if-generation-match=0", path, "gs://b/small")
        self.assertEqual(0, got.returncode, got.stderr.decode())
        self.assertEqual(bytes(range(256)), self.gcs.objects("b")["small"])
        again = self.gcloud("cp", "--if-generation-match=0", self.file("other", b"other"), "gs://b/small")
        self.assertNotEqual(0, again.returncode)
        self.assertEqual(bytes(range(256)), self.gcs.objects("b")["small"])
        self.assertEqual(bytes(range(256)), self.gcloud("cat", "gs://b/small").stdout)
        self.assertEqual(bytes(range(16, 33)), self.gcloud("cat", "--range=16-32", "gs://b/small").stdout)
        self.assertIn(b"gs://b/small", self.gcloud("ls", "gs://b/").stdout)
        self.assertEqual(0, self.gcloud("rm", "gs://b/small").returncode)
        self.assertNotIn("small", self.gcs.objects("b"))

    def test_creates_a_big_object_by_a_resumable_upload(self):
        data = bytes(range(256)) * 4096 * 20
        got = self.gcloud("cp", "--if-generation-match=0", self.file("big", data), "gs://b/big")
        self.assertEqual(0, got.returncode, got.stderr.decode())
        self.assertEqual(data, self.gcs.objects("b")["big"])
        resumable = [r for r in self.gcs.requests if "uploadType=resumable" in r.path]
        self.assertTrue(resumable, "not the way it was meant to take")


if __name__ == "__main__":
    unittest.main()
