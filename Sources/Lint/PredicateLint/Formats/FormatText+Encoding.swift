// Bytes that are not UTF-8. Decoding turns each of them into U+FFFD, which takes three bytes, so all later offsets would be
// wrong. Therefore they are replaced once, before the string is parsed.

extension FormatText {
    /// The string with each byte that is not UTF-8 replaced by U+FFFD, so that decoding changes no offset.
    func asUTF8() -> FormatText {
        guard String(validating: bytes, as: UTF8.self) == nil else { return self }
        let wrong = WrongBytes.offsets(in: bytes)
        let ofHoles = holes.compactMap { range, hole, source -> Part? in
            guard !wrong.isDisjoint(with: range) else { return nil }
            let shown = range.flatMap { wrong.contains($0) ? WrongBytes.replacement : [bytes[$0]] }
            return (range, FormatText(hole, shown: shown, source: source))
        }
        let others = wrong.filter { !segments[index(of: $0)].isHole }.map { offset -> Part in
            let range = offset..<offset + 1
            return (range, FormatText(WrongBytes.replacement, at: sourceRange(of: range)))
        }
        return replacing((ofHoles + others).sorted { $0.range.lowerBound < $1.range.lowerBound })
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
