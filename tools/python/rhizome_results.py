"""Reads the results that Rhizome stores: runs, metrics and tasks as data frames.

    import rhizome_results as rhizome
    metrics = rhizome.metrics("runs/latest")

One file for Python 3.11 and later that needs the standard library only. Where pandas is installed every
function returns a pandas.DataFrame, else a Table, which is a list of dictionaries.

A run is named by its directory (runs/latest) or by a results.sqlite. Several may be given: their rows stand
below each other, and the column "origin" tells which one of them a row is from. Every row begins with the columns
run, label (the scheduler's name in the scenario), repetition and seed, and a column for each swept key
(durations in seconds). Rows of table() are those of the store: merge them with runs() on "run" for the others.
"""

import errno
import fcntl
import grp
import hashlib
import json
import os
import pathlib
import pwd
import re
import sqlite3
import stat
import time
import warnings

if not hasattr(sqlite3.Connection, "deserialize"):
    raise ImportError("rhizome_results needs Python 3.11 and its sqlite3 with deserialize()")
try:
    import pandas
except ImportError:
    pandas = None

STORE_VERSION = 12  # of the tables, which the store holds as PRAGMA user_version
# Values that a result may have besides one for each byte of its stores: many may be empty, which take no byte there.
_FEW_VALUES = 1_000_000
_MOST_KEYS = 1000  # that a scenario sweeps
# The SHA-256 of the statements of our views, without the comment at its head. A view of other words could sort and
# join within SQLite, where nothing is counted. That of facts has a part for each table of facts.
_VIEWS = {
    "summary": "88ca814b0199ea8f0fa6869f3cfaca52ebfc173859b6ef4cfee00839ec15c0fc",
    "peer_burdens": "a4c620b3839cf05b61d448cb1641b2dc60df25b1b3fff42ce59320e086b6b3d6",
    "kind_burdens": "9866f7848a56c694d0207065a5472115b940ec7df91a61883d3e6e50981d0515",
    "facts": None,
}
# Of the statements of all our tables, in the order of their names, without comments; those of facts have one form.
_TABLES = "f748c68716d95ffc323a012cc45c1fc64657a8b42ad24e60390d9b92065129ce"
_FACT = (r"CREATE TABLE fact_[a-z_]+ \( (?:[a-z_]+ (?:INTEGER|REAL|TEXT)(?: NOT NULL)?, ){4,30}"
         r"PRIMARY KEY \(run, at_ns, peer, number\) \) STRICT, WITHOUT ROWID")
_LONGEST_NAME = 200  # in bytes, of a scheduler or of a kind of messages, which views repeat for each row
_FACTS = "CREATE VIEW facts AS {0}( UNION ALL {0})*".format(
    "SELECT run, at_ns, peer, number, '[a-z-]+' AS name FROM fact_[a-z_]+")

_SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1, "min": 60, "h": 3600, "d": 86400}


class ResultsError(Exception):
    """A store that is missing, damaged or of another version."""

    def __init__(self, text):
        super().__init__(_line(text))


# Controls, and the marks and embeddings of the bidirectional algorithm, but for line ends and tabs.
_UNFIT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"
                    "\ud800-\udfff\ufffe\uffff]")


# Names in a store, and of its folder, may be a stranger's: some characters would reach the terminal.
def _shown(text):
    return _UNFIT.sub(lambda unfit: unfit[0].encode("unicode_escape").decode(), text)


def _warn(text):
    warnings.warn(_line(text), stacklevel=2)


def _line(text):
    return _shown(text).replace("\n", "\\n").replace("\t", "\\t")


