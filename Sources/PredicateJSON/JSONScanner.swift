import PredicateSyntax

/// Finds values in a JSON document without building them.
///
/// `{"n": 1.10}`: the value of `n` is at bytes 6..<10.
package enum JSONScanner {
    /// Returns the range of the value at a key path, nil if there is none: `["address", "city"]`. The last of
    /// duplicate keys counts. Throws a ``JSONError`` if the document is invalid.
    package static func range(
        of path: [String], in bytes: UnsafeBufferPointer<UInt8>
    ) throws(JSONError) -> Range<Int>? {
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
            throw error.located(in: bytes)
        }
    }

    /// Returns the JSON of the value at a key path; nil if there is none.
    package static func text(of path: [String], in bytes: [UInt8]) -> [UInt8]? {
        bytes.withUnsafeBufferPointer { buffer in
            (try? range(of: path, in: buffer)).flatMap { $0 }.map { Array(buffer[$0]) }
        }
    }

    /// Returns the keys of an object and the JSON of their values, in order; nil for other values.
    package static func members(of bytes: [UInt8]) -> [(key: String, text: [UInt8])]? {
        bytes.withUnsafeBufferPointer { buffer in
            var parser = JSONParser(buffer)
            return (try? parser.members()).flatMap { $0 }
        }
    }
}

extension JSONScanner {
    /// Returns JSON without white space between tokens.
    package static func compact(_ json: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(json.count)
        var isInString = false
        var isEscaped = false
        for byte in json {
            if isInString {
                isInString = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            } else {
                isInString = byte == UInt8(ascii: "\"")
                if byte <= UInt8(ascii: " ") { continue }
            }
            result.append(byte)
        }
        return result
    }
}

extension JSONParser {
    /// Returns the members of the object at the cursor; nil for other values.
    fileprivate mutating func members() throws(JSONFault) -> [(key: String, text: [UInt8])]? {
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
    fileprivate mutating func memberRange(_ key: String) throws(JSONFault) -> Range<Int>? {
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
