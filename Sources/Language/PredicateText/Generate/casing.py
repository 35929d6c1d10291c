#!/usr/bin/env python3
"""Writes CaseMappingTable.swift from the Unicode Character Database.

    python3 casing.py [--check] [directory with the files of the database]

Full case mapping of single code points without a locale: UnicodeData.txt and the unconditional lines of
SpecialCasing.txt. Final_Sigma, the only condition without a language, needs the sets of cased letters and of the
code points that it skips, most of which are the marks that [d] drops.
"""

import pathlib
import sys

from folding import VERSION, Folds, read_property, rows, scalars

TARGET = pathlib.Path(__file__).resolve().parent.parent / "CaseMappingTable.swift"


class Mappings:
    def __init__(self, directory):
        special = directory / "SpecialCasing.txt"
        if VERSION not in special.read_text(encoding="utf-8").splitlines()[0]:
            sys.exit(f"{special} is not of Unicode {VERSION}")
        self.upper, self.lower = {}, {}
        for row in rows(directory / "UnicodeData.txt"):
            code = int(row[0], 16)
            self.set(code, scalars(row[13]), scalars(row[12]))
        for row in rows(special):
            # A fifth field is a condition: a language, or Final_Sigma.
            if len(row) < 5 or not row[4]:
                self.set(int(row[0], 16), scalars(row[1]), scalars(row[3]))
        properties = directory / "DerivedCoreProperties.txt"
        self.cased = read_property(properties, "Cased")
        self.ignorable = read_property(properties, "Case_Ignorable") - self.cased
        self.marks = Folds(directory).dropped

    def set(self, code, lower, upper):
        for table, result in ((self.lower, lower), (self.upper, upper)):
            if result and result != (code,):
                table[code] = result
            elif result:
                table.pop(code, None)


def runs(table):
    """Code points at equal distances that change by the same number; runs do not overlap."""
    found = []
    for code in sorted(code for code, result in table.items() if len(result) == 1):
        change = table[code][0] - code
        if found:
            first, last, step, number = found[-1]
            gap = code - last
            fits = gap in (1, 2) and (first == last or gap == step) and not any(c in table for c in range(last + 1, code))
            if number == change and fits:
                found[-1] = (first, code, gap, number)
                continue
        found.append((code, code, 1, change))
    return found


def ranges(codes):
    found = []
    for code in sorted(codes):
        if found and found[-1][1] + 1 == code:
            found[-1] = (found[-1][0], code)
        else:
            found.append((code, code))
    return found


def literal(name, comment, numbers, kind):
    words = [str(number) if number < 0 else f"0x{number:X}" for number in numbers]
    lines, line = [], ""
    for word in words:
        if len(line) + len(word) > 116:
            lines.append(line.rstrip())
            line = ""
        line += word + ", "
    body = "\n        ".join(lines + [line.rstrip()])
    return f"    /// {comment}\n    static let {name}: [{kind}] = [\n        {body}\n    ]\n"


def several(table):
    return [number for code, result in sorted(table.items()) if len(result) > 1 for number in (code, len(result), *result)]


def render(mappings):
    parts = []
    for name, table in (("upper", mappings.upper), ("lower", mappings.lower)):
        flat = [number for run in runs(table) for number in run]
        parts.append(literal(f"{name}Runs", "Four numbers for each run: first code point, last code point, stride, and the difference that is added.", flat, "Int32"))
        parts.append(literal(f"{name}Several", "A code point, the number of code points that it becomes, and these code points.", several(table), "Int32"))
    for name, codes, comment in (
        ("cased", mappings.cased, "First and last code points of the ranges that have case."),
        ("ignorable", mappings.ignorable ^ mappings.marks, "First and last code points of the ranges that either Final_Sigma skips or [d] drops, but not both."),
    ):
        parts.append(literal(name, comment, [number for pair in ranges(codes) for number in pair], "Int32"))
    return f"""// swift-format-ignore-file
// Made by Generate/casing.py from Unicode {VERSION}. Do not edit.

/// The case mappings of all code points, read by `CaseMapping`.
enum CaseMappingData {{
""" + "\n".join(parts) + "}\n"


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    mappings = Mappings(pathlib.Path(arguments[0] if arguments else "/usr/share/unicode"))
    assert max(map(len, [*mappings.upper.values(), *mappings.lower.values()])) <= 3
    text = render(mappings)
    if "--check" in sys.argv:
        sys.exit(0 if TARGET.read_text(encoding="utf-8") == text else f"{TARGET.name} is not current")
    TARGET.write_text(text, encoding="utf-8")


main()
