"""Parses --bucket.

    source = destination.parse("gs://my-bucket/assay", working_folder)
    bucket = destination.open_bucket(source, Settings(), os.environ)         a FolderBucket or a GcsBucket (bucket.py)
"""

from artifacts.fetch import sources
from tools.artifacts.upload.bucket import Refused
from tools.artifacts.upload.folder_bucket import FolderBucket


class UsageError(ValueError):
    """The command line is wrong; the message says what is wanted."""


def parse(text, working_folder):
    """The one source that --bucket names; UsageError where it can't be uploaded to."""
    try:
        found = sources.parse_sources(text, working_folder)
    except sources.SourceError as error:
        raise UsageError(str(error).replace("ASSAY_BUCKET", "--bucket", 1)) from None
    if len(found) != 1:
        raise UsageError("--bucket: want one gs://NAME[/PREFIX], file://FOLDER or folder")
    (source,) = found
    if not source.is_folder and not source.text.startswith("gs://"):
        raise UsageError(
            "--bucket=%s: a web server can be read but not uploaded to; give the gs:// name, or its folder"
            % source.text
        )
    return source


def open_bucket(source, settings, environment):
    """The bucket of a source from parse(). Nothing is asked of it yet."""
    if source.is_folder:
        return FolderBucket(source.folder, settings)
    if "TEST_TMPDIR" in environment and not environment.get("STORAGE_EMULATOR_HOST"):
        raise Refused("%s: a test may not touch a real bucket; set STORAGE_EMULATOR_HOST to a fake one" % source.text)
    from tools.artifacts.upload.gcs_bucket import GcsBucket  # 0.3 s of imports, and only @gcs_python has them

    return GcsBucket(*source.text[len("gs://") :].partition("/")[::2], settings, environment)
