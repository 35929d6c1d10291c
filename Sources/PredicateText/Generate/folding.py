#!/usr/bin/env python3
"""Writes FoldingTable.swift from the Unicode Character Database.

    python3 folding.py [--check] [directory with UnicodeData.txt and CaseFolding.txt]

The folds are maps from one code point to a string, without context:

    c   full case folding: the lines of CaseFolding.txt with status C or F
    d   full canonical decomposition, then every nonspacing mark (Mn) is dropped
    cd  d, then c of what is left

In this order whatever is equal under d is equal under cd: the iota below a Greek letter goes with the other marks.
A code point that a map does not mention stands for itself. Hangul syllables are not decomposed: they hold no marks,
so taking them apart would only make the folded text longer. With --check nothing is written; the exit status says
whether the file is current.
"""

import pathlib
import sys

VERSION = "15.0.0"
TARGET = pathlib.Path(__file__).resolve().parent.parent / "FoldingTable.swift"
BLOCK = 128
IDENTITY = 15


def rows(path):
    for line in path.read_text(encoding="utf-8").splitlines():
        line = line.split("#")[0].strip()
        if line:
            yield [field.strip() for field in line.split(";")]


def read_case_folding(path):
    if VERSION not in path.read_text(encoding="utf-8").splitlines()[0]:
        sys.exit(f"{path} is not of Unicode {VERSION}")
    return {int(row[0], 16): scalars(row[2]) for row in rows(path) if row[1] in "CF"}


def scalars(text):
    return tuple(int(word, 16) for word in text.split())


def read_unicode_data(path):
    """The nonspacing marks and the canonical decompositions, which stand in the file one level deep."""
    marks, decompositions = set(), {}
    for row in rows(path):
        code = int(row[0], 16)
        if row[2] == "Mn":
            marks.add(code)
        if row[5] and not row[5].startswith("<"):
            decompositions[code] = scalars(row[5])
    return marks, decompositions


class Folds:
    def __init__(self, directory):
        self.case = read_case_folding(directory / "CaseFolding.txt")
        self.marks, self.decompositions = read_unicode_data(directory / "UnicodeData.txt")

    def c(self, code):
        return self.case.get(code, (code,))

    def decompose(self, code):
        if code not in self.decompositions:
            return (code,)
        return each(self.decompose, self.decompositions[code])

    def d(self, code):
        return tuple(part for part in self.decompose(code) if part not in self.marks)

    def cd(self, code):
        return each(self.c, self.d(code))


def each(fold, codes):
    return tuple(part for code in codes for part in fold(code))


def check(folds, codes):
    """Stops unless folding twice is folding once, and folding makes no wildcard of LIKE and no longer text than 3:1."""
    for fold in (folds.c, folds.d, folds.cd):
        for code in codes:
            result = fold(code)
            assert each(fold, result) == result, f"fold of {code:04X} is not stable"
            assert fold is not folds.cd or each(folds.d, result) == result, f"case fold of {code:04X} makes a mark"
            assert code < 128 or not set(result) & set(map(ord, "*?\\")), f"{code:04X} folds to a wildcard"
            assert len(utf8(result)) <= 3 * len(utf8((code,))), f"{code:04X} grows too much"


def utf8(codes):
    return "".join(map(chr, codes)).encode("utf-8")


class Pool:
    """All replacement texts in one run of bytes; a text that occurs in an earlier one takes no room of its own."""

    def __init__(self, texts):
        self.bytes = b""
        for text in sorted(set(texts), key=lambda text: (-len(text), text)):
            if text not in self.bytes:
                self.bytes += text

    def place(self, text):
        return self.bytes.index(text) << 4 | len(text)


def build(folds, codes):
    """The three levels: block of a code point, record of a code point in its block, places of the record's texts."""
    maps = (folds.c, folds.d, folds.cd)
    results = {code: tuple(fold(code) for fold in maps) for code in codes}
    results = {code: result for code, result in results.items() if result != ((code,),) * 3}
    pool = Pool(utf8(text) for code, result in results.items() for text in result if text != (code,))

    def places(code):
        return tuple(IDENTITY if text == (code,) else pool.place(utf8(text)) for text in results[code])

    records = {(IDENTITY,) * 3: 0}
    blocks, index = {}, []
    for start in range(0, max(results) + 1, BLOCK):
        block = tuple(
            records.setdefault(places(code), len(records)) if code in results else 0
            for code in range(start, start + BLOCK)
        )
        index.append(blocks.setdefault(block, len(blocks)))
    return index, [number for block in blocks for number in block], [place for record in records for place in record], pool


def digits(numbers, width):
    """Numbers as digits of base 64, the most significant first; the digits are the characters from 0 to o."""
    assert max(numbers) < 64**width
    return "".join(chr(48 + (number >> 6 * shift & 63)) for number in numbers for shift in reversed(range(width)))


def literal(name, comment, text, tail="\\#"):
    lines = [text[start : start + 108] for start in range(0, len(text), 108)]
    body = f"{tail}\n        ".join(lines)
    return f'''    /// {comment}
    static var {name}: StaticString {{
        #"""
        {body}
        """#
    }}
'''


def escaped(data):
    return [f"\\#u{{{ord(character):X}}}" for character in data.decode("utf-8")]


def pool_literal(data):
    lines, line = [], ""
    for word in escaped(data):
        if len(line) + len(word) > 106:
            lines.append(line)
            line = ""
        line += word
    body = "\\#\n        ".join(lines + [line])
    return f'''    /// The replacement texts.
    static var pool: StaticString {{
        #"""
        {body}
        """#
    }}
'''


def render(index, entries, places, pool):
    parts = [
        literal("blocks", f"Two digits for each {BLOCK} code points: the number of their block.", digits(index, 2)),
        literal("entries", "Two digits for each code point of a block: the number of its record.", digits(entries, 2)),
        literal("places", "Three digits for each fold of a record: 16 × offset in the pool + length.", digits(places, 3)),
        pool_literal(pool.bytes),
    ]
    return f'''// swift-format-ignore-file
// Made by Generate/folding.py from Unicode {VERSION}. Do not edit.

/// The folds of every code point, as `FoldTable` reads them: digits of base 64, written with the characters `0` to `o`.
enum FoldData {{
    static let unicodeVersion = "{VERSION}"

    /// The code points from here on fold to themselves.
    static let limit: UInt32 = 0x{len(index) * BLOCK:X}

    /// The code points of a block are two to the power of this.
    static let blockBits: UInt32 = {BLOCK.bit_length() - 1}

''' + "\n".join(parts) + "}\n"


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    folds = Folds(pathlib.Path(arguments[0] if arguments else "/usr/share/unicode"))
    codes = sorted(set(folds.case) | folds.marks | set(folds.decompositions))
    check(folds, codes)
    text = render(*build(folds, codes))
    if "--check" in sys.argv:
        sys.exit(0 if TARGET.read_text(encoding="utf-8") == text else f"{TARGET.name} is not current")
    TARGET.write_text(text, encoding="utf-8")


main()