class Table(list):
    """Rows as dictionaries; `columns` is the order of their keys."""

    def __init__(self, columns, rows):
        super().__init__(dict(zip(columns, row)) for row in rows)
        self.columns = list(columns)

    def __getattr__(self, name):
        raise AttributeError(f"a Table has no {name!r}: install pandas to get data frames")

    def __getitem__(self, place):
        if isinstance(place, (str, list)):
            raise TypeError(f"a Table has no [{place!r}]: use column(), or install pandas to get data frames")
        return super().__getitem__(place)

    def column(self, name):
        """The values of one column, from the first row to the last."""
        return [row[name] for row in self]


def runs(*paths):
    """A row for each run: engine, how it ended, its validity."""
    return _frame(paths, _runs)


def metrics(*paths):
    """A row for each run and a column for each metric; empty where a metric does not apply."""
    return _frame(paths, _metrics)


def tasks(*paths):
    """A row for each task, with times in seconds of emulated time since the start of its run.

    `response` lasts from submission to the result, `wait` from submission to the first start. A task that
    never started or completed has none.
    """
    return _frame(paths, _tasks)


def table(name, *paths):
    """The rows of any table of the store, as `.schema` explains them: times in nanoseconds.

    table("jobs", "runs/latest")
    """
    if os.sep in str(name):
        raise TypeError(f"name the table before its runs: table('jobs', {name!r})")
    return _frame(paths, lambda store: _plain(store, name))


def _frame(paths, read):
    if not paths:
        raise TypeError("name at least one run, such as runs/latest")
    columns, tables = {}, []
    most, count = _FEW_VALUES, 0
    for path in paths:
        file = _file_of(path)
        with _opened(file) as store:
            most += store.size
            try:
                names, found = read(store)
            except sqlite3.DatabaseError as error:
                raise ResultsError(f"{file} cannot be read: {error}") from None
            except (KeyError, TypeError, ValueError) as error:
                raise ResultsError(f"{file} holds what no run has stored: {error}") from None
        columns.update(dict.fromkeys(["origin", *names] if len(paths) > 1 else names))
        tables.append((_shown(str(path)), names, found))
        count += len(found)
        if count * len(columns) > most:
            raise ResultsError(f"{count} rows with {len(columns)} columns are more values than their stores explain")
    rows = (tuple(map({"origin": origin, **dict(zip(names, row))}.get, columns))
            for origin, names, found in tables for row in found)
    if len(paths) == 1 and len(columns) == len(names):
        rows = found
    if pandas is None:
        return Table(columns, rows)
    return pandas.DataFrame(list(rows), columns=list(columns))


def _file_of(path):
    path = pathlib.Path(path)
    file = path / "results.sqlite" if path.is_dir() else path
    if not file.is_file():
        raise ResultsError(f"there is no results store at {path}")
    return _led_by_latest(file)


# Where the path leads: in a folder for all, `latest` may be another user's link or directory.
def _led_by_latest(file):
    whole = pathlib.Path(os.path.abspath(file))
    named = [name for name in (whole, *whole.parents) if name.name == "latest"]
    if not named:
        return file
    real = file.resolve()
    run = real.parent.stat()
    if any(each.st_uid not in (0, os.geteuid()) for each in (run, *(name.lstat() for name in named))):
        raise ResultsError(f"{named[0]} leads to another user's run: name the run directory that you mean")
    if run.st_mode & stat.S_IWOTH or run.st_mode & stat.S_IWGRP and (
            run.st_gid != _own_group() or "system.posix_acl_access" in os.listxattr(real.parent)):
        raise ResultsError(f"others may exchange files of the run at {named[0]}: name the run directory that you mean")
    return real


# The group of this user alone, which many systems make for each user; nothing if there is none.
def _own_group():
    try:
        user = pwd.getpwuid(os.geteuid())
        group = grp.getgrgid(user.pw_gid)
    except KeyError:
        return None
    others = [each for each in pwd.getpwall() if each.pw_gid == user.pw_gid and each.pw_uid != user.pw_uid]
    alone = group.gr_name == user.pw_name and set(group.gr_mem) <= {user.pw_name} and not others
    return user.pw_gid if alone else None


