#!/usr/bin/env python3
"""Times compiled predicates on one engine beside SQL written by hand. engines.sh starts the engine and calls this.

    run.py ENGINE --program EngineBenchmark --data FOLDER --rows N --rounds N [--filter WORDS] [--draw N]
        [--seed SEED] [-- BRIDGE…]

The predicates are those of questions.txt, then N that grammar.py draws by a seed (60, by the day). Every count of rows must be that of the statement written by hand and that of the evaluator: otherwise the exit code is 1.
A missed goal is reported and is no failure. `--filter` selects the predicates that contain all of its words, divided by +.
"""

import argparse
import datetime
import json
import pathlib
import re
import statistics
import sys
import tempfile

from engines import Process, Server, SQLite, database, load_sqlite
from grammar import questions
from questions import read
import shop

GOAL, MOST, SHARE = 1.5, 3, 0.9
# A statement that takes longer is run in three rounds.
LONG = 1.0
# With more rows the evaluator counts the objects of every fifth predicate only.
MOST_EVALUATED = 200_000
# A difference of less is one of clocks and connections.
LEAST = 0.0005


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("engine")
    parser.add_argument("--program", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--filter", default="")
    parser.add_argument("--draw", type=int, default=60)
    parser.add_argument("--seed", default=datetime.date.today().isoformat())
    words, bridge = sys.argv[1:], []
    if "--" in words:
        words, bridge = words[: words.index("--")], words[words.index("--") + 1 :]
    return parser.parse_args(words), bridge


def counted(text):
    """The statement with the number of its rows in place of the keys: not as a derived table, if that can be avoided, which
    planners treat in other ways."""
    if "LIMIT" not in text and "UNION" not in text:
        return re.sub(r"^SELECT \S+ FROM ", "SELECT COUNT(*) FROM ", text)
    return f"SELECT COUNT(*) FROM ({text}) AS q"


class Benchmark:
    def __init__(self, options, bridge):
        self.options = options
        self.folder = pathlib.Path(options.data).resolve() / str(options.rows)
        rows = shop.write(self.folder, options.rows)
        load_sqlite(database(self.folder), rows)
        schema = tempfile.NamedTemporaryFile("w", suffix=".json")
        schema.write(shop.schema(options.engine, options.rows))
        schema.flush()
        self.schema = schema
        self.program = Process([options.program, options.engine, schema.name, str(database(self.folder))])
        if options.engine == "sqlite":
            self.engine = SQLite(self.folder, self.program)
        else:
            self.engine = Server(options.engine, bridge[-1], bridge)
        self.engine.run(self.program.must(do="setup")["statements"])
        self.engine.load(rows, self.folds())

    def folds(self):
        """The functions of the folds that an index may hold, with the statements that create them."""
        if self.options.engine not in shop.FOLD_INDEXES:
            return {}
        folds = {}
        for fold in ["c", "cd"]:
            compiled = self.program.must(do="compile", entity="users", format=f'name ==[{fold}] "a"')
            names = [word for word in compiled["statement"]["text"].replace("(", " ").split() if f"_fold_{fold}" in word]
            folds[fold] = (names[0], compiled["prelude"])
        return folds

    # Counts

    def evaluated(self, question):
        """The number of objects that the evaluator selects, remembered for further runs."""
        path = self.folder / "counts.json"
        counts = json.loads(path.read_text()) if path.exists() else {}
        key = f"{question.entity}: {question.format}"
        if key not in counts:
            counts[key] = self.program.must(do="evaluate", entity=question.entity, format=question.format)["value"]
            path.write_text(json.dumps(counts, ensure_ascii=False, indent=0))
        return min(counts[key], question.first) if question.first else counts[key]

    # Times

    def statements(self, question):
        """The compiled statement and those written by hand, each counted; an error, if the predicate is refused."""
        request = {"entity": question.entity, "format": question.format, "sort": question.sort}
        if question.first:
            request["first"] = question.first
        compiled = self.program.ask(do="compile", **request)
        if "error" in compiled:
            return None, compiled["error"][1].splitlines()[0]
        self.engine.install(compiled["prelude"])
        texts = [compiled["statement"]] + [{"text": text, "values": []} for text in question.by_hand(self.options.engine)]
        return [{**text, "text": counted(text["text"])} for text in texts], None

    def measure(self, question):
        result = {"engine": self.options.engine, "predicate": f"{question.entity}: {question.format}"}
        if question.sort:
            result["predicate"] += f" sorted by {' '.join(question.sort)}"
        if question.first:
            result["predicate"] += f" first {question.first}"
        statements, refusal = self.statements(question)
        if refusal:
            return {**result, "refused": refusal, "declared": question.refused.get(self.options.engine)}
        times, counts = [[] for _ in statements], set()
        # The first round reads what the others find in memory.
        for round in range(self.options.rounds + 1):
            if round > 3 and sum(map(min, times)) > LONG:
                break
            for index, statement in enumerate(statements):
                answer = self.engine.time(statement)
                if "error" in answer:
                    return {**result, "failure": f"{answer['error'][1]} in {statement['text'][:200]}"}
                times[index].append(answer["seconds"])
                counts.add(answer["value"])
        ours, *hands = (statistics.median(some[1:]) for some in times)
        hand = min(hands)
        if self.options.rows <= MOST_EVALUATED or question.number % 5 == 0:
            counts.add(self.evaluated(question))
        if len(counts) > 1:
            result["failure"] = f"the counts differ: {sorted(counts)}"
        return {**result, "rows": max(counts), "ours": ours, "hand": hand, "ratio": (ours + LEAST) / (hand + LEAST),
                "declared": question.slower.get(self.options.engine)}


def shown(result):
    """A line of the table."""
    predicate = result["predicate"].replace("\n", " ")
    if "failure" in result:
        return f"FAILED {predicate}: {result['failure']}"
    if "refused" in result:
        return f"{'':9}{'refused':>10}{'':19}  {predicate}\n{'':40}({result['declared'] or result['refused']})"
    line = f"{result['rows']:9}{result['ours'] * 1000:10.1f}{result['hand'] * 1000:10.1f}{result['ratio']:8.2f}"
    mark = " " if result["ratio"] <= GOAL else "*" if result["ratio"] <= MOST else "#"
    line += f" {mark} {predicate}"
    if result["ratio"] > GOAL and result["declared"]:
        line += f"\n{'':40}({result['declared']})"
    return line


def summary(results):
    measured = [result for result in results if "ratio" in result]
    within = sum(result["ratio"] <= GOAL for result in measured)
    over = [result for result in measured if result["ratio"] > MOST and not result["declared"]]
    refused = [result for result in results if "refused" in result and not result["declared"]]
    failed = [result for result in results if "failure" in result]
    share = within / max(len(measured), 1)
    print(f"within {GOAL} times: {within} of {len(measured)}, {share:.0%}; the goal of {SHARE:.0%} is "
          f"{'met' if share >= SHARE else 'missed'}")
    print(f"over {MOST} times without a reason: {len(over)}; refused without a reason: {len(refused)}; "
          f"failures: {len(failed)}")
    return 1 if failed else 0


def measured(benchmark, title, questions, words):
    results = []
    print(f"{title}\n{'rows':>9}{'ours, ms':>10}{'hand, ms':>10}{'ratio':>8}   predicate")
    for question in questions:
        if all(word in question.format for word in words):
            results.append(benchmark.measure(question))
            print(shown(results[-1]), flush=True)
    return results, summary(results)


def main():
    options, bridge = arguments()
    benchmark = Benchmark(options, bridge)
    words = options.filter.split("+") if options.filter else []
    chosen = read(pathlib.Path(__file__).parent / "questions.txt")
    results, failed = measured(benchmark, "questions.txt", chosen, words)
    title = f"{options.draw} drawn by the seed {options.seed}"
    drawn, drawnFailed = measured(benchmark, title, questions(options.draw, options.seed), words)
    results, status = results + drawn, failed | drawnFailed
    with open(benchmark.folder / f"{options.engine}.jsonl", "a", encoding="utf-8") as file:
        file.writelines(json.dumps(result, ensure_ascii=False) + "\n" for result in results)
    return status


if __name__ == "__main__":
    sys.exit(main())
