import PredicateSyntax

/// Keys that one object after another has: each one's dictionary is a copy of one template with other values, so keys
/// are hashed once and not once for every object.
struct ObjectShape {
    private let template: [String: PredicateValue]
    /// Where in the template each key's value is.
    private let slots: [Dictionary<String, PredicateValue>.Index]

    /// The shape of these keys, nil when one stands twice.
    init?(keys: [String]) {
        let template = Dictionary(keys.map { ($0, PredicateValue.null) }) { first, _ in first }
        let slots = keys.compactMap { template.index(forKey: $0) }
        guard template.count == keys.count, slots.count == keys.count else { return nil }
        self.template = template
        self.slots = slots
    }

    /// The dictionary with these values, in the order of the keys and as many as they are.
    func dictionary(_ values: [PredicateValue]) -> [String: PredicateValue] {
        var dictionary = template
        for index in 0..<min(slots.count, values.count) { dictionary.values[slots[index]] = values[index] }
        return dictionary
    }
}

/// The sequences of keys that were met, as a tree: from the root one key leads to the next. Objects with the same keys
/// in the same order end at the same node, which keeps their shape.
final class ObjectShapes {
    /// One key behind those that lead here.
    final class Node {
        /// The key as it was written, escapes and all.
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

        /// The keys that lead here, in order.
        private var keys: [String] {
            var keys: [String] = []
            var node = self
            while let parent = node.parent {
                keys.append(node.key)
                node = parent
            }
            return keys.reversed()
        }

        /// The object with these values. A shape pays only for keys that come again.
        func dictionary(_ values: [PredicateValue]) -> [String: PredicateValue] {
            if let shape { return shape.dictionary(values) }
            uses += 1
            if uses == 2 { shape = ObjectShape(keys: keys) }
            return Dictionary(zip(keys, values)) { _, last in last }
        }
    }

    let root = Node(spelling: [], key: "", parent: nil)
    private var count = 0

    /// Past these, keys are taken for data and no longer remembered.
    private static let maximumNodes = 4096
    private static let maximumChildren = 8

    /// Where a key leads; nil when it is not remembered.
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
