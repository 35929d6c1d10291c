import PredicateSQL
import PredicateSyntax

/// A composite attribute of a layout: the attributes that are its elements, by their keys in it.
struct CompositeAttribute: Sendable {
    private enum Element: Sendable {
        /// The index of an attribute.
        case value(Int)
        case composite(CompositeAttribute)
    }

    private var elements: [String: Element] = [:]

    /// The composite attributes that the paths of some attributes lead through, by their own paths.
    static func all(among attributes: [String], of entity: SQLEntity) -> [String: CompositeAttribute] {
        var whole = CompositeAttribute()
        for (index, key) in attributes.enumerated() where entity.isElement(key) {
            whole.add(index, key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)[...])
        }
        var found: [String: CompositeAttribute] = [:]
        whole.collect("", &found)
        return found
    }

    private mutating func add(_ index: Int, _ path: ArraySlice<String>) {
        guard let first = path.first else { return }
        guard path.count > 1 else { return elements[first] = .value(index) }
        var inner = CompositeAttribute()
        if case .composite(let known)? = elements[first] { inner = known }
        inner.add(index, path.dropFirst())
        elements[first] = .composite(inner)
    }

    private func collect(_ path: String, _ found: inout [String: CompositeAttribute]) {
        for (key, element) in elements {
            guard case .composite(let inner) = element else { continue }
            found[path + key] = inner
            inner.collect("\(path)\(key).", &found)
        }
    }

    /// The dictionary of the elements that have a value; nil where none has.
    func value(in values: [PredicateValue]) -> PredicateValue {
        var entries: [String: PredicateValue] = [:]
        for (key, element) in elements {
            let value =
                switch element {
                case .value(let index): values[index]
                case .composite(let inner): inner.value(in: values)
                }
            if value != .null { entries[key] = value }
        }
        return entries.isEmpty ? .null : .dictionary(entries)
    }
}

extension SQLEntity {
    /// True for the path of an element of a composite attribute: `address.street`
    func isElement(_ key: String) -> Bool {
        guard let end = key.firstIndex(of: "."), end > key.startIndex, attributes[key] != nil else { return false }
        return isComposite(String(key[..<end]))
    }
}