# The bytes of a store while no program writes them. SQLite would look for further files beside it by their names,
# roll back into the store what it finds in them, and remove them; and others may exchange them meanwhile.
def _bytes_of(file):
    with open(os.open(file, os.O_RDONLY | os.O_NONBLOCK), "rb") as opened:
        if not stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
            raise ResultsError(f"{file} is no plain file")
        until = time.monotonic() + 5
        while not _locked(opened, 0x40000002, 510):  # SQLite's shared bytes
            if time.monotonic() > until:
                raise ResultsError(f"{file} is locked by another program")
            time.sleep(0.01)
        journal = pathlib.Path(f"{file.resolve()}-journal")
        begun = journal.is_symlink() or journal.exists() and not (journal.is_file() and not journal.stat().st_size)
        if begun and _locked(opened, 0x40000001, 1):  # else a program has written its journal only
            raise ResultsError(f"a write to {file} was interrupted: `rhizome export` reads it, and `rhizome run --resume` goes on")
        status = os.fstat(opened.fileno())  # it may have grown until no program writes it
        if status.st_size > _content_of(opened, status):
            raise ResultsError(f"{file} is larger than what it holds explains")
        return opened.read(status.st_size)


# The most that the file can hold: it may be sparse. Some file systems count no blocks.
def _content_of(opened, status):
    if status.st_blocks:
        return 16 * 512 * status.st_blocks
    try:
        os.lseek(opened.fileno(), 0, os.SEEK_DATA)
    except OSError as error:
        if error.errno == errno.ENXIO:
            return 0  # it is one hole
    os.lseek(opened.fileno(), 0, os.SEEK_SET)
    return status.st_size


def _locked(opened, start, length):
    try:
        fcntl.lockf(opened, fcntl.LOCK_SH | fcntl.LOCK_NB, length, start)
    except OSError as error:
        return error.errno not in (errno.EACCES, errno.EAGAIN)  # a file system may have no locks, and no such writers
    return True


class _opened:
    """The store, read only, once it is known that it can be understood."""

    def __init__(self, file):
        self.file = file

    def __enter__(self):
        self._store = sqlite3.connect(":memory:")
        try:
            content = _bytes_of(self.file)
            self.size = len(content)
            self._store.deserialize(content)
            self._distrust()
            self._check()
        except (sqlite3.DatabaseError, OSError, TypeError, ValueError) as error:
            self._store.close()
            raise ResultsError(f"{self.file} cannot be read: {error}") from None
        except ResultsError:
            self._store.close()
            raise
        return self

    def query(self, sql, of_view=False):
        """The names of the columns, and the rows: no more bytes than the file can hold."""
        cursor = self._store.execute(sql)
        return [column[0] for column in cursor.description], self._bounded(cursor, 4 if of_view else 1)

    def rows(self, sql):
        return self.query(sql)[1]

    # Rows of a damaged file may share their texts. A value takes at least a byte, and a view of ours repeats a few.
    def _bounded(self, cursor, times):
        left = times * self.size + (1 << 20)
        for row in cursor:
            left -= 2 + len(row) + sum(len(value) for value in row if isinstance(value, (str, bytes)))
            if left < 0:
                raise ResultsError(f"{self.file} gives more than it can hold")
            yield tuple(_shown(value) if isinstance(value, str) else value for value in row)

    def __exit__(self, *_):
        self._store.close()

    # A store may be a stranger's: whatever is in it, reading it ends after a work in proportion to its size.
    def _distrust(self):
        turn = 100_000
        turns_left = 400 + 64 * self.size // turn

        def must_end():
            nonlocal turns_left
            turns_left -= 1
            return turns_left < 0

        self._store.set_progress_handler(must_end, turn)
        self._store.execute("PRAGMA trusted_schema = OFF")
        self._store.execute("PRAGMA temp_store = MEMORY")
        self._store.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 4 << 20)
        tables = {}
        for kind, name, sql in self.rows("SELECT type, name, sql FROM sqlite_schema"):
            words = " ".join(re.sub(r"--[^\n]*", "", sql or "").split())
            if kind == "table" and not re.fullmatch(_FACT, words):
                tables[name] = words
            elif kind != "table" and not (kind == "view" and name in _VIEWS):
                raise ResultsError(f"{self.file} has a {kind} {name!r} that no results store has")
        statements = "\n".join(tables[name] for name in sorted(tables))
        if hashlib.sha256(statements.encode()).hexdigest() != _TABLES:
            raise ResultsError(f"{self.file} has tables that no results store of version {STORE_VERSION} has")

    def _check(self):
        version = self._store.execute("PRAGMA user_version").fetchone()[0]
        if version != STORE_VERSION:
            raise ResultsError(
                f"{self.file} has tables of version {version}, and this reads version {STORE_VERSION}")
        if (self.file.parent / "waiting.sqlite").exists():
            _warn(f"{self.file} lacks results that wait to be added: run `rhizome compare` on it once")
        record = _record(self.file.parent / "run.json")
        steered = len(re.findall(rb'"steered"\s*:\s*[1-9]', record or b""))
        if steered:
            _warn(f"{self.file}: {steered} of its runs were steered by hand, which no table tells")
        if _verdict(record) in ("interrupted", "", None):
            _warn(f"{self.file.parent.name} has not ended or was interrupted: these are its finished runs")


