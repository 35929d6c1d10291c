public import PredicateSyntax

/// Finds values inside a JSON text without losing how they were written.
///
/// `[{"n": 1.10}, {"n": 2}]`: the first element stands in bytes 1..<12.
public enum JSONScanner {
    /// Calls `body` with each element of an array, and the bytes of the element's own text. Throws a ``DataError`` when
    /// the text is not one JSON array, and what `body` throws.
    public static func forEachElement(
        of bytes: UnsafeBufferPointer<UInt8>,
        _ body: (PredicateValue, Range<Int>) throws(DataError) -> Void
    ) throws(DataError) {
        var parser = JSONParser(bytes, shapes: ObjectShapes())
        func located<T>(_ step: (inout JSONParser) throws(Fault) -> T) throws(DataError) -> T {
            do { return try step(&parser) } catch { throw error.located(in: bytes, from: Position()) }
        }
        if try located({ (parser) throws(Fault) in try parser.openRootArray() }) {
            repeat {
                let element = try located { (parser) throws(Fault) in try parser.parseElement() }
                try body(element.0, element.1)
            } while try located { (parser) throws(Fault) in
                try parser.continueContainer(closing: Byte.closeBracket)
            }
        }
        try located { (parser) throws(Fault) in try parser.expectEnd() }
    }

    /// Where the value at a path of keys stands, nil when there is none: `["address", "city"]`. Of keys that stand
    /// twice the last counts. Throws a ``DataError`` when the text is not JSON.
    public static func range(
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
    fileprivate mutating func openRootArray() throws(Fault) -> Bool {
        skipWhitespace()
        guard index < bytes.count else { throw Fault(.unexpectedEnd, at: index) }
        guard bytes[index] == Byte.openBracket else { throw Fault(.expectedValue, at: index) }
        return try openContainer(closing: Byte.closeBracket, depth: 1)
    }

    fileprivate mutating func parseElement() throws(Fault) -> (PredicateValue, Range<Int>) {
        let start = index
        let value = try parseValue(depth: 1)
        return (value, start..<index)
    }

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
