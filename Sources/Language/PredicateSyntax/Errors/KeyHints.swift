/// Spelling suggestions.
package enum NearMiss {
    /// Returns the candidates closest to a word, best first. They are at most two edits away, and at most a third of
    /// the word's length.
    package static func candidates(for word: String, among names: some Sequence<String>, limit: Int = 3) -> [String] {
        let lowered = Array(word.lowercased().utf8.prefix(64))
        let reach = max(1, min(2, lowered.count / 3))
        var found = Array(repeating: [String](), count: reach + 1)
        for name in names where name != word && !name.isEmpty {
            let distance = editDistance(lowered, Array(name.lowercased().utf8.prefix(64)))
            if distance <= reach { found[distance].append(name) }
        }
        return Array(found.flatMap { $0.inOrder() }.prefix(limit))
    }

    /// Returns the hint that suggests these names; empty without names.
    ///
    /// `did you mean name or names?`
    package static func hints(_ names: [String]) -> [String] {
        names.isEmpty ? [] : ["did you mean \(names.list("or"))?"]
    }

    /// Returns candidates that begin with a word of at least three letters: `lowercase` is short for
    /// `lowercaseString`.
    package static func completions(of word: String, among names: some Sequence<String>, limit: Int = 3) -> [String] {
        guard word.utf8.count > 2 else { return [] }
        return Array(names.filter { $0.utf8.starts(with: word.utf8) }.inOrder().prefix(limit))
    }

    /// Returns the number of insertions, deletions, replacements and swaps of adjacent letters between two words
    /// (optimal string alignment).
    static func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var beforeLast = [Int]()
        var last = Array(0...right.count)
        for (row, leftByte) in left.enumerated() {
            var current = [row + 1]
            for (column, rightByte) in right.enumerated() {
                var best = min(last[column + 1] + 1, current[column] + 1)
                best = min(best, last[column] + (leftByte == rightByte ? 0 : 1))
                if row > 0, column > 0, leftByte == right[column - 1], left[row - 1] == rightByte {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                current.append(best)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}

/// An unquoted key with a hyphen, which parses as a subtraction.
///
/// `my-key == 1`
package enum HyphenatedKey {
    /// Returns a hint to quote the hyphenated key around a source range; nil if there is none.
    package static func hint(in format: [UInt8], at range: Range<Int>) -> String? {
        key(in: format, at: range).map {
            "quote a key with a hyphen: #\"\($0)\"; write a difference with spaces: a - b"
        }
    }

    /// Returns the hyphenated key around a source range; nil if there is none.
    package static func key(in format: [UInt8], at range: Range<Int>) -> String? {
        let start = format[..<range.lowerBound].lastIndex { !isPart($0) }.map { $0 + 1 } ?? 0
        let end = format[range.upperBound...].firstIndex { !isPart($0) } ?? format.count
        let parts = format[start..<end].split(separator: UInt8(ascii: "-"))
        guard format[start..<end].contains(UInt8(ascii: "-")),
            !parts.contains(where: { ByteClass.isDigit($0[$0.startIndex]) })
        else { return nil }
        return String(decoding: format[start..<end], as: UTF8.self)
    }

    private static func isPart(_ byte: UInt8) -> Bool { ByteClass.isWord(byte) || byte == UInt8(ascii: "-") }
}

extension [String] {
    /// The words in a sentence: `A, B and C`
    package func list(_ conjunction: String) -> String {
        let first = dropLast().joined(separator: ", ")
        return first.isEmpty ? joined() : "\(first) \(conjunction) \(self[count - 1])"
    }
}

/// Wording for a key that an entity lacks but some of its subentities have.
package enum SubentityKey {
    private static let longest = 8

    /// `only its subentity Done has`, `only its subentities Done and Opened have`
    package static func owners(_ names: [String]) -> String {
        let (noun, verb) = names.count == 1 ? ("subentity", "has") : ("subentities", "have")
        return "only its \(noun) \(list(names, "and")) \(verb)"
    }

    /// `fetch Done or Opened: objects of other entities have no such key`
    package static func hint(_ names: [String]) -> String {
        "fetch \(list(names, "or")): objects of other entities have no such key"
    }

    /// `A, B and C`
    private static func list(_ names: [String], _ conjunction: String) -> String {
        names.count > longest ? names.prefix(longest).joined(separator: ", ") + ", …" : names.list(conjunction)
    }
}

/// An unquoted date, which parses as arithmetic: two subtractions, or two divisions for `1990/05/01`.
///
/// `born > 2024-01-31`
package enum BareDate {
    /// Returns a hint to write the date as a literal; nil if this part of a format contains no such date.
    package static func hint(in excerpt: ArraySlice<UInt8>, comparesStrings: Bool = false) -> String? {
        guard let word = word(in: excerpt) else { return nil }
        let cure = comparesStrings ? literal(of: word) : "CAST(\(literal(of: word)), \"NSDate\")"
        return "write \(cure): \(word) is read as arithmetic"
    }

    /// Returns the date in a part of a format, including its separators; nil if there is none.
    private static func word(in excerpt: ArraySlice<UInt8>) -> String? {
        let start = excerpt.indices.first { index in
            let isQuoted = index > excerpt.startIndex && "\"'".utf8.contains(excerpt[index - 1])
            return !isQuoted && isDate(excerpt[index...].prefix(10))
        }
        return start.map { String(decoding: excerpt[$0..<$0 + 10], as: UTF8.self) }
    }

    /// Returns a hint with the date spelled as a literal.
    package static func cure(of word: String) -> String {
        "write CAST(\(literal(of: word)), \"NSDate\"), or \(literal(of: word)) to compare it with strings"
    }

    /// `"2024-01-31"`
    private static func literal(of word: String) -> String { "\"\(word.replacing("/", with: "-"))\"" }

    /// Returns true for groups of four, two and two digits with the same separator between them.
    package static func isDate(_ word: some Collection<UInt8>) -> Bool {
        let bytes = Array(word)
        guard bytes.count == 10, bytes[4] == bytes[7], "-/".utf8.contains(bytes[4]) else { return false }
        return bytes.indices.allSatisfy { $0 == 4 || $0 == 7 || ByteClass.isDigit(bytes[$0]) }
    }
}