# A few rows may name as many columns as a file has bytes, and their product would take all memory.
def _bound(store, rows, columns):
    if len(rows) * len(columns) > _FEW_VALUES + store.size:
        raise ResultsError(f"{len(rows)} rows with {len(columns)} columns are more values than {store.file} explains")


# The bytes of run.json, or None. They are not parsed, since JSON may take thirty times its size. Within texts of it,
# quotes have a backslash.
def _record(file):
    try:
        with open(os.open(file, os.O_RDONLY | os.O_NONBLOCK), "rb") as opened:
            status = os.fstat(opened.fileno())
            if not stat.S_ISREG(status.st_mode) or status.st_size > 64 << 20:
                return None
            return opened.read(status.st_size)
    except OSError:
        return None


# How a run ended, as its record tells; "unknown" where there is none that can be read.
def _verdict(record):
    if record is None:
        return "unknown"
    verdict = re.search(rb'"verdict"\s*:\s*"([^"\\]*)"', record)
    return verdict.group(1).decode(errors="replace") if verdict else None


# The first columns of every row, and their tables, by the text of a run: whoever chooses numbers can choose some that
# collide in a dictionary, and the hash of a text has a secret. Rows are sorted here: SQLite would copy all texts to sort
# them, before it gives a row that is counted.
def _heads(store):
    chosen, places = {}, {}
    for run, key, value, position in store.rows("SELECT run, key, value, position FROM cells"):
        chosen[str(run), key] = _swept(value)
        places[key] = min(position, places.get(key, position))
        if len(places) > _MOST_KEYS:
            raise ResultsError(f"it has more than {_MOST_KEYS} swept keys, and no scenario has")
    keys = sorted(places, key=lambda key: (places[key], key))
    heads = {}
    _bound(store, list(store.rows("SELECT run FROM runs")), keys)
    failed = []
    for run, label, repetition, seed, failure in store.rows("SELECT run, label, repetition, seed, failure FROM runs"):
        failed += [run] if failure else []
        heads[str(run)] = (run, label, repetition, seed, *(chosen.get((str(run), key)) for key in keys))
    if failed:
        _warn(f"{store.file}: {len(failed)} of its runs failed, the first is run {failed[0]}: runs() says why")
    return ["run", "label", "repetition", "seed", *keys], heads


