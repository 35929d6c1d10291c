#!/usr/bin/env python3
"""Asks DuckDB, jq and this package's own command about the same file, and writes results as JSON lines.

    peers.py FOLDER COUNT PREDICATE

FOLDER holds people.jsonl and predicates.tsv, as `PredicateBenchmarks export` writes them; PREDICATE is the command.
DuckDB asks a table in memory and the file itself, on one thread and on two; jq and the command read the file, in one
process each, the command a tenth of it too, to see whether its memory grows. Time is that of the processor, as in all
of these benchmarks, but for two threads, where it is that of the clock on the wall.
"""

import json
import os
import statistics
import subprocess
import sys
import time

PASSES = 5
# After so many nanoseconds a program that reads a file has two passes and not three.
PATIENCE = 12e9

# The same questions in SQL. What folds case and diacritics here folds both there.
SQL = {
    "P01": "age > 21",
    "P02": "age >= 21 AND strip_accents(lower(name)) LIKE 'jo%'",
    "P03": "strip_accents(lower(name)) LIKE '%an%' OR email LIKE '%@example.com'",
    "P04": "name = 'John Smith'",
    "P05": "dept.name IN ('Sales', 'Legal', 'R&D')",
    "P06": "score BETWEEN 10 AND 20",
    "P07": "list_contains(tags, 'swift')",
    "P08": "regexp_full_match(name, 'J.*n S.*')",
    "P09": "len(list_filter(tags, lambda t: starts_with(t, 's'))) > 1",
    "P10": "active AND age BETWEEN 18 AND 65 AND dept.name IN ('Sales', 'Legal', 'R&D')"
    " AND NOT (lower(email) LIKE '%.org')",
    "P11": "score * 2 + 1 > 50 AND age < 50",
    "P12": "created > TIMESTAMP '2020-01-01 00:00:00'",
    "P13": "lower(name) LIKE 'j%n s_ith'",
    "P14": "strip_accents(lower(name)) = 'jose garcia'",
    "P15": "list_contains(tags, 'swift')",
    "P16": "len(tags) > 2",
}

# jq knows ASCII only: it finds fewer names, and works less.
JQ = {
    "P01": (".age > 21", None),
    "P02": ('.age >= 21 and (.name | ascii_downcase | startswith("jo"))', "no diacritics"),
    "P03": (
        '(.name | ascii_downcase | contains("an")) or (.email | endswith("@example.com"))',
        "no diacritics",
    ),
    "P10": (
        '.active and .age >= 18 and .age <= 65 and (.dept.name | . == "Sales" or . == "Legal" or . == "R&D")'
        ' and (.email | ascii_downcase | endswith(".org") | not)',
        None,
    ),
    "P16": ("(.tags | length) > 2", None),
}


def report(suite, name, variant, count, samples, result, note=None, role="peer", memory=None):
    samples = sorted(samples)
    line = {
        "suite": suite, "name": name, "variant": variant, "role": role, "scale": count, "unit": "object",
        "median": statistics.median(samples), "minimum": samples[0], "maximum": samples[-1],
        "passes": len(samples), "result": result,
    }
    if note:
        line["note"] = note
    if memory:
        line["memory"] = memory
    print(json.dumps(line), flush=True)


COLUMNS = (
    "{name: 'VARCHAR', age: 'BIGINT', email: 'VARCHAR', score: 'DOUBLE', tags: 'VARCHAR[]', active: 'BOOLEAN',"
    " created: 'TIMESTAMP', dept: 'STRUCT(name VARCHAR)'}"
)


def measured(connection, suite, name, variant, count, query, clock):
    """The median of some passes of a query, after one that is not counted."""
    connection.execute(query).fetchone()
    samples = []
    for _ in range(PASSES):
        start = clock()
        found = connection.execute(query).fetchone()[0]
        samples.append((clock() - start) / count)
    report(suite, name, variant, count, samples, found)


def duckdb_peers(path, count):
    import duckdb

    quoted = path.replace("'", "''")
    source = f"read_json('{quoted}', format = 'newline_delimited', columns = {COLUMNS})"
    connection = duckdb.connect()
    connection.execute(f"CREATE TABLE people AS SELECT * FROM {source}")
    for threads, variant, clock in [
        (1, "DuckDB", time.process_time_ns), (2, "DuckDB, 2 threads", time.perf_counter_ns),
    ]:
        connection.execute(f"SET threads = {threads}")
        for name, condition in SQL.items():
            query = f"SELECT count(*) FROM people WHERE {condition}"
            measured(connection, "peers", name, variant, count, query, clock)
        for name in JQ:
            query = f"SELECT count(*) FROM {source} WHERE {SQL[name]}"
            measured(connection, "peers-file", name, variant, count, query, clock)


def run(command):
    """The processor time a command takes, in ns, the lines it writes, and the most memory it held, in MB."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    lines = 0
    while piece := process.stdout.read(1 << 20):
        lines += piece.count(b"\n")
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        sys.exit(f"failed: {command}")
    return (usage.ru_utime + usage.ru_stime) * 1e9, lines, usage.ru_maxrss // 1024


def command_peer(suite, name, variant, command, count, note=None, role="engine"):
    results = []
    while len(results) < 2 or len(results) < 3 and sum(result[0] for result in results) < PATIENCE:
        results.append(run(command))
    samples = [result[0] / count for result in results]
    report(suite, name, variant, count, samples, results[0][1], note, role, max(result[2] for result in results))


def command_peers(path, count, predicate, formats):
    """Programs that read the file: a few passes of much longer work."""
    short, few = path + ".tenth", count // 10
    with open(path, "rb") as file, open(short, "wb") as part:
        for _ in range(few):
            part.write(file.readline())
    for name, (condition, note) in JQ.items():
        command_peer("peers-file", name, "jq", ["jq", "-c", f"select({condition})", path], count, note, "peer")
        command_peer("peers-file", name, "predicate filter", [predicate, "filter", formats[name], path], count)
        command_peer("peers-file", name, "predicate filter", [predicate, "filter", formats[name], short], few)
    os.remove(short)


def main():
    folder, count, predicate = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    path = os.path.join(folder, "people.jsonl")
    with open(os.path.join(folder, "predicates.tsv"), encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    # Commands first: the memory of a process counts from its parent's on, which is small until DuckDB is loaded.
    command_peers(path, count, predicate, {row[0]: row[2] for row in rows})
    duckdb_peers(path, count)


main()
