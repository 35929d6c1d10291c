// Bytes that are not UTF-8. Decoding turns each of them into U+FFFD, which takes three bytes, so all later offsets would be
// wrong. Therefore they are replaced once, before the string is parsed.

extension FormatText {
    /// The string with each byte that is not UTF-8 replaced by U+FFFD, so that decoding changes no offset.
    func asUTF8() -> FormatText {
        guard String(validating: bytes, as: UTF8.self) == nil else { return self }
        let wrong = WrongBytes.offsets(in: bytes)
        var result = FormatText()
        result.literal = literal
        var start = 0
        for segment in segments {
            result.append(segment, start..<segment.end, of: self, wrong)
            start = segment.end
        }
        return result
    }

    /// Appends a segment of another string, without its wrong bytes.
    private mutating func append(
        _ segment: Segment, _ range: Range<Int>, of other: FormatText, _ wrong: Set<Int>
    ) {
        switch segment.kind {
        case .hole(let hole):
            appendHole(hole, shown: Self.replaced(range, other, wrong), source: segment.source)
        case .escaped: appendEscape(Self.replaced(range, other, wrong), source: segment.source)
        case .copied:
            for run in Self.runs(range, wrong) {
                let source = segment.source.lowerBound + run.lowerBound - range.lowerBound
                if wrong.contains(run.lowerBound) {
                    appendEscape(WrongBytes.replacement, source: source..<source + run.count)
                } else {
                    appendCopied(other.bytes[run], source: source..<source + run.count)
                }
            }
        }
    }

    private static func replaced(_ range: Range<Int>, _ text: FormatText, _ wrong: Set<Int>) -> [UInt8] {
        range.flatMap { wrong.contains($0) ? WrongBytes.replacement : [text.bytes[$0]] }
    }

    /// Divides a range into single wrong bytes and the longest runs without any.
    private static func runs(_ range: Range<Int>, _ wrong: Set<Int>) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        for offset in range {
            let isWrong = wrong.contains(offset)
            if let last = runs.last, !isWrong, !wrong.contains(last.lowerBound) {
                runs[runs.count - 1] = last.lowerBound..<offset + 1
            } else {
                runs.append(offset..<offset + 1)
            }
        }
        return runs
    }
}

/// Bytes that are not part of a character in UTF-8.
enum WrongBytes {
    /// U+FFFD
    static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

    static func offsets(in bytes: [UInt8]) -> Set<Int> {
        var (offset, wrong) = (0, Set<Int>())
        while offset < bytes.count {
            let length = characterLength(bytes[offset...].prefix(4))
            if length == 0 { wrong.insert(offset) }
            offset += max(length, 1)
        }
        return wrong
    }

    /// The offset of the first wrong byte in a range of a source; nil if there is none.
    static func first(in range: Range<Int>, _ bytes: Bytes) -> Int? {
        guard String(validating: bytes[range], as: UTF8.self) == nil else { return nil }
        return offsets(in: Array(bytes[range])).min().map { range.lowerBound + $0 }
    }

    /// The length of the character at the start; 0 if it is not valid.
    private static func characterLength(_ bytes: ArraySlice<UInt8>) -> Int {
        guard let first = bytes.first else { return 0 }
        let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        let character = bytes.prefix(length)
        return character.count == length && String(validating: character, as: UTF8.self) != nil ? length : 0
    }
}
