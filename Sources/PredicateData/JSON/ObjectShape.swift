import PredicateSyntax

/// The keys of similar objects. Each object is a copy of one template dictionary with other values, so keys are hashed
/// only once.
struct ObjectShape {
    private let template: [String: PredicateValue]
    /// The index of each key's value in the template.
    private let slots: [Dictionary<String, PredicateValue>.Index]

    /// Creates the shape of some keys; nil for duplicate keys.
    init?(keys: [String]) {
        let template = Dictionary(keys.map { ($0, PredicateValue.null) }) { first, _ in first }
        let slots = keys.compactMap { template.index(forKey: $0) }
        guard template.count == keys.count, slots.count == keys.count else { return nil }
        self.template = template
        self.slots = slots
    }

    /// Returns the dictionary with these values, in the order of the keys.
    func dictionary(_ values: [PredicateValue]) -> [String: PredicateValue] {
        var dictionary = template
        for index in 0..<min(slots.count, values.count) { dictionary.values[slots[index]] = values[index] }
        return dictionary
    }
}

/// A trie of the key sequences of objects. Objects with the same keys in the same order end at the same node, which
/// caches their shape.
final class ObjectShapes {
    /// One key, after those of the parent nodes.
    final class Node {
        /// The text of the key, with its escapes.
        fileprivate let spelling: [UInt8]
        fileprivate let key: String
        fileprivate unowned let parent: Node?
        fileprivate var children: [Node] = []
        private var uses = 0
        private var shape: ObjectShape?

        fileprivate init(spelling: [UInt8], key: String, parent: Node?) {
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

        /// Returns the object with these values. A shape is made when the keys occur for the second time.
        func dictionary(_ values: [PredicateValue]) -> [String: PredicateValue] {
            if let shape { return shape.dictionary(values) }
            uses += 1
            if uses == 2 { shape = ObjectShape(keys: keys) }
            return Dictionary(zip(keys, values)) { _, last in last }
        }
    }

    let root = Node(spelling: [], key: "", parent: nil)
    private var count = 0

    /// With more nodes or children, keys are considered data and are not cached.
    private static let maximumNodes = 4096
    private static let maximumChildren = 8

    /// Returns the node of the next key; nil if it is not cached.
    @inline(__always)
    func child(of node: Node, _ span: StringSpan, in parser: borrowing JSONParser) -> Node? {
        for child in node.children where parser.bytes.equals(child.spelling, at: span.range) { return child }
        return remember(span, after: node, in: parser)
    }

    private func remember(_ span: StringSpan, after node: Node, in parser: borrowing JSONParser) -> Node? {
        guard count < Self.maximumNodes, node.children.count < Self.maximumChildren else { return nil }
        count += 1
        let spelling = Array(parser.bytes.slice(span.range))
        let child = Node(spelling: spelling, key: parser.makeString(span), parent: node)
        node.children.append(child)
        return child
    }
}
