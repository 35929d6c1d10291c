#!/usr/bin/env python3
"""The share of call sites of NSPredicate and its kin that compile here, through each door.

drop_in.py --modules FOLDER --work FOLDER CALLS.jsonl

A row has the fields repo, path, line, shape and snippet. Each snippet becomes a Swift file, with stubs for the names that it does
not declare, and is compiled

    beside     with `import Foundation` and `import PredicateFoundation`
    instead    with `import NSPredicates`

A snippet that compiles through neither door is put to a control, which declares Apple's classes without bodies. If it does not
compile there either, it says too little to be judged and is skipped with the compiler's words.
"""

import argparse
import collections
import json
import os
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from compiler import Compiler  # noqa: E402
from call_site import settle  # noqa: E402
from snippet import Skip, candidates  # noqa: E402

DOORS = {
    "beside": ["Foundation", "PredicateFoundation", "DropInStubs"],
    "instead": ["NSPredicates", "DropInStubs"],
}
CONTROL = ["AppleShapes", "DropInStubs"]


class Site:
    """A row of the input with what became of it."""

    def __init__(self, number, row):
        self.number, self.row = number, row
        self.name = f"site{number:05}"
        self.readings, self.skipped = [], None
        self.passed = {}
        self.words = {}
        self.known = None

    @property
    def place(self):
        return f"{self.row.get('repo', '?')} {self.row.get('path', '?')}:{self.row.get('line', '?')}"


def read(path):
    sites = []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                site = Site(number, json.loads(line))
                site.readings = candidates(site.row["snippet"])
            except Skip as reason:
                site.skipped = str(reason)
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                site = Site(number, {"shape": "no row"})
                site.skipped = f"line {number} is no row: {error}"
            sites.append(site)
    return sites


def build_helpers(swiftc, work):
    """Compiles the modules of the stubs and of the control."""
    folder = os.path.dirname(os.path.abspath(__file__))
    for module, source in (("DropInStubs", "Unknown.swift"), ("AppleShapes", "AppleShapes.swift")):
        subprocess.run(
            [swiftc, "-emit-module", "-swift-version", "5", "-suppress-warnings", "-module-name", module,
             os.path.join(folder, source), "-emit-module-path", os.path.join(work, module + ".swiftmodule")],
            check=True)


def judge(compiler, door, sites):
    """Compiles the readings of each site until one passes; an earlier pass of another door tells which to take first."""
    waiting = {site.name: site for site in sites}
    most = max((len(site.readings) for site in sites), default=0)
    for turn in range(most):
        bodies = {name: site.readings[turn] for name, site in waiting.items() if turn < len(site.readings)}
        known = {name: waiting[name].known for name in bodies if waiting[name].known and turn == 0}
        attempts = settle(compiler, bodies, known)
        for name, attempt in attempts.items():
            site = waiting[name]
            site.passed[door] = not attempt.errors
            if attempt.errors:
                site.words.setdefault(door, attempt.errors[0].message)
            else:
                site.known = attempt
                site.readings = [site.readings[turn]] + site.readings[:turn] + site.readings[turn + 1:]
        waiting = {name: site for name, site in waiting.items() if not site.passed.get(door)}


def report(sites):
    judged = [site for site in sites if site.skipped is None]
    shapes = collections.defaultdict(list)
    for site in sites:
        shapes[site.row.get("shape", "?")].append(site)
    print(f"{'shape':58} {'sites':>5} {'skipped':>7} {'beside':>7} {'instead':>7}")
    for shape, members in sorted(shapes.items(), key=lambda item: -len(item[1])):
        told = [site for site in members if site.skipped is None]
        shares = [share(sum(site.passed[door] for site in told), len(told)) for door in DOORS]
        print(f"{shape[:58]:58} {len(members):5} {len(members) - len(told):7} {shares[0]:>7} {shares[1]:>7}")
    print()
    for door in DOORS:
        for site in judged:
            if not site.passed[door]:
                print(f"failed {door}: {site.place}: {site.words[door]}\n    {' '.join(site.row['snippet'].split())[:160]}")
    for site in sites:
        if site.skipped is not None:
            snippet = " ".join(str(site.row.get("snippet", "")).split())[:160]
            print(f"skipped: {site.place}: {site.skipped}\n    {snippet}")
    print()
    rewritten = sum("#keyPath" in s.row["snippet"] or "#selector" in s.row["snippet"] for s in judged)
    skipped = len(sites) - len(judged)
    print(f"sites: {len(sites)}, with #keyPath or #selector rewritten: {rewritten}, "
          f"skipped: {skipped} ({share(skipped, len(sites))})")
    for door in DOORS:
        passed = sum(site.passed[door] for site in judged)
        print(f"{door}: {passed} passed, {len(judged) - passed} failed")


def share(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else "-"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("calls")
    parser.add_argument("--modules", required=True, help="the folder of the built .swiftmodule files")
    parser.add_argument("--work", required=True, help="a folder for the generated files")
    parser.add_argument("--swiftc", default="swiftc")
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    try:
        sites = read(options.calls)
    except OSError as error:
        sys.exit(f"error: expected a file of call sites, one JSON object a line: {error}")
    build_helpers(options.swiftc, options.work)
    paths = [options.work, options.modules]
    told = [site for site in sites if site.skipped is None]
    for door in reversed(DOORS):
        compiler = Compiler(options.swiftc, os.path.join(options.work, door), DOORS[door], paths)
        judge(compiler, door, told)
    unclear = [site for site in told if not any(site.passed.values())]
    control = Compiler(options.swiftc, os.path.join(options.work, "control"), CONTROL, paths)
    judge(control, "control", unclear)
    for site in unclear:
        if not site.passed["control"]:
            site.skipped = "does not compile with Apple's classes either: " + site.words["control"]
    report(sites)


if __name__ == "__main__":
    main()
