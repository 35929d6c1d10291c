#!/usr/bin/env python3
"""Writes FoldingTable.swift from the Unicode Character Database.

    python3 folding.py [--check] [directory with the files of the database]

A fold maps a string to another one in four steps. The table holds the data of each step for every code point:

    1   full canonical decomposition (column nfd); Hangul syllables are decomposed by arithmetic
    2   marks in canonical order, by their combining classes (column mark)
    3   d: marks are dropped; after a base from U+0510 on, marks are kept that composition joins with it (compositions)
    4   c: full case folding of everything that is not a mark

In a string without marks these steps can be done code point by code point; the columns c, d and cd hold the results.
Flags mark a code point that needs its neighbours (a mark), and one that becomes several letters, which are still one
character.
"""

import pathlib
import sys
import unicodedata

VERSION = "15.0.0"
TARGET = pathlib.Path(__file__).resolve().parent.parent / "FoldingTable.swift"
BLOCK = 32
IDENTITY = 15
NEEDS_NEIGHBOURS, EXPANDS = 16, 32
EXTENDS, IS_DROPPED = 1, 2
# Compatibility ideographs, and tags and variation selectors: far beyond all other code points that fold.
OUTLIERS = (range(0x2F800, 0x2FA20), range(0xE0000, 0xE0200))

# From this base on, [d] keeps the marks that canonical composition joins with the base.
FIRST_COMPOSING = 0x510
EMOJI_MODIFIERS = set(range(0x1F3FB, 0x1F400))
# A mark of the Ahom script, which is a spacing mark in this version of Unicode only.
AHOM_MEDIAL_RA = 0x1171E
# Vowels and final consonants of Hangul continue a character, but are not marks.
CONJOINING = set(range(0x1160, 0x1200)) | set(range(0xD7B0, 0xD7C7)) | set(range(0xD7CB, 0xD7FC))


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


def read_property(path, name):
    codes = set()
    for row in rows(path):
        if row[1] == name:
            first, _, last = row[0].partition("..")
            codes.update(range(int(first, 16), int(last or first, 16) + 1))
    return codes


def read_unicode_data(path):
    """The combining classes and the canonical decompositions, which stand in the file one level deep."""
    classes, decompositions = {}, {}
    for row in rows(path):
        code = int(row[0], 16)
        if row[3] != "0":
            classes[code] = int(row[3])
        if row[5] and not row[5].startswith("<"):
            decompositions[code] = scalars(row[5])
    return classes, decompositions


class Folds:
    def __init__(self, directory):
        self.case = read_case_folding(directory / "CaseFolding.txt")
        self.classes, self.decompositions = read_unicode_data(directory / "UnicodeData.txt")
        marks = read_property(directory / "DerivedCoreProperties.txt", "Grapheme_Extend")
        self.dropped = marks | EMOJI_MODIFIERS | {AHOM_MEDIAL_RA}
        self.dropped |= {code for code in self.decompositions if set(self.nfd(code)) <= self.dropped}
        excluded = read_property(directory / "DerivedNormalizationProps.txt", "Full_Composition_Exclusion")
        self.pairs = {parts: code for code, parts in self.decompositions.items() if code not in excluded}

    def codes(self):
        return sorted(set(self.case) | self.dropped | CONJOINING | set(self.decompositions) | set(self.classes))

    def compositions(self):
        return sorted((*parts, code) for parts, code in self.pairs.items() if self.nfd(code)[0] >= FIRST_COMPOSING)

    def nfd(self, code):
        if code not in self.decompositions:
            return (code,)
        return each(self.nfd, self.decompositions[code])

    def c(self, code):
        return self.folded(self.nfd(code))

    def d(self, code):
        return self.without_marks(self.nfd(code))

    def cd(self, code):
        return self.folded(self.d(code))

    def folded(self, codes):
        return tuple(part for code in codes for part in ((code,) if code in self.dropped else self.case.get(code, (code,))))

    def without_marks(self, codes):
        """A character without its marks; marks without a base stay."""
        base, kept, last = codes[0], [codes[0]], 0
        if base in self.dropped:
            return codes
        for code in codes[1:]:
            kind = self.classes.get(code, 0)
            composed = self.pairs.get((base, code)) if kind == 0 or last < kind else None
            last = kind
            if code not in self.dropped or (composed and codes[0] >= FIRST_COMPOSING):
                kept.append(code)
                base = composed or base
        return tuple(kept)

    def flags(self, code, result):
        letters = [part for part in result if part not in self.dropped and part not in CONJOINING]
        needs = code in self.dropped or code in self.classes
        return (NEEDS_NEIGHBOURS if needs else 0) | (EXPANDS if len(letters) > 1 else 0)

    def mark(self, code):
        extends = code in self.dropped or code in CONJOINING
        return self.classes.get(code, 0) << 2 | extends * EXTENDS | (code in self.dropped) * IS_DROPPED


def each(fold, codes):
    return tuple(part for code in codes for part in fold(code))


def check(folds, codes):
    """Stops unless folding twice is folding once, and folding makes no wildcard of LIKE and no longer text than 3:1."""
    for code in codes:
        for fold in (folds.c, folds.d, folds.cd, folds.nfd):
            result = fold(code)
            assert fold == folds.d and code in folds.dropped or each(fold, result) == result, f"{code:04X} is not stable"
            assert code < 128 or not set(result) & set(map(ord, "*?\\")), f"{code:04X} folds to a wildcard"
            assert len(utf8(result)) <= 3 * len(utf8((code,))), f"{code:04X} grows too much"
            assert 0 < len(utf8(result)) < IDENTITY
        assert each(folds.nfd, folds.c(code)) == folds.c(code), f"case folding of {code:04X} composes"


