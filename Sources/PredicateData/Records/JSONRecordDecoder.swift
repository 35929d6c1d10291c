import PredicateSyntax

/// Decodes the texts of JSON records, which tend to have the same keys in the same order.
struct JSONRecordDecoder {
    private let types: [String: ColumnType]
    private let chosen: ChosenKeys?
    private let shapes = ObjectShapes()

    init(_ options: RecordOptions) {
        types = options.types.filter { $0.value != .automatic && $0.value != .string }
        chosen = options.keys.map(ChosenKeys.init)
    }

    /// Returns the value of a record's text.
    func decode(_ bytes: UnsafeBufferPointer<UInt8>) throws(Fault) -> PredicateValue {
        var parser = JSONParser(bytes, shapes: shapes)
        parser.skipWhitespace()
        let start = parser.index
        guard start < bytes.count, bytes[start] == Byte.openBrace else { return try parser.parseDocument() }
        var members =
            if let chosen { try chosen.decode(&parser) } else { try parser.parseObject(depth: 1) }
        try parser.expectEnd()
        if !types.isEmpty { try convert(&members, of: bytes, at: start) }
        return .dictionary(members)
    }

    /// Converts strings, and numbers to doubles and exact decimal ones, to the declared types of their keys.
    private func convert(
        _ members: inout [String: PredicateValue], of bytes: UnsafeBufferPointer<UInt8>, at offset: Int
    ) throws(Fault) {
        for (key, type) in types {
            switch members[key] {
            case .string(var text)?:
                guard let value = text.withUTF8({ type.value(of: $0, isQuoted: true) }) else {
                    throw Fault(.typeMismatch(column: key, type: type, found: text.excerpt), at: offset)
                }
                members[key] = value
            case let number? where number.isNumber && type.convertsNumbers:
                guard let range = try? JSONScanner.range(of: [key], in: bytes) else { continue }
                guard let value = type.value(ofNumber: number, bytes.slice(range)) else {
                    throw Fault(.typeMismatch(column: key, type: type, found: bytes.text(range).excerpt), at: offset)
                }
                members[key] = value
            case nil, .some: continue
            }
        }
    }
}

extension PredicateValue {
    /// True for a JSON number.
    fileprivate var isNumber: Bool {
        switch self {
        case .integer, .double, .decimal: true
        case .null, .nullObject, .bool, .string, .date, .data, .uuid, .url, .type, .array, .set, .orderedSet,
            .dictionary,
            .object, .expression, .predicate:
            false
        }
    }
}

/// The keys of records that are read.
private struct ChosenKeys {
    private let keys: [String]
    private let spellings: [[UInt8]]
    private let shape: ObjectShape?

    init(_ keys: Set<String>) {
        self.keys = keys.sorted()
        spellings = self.keys.map { Array($0.utf8) }
        shape = ObjectShape(keys: self.keys)
    }

    /// Decodes an object with these keys only; the values of other keys are checked and skipped.
    func decode(_ parser: inout JSONParser) throws(Fault) -> [String: PredicateValue] {
        guard try parser.openContainer(closing: Byte.closeBrace, depth: 1) else { return [:] }
        var values = [PredicateValue?](repeating: nil, count: keys.count)
        repeat {
            let span = try parser.scanKey()
            if let index = index(of: span, in: parser) {
                values[index] = try parser.parseValue(depth: 1)
            } else {
                try parser.skipValue(depth: 1)
            }
        } while try parser.continueContainer(closing: Byte.closeBrace)
        return dictionary(values)
    }

    private func dictionary(_ values: [PredicateValue?]) -> [String: PredicateValue] {
        let found = values.compactMap(\.self)
        if let shape, found.count == keys.count { return shape.dictionary(found) }
        var members: [String: PredicateValue] = [:]
        for (key, value) in zip(keys, values) { members[key] = value }
        return members
    }

    private func index(of span: StringSpan, in parser: JSONParser) -> Int? {
        if span.hasEscapes {
            let key = parser.makeString(span)
            return keys.firstIndex { $0.hasSameCodePoints(as: key) }
        }
        return spellings.firstIndex { parser.bytes.equals($0, at: span.range) }
    }
}

extension String {
    /// The beginning of a text, for messages.
    var excerpt: String {
        unicodeScalars.count <= 60 ? self : String(unicodeScalars.prefix(59)) + "…"
    }
}
