import PredicateSyntax

/// Decodes JSON objects that tend to have the same keys in the same order.
package struct JSONObjectDecoder {
    private let chosen: ChosenKeys?
    private let shapes = ObjectShapes()

    /// Creates a decoder that builds only the values of these keys; nil stands for all keys.
    package init(keys: Set<String>?) {
        chosen = keys.map(ChosenKeys.init)
    }

    /// Returns the value of a JSON document. A document that is not an object is decoded completely.
    package func decode(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONFault) -> PredicateValue {
        var parser = JSONParser(bytes, shapes: shapes)
        parser.skipWhitespace()
        guard parser.index < bytes.count, bytes[parser.index] == Byte.openBrace else {
            return try parser.parseDocument()
        }
        let members = if let chosen { try chosen.decode(&parser) } else { try parser.parseObject(depth: 1) }
        try parser.expectEnd()
        return .dictionary(members)
    }
}

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
    func decode(_ parser: inout JSONParser) throws(JSONFault) -> [String: PredicateValue] {
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

/// The keys of similar objects. Each object is a copy of a template dictionary with other values, so keys are hashed only once.
package struct ObjectShape {
    private let template: [String: PredicateValue]
    /// The index of each key's value in the template.
    private let slots: [Dictionary<String, PredicateValue>.Index]

    /// Creates the shape of a list of keys; nil for duplicate keys.
    package init?(keys: [String]) {
        let template = Dictionary(keys.map { ($0, PredicateValue.null) }) { first, _ in first }
        let slots = keys.compactMap { template.index(forKey: $0) }
        guard template.count == keys.count, slots.count == keys.count else { return nil }
        self.template = template
        self.slots = slots
    }

    /// Returns the dictionary with these values, in the order of the keys.
    package func dictionary(_ values: [PredicateValue]) -> [String: PredicateValue] {
        var dictionary = template
        for index in 0..<min(slots.count, values.count) { dictionary.values[slots[index]] = values[index] }
        return dictionary
    }
}

/// A trie of the key sequences of objects. Objects with the same keys in the same order end at the same node, which
/// caches their shape.
final class ObjectShapes {
    /// The node of a key that follows the keys of its parent nodes.
    final class KeyNode {
        /// The bytes of the key as written, with its escapes.
        fileprivate let spelling: [UInt8]
        fileprivate let key: String
        fileprivate unowned let parent: KeyNode?
        fileprivate var children: [KeyNode] = []
        private var uses = 0
        private var shape: ObjectShape?

        fileprivate init(spelling: [UInt8], key: String, parent: KeyNode?) {
            self.spelling = spelling
            self.key = key
            self.parent = parent
        }

        /// The keys from the root to this node, in order.
        private var keys: [String] {
            var keys: [String] = []
            var node = self
            while let parent = node.parent {
                keys.append(node.key)
                node = parent
            }
            return keys.reversed()
        }

        /// Returns the object with these values. A shape is created when the keys occur for the second time.
        func dictionary(_ values: [PredicateValue]) -> [String: PredicateValue] {
            if let shape { return shape.dictionary(values) }
            uses += 1
            if uses == 2 { shape = ObjectShape(keys: keys) }
            return Dictionary(zip(keys, values)) { _, last in last }
        }
    }

    let root = KeyNode(spelling: [], key: "", parent: nil)
    private var count = 0

    /// Beyond this number of nodes or children, keys are probably data and are not cached.
    private static let maximumNodes = 4096
    private static let maximumChildren = 8

    /// Returns the node of the next key; nil if it is not cached.
    @inline(__always)
    func child(of node: KeyNode, _ span: StringSpan, in parser: borrowing JSONParser) -> KeyNode? {
        for child in node.children where parser.bytes.equals(child.spelling, at: span.range) { return child }
        return remember(span, after: node, in: parser)
    }

    private func remember(_ span: StringSpan, after node: KeyNode, in parser: borrowing JSONParser) -> KeyNode? {
        guard count < Self.maximumNodes, node.children.count < Self.maximumChildren else { return nil }
        count += 1
        let spelling = Array(parser.bytes.slice(span.range))
        let child = KeyNode(spelling: spelling, key: parser.makeString(span), parent: node)
        node.children.append(child)
        return child
    }
}
