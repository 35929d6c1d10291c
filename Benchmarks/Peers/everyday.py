#!/usr/bin/env python3
"""Times everyday work of `predicate filter` beside DuckDB, ripgrep and sort | uniq, and compares the answers.

    everyday.py FOLDER ROWS PREDICATE

Makes ROWS rows of CSV and JSON Lines in FOLDER. DuckDB has one thread and reads the same file for each query. A figure
is the median of the processor time of five runs, user and system, of all cores. A program that is not installed is left
out. Answers that differ are a failure.
"""

import hashlib
import os
import random
import shutil
import statistics
import subprocess
import sys
import time

ROUNDS = 5
CITIES = ["Zürich", "Leeds", "Rome", "Berlin", "Paris", "Oslo", "Wien", "Köln", "Madrid", "Porto"] + [
    f"City{number:02}" for number in range(40)
]
NAMES = 632_000


def make(folder, rows):
    """Writes big.csv and big.jsonl, unless they are there."""
    table, lines = os.path.join(folder, "big.csv"), os.path.join(folder, "big.jsonl")
    if os.path.exists(table) and os.path.exists(lines):
        return table, lines
    generator = random.Random(7)
    with open(table + ".new", "w", encoding="utf-8") as csv, open(lines + ".new", "w", encoding="utf-8") as jsonl:
        csv.write("id,name,age,city,zip,amount,day\n")
        for number in range(rows):
            name, age = f"name{generator.randrange(NAMES):06}", generator.randrange(18, 90)
            city, postcode = generator.choice(CITIES), generator.randrange(10, 100)
            amount = f"{generator.random() * 1000:.2f}"
            day = f"2024-{generator.randrange(1, 13):02}-{generator.randrange(1, 29):02}"
            csv.write(f"{number},{name},{age},{city},{postcode},{amount},{day}\n")
            jsonl.write(
                f'{{"id": {number}, "name": "{name}", "age": {age}, "addr": {{"city": "{city}", "zip": "{postcode}"}},'
                f' "amount": {amount}, "created": "{day}", "tags": ["a", "swift"], "active": true,'
                f' "email": "{name}@example.com"}}\n'
            )
    os.rename(table + ".new", table)
    os.rename(lines + ".new", lines)
    return table, lines


def run(command):
    """The processor time of a command in seconds, and what it writes."""
    shell = isinstance(command, str)
    start = os.times()
    process = subprocess.run(
        command, shell=shell, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(os.environ, LC_ALL="C")
    )
    end = os.times()
    if process.returncode not in (0, 1):
        sys.exit(f"failed: {command}\n{process.stderr.decode()}")
    return end.children_user - start.children_user + end.children_system - start.children_system, process.stdout


def median(work):
    """The median time of some runs, and the answer."""
    results = [work() for _ in range(ROUNDS)]
    return statistics.median(result[0] for result in results), results[0][1]


class Peers:
    def __init__(self):
        self.rg = shutil.which("rg")
        try:
            import duckdb

            self.connection = duckdb.connect()
            self.connection.execute("SET threads = 1")
        except ImportError:
            self.connection = None

    def duckdb(self, query):
        start = time.process_time()
        rows = self.connection.execute(query).fetchall()
        return time.process_time() - start, rows


def digest(text):
    return hashlib.md5(text).hexdigest()


def rounded(rows):
    """Rows with their numbers rounded, since sums depend on the order of the rows."""
    def cell(value):
        try:
            return f"{float(value):.6g}"
        except (TypeError, ValueError):
            return str(value)

    return sorted(tuple(cell(value) for value in row) for row in rows)


def cells(text):
    return [tuple(line.split(",")) for line in text.decode().splitlines()[1:]]