def utf8(codes):
    return "".join(map(chr, codes)).encode("utf-8")


class Pool:
    """All replacement texts in one run of bytes; a text that occurs in an earlier one takes no room of its own."""

    def __init__(self, texts):
        self.bytes = b""
        for text in sorted(set(texts), key=lambda text: (-len(text), text)):
            if text not in self.bytes:
                self.bytes += text

    def place(self, text, flags):
        return self.bytes.index(text) << 6 | flags | len(text)


def build(folds, codes):
    """The three levels: block of a code point, record of a code point in its block, columns of the record.

    The blocks of outliers follow those below the limit. Records come in three groups: with all columns, with c and d,
    which are also cd and nfd, and with one column."""
    maps = (folds.c, folds.d, folds.cd, folds.nfd)
    results = {code: tuple(fold(code) for fold in maps) for code in codes}
    pool = Pool(utf8(text) for code, result in results.items() for text in result if text != (code,))

    def columns(code):
        def place(text):
            flags = folds.flags(code, text)
            return IDENTITY | flags if text == (code,) else pool.place(utf8(text), flags)

        return (*(place(text) for text in results[code]), folds.mark(code))

    plain = (IDENTITY,) * 4 + (0,)
    groups = {4: [plain], 2: [], 1: []}
    for record in dict.fromkeys(columns(code) for code in sorted(results)):
        if record != plain:
            groups[width(record)].append(record)
    records = {record: number for number, record in enumerate(groups[4] + groups[2] + groups[1])}
    blocks, index = {}, []
    last = max(code for code in results if code < OUTLIERS[0].start)
    limit = (last // BLOCK + 1) * BLOCK
    for start in (*range(0, limit, BLOCK), *(code for codes in OUTLIERS for code in codes[::BLOCK])):
        block = tuple(
            records[columns(code)] if code in results else 0
            for code in range(start, start + BLOCK)
        )
        index.append(blocks.setdefault(block, len(blocks)))
    return limit, index, [number for block in blocks for number in block], groups, pool


def width(record):
    """The number of columns that a record needs; a mark needs all of them."""
    c, d, cd, nfd, mark = record
    if mark or (c, d) != (cd, nfd):
        return 4
    return 1 if c == d else 2


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


def written(character):
    """A letter or symbol that looks the same everywhere is written as itself, any other code point by its number."""
    isPlain = unicodedata.bidirectional(character) in ("L", "ON") and unicodedata.category(character)[0] in "LS"
    return character if isPlain and unicodedata.is_normalized("NFC", character) else f"\\u{{{ord(character):X}}}"


def pool_literal(data):
    lines, line = [], ""
    for word in map(written, data.decode("utf-8")):
        if len(line) + len(word) > 108:
            lines.append(line)
            line = ""
        line += word
    body = "\\\n        ".join(lines + [line])
    return f'''    /// The replacement strings; sixteen bytes are readable at the start of each.
    static var pool: StaticString {{
        """
        {body}
        """
    }}
'''


def render(limit, index, entries, groups, compositions, pool):
    columns = "".join(digits(record[:4], 4) + digits(record[4:], 2) for record in groups[4])
    columns += digits([column for size in (2, 1) for record in groups[size] for column in record[:size]], 4)
    pairs = [code for composition in compositions for code in composition]
    parts = [
        literal("blocks", f"Two digits for each {BLOCK} code points: the number of their block.", digits(index, 2)),
        literal("entries", "Two digits for each code point of a block: the number of its record.", digits(entries, 2)),
        literal("records", "Four digits for each of c, d, cd and nfd (64 × offset in the pool + flags + length), and two for the mark;\n    /// then four for each of c and d, then four for all.", columns),
        literal("compositions", "Three digits each for two code points and their composition, in ascending order.", digits(pairs, 3)),
        pool_literal(pool.bytes + b"\0" * 16),
    ]
    return f'''// swift-format-ignore-file
// Made by Generate/folding.py from Unicode {VERSION}. Do not edit.

/// The folds of all code points, read by `FoldTable`: base-64 digits, written as the characters `0` to `o`.
enum FoldData {{
    static let unicodeVersion = "{VERSION}"

    /// Every code point from here on folds to itself, unless it is one of the outliers.
    static let limit: UInt32 = 0x{limit:X}

    /// The ranges of outliers, whose blocks follow those below the limit.
    static let outliers: [Range<UInt32>] = [{", ".join(f"0x{codes.start:X}..<0x{codes.stop:X}" for codes in OUTLIERS)}]

    /// The number of records with all columns.
    static let fullRecords = {len(groups[4])}

    /// The number of records with c and d.
    static let pairRecords = {len(groups[2])}

    /// The number of compositions.
    static let compositionCount = {len(compositions)}

    /// A block has two to the power of this many code points.
    static let blockBits: UInt32 = {BLOCK.bit_length() - 1}

''' + "\n".join(parts) + "}\n"


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    folds = Folds(pathlib.Path(arguments[0] if arguments else "/usr/share/unicode"))
    codes = folds.codes()
    check(folds, codes)
    limit, index, entries, groups, pool = build(folds, codes)
    text = render(limit, index, entries, groups, folds.compositions(), pool)
    if "--check" in sys.argv:
        sys.exit(0 if TARGET.read_text(encoding="utf-8") == text else f"{TARGET.name} is not current")
    TARGET.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
