"""Compiles predicates to SQL, runs them on a Spark cluster, and compares the counts with those of an evaluator.

    run.py MASTER FOLDER PREDICATE PEOPLE      the address of the master, a folder for data, the command, a number

The tables are Parquet; the evaluator is `predicate filter --count` over a line of JSON for each person. Exits with 1 where a count
differs, or where a filter does not reach the files.
"""

import base64
import concurrent.futures
import glob
import json
import os
import subprocess
import sys
import time

from pyspark.sql import SparkSession

import people

HERE = os.path.dirname(os.path.abspath(__file__))
MASTER, FOLDER, PREDICATE, PEOPLE = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
TABLES = ["people", "departments", "orders"]


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
    return builder.getOrCreate()


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


def prepare(spark, statement):
    for text in statement["setup"] + statement["prelude"]:
        spark.sql(text)


def frame(spark, statement):
    text = f"SELECT COUNT(*) FROM ({statement['select']})"
    return spark.sql(text, args=[value(binding) for binding in statement["bindings"]])


def count_on_spark(spark, statement):
    return frame(spark, statement).collect()[0][0]


def filters(spark, statement):
    """The filters that the plan leaves to Parquet."""
    plan = frame(spark, statement)._jdf.queryExecution().executedPlan().toString()
    lines = [line.split("PushedFilters: ")[1] for line in plan.split("\n") if "PushedFilters" in line]
    return [line.split(", ReadSchema")[0] for line in lines]


def count_in_memory(format):
    """The number of objects, by as many processes as there are cores."""
    files = sorted(glob.glob(f"{FOLDER}/objects/part-*"))
    halves = [half for half in (files[0::2], files[1::2]) if half]

    def count(half):
        command = [PREDICATE, "filter", "--count", "--strict", "-f", "jsonl", "-t", "created=date", format, *half]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode > 1:
            sys.exit(f"{format}\n{done.stderr}")
        return int(done.stdout)

    with concurrent.futures.ThreadPoolExecutor() as pool:
        return sum(pool.map(count, halves))


def views(spark):
    for table in TABLES:
        spark.read.parquet(f"{FOLDER}/{table}").createOrReplaceTempView(table)


def generate(spark):
    _, seconds = timed(people.write_tables, spark, FOLDER, PEOPLE)
    print(f"tables of {PEOPLE:,} people written in {seconds:.0f} s", flush=True)
    _, seconds = timed(people.write_objects, spark, FOLDER, PEOPLE)
    print(f"objects written in {seconds:.0f} s", flush=True)


def run(spark, statements):
    """The counts with their times; the first statement is run once more before, for a JVM that is warm."""
    views(spark)
    for statement in statements.values():
        prepare(spark, statement)
    count_on_spark(spark, next(iter(statements.values())))
    return {name: timed(count_on_spark, spark, statement) for name, statement in statements.items()}


def main():
    with open(f"{HERE}/predicates.jsonl") as file:
        predicates = {entry["id"]: entry for entry in map(json.loads, file)}
    statements = {name: compiled(entry["format"]) for name, entry in predicates.items()}

    spark = session(2)
    spark.sparkContext.setLogLevel("ERROR")
    generate(spark)
    both = run(spark, statements)
    pushed = {name: filters(spark, statement) for name, statement in statements.items()}
    spark.stop()
    spark = session(1)
    spark.sparkContext.setLogLevel("ERROR")
    alone = run(spark, statements)
    spark.stop()

    failed = 0
    print(f"{'':8} {'count':>10} {'memory':>8} {'1 worker':>9} {'2 workers':>9}")
    for name, entry in predicates.items():
        wanted, seconds = timed(count_in_memory, entry["format"])
        problems = [
            f"{where} counts {found:,}, memory {wanted:,}"
            for where, found in (("one worker", alone[name][0]), ("two workers", both[name][0]))
            if found != wanted
        ]
        problems += [
            f"{filter} does not reach the file"
            for filter in entry.get("pushed", [])
            if not any(filter in filters for filters in pushed[name])
        ]
        times = f"{seconds:6.1f} s {alone[name][1]:7.1f} s {both[name][1]:7.1f} s"
        print(f"{name:8} {wanted:10,} {times}", *problems, sep="  ", flush=True)
        failed += bool(problems)
    one, two = (sum(seconds for _, seconds in results.values()) for results in (alone, both))
    print(f"all: one worker {one:.1f} s, two workers {two:.1f} s")
    print(f"{len(predicates) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
