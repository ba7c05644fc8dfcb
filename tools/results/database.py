"""The SQLite index of results: its tables, and how it is opened.

    with database.writing("results.sqlite") as connection: ...    # one writer at a time; all or nothing
    connection = database.reading("results.sqlite")               # nothing that is asked through it can change a file

For people there are four views, each with every dimension as a column: `runs` has a row for each record, `results` one
for each measurement, and one without figures for a record that has none; `summary` has sums over the latter
(tallies.py); `served` has a row for each rate of a record under load. `suite_runs` has the footers. `partial` is 1 where the
suite's run that a record belongs to has no footer, or one that says that configurations are missing.
"""

import contextlib
import os
import sqlite3
import textwrap
import urllib.parse

from tools.results import columns
from tools.results.command_line import beside
from tools.results.errors import SURROUNDINGS, Stop

_SQLITE = b"SQLite format 3\0"
_APPLICATION = 0x41535359  # "ASSY", where `file` and SQLite look for whose database it is
_LAYOUT = 8  # of all but the columns of columns.py: a database may lack some of them, and is read as if they were empty
_PAGE = 8192  # bytes; a tenth faster to write than SQLite's 4096
_WAIT_SECONDS = 600  # for another import to end
_TYPES = {columns.LONG: "INTEGER", columns.FLAG: "INTEGER"}


def _columns(table, more=()):
    return ", ".join("%s %s" % (c[0], _TYPES.get(c[1], c[1])) for c in [*table, *more])


# Questions to other tables in place of joins, which SQLite would do for each row whether the column is asked for or not.
_PARTIAL = (
    "coalesce(r.suite_run <> '' AND NOT coalesce((SELECT complete FROM suite_runs WHERE id = r.suite_run), 0), 0)"
)
_SOURCE = "(SELECT path FROM sources WHERE id = r.source)"
SUMMARY_NAMES = ["outcome", "mode", "step", "preset", "flagged", "count", "medians", "sum_ns", "min_ns", "max_ns"]
# Columns that the view `results` makes of a measurement's.
MADE = {"units_per_s": "1e9 * x.units_per_call / x.median_ns"}
RESULT_NAMES = [*columns.MEASUREMENT_NAMES, *MADE]
# Which are a record's measurements: a row of numbers, without an index to keep up.
MEASURED = "x.id >= r.first AND x.id < r.behind"
_TABLES = """
CREATE TABLE sources (id INTEGER PRIMARY KEY, path TEXT UNIQUE, format TEXT, bytes INTEGER, lines INTEGER, sha256 TEXT);
CREATE TABLE cases (id INTEGER PRIMARY KEY, digest BLOB, {case}, family TEXT, parameters TEXT, settings TEXT,
  flags TEXT, tags TEXT);
CREATE TABLE machines (id INTEGER PRIMARY KEY, digest BLOB, {machine}, variables TEXT);
CREATE TABLE records (id INTEGER PRIMARY KEY, key BLOB, source INTEGER, line INTEGER, case_id INTEGER,
  machine_id INTEGER, first INTEGER, behind INTEGER, {record});
CREATE TABLE measurements (id INTEGER PRIMARY KEY, {measurement});
CREATE TABLE rates (record INTEGER, place INTEGER, {served}, PRIMARY KEY (record, place)) WITHOUT ROWID;
CREATE TABLE samples (measurement INTEGER PRIMARY KEY, nanoseconds BLOB);
CREATE TABLE documents (first INTEGER PRIMARY KEY, last INTEGER, lines BLOB);
CREATE TABLE suite_runs (id TEXT PRIMARY KEY, started_utc TEXT, duration_s REAL, planned INTEGER, done_before INTEGER,
                         complete INTEGER, flags TEXT, json TEXT);
CREATE TABLE figure_tallies (case_id INTEGER, machine_id INTEGER, outcome TEXT, mode TEXT, step TEXT, preset TEXT,
  flagged INTEGER, count INTEGER, medians INTEGER, sum_ns REAL, min_ns REAL, max_ns REAL,
  PRIMARY KEY (case_id, machine_id, outcome, mode, step, preset, flagged)) WITHOUT ROWID;
CREATE TABLE run_tallies (suite_run TEXT, device TEXT, machine_id INTEGER, outcome TEXT, count INTEGER,
  started_utc TEXT, PRIMARY KEY (suite_run, device, machine_id, outcome)) WITHOUT ROWID;
CREATE UNIQUE INDEX records_key ON records (key);
""".format(
    case=_columns(columns.CASE),
    machine=_columns(columns.MACHINE),
    record=_columns(columns.RECORD, columns.WORST),
    measurement=_columns(columns.MEASUREMENT, columns.COUNTED),
    served=_columns(columns.SERVED, columns.OF_SERVED),
)
_NAMES = {
    "cases": columns.CASE_NAMES,
    "machines": columns.MACHINE_NAMES,
    "records": columns.RECORD_NAMES,
    "measurements": columns.MEASUREMENT_NAMES,
    "rates": columns.SERVED_NAMES,
}
_VIEWS = """
CREATE VIEW runs AS SELECT {run} FROM records r {joins};
CREATE VIEW results AS SELECT {run}, {measurement_names}, x.id AS measurement
  FROM records r LEFT JOIN measurements x ON {measured} {joins};
CREATE VIEW served AS SELECT {run}, {served_names} FROM rates s JOIN records r ON r.id = s.record {joins};
CREATE VIEW summary AS SELECT {dimensions}, {summary} FROM figure_tallies r {joins};
""".format(
    run=", ".join(
        [
            "r.id",
            *("c." + name for name in columns.CASE_NAMES),
            *("r." + name for name in columns.RECORD_NAMES),
            *("m." + name for name in columns.MACHINE_NAMES),
            _PARTIAL + " AS partial",
            _SOURCE + " AS source",
            "r.line",
        ]
    ),
    joins="JOIN cases c ON c.id = r.case_id JOIN machines m ON m.id = r.machine_id",
    dimensions=", ".join(
        ["c." + name for name in columns.CASE_NAMES] + ["m." + name for name in columns.MACHINE_NAMES]
    ),
    summary=", ".join("nullif(r.%s, '') AS %s" % (name, name) for name in SUMMARY_NAMES),
    measured=MEASURED,
    served_names=", ".join("s." + name for name in columns.SERVED_NAMES),
    measurement_names=", ".join(
        ["x." + name for name in columns.MEASUREMENT_NAMES] + ["%s AS %s" % (sql, name) for name, sql in MADE.items()]
    ),
)

