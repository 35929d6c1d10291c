"""Compiles predicates to SQL, runs them on a Spark cluster, and compares the counts with those of the evaluator.

    run.py MASTER FOLDER PREDICATE PEOPLE ROUNDS

The address of the master, a folder for data, the command, how many people are made, and how often statements are timed.

The tables are Parquet; the evaluator is `predicate filter --count` over a line of JSON for each person. Exits with 1 where a count
differs, or where a filter does not reach the files.
"""

import base64
import glob
import json
import os
import shutil
import statistics
import subprocess
import sys
import time

from pyspark.sql import SparkSession

import evaluator
import people

HERE = os.path.dirname(os.path.abspath(__file__))
MASTER, FOLDER, PREDICATE = sys.argv[1:4]
PEOPLE, ROUNDS = int(sys.argv[4]), int(sys.argv[5])
TABLES = ["people", "departments", "orders"]
WORKERS = {1: "one worker", 2: "two workers"}


def session(cores):
    builder = SparkSession.builder.master(MASTER).appName(f"predicates on {cores}")
    settings = {
        "spark.cores.max": cores,
        "spark.executor.cores": 1,
        "spark.executor.memory": "2g",
        "spark.driver.memory": "3g",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": 16,
        "spark.sql.session.timeZone": "UTC",
        # Plans tell all the filters that they push down.
        "spark.sql.maxMetadataStringLength": 10_000,
        "spark.sql.warehouse.dir": f"{FOLDER}/warehouse",
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    return spark


def timed(work, *arguments):
    start = time.monotonic()
    result = work(*arguments)
    return result, time.monotonic() - start


def compiled(format):
    words = ["sql", format, "--schema", f"{HERE}/schema.json", "--entity", "Person", "--dialect", "spark", "--json"]
    return json.loads(subprocess.run([PREDICATE, *words], check=True, capture_output=True).stdout)


def value(binding):
    """A bound value as PySpark takes it: JSON has no bytes, and no doubles that are whole numbers."""
    convert = {"double": float, "blob": base64.b64decode}.get(binding["type"], lambda content: content)
    return None if binding["value"] is None else convert(binding["value"])


def views(spark, condition="true"):
    for table in TABLES:
        spark.read.parquet(f"{FOLDER}/{table}").where(condition).createOrReplaceTempView(table)


def install(spark, statements):
    """Makes the functions that statements call."""
    for statement in statements.values():
        for text in statement["setup"] + statement["prelude"]:
            spark.sql(text)


def frame(spark, statement):
    text = f"SELECT COUNT(*) FROM ({statement['select']})"
    return spark.sql(text, args=[value(binding) for binding in statement["bindings"]])


def count(spark, statement):
    return frame(spark, statement).collect()[0][0]


def filters(spark, statement):
    """The filters that the plan leaves to Parquet."""
    plan = frame(spark, statement)._jdf.queryExecution().executedPlan().toString()
    lines = [line.split("PushedFilters: ")[1] for line in plan.split("\n") if "PushedFilters" in line]
    return [line.split(", ReadSchema")[0] for line in lines]


def generated(spark):
    """Writes tables and objects."""
    for name, write in (("tables", people.write_tables), ("objects", people.write_objects)):
        _, seconds = timed(write, spark, FOLDER, PEOPLE)
        print(f"{name} of {PEOPLE:,} people written in {seconds:.0f} s", flush=True)


def problems_of_plans(spark, entries, statements):
    """The filters that should reach the files and do not."""
    install(spark, statements)
    views(spark)
    problems = []
    for name, entry in entries.items():
        pushed = filters(spark, statements[name])
        missing = [wanted for wanted in entry.get("pushed", []) if not any(wanted in filter for filter in pushed)]
        problems += [f"{name}: {filter} does not reach the file" for filter in missing]
    return problems


def counted_by_evaluator(entries):
    """Counts the objects, which are removed then."""
    files = sorted(glob.glob(f"{FOLDER}/objects/part-*"))
    formats = {name: entry["format"] for name, entry in entries.items()}
    (totals, seconds), wall = timed(evaluator.counts, PREDICATE, formats, files)
    for name in entries:
        print(f"  {name:8} {totals[name]:10,} {seconds[name]:7.1f} s", flush=True)
    print(f"objects counted in {wall:.0f} s, {sum(seconds.values()):.0f} s of processor time", flush=True)
    shutil.rmtree(f"{FOLDER}/objects")
    return totals, seconds


def read_tables():
    """Reads the files of the tables, so that every session finds in memory what has room there."""
    for path in glob.glob(f"{FOLDER}/*/part-*.parquet"):
        with open(path, "rb") as file:
            while file.read(1 << 24):
                pass


def warm_up(spark, statements):
    """Runs all statements over few rows, for executors that have started and code that is compiled."""
    views(spark, "id < 40000")
    for statement in statements.values():
        count(spark, statement)


def run(cores, statements, wanted):
    """Counts on so many workers; a line for each statement, the times of all, and the counts that differ."""
    read_tables()
    print(f"{WORKERS[cores]}, load {os.getloadavg()[0]:.1f}", flush=True)
    spark = session(cores)
    install(spark, statements)
    warm_up(spark, statements)
    views(spark)
    times, problems = {}, []
    for name, statement in statements.items():
        found, times[name] = timed(count, spark, statement)
        difference = "" if found == wanted[name] else f"  the evaluator counts {wanted[name]:,}"
        print(f"  {name:8} {found:10,} {times[name]:7.1f} s{difference}", flush=True)
        if found != wanted[name]:
            problems.append(f"{name}: {WORKERS[cores]} count {found:,}, the evaluator {wanted[name]:,}")
    spark.stop()
    return times, problems


def report(wanted, seconds, passes):
    """Prints the medians of all passes."""
    print(f"{'':8} {'count':>10} {'evaluator':>11} {'1 worker':>9} {'2 workers':>9} {'ratio':>6}")
    sums = {1: 0.0, 2: 0.0}
    for name, total in wanted.items():
        medians = {cores: statistics.median(times[name] for times in passes[cores]) for cores in passes}
        sums = {cores: sums[cores] + medians[cores] for cores in sums}
        row = f"{medians[1]:7.1f} s {medians[2]:7.1f} s {medians[1] / medians[2]:6.2f}"
        print(f"{name:8} {total:10,} {seconds[name]:9.1f} s {row}")
    row = f"{sums[1]:7.1f} s {sums[2]:7.1f} s {sums[1] / sums[2]:6.2f}"
    print(f"{'all':8} {'':10} {sum(seconds.values()):9.1f} s {row}")


def main():
    with open(f"{HERE}/predicates.jsonl") as file:
        entries = {entry["id"]: entry for entry in map(json.loads, file)}
    statements = {name: compiled(entry["format"]) for name, entry in entries.items()}

    spark = session(2)
    generated(spark)
    problems = problems_of_plans(spark, entries, statements)
    spark.stop()
    wanted, seconds = counted_by_evaluator(entries)
    passes = {1: [], 2: []}
    for number in range(ROUNDS):
        # Two first, then one first, so that neither has the warmer machine.
        for cores in (2, 1) if number % 2 == 0 else (1, 2):
            times, differences = run(cores, statements, wanted)
            passes[cores].append(times)
            problems += differences

    report({name: wanted[name] for name in entries}, seconds, passes)
    for problem in problems:
        print(problem)
    failed = len({problem.split(":")[0] for problem in problems})
    print(f"{len(entries) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
