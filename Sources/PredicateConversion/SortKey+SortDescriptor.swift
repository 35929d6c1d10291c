public import Foundation
public import PredicateSyntax

extension SortKey {
    /// Makes a sort key of a sort descriptor of Swift.
    ///
    /// `try SortKey(SortDescriptor(\Person.name, order: .reverse))` is `SortKey("name", ascending: false)`; a key path of
    /// several steps is a path of to-one keys.
    ///
    /// Texts are ordered by code points, as [NSP-271] says, and so a descriptor that compares by the rules of a locale is
    /// refused: `.localizedStandard`, the default on Apple's platforms. Write `comparator: .lexical` there.
    ///
    /// - Throws: ``PredicateConversionError``: `unnamedKeyPath`, or `unsupported` for an order that only Swift knows.
    public init<Compared>(
        _ descriptor: SortDescriptor<Compared>, names: KeyPathNames = KeyPathNames()
    ) throws(PredicateConversionError) {
        guard let keyPath = descriptor.keyPath else {
            throw PredicateConversionError(.unnamedKeyPath("its key", of: "\(Compared.self)"))
        }
        if let comparator = descriptor.stringComparator, !comparator.isLexical {
            throw PredicateConversionError(.unsupported(node: "SortDescriptor", .locale))
        }
        try self.init(keyPath, ascending: descriptor.order == .forward, names)
    }

    /// Makes a sort key of a sort descriptor with a key path.
    ///
    /// `try SortKey(NSSortDescriptor(keyPath: \Person.age, ascending: false))`
    ///
    /// A comparator that such a descriptor was made with cannot be seen: values are ordered as the language orders them.
    ///
    /// - Throws: ``PredicateConversionError`` as for a `SortDescriptor`.
    public init(
        _ descriptor: NSSortDescriptor, names: KeyPathNames = KeyPathNames()
    ) throws(PredicateConversionError) {
        if let key = try (descriptor as? any NamedSortDescriptor)?.namedSortKey() {
            self = key
            return
        }
        // Apple's Foundation has a descriptor without a key path, that of Linux has none.
        let path: AnyKeyPath? = descriptor.keyPath
        guard let path else {
            throw PredicateConversionError(.unnamedKeyPath("its key", of: "NSSortDescriptor"))
        }
        try self.init(path, ascending: descriptor.ascending, names)
    }

    private init(
        _ keyPath: AnyKeyPath, ascending: Bool, _ names: KeyPathNames
    ) throws(PredicateConversionError) {
        let type = type(of: keyPath).valueType
        guard ValueType.isOrdered((type as? any OptionalValue.Type)?.wrapped ?? type) else {
            throw PredicateConversionError(.unsupported(node: "SortDescriptor", .order(type: "\(type)")))
        }
        guard let keys = KeyPathNaming(names: names).keys(of: keyPath) else {
            throw PredicateConversionError(
                .unnamedKeyPath("\(keyPath)", of: "\(Swift.type(of: keyPath).rootType)"))
        }
        self.init(keys.joined(separator: "."), ascending: ascending)
    }
}

/// A sort descriptor that may have been made of the name of a key: its key path then means nothing.
package protocol NamedSortDescriptor {
    /// The order by the name; nil for a descriptor that was made of a key path. Throws for an order that no sort key has.
    func namedSortKey() throws(PredicateConversionError) -> SortKey?
}

extension String.StandardComparator {
    /// True for the comparison without a locale, in either order.
    fileprivate var isLexical: Bool {
        var comparator = self
        comparator.order = .forward
        return comparator == .lexical
    }
}

extension FetchRequest {
    /// A query for objects of a type, by a predicate and sort descriptors of Swift.
    ///
    /// ```swift
    /// try FetchRequest("Person", where: #Predicate<Person> { $0.age > 18 }, sortedBy: [SortDescriptor(\.name)], limit: 20)
    /// ```
    ///
    /// - Throws: ``PredicateConversionError`` for what the language lacks.
    public init<Object>(
        _ entity: String, where predicate: Predicate<Object>, sortedBy order: [SortDescriptor<Object>] = [],
        limit: Int? = nil, offset: Int? = nil, names: KeyPathNames = KeyPathNames()
    ) throws(PredicateConversionError) {
        self.init(entity, try FormatPredicate(predicate, names: names), limit: limit, offset: offset)
        sortKeys = try order.map { (descriptor) throws(PredicateConversionError) in
            try SortKey(descriptor, names: names)
        }
    }
}