FAILED = "outcome NOT IN ('PASS', 'SKIPPED_DECLARED', 'NOT_VERIFIED')"

# Made when a load ends: cheaper than keeping them up row by row. Then SQLite looks how many equal values they have.
_INDICES = """
CREATE INDEX IF NOT EXISTS records_time ON records (case_id, machine_id, started_utc);
CREATE INDEX IF NOT EXISTS records_failed ON records (started_utc) WHERE {failed};
PRAGMA analysis_limit = 1000;
ANALYZE;
""".format(failed=FAILED)


def _failed(path, error):
    """An sqlite3.Error of opening, reading or writing, explained to a person."""
    text = str(error)
    folder = os.path.dirname(os.path.abspath(path))
    if "not a database" in text:
        return Stop(SURROUNDINGS, "%s: not an SQLite database; name another with --database" % path)
    if "locked" in text:
        return Stop(
            SURROUNDINGS, "%s: another program has held it for %d s; try again when it is done" % (path, _WAIT_SECONDS)
        )
    if "full" in text or "disk I/O" in text:
        return Stop(
            SURROUNDINGS,
            "%s: %s; nothing of this import is in it; free some space (in TMPDIR too), then import again"
            % (path, text),
        )
    if "readonly" in text or "unable to open" in text:
        return Stop(SURROUNDINGS, "%s: %s; is %s a folder that you may write to? --database=FILE names another" % (path, text, folder))
    return Stop(SURROUNDINGS, "%s: %s" % (path, text))


def _check_owner(connection, path):
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    layout = connection.execute("PRAGMA user_version").fetchone()[0]
    if not connection.execute("SELECT 1 FROM sqlite_master").fetchone():
        raise Stop(SURROUNDINGS, "%s: an empty database: no import into it has ended well" % path)
    if application != _APPLICATION:
        raise Stop(SURROUNDINGS, "%s: an SQLite database of something else; name another with --database" % path)
    if layout != _LAYOUT:
        raise Stop(
            SURROUNDINGS,
            "%s: made by another version of this program (layout %d, not %d); import into a new one"
            % (path, layout, _LAYOUT),
        )


