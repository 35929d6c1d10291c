/// Finds the formats in YAML: filters of Jamf Protect's analytics, predicates of AutoPkg's recipes and conditions of Munki, as
/// plain, quoted and block scalars.
///
///     inputType: GPFSEvent
///     filter: $event.isNew == 1 AND
///       $event.path MATCHES[cd] "/Users/.*"
enum AnalyticScanner {
    /// The keys whose values are formats in a file that contains the mark, and the host of these formats' objects.
    private static let keys: [(mark: StaticString, key: StaticString, host: String?)] = [
        ("inputType:", "filter:", nil), (RecipeText.mark, "predicate:", HostTable.recipe),
        ("conditional_items:", "condition:", HostTable.munki),
        ("installable_condition:", "installable_condition:", HostTable.munki),
    ]

    static func texts(in bytes: Bytes) -> [StoredFormat] {
        keys.flatMap { mark, key, host in
            let texts = bytes.firstOffset(of: mark) == nil ? [] : texts(of: key, in: bytes, host)
            return host == HostTable.recipe ? texts.compactMap(RecipeText.withVariables) : texts
        }
    }

    private static func texts(of key: StaticString, in bytes: Bytes, _ host: String?) -> [StoredFormat] {
        var result: [StoredFormat] = []
        var offset = 0
        while let start = bytes.firstOffset(of: key, from: offset) {
            offset = start + key.utf8CodeUnitCount
            let line = bytes.lineStart(before: start)
            let isFirst = bytes[line..<start].allSatisfy { $0.isBlank || $0 == UInt8(ascii: "-") }
            guard isFirst, bytes[offset].isSpace else { continue }
            var scalar = YAMLScalar(bytes, from: bytes.blankEnd(from: offset), indentation: start - line)
            let text = scalar.read()
            if text.bytes.contains(where: { !$0.isSpace }) {
                result.append(StoredFormat(text: text, kind: .stored, name: start..<offset - 1, entity: host))
            }
        }
        return result
    }
}

/// A YAML scalar, whose lines are indented more than its key.
private struct YAMLScalar {
    private let bytes: Bytes
    private var offset: Int
    private let indentation: Int
    private var text = FormatText()
    /// True for the style `|`, which keeps line breaks.
    private var keepsBreaks = false

    init(_ bytes: Bytes, from start: Int, indentation: Int) {
        self.bytes = bytes
        offset = start
        self.indentation = indentation
    }

    mutating func read() -> FormatText {
        switch bytes[offset] {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): readQuoted(by: bytes[offset])
        case UInt8(ascii: "|"), UInt8(ascii: ">"): readBlock()
        default: readLines(from: offset, hasComments: true)
        }
        return text
    }

    /// `"a == \"b\""`, `'it''s'`
    private mutating func readQuoted(by quote: UInt8) {
        let first = offset
        offset += 1
        while offset < bytes.count {
            let byte = bytes[offset]
            if byte == quote, bytes[offset + 1] != quote || quote == UInt8(ascii: "\"") { break }
            let isEscape = byte == UInt8(ascii: "\\") && quote == UInt8(ascii: "\"") || byte == quote
            if isEscape, offset + 1 < bytes.count {
                text.appendEscape(CollectionOfOne(bytes[offset + 1]), source: offset..<offset + 2)
                offset += 2
            } else {
                text.appendCopy(bytes[offset..<offset + 1], from: offset)
                offset += 1
            }
        }
        text.literal = first..<min(offset + 1, bytes.count)
    }

    /// Handles `|`, `>-` and the lines after it.
    private mutating func readBlock() {
        keepsBreaks = bytes[offset] == UInt8(ascii: "|")
        guard let next = nextLine(after: bytes.lineEnd(from: offset)) else { return }
        readLines(from: next)
    }

    private mutating func readLines(from start: Int, hasComments: Bool = false) {
        var (line, end) = (start, start)
        while true {
            end = bytes.lineEnd(from: line)
            if hasComments { end = bytes.firstOffset(of: " #", in: line..<end) ?? end }
            while end > line, bytes[end - 1].isBlank { end -= 1 }
            text.appendCopy(bytes[line..<end], from: line)
            guard let next = nextLine(after: bytes.lineEnd(from: line)) else { break }
            text.appendEscape(CollectionOfOne(keepsBreaks ? 0x0A : 0x20), source: end..<next)
            line = next
        }
        text.literal = start..<max(start, end)
    }

    /// The first character of the next line that is not empty; nil if that line is not indented more than the key.
    private func nextLine(after lineEnd: Int) -> Int? {
        var start = lineEnd
        while start < bytes.count {
            start += bytes.matches("\r\n", at: start) ? 2 : 1
            let first = bytes.blankEnd(from: start)
            if !bytes[first].isNewline { return first < bytes.count && first - start > indentation ? first : nil }
            start = first
        }
        return nil
    }
}
