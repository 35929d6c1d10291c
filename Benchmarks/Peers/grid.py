#!/usr/bin/env python3
"""Times random work of `predicate filter` beside DuckDB with one thread, and compares the answers.

    grid.py FOLDER ROWS PREDICATE [CELLS [SEED]]

A cell is a format, a predicate and an output, drawn from the lists below: CELLS of them (60), by SEED (the day). The files are
those of everyday.py. A figure is the median of the processor time of three runs. Answers that differ are a failure; a ratio
above 1.5 is marked.
"""

import datetime
import os
import random
import statistics
import sys
import tempfile

import everyday

ROUNDS = 3
GOAL = (0.7, 1.5)


def predicates(draw, is_json):
    """A predicate in both languages."""
    city, day = ("addr.city", "created") if is_json else ("city", "day")
    name, age, month = f"name{draw.randrange(63):02}", draw.randrange(20, 90), draw.randrange(1, 13)
    town, letter = draw.choice(everyday.CITIES), draw.choice("aeioru")
    return draw.choice([
        ("TRUEPREDICATE", "true"),
        (f"age > {age}", f"age > {age}"),
        (f'{city} == "{town}"', f"{city} = '{town}'"),
        (f'{city} IN {{"Rome", "{town}"}}', f"{city} IN ('Rome', '{town}')"),
        (f"amount BETWEEN {{{age}, {age * 9}}}", f"amount BETWEEN {age} AND {age * 9}"),
        (f'name BEGINSWITH "{name}"', f"name LIKE '{name}%'"),
        (f'name ENDSWITH "{age}"', f"name LIKE '%{age}'"),
        (f'NOT {city} CONTAINS "{letter}"', f"NOT contains({city}, '{letter}')"),
        (f'lowercase({city}) == "{town.lower()}"', f"lower({city}) = '{town.lower()}'"),
        (f"{city}.length > 5", f"length({city}) > 5"),
        (f"TERNARY(age > {age}, amount, 0) > 500", f"CASE WHEN age > {age} THEN amount ELSE 0 END > 500"),
        (f"month({day}) == {month}", f"month({day}) = {month}"),
        (f"age * 2 + amount > {age * 9}", f"age * 2 + amount > {age * 9}"),
        (f'name MATCHES ".*(1{age}|{age}7).*"', f"regexp_matches(name, '1{age}|{age}7')"),
        (f'{city} ==[c] "{town}" AND age < {age}', f"lower({city}) = lower('{town}') AND age < {age}"),
        (f'age > {age} OR {city} == "{town}"', f"age > {age} OR {city} = '{town}'"),
    ])


def outputs(draw, is_json):
    """The options of an output, the SELECT around the condition, and whether the answer is a number."""
    city, day = ("addr.city", "created") if is_json else ("city", "day")
    where = "FROM {source} WHERE {condition}"
    return draw.choice([
        (["-c"], f"SELECT count(*) {where}"),
        (["-o", "csv", "-k", f"id,{city},amount"], f"SELECT id, {city}, amount {where}"),
        (["-o", "csv", "-k", f"id, amount * 2 AS twice"], f"SELECT id, amount * 2 {where}"),
        (["-o", "csv", "-k", f"id, uppercase({city}) AS c"], f"SELECT id, upper({city}) {where}"),
        (["-o", "csv", "--sort", "-amount,id", "-k", "id,amount"],
         f"SELECT id, amount {where} ORDER BY amount DESC, id"),
        (["-o", "csv", "--sort", f"{city},-id", "-k", f"{city},id"],
         f"SELECT {city}, id {where} ORDER BY {city}, id DESC"),
        (["-o", "csv", "--sort", "name,id", "--first", "20", "-k", "name,id"],
         f"SELECT name, id {where} ORDER BY name, id LIMIT 20"),
        (["-o", "csv", "--count-by", city], f"SELECT {city}, count(*) {where} GROUP BY ALL"),
        (["-o", "csv", "--count-by", "name"], f"SELECT name, count(*) {where} GROUP BY ALL"),
        (["-o", "csv", "--group-by", f"{city},age", "--max", "amount"],
         f"SELECT {city}, age, count(*), max(amount) {where} GROUP BY ALL"),
        (["-o", "csv", "--group-by", f"month({day}) AS m", "--sum", "age"],
         f"SELECT month({day}), count(*), sum(age) {where} GROUP BY ALL"),
        (["-o", "csv", "--distinct", "-k", f"{city},age"], f"SELECT DISTINCT {city}, age {where}"),
        (["-o", "csv"], f"SELECT * {where}") if not is_json else
        (["-o", "csv", "-k", f"id,name,{city},created"], f"SELECT id, name, {city}, created {where}"),
        (["-o", "csv", "--sort", f"{city},id", "-k", f"id,name,age,{city},amount"],
         f"SELECT id, name, age, {city}, amount {where} ORDER BY {city}, id"),
        (["-o", "csv", "--distinct-on", city, "-k", city], f"SELECT DISTINCT {city} {where}"),
    ])


def main():
    folder, rows, predicate = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    count = int(sys.argv[4]) if len(sys.argv) > 4 else 60
    seed = sys.argv[5] if len(sys.argv) > 5 else datetime.date.today().isoformat()
    peers, draw = everyday.Peers(), random.Random(seed)
    if peers.connection is None:
        sys.exit("grid.py needs the Python module duckdb")
    os.makedirs(folder, exist_ok=True)
    csv, jsonl = everyday.make(folder, rows)
    answer = os.path.join(tempfile.mkdtemp(), "answer.csv")
    ratios, failures = [], 0
    print(f"{count} cells, seed {seed}")
    print(f"{'predicate':>9} {'DuckDB':>7} {'ratio':>6}")
    for _ in range(count):
        is_json = draw.random() < 0.5
        (own, condition), (options, select) = predicates(draw, is_json), outputs(draw, is_json)
        source = f"read_json('{jsonl}', format = 'newline_delimited')" if is_json else f"read_csv('{csv}')"
        query = select.format(source=source, condition=condition)
        words = [predicate, "filter", own, *options, jsonl if is_json else csv]
        times = [everyday.run(words) for _ in range(ROUNDS)]
        peer = statistics.median(peers.duckdb(f"COPY ({query}) TO '{answer}' (HEADER)")[0] for _ in range(ROUNDS))
        with open(answer, "rb") as file:
            expected = file.read()
        found = times[0][1] if options == ["-c"] else times[0][1].split(b"\n", 1)[-1]
        agrees = everyday.rounded(everyday.cells(b"\n" + found)) == everyday.rounded(everyday.cells(expected))
        time = statistics.median(time for time, _ in times)
        ratio = time / max(peer, 1e-3)
        ratios.append(ratio)
        failures += not agrees
        marks = ("" if ratio <= GOAL[1] else "  *") + ("" if agrees else "  ANSWERS DIFFER")
        shown = " ".join(f"'{word}'" if " " in word else word for word in [own, *options])
        print(f"{time:>8.2f}s {peer:>6.2f}s {ratio:>6.2f} {'jsonl' if is_json else 'csv':<5} {shown}{marks}", flush=True)
    over = sum(ratio > GOAL[1] for ratio in ratios)
    print(f"median ratio {statistics.median(ratios):.2f} (goal {GOAL[0]}); {over} of {count} above {GOAL[1]}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
