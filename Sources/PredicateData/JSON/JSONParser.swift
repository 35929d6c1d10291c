import PredicateSyntax

/// The grammar of JSON over bytes in memory: one function for each production, each in two halves, so that a value
/// can be checked (`skip…`) without being built (`parse…`).
struct JSONParser {
    let bytes: UnsafeBufferPointer<UInt8>
    var index = 0

    /// The cache of object shapes; nil for small inputs.
    private let shapes: ObjectShapes?

    init(_ bytes: UnsafeBufferPointer<UInt8>, shapes: ObjectShapes? = nil) {
        self.bytes = bytes
        self.shapes = shapes
    }

    /// document = ws value ws
    mutating func parseDocument() throws(Fault) -> PredicateValue {
        skipWhitespace()
        let value = try parseValue(depth: 0)
        try expectEnd()
        return value
    }

    mutating func expectEnd() throws(Fault) {
        skipWhitespace()
        if index < bytes.count { throw Fault(.trailingContent, at: index) }
    }

    /// value = object | array | string | number | "true" | "false" | "null"
    mutating func parseValue(depth: Int) throws(Fault) -> PredicateValue {
        guard index < bytes.count else { throw Fault(.unexpectedEnd, at: index) }
        switch bytes[index] {
        case Byte.quote: return .string(try parseString())
        case Byte.openBrace: return .dictionary(try parseObject(depth: depth + 1))
        case Byte.openBracket: return .array(try parseArray(depth: depth + 1))
        case Byte.minus, Byte.zero...Byte.nine: return try parseNumber()
        default: return try parseWord()
        }
    }

    /// object = "{" [ string ":" value { "," string ":" value } ] "}"
    mutating func parseObject(depth: Int) throws(Fault) -> [String: PredicateValue] {
        guard try openContainer(closing: Byte.closeBrace, depth: depth) else { return [:] }
        guard let shapes else {
            var members: [String: PredicateValue] = [:]
            try parseMembers(into: &members, key: try scanKey(), depth: depth)
            return members
        }
        return try parseShapedMembers(shapes, depth: depth)
    }

    /// Parses members as long as their key sequence is cached, and the rest without the cache.
    private mutating func parseShapedMembers(
        _ shapes: ObjectShapes, depth: Int
    ) throws(Fault) -> [String: PredicateValue] {
        var node = shapes.root
        var values: [PredicateValue] = []
        values.reserveCapacity(16)
        repeat {
            let key = try scanKey()
            guard let next = shapes.child(of: node, key, in: self) else {
                var members = node.dictionary(values)
                try parseMembers(into: &members, key: key, depth: depth)
                return members
            }
            node = next
            values.append(try parseValue(depth: depth))
        } while try continueContainer(closing: Byte.closeBrace)
        return node.dictionary(values)
    }

    /// Parses the members from a key on, whose value is next.
    private mutating func parseMembers(
        into members: inout [String: PredicateValue], key: StringSpan, depth: Int
    ) throws(Fault) {
        members[makeString(key)] = try parseValue(depth: depth)
        while try continueContainer(closing: Byte.closeBrace) {
            let key = makeString(try scanKey())
            members[key] = try parseValue(depth: depth)
        }
    }

    /// array = "[" [ value { "," value } ] "]"
    private mutating func parseArray(depth: Int) throws(Fault) -> [PredicateValue] {
        var elements: [PredicateValue] = []
        guard try openContainer(closing: Byte.closeBracket, depth: depth) else { return elements }
        repeat {
            elements.append(try parseValue(depth: depth))
        } while try continueContainer(closing: Byte.closeBracket)
        return elements
    }

    private mutating func parseString() throws(Fault) -> String {
        makeString(try scanString())
    }

    private mutating func parseNumber() throws(Fault) -> PredicateValue {
        let number = try NumberSpelling(bytes, from: index)
        index = number.range.upperBound
        return try number.value(in: bytes)
    }

    private mutating func parseWord() throws(Fault) -> PredicateValue {
        switch bytes[index] {
        case 0x74 where takes("true"): return .bool(true)
        case 0x66 where takes("false"): return .bool(false)
        case 0x6E where takes("null"): return .null
        default: throw Fault(.expectedValue, at: index)
        }
    }
}

extension JSONParser {
    /// Checks a value without building it.
    mutating func skipValue(depth: Int) throws(Fault) {
        guard index < bytes.count else { throw Fault(.unexpectedEnd, at: index) }
        switch bytes[index] {
        case Byte.quote: _ = try scanString()
        case Byte.openBrace: try skipObject(depth: depth + 1)
        case Byte.openBracket: try skipArray(depth: depth + 1)
        case Byte.minus, Byte.zero...Byte.nine: index = try NumberSpelling(bytes, from: index).range.upperBound
        default: _ = try parseWord()
        }
    }

    private mutating func skipObject(depth: Int) throws(Fault) {
        guard try openContainer(closing: Byte.closeBrace, depth: depth) else { return }
        repeat {
            _ = try scanKey()
            try skipValue(depth: depth)
        } while try continueContainer(closing: Byte.closeBrace)
    }

    private mutating func skipArray(depth: Int) throws(Fault) {
        guard try openContainer(closing: Byte.closeBracket, depth: depth) else { return }
        repeat {
            try skipValue(depth: depth)
        } while try continueContainer(closing: Byte.closeBracket)
    }
}

extension JSONParser {
    /// Advances past the opening bracket; returns false for an empty container, after its end.
    mutating func openContainer(closing: UInt8, depth: Int) throws(Fault) -> Bool {
        if depth > JSONReader.maximumDepth { throw Fault(.nestingTooDeep(limit: JSONReader.maximumDepth), at: index) }
        index += 1
        skipWhitespace()
        guard index < bytes.count, bytes[index] == closing else { return true }
        index += 1
        return false
    }

    /// Advances past the comma after a member or element; returns false after the closing bracket.
    mutating func continueContainer(closing: UInt8) throws(Fault) -> Bool {
        skipWhitespace()
        guard index < bytes.count else { throw Fault(.unexpectedEnd, at: index) }
        let byte = bytes[index]
        guard byte == Byte.comma || byte == closing else { throw Fault(.expectedComma, at: index) }
        index += 1
        if byte == closing { return false }
        skipWhitespace()
        return true
    }

    /// Scans a key and its colon; then the cursor is at the value.
    mutating func scanKey() throws(Fault) -> StringSpan {
        guard index < bytes.count else { throw Fault(.unexpectedEnd, at: index) }
        guard bytes[index] == Byte.quote else { throw Fault(.expectedKey, at: index) }
        let key = try scanString()
        skipWhitespace()
        guard index < bytes.count else { throw Fault(.unexpectedEnd, at: index) }
        guard bytes[index] == Byte.colon else { throw Fault(.expectedColon, at: index) }
        index += 1
        skipWhitespace()
        return key
    }

    mutating func skipWhitespace() {
        while index < bytes.count, bytes[index].isWhitespace { index += 1 }
    }

    private mutating func takes(_ word: StaticString) -> Bool {
        let end = index + word.utf8CodeUnitCount
        guard end <= bytes.count else { return false }
        for offset in 0..<word.utf8CodeUnitCount where bytes[index + offset] != word.utf8Start[offset] { return false }
        index = end
        return true
    }
}
