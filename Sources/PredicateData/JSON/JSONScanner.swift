import PredicateSyntax

/// Finds values inside a JSON text without losing how they were written.
///
/// `{"n": 1.10}`: the value of `n` is in bytes 6..<10.
package enum JSONScanner {
    /// Where the value at a path of keys stands, nil when there is none: `["address", "city"]`. Of keys that stand
    /// twice the last counts. Throws a ``DataError`` when the text is not JSON.
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
    /// Where the value of a key stands in the object under the cursor; nil when the value is no object.
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