def _missing(connection):
    """(table, column), of a database made by a version that did not know the column."""
    for table, names in _NAMES.items():
        there = {row[1] for row in connection.execute("PRAGMA main.table_info(%s)" % table)}
        yield from ((table, name) for name in names if name not in there)


def _check_columns(connection, path):
    """Keys of records are digests of all columns: with others a record would be imported twice."""
    lacking = dict.fromkeys("all of rates" if table == "rates" else name for table, name in _missing(connection))
    if lacking:
        raise Stop(
            SURROUNDINGS,
            "%s: made by a version of this program that did not know %s; it can be read; import into a new one"
            % (path, ", ".join(lacking)),
        )


def _fill_in(connection):
    """Lets a database be read that lacks columns: what is temporary hides what has the same name in the file."""
    lacking = {}
    for table, name in _missing(connection):
        lacking.setdefault(table, []).append(name)
    for table, names in lacking.items():
        empty = ", ".join("NULL AS " + name for name in names)
        source = "main." + table
        if len(names) == len(_NAMES[table]):  # it has no such table
            source = "(SELECT NULL AS record, NULL AS place WHERE 0)"
        connection.execute("CREATE TEMP VIEW %s AS SELECT *, %s FROM %s" % (table, empty, source))
    if lacking:
        _execute_all(connection, _VIEWS.replace("CREATE VIEW", "CREATE TEMP VIEW"))


@contextlib.contextmanager
def writing(path):
    """A connection within one transaction, which ends when the block does; an exception takes back all of it."""
    connection = None
    try:
        connection = sqlite3.connect(path, timeout=_WAIT_SECONDS, isolation_level=None)
        connection.execute("PRAGMA cache_size = -65536")
        connection.execute("PRAGMA page_size = %d" % _PAGE)
        connection.execute("BEGIN IMMEDIATE")
        if not connection.execute("SELECT 1 FROM sqlite_master").fetchone():
            connection.execute("PRAGMA application_id = %d" % _APPLICATION)
            connection.execute("PRAGMA user_version = %d" % _LAYOUT)
            _execute_all(connection, _TABLES + _VIEWS)
        _check_owner(connection, path)
        _check_columns(connection, path)
        yield connection
        _execute_all(connection, _INDICES)
        connection.execute("COMMIT")
    except sqlite3.Error as error:
        raise _failed(path, error) from None
    finally:
        if connection:
            with contextlib.suppress(sqlite3.Error):
                connection.close()  # what is not committed is taken back


def _execute_all(connection, script):
    for statement in script.split(";"):  # not executescript(), which commits
        if statement.strip():
            connection.execute(statement)


_READS = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}


def is_one(path):
    """Whether a file is a database, of whatever program; a pipe is not even opened."""
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as f:
        return f.read(len(_SQLITE)) == _SQLITE


def reading(path):
    """A connection that can only read, and only this file."""
    if not os.path.isfile(path):
        raise Stop(
            SURROUNDINGS,
            "%s: no such database%s; make it: tools/bazel run //tools:results -- import FILE..." % (path, beside(path, is_one)),
        )
    try:
        uri = "file:%s?mode=ro" % urllib.parse.quote(os.path.abspath(path))
        connection = sqlite3.connect(uri, uri=True, timeout=_WAIT_SECONDS, isolation_level=None)
        connection.execute("PRAGMA cache_size = -65536")
        _check_owner(connection, path)
        _fill_in(connection)
        connection.execute("SELECT 1 FROM json_each('[]'), json_tree('[]')")  # made at first use, which is no reading
    except sqlite3.Error as error:
        raise _failed(path, error) from None
    connection.set_authorizer(lambda action, *_: sqlite3.SQLITE_OK if action in _READS else sqlite3.SQLITE_DENY)
    return connection


def described():
    """Names of the columns, for people."""
    lines = []
    for title, names in (
        ("case", columns.CASE_NAMES),
        ("machine", columns.MACHINE_NAMES),
        ("run", ["id", *columns.RECORD_NAMES, "partial", "source", "line"]),
        ("measurement", RESULT_NAMES),
        ("summary", ["case and machine", *SUMMARY_NAMES]),
        ("served", ["case, machine and run", *columns.SERVED_NAMES]),
    ):
        lines += textwrap.wrap(", ".join(names), 110, initial_indent="  %-12s " % title, subsequent_indent=" " * 15)
    return "\n".join(lines)
