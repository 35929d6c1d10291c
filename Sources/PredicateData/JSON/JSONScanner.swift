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

    /// Returns the text of the value at a key path; nil if there is none.
    package static func text(of path: [String], in bytes: [UInt8]) -> [UInt8]? {
        bytes.withUnsafeBufferPointer { buffer in
            (try? range(of: path, in: buffer)).flatMap { $0 }.map { Array(buffer[$0]) }
        }
    }

    /// Returns the keys of an object and the texts of their values, in order; nil for other values.
    package static func members(of bytes: [UInt8]) -> [(key: String, text: [UInt8])]? {
        bytes.withUnsafeBufferPointer { buffer in
            var parser = JSONParser(buffer)
            return (try? parser.members()).flatMap { $0 }
        }
    }
}

extension JSONParser {
    /// Returns the members of the object at the cursor; nil for other values.
    fileprivate mutating func members() throws(Fault) -> [(key: String, text: [UInt8])]? {
        skipWhitespace()
        guard index < bytes.count, bytes[index] == Byte.openBrace else { return nil }
        guard try openContainer(closing: Byte.closeBrace, depth: 1) else { return [] }
        var members: [(key: String, text: [UInt8])] = []
        repeat {
            let key = try makeString(scanKey())
            let start = index
            try skipValue(depth: 1)
            members.append((key, Array(bytes[start..<index])))
        } while try continueContainer(closing: Byte.closeBrace)
        return members
    }

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