class Table:
    def __init__(self):
        self.failures = 0
        print(f"{'work':52} {'predicate':>10} {'peer':>10} {'ratio':>7} {'goal':>7}")

    def row(self, name, own, peer, goal, agrees=True, unit="s"):
        if not agrees:
            self.failures += 1
        if peer is None:
            print(f"{name:52} {own:>8.2f} {unit} {'-':>10} {'-':>7} {goal:>7}{'' if agrees else '  ANSWERS DIFFER'}")
            return
        print(
            f"{name:52} {own:>8.2f} {unit} {peer:>8.2f} s {own / max(peer, 1e-3):>7.2f} {goal:>7}"
            + ("" if agrees else "  ANSWERS DIFFER"),
            flush=True,
        )


def main():
    folder, rows, predicate = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    os.makedirs(folder, exist_ok=True)
    csv, jsonl = make(folder, rows)
    peers, table = Peers(), Table()
    source, lines = f"read_csv('{csv}')", f"read_json('{jsonl}', format = 'newline_delimited')"

    def own(*words):
        return median(lambda: run([predicate, "filter", *words]))

    def duckdb(query):
        return median(lambda: peers.duckdb(query)) if peers.connection else (None, None)

    condition = 'age > 40 AND amount > 10 AND city != "Rome" AND zip < 90'
    named, expected = own(condition, "-o", "jsonl", "-k", "id,name,age,city,zip,amount,day", csv)
    time_all, found = own(condition, "-o", "jsonl", csv)
    table.row("CSV to JSON Lines, beside naming all columns", time_all, named, "1.1", digest(found) == digest(expected))
    sql = "age > 40 AND amount > 10 AND city <> 'Rome' AND zip < 90"
    peer, count = duckdb(f"SELECT * FROM {source} WHERE {sql}")
    table.row("CSV to JSON Lines, DuckDB", time_all, peer, "1", count is None or found.count(b"\n") == len(count))

    time_own, found = own("--group-by", "city", "--avg", "amount", csv)
    peer, expected = duckdb(f"SELECT city, count(*), avg(amount) FROM {source} GROUP BY city")
    table.row("--group-by city --avg amount, DuckDB", time_own, peer, "1",
              expected is None or rounded(cells(found)) == rounded(expected))

    time_own, found = own("--count-by", "name", csv)
    peer, expected = median(lambda: run(f"tail -n +2 '{csv}' | cut -d, -f2 | sort | uniq -c"))
    pairs = sorted((line.split()[1], line.split()[0]) for line in expected.decode().splitlines())
    table.row("--count-by name, sort | uniq -c", time_own, peer, "0.7", sorted(cells(found)) == pairs)

    time_own, found = own("age > 20", "--sort", "-amount", "--first", "10", "-k", "amount", csv)
    peer, expected = duckdb(f"SELECT amount FROM {source} WHERE age > 20 ORDER BY amount DESC LIMIT 10")
    table.row("--sort -amount --first 10, DuckDB", time_own, peer, "1",
              expected is None or rounded(cells(found)) == rounded(expected))

    time_own, found = own("-f", "lines", 'SELF MATCHES ".*Zürich,8[1-9].*"', csv)
    grep = [peers.rg, "--no-config", "-N"] if peers.rg else ["grep", "-E"]
    peer, expected = median(lambda: run([*grep, "Zürich,8[1-9]", csv]))
    table.row(f"lines MATCHES, {os.path.basename(grep[0])}", time_own, peer, "3", digest(found) == digest(expected))

    time_own, found = own("-c", 'age > 40 AND addr.city == "Oslo"', jsonl)
    peer, expected = duckdb(f"SELECT count(*) FROM {lines} WHERE age > 40 AND addr.city = 'Oslo'")
    table.row("JSON Lines, DuckDB", time_own, peer, "1", expected is None or int(found) == expected[0][0])
    print(f"{'JSON Lines, GB/s a core':52} {os.path.getsize(jsonl) / 1e9 / time_own:>10.2f} {'-':>10} {'-':>7} {'1.2':>7}")

    for command in ["explain", "check"]:
        time_own, _ = median(lambda: run([predicate, command, 'age > 85 AND city == "Rome"', csv]))
        table.row(f"{command}, a million rows, seconds", time_own * 1e6 / rows, None, "0.6")
    sys.exit(1 if table.failures else 0)


if __name__ == "__main__":
    main()
