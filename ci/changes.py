"""Which files changed lately: a check that is dear, and about few files, need not run where none of these changed.

    changes = Changes(root, os.environ)
    changes.touch(["tools/kernel"])            # whether a file below one of these paths differs from what it was then
    changes.touch_code(["tools/kernel"])       # the same, but for files of unit tests and pages
    changes.touch_files_of("ci")               # whether a file of this folder differs, and not only of a subfolder
    changes.words                              # "since HEAD~60", for a message

Everything counts as changed where ASSAY_EVERY=1, and where git does not know the commit: a checkout without its history. ASSAY_SINCE
names another commit, such as the last one that passed. Files that git does not know yet, and is not told to ignore, are changes, too.
"""

import re
import subprocess

_NO_CODE = re.compile(r"_test\.\w+$|\.md$|/testdata/")
# More than what is brought to the main branch at once.
_COMMITS = 60


class Changes:
    def __init__(self, root, environment):
        since = environment.get("ASSAY_SINCE") or "HEAD~%d" % _COMMITS
        self.words = "since " + since
        files = None if environment.get("ASSAY_EVERY") else _changed(root, since)
        self._paths = _with_folders(files)
        self._code = _with_folders(files and {path for path in files if not _NO_CODE.search(path)})

    def everything(self):
        """Whether all counts as changed."""
        return self._paths is None

    def touch(self, paths):
        """Whether one of these files, or a file below one of these folders, changed."""
        return self._paths is None or any(path in self._paths for path in paths)

    def touch_code(self, paths):
        """The same, but files of unit tests and pages count only where they are named."""
        return self._paths is None or any(path in self._code or self._paths.get(path) is False for path in paths)

    def touch_files_of(self, folder):
        """Whether a file of the folder itself changed; those of its subfolders do not count."""
        return self._paths is None or any(
            not is_folder and path.rpartition("/")[0] == folder for path, is_folder in self._paths.items())


def _changed(root, since):
    """Each changed file; None where git cannot say it."""
    files = set()
    # --no-renames: the old place of a file that moved changed, too.
    for words in (["diff", "-z", "--name-only", "--no-renames", "--relative", since + "^{commit}", "--"], ["ls-files", "-z", "--others", "--exclude-standard"]):
        try:
            done = subprocess.run(["git", *words], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8", check=False)
        except OSError:
            return None
        if done.returncode:
            return None
        files.update(path for path in done.stdout.split("\0") if path)
    return files


def _with_folders(files):
    """{path: whether it is a folder} of each file and of all folders around it; None where all changed."""
    if files is None:
        return None
    paths = {}
    for path in files:
        paths[path] = False
        while "/" in path:
            path = path.rpartition("/")[0]
            paths[path] = True
    return paths