# A value of a sweep is written as in the scenario: 20, 0.5, "fcfs" or "250ms", which becomes 0.25 s.
def _swept(value):
    try:
        meant = json.loads(value)
        if isinstance(meant, (int, float, str)):
            value = _shown(meant) if isinstance(meant, str) else meant
    except (ValueError, RecursionError):
        pass
    duration = re.fullmatch(r"([0-9]+(?:\.[0-9]*)?)(ns|us|ms|s|min|h|d)", value) if isinstance(value, str) else None
    return float(duration[1]) * _SECONDS[duration[2]] if duration else value


def _rows(store, names, query):
    """Rows of a query whose first column is the run, behind the heads of their runs."""
    columns, heads = _heads(store)
    rows = []
    for row in store.rows(query):
        rows.append(heads[str(row[0])] + row[1:])
        _bound(store, rows, rows[0])
    return columns + names, rows


def _runs(store):
    names = ["scheduler", "engine", "ending", "failure", "validity", "reason"]
    columns, rows = _rows(store, names + ["ended"], f"SELECT run, {', '.join(names)}, ended_ns / 1e9 FROM runs")
    return columns, rows


def _metrics(store):
    values = {}
    for run, metric, value in store.rows("SELECT run, metric, value FROM metrics"):
        values[str(run), metric] = value
    names = sorted({metric for _, metric in values})
    columns, heads = _heads(store)
    _bound(store, heads, columns + names)
    rows = [head + tuple(values.get((str(head[0]), name)) for name in names)
            for head in sorted(heads.values(), key=lambda head: head[0])]
    return columns + names, rows


def _tasks(store):
    names = ["job", "portion", "duration", "submitted", "started", "completed", "wait", "response",
             "executor", "starts", "executions", "duplicates", "reissues"]
    return _rows(store, names, """
        SELECT run, job, portion, duration_ns / 1e9, submitted_ns / 1e9, started_ns / 1e9, completed_ns / 1e9,
          (started_ns - submitted_ns) / 1e9, (completed_ns - submitted_ns) / 1e9,
          executor, starts, executions, duplicates, reissues
        FROM tasks""")


def _plain(store, name):
    known = dict(store.rows("SELECT name, sql FROM sqlite_schema WHERE type IN ('table', 'view')"))
    if name not in known:
        raise ResultsError(f"there is no table {name}; there are {', '.join(sorted(known))}")
    if name in _VIEWS:
        if not _is_ours(name, known[name]):
            raise ResultsError(f"its view {name} is none of ours: read the tables that it shows")
        _read_all(store, known.keys() - _VIEWS.keys())
    columns, rows = store.query(f'SELECT * FROM "{name}"', name in _VIEWS)
    return columns, list(rows)


# Only the comment at the head of a view is left out: one further on could begin within quotes.
def _is_ours(view, sql):
    words = " ".join(re.sub(r"\A(CREATE VIEW \w+ AS)  --[^\n]*\n", r"\1 ", sql).split())
    if view == "facts":
        return re.fullmatch(_FACTS, words) is not None
    return hashlib.sha256(words.encode()).hexdigest() == _VIEWS[view]


def _bytes_in(value):
    return len(value.encode() if isinstance(value, str) else value) if isinstance(value, (str, bytes)) else 0


# Views sort within SQLite, so that the rows of their tables are counted first, and names are judged that stand in each
# row which is sorted.
def _read_all(store, tables):
    for table in sorted(tables):
        columns, rows = store.query('SELECT * FROM "' + table.replace('"', '""') + '"')
        repeated = [place for place, name in enumerate(columns) if name == "label" or table in ("kinds", "burdens")]
        kinds = set()
        for row in rows:
            if table == "kinds" and (kind := str(row[:1] + row[2:4])) in kinds:
                raise ResultsError(f"{store.file} has a kind of messages twice")
            elif table == "kinds":
                kinds.add(kind)
            if any(_bytes_in(row[place]) > _LONGEST_NAME for place in repeated):
                raise ResultsError(f"{store.file} has a name in {table} that is longer than any run's")
