"""The engines of the benchmark: each runs and times statements, and has the rows of the shop, which are loaded once."""

import csv
import json
import pathlib
import sqlite3
import subprocess

import shop


class Process:
    """A program that answers requests, a line of JSON each."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"{self.process.args[0]} has ended")
        return json.loads(line)

    def must(self, **request):
        answer = self.ask(**request)
        if "error" in answer:
            raise SystemExit(f"{request}: {': '.join(answer['error'])}")
        return answer


class Server:
    """A database behind `Tests/Engines/bridge.py`."""

    def __init__(self, name, kept, bridge):
        self.name = name
        self.mark = pathlib.Path(kept) / "loaded"
        self.process = Process(bridge)
        self.prelude = set()

    def load(self, rows, folds):
        if self.mark.exists():
            return
        self.run([f"DROP TABLE IF EXISTS {table}" for table in reversed(shop.TABLES)])
        self.run(shop.creations(self.name))
        for table, file in rows.items():
            self.process.must(do="copy", table=table, columns=list(shop.TABLES[table]), file=str(file))
        self.run(shop.indexes(self.name))
        for fold, (function, prelude) in folds.items():
            self.install(prelude)
            self.run(statement.format(**{fold: function}) for statement in shop.FOLD_INDEXES.get(self.name, [])
                     if f"{{{fold}}}" in statement)
        self.run(shop.ANALYZE[self.name])
        self.mark.touch()

    def run(self, statements):
        self.process.must(do="run", statements=list(statements))

    def install(self, prelude):
        """Creates the functions that a statement calls."""
        self.run(statement for statement in prelude if statement not in self.prelude)
        self.prelude.update(prelude)

    def time(self, statement):
        return self.process.ask(do="time", statement=statement)


class SQLite:
    """A file; the program of this package runs its statements."""

    name = "sqlite"

    def __init__(self, kept, program):
        self.path = database(kept)
        self.process = program

    def load(self, rows, folds):
        load_sqlite(self.path, rows)

    def run(self, statements):
        pass

    def install(self, prelude):
        pass

    def time(self, statement):
        return self.process.ask(do="time", statement=statement)


def database(kept):
    """The SQLite file, which the evaluator reads too, whatever the engine."""
    return pathlib.Path(kept) / "shop.sqlite"


def load_sqlite(path, rows):
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.unlink(missing_ok=True)
    connection = sqlite3.connect(part)
    connection.execute("PRAGMA journal_mode = OFF")
    connection.execute("PRAGMA synchronous = OFF")
    for statement in shop.creations("sqlite"):
        connection.execute(statement)
    for table, file in rows.items():
        marks = ", ".join("?" * len(shop.TABLES[table]))
        with open(file, newline="", encoding="utf-8") as lines:
            values = ([value if value != "" else None for value in row] for row in csv.reader(lines))
            connection.executemany(f"INSERT INTO {table} VALUES ({marks})", values)
    for statement in shop.indexes("sqlite") + shop.ANALYZE["sqlite"]:
        connection.execute(statement)
    connection.commit()
    connection.close()
    part.rename(path)
