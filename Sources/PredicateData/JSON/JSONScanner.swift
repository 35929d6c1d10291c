import PredicateSyntax

/// Finds the texts of values inside a JSON text.
///
/// `{"n": 1.10}`: the value of `n` is in bytes 6..<10.
package enum JSONScanner {
    /// Returns the range of the value at a key path, nil if there is none: `["address", "city"]`. The last of duplicate
    /// keys counts. Throws a ``DataError`` if the text is not JSON.
    package static func range(
        of path: [String], in bytes: UnsafeBufferPointer<UInt8>
    ) throws(DataError) -> Range<Int>? {
        do {
            var range = 0..<bytes.count
            for key in path {
                var parser = JSONParser(bytes.slice(0..<range.upperBound))
                parser.index = range.lowerBound
                guard let next = try parser.memberRange(key) else { return nil }
                range = next
            }
            return range
        } catch {
            throw error.located(in: bytes, from: Position())
        }
    }
}

extension JSONParser {
    /// Returns the range of a key's value in the object at the cursor; nil for other values and missing keys.
    fileprivate mutating func memberRange(_ key: String) throws(Fault) -> Range<Int>? {
        skipWhitespace()
        guard index < bytes.count, bytes[index] == Byte.openBrace else { return nil }
        guard try openContainer(closing: Byte.closeBrace, depth: 1) else { return nil }
        var found: Range<Int>?
        repeat {
            let isMatch = try makeString(scanKey()).hasSameCodePoints(as: key)
            let start = index
            try skipValue(depth: 1)
            if isMatch { found = start..<index }
        } while try continueContainer(closing: Byte.closeBrace)
        return found
    }
}
