public import Foundation
import PredicateEvaluation
public import PredicateSyntax

extension SortKey {
    /// Makes a sort key from a Swift sort descriptor.
    ///
    /// `try SortKey(SortDescriptor(\Person.name, order: .reverse))` is `SortKey("name", ascending: false)`. A key
    /// path with several steps becomes a path of to-one keys.
    ///
    /// Strings are ordered by code points [NSP-271], so a descriptor that compares by the rules of a locale is
    /// refused. This includes `.localizedStandard`, the default on Apple's platforms; write `comparator: .lexical`
    /// there.
    ///
    /// - Throws: ``PredicateConversionError`` with the code `unnamedKeyPath`, or `unsupported` for an order that the
    ///   language lacks.
    public init<Compared>(
        _ descriptor: SortDescriptor<Compared>, names: KeyPathNames = KeyPathNames()
    ) throws(PredicateConversionError) {
        guard let keyPath = descriptor.keyPath else {
            throw PredicateConversionError(
                .unnamedKeyPath("its key", of: "\(Compared.self)", isClass: Compared.self is AnyClass))
        }
        if let comparator = descriptor.stringComparator, !comparator.isLexical {
            throw PredicateConversionError(.unsupported(node: "SortDescriptor", .locale))
        }
        try self.init(keyPath, ascending: descriptor.order == .forward, names)
    }

    /// Makes a sort key from a sort descriptor with a key path.
    ///
    /// `try SortKey(NSSortDescriptor(keyPath: \Person.age, ascending: false))`
    ///
    /// The comparator of such a descriptor is not accessible; values are ordered as in the language.
    ///
    /// - Throws: ``PredicateConversionError`` under the same conditions as for a `SortDescriptor`.
    public init(
        _ descriptor: NSSortDescriptor, names: KeyPathNames = KeyPathNames()
    ) throws(PredicateConversionError) {
        if let key = try (descriptor as? any NamedSortDescriptor)?.namedSortKey() {
            self = key
            return
        }
        #if canImport(Darwin)
            if let key = descriptor.key {
                let options = descriptor.selector.flatMap { ComparisonOptions.ofSelectors[NSStringFromSelector($0)] }
                guard let options else {
                    throw PredicateConversionError(.unsupported(node: "NSSortDescriptor", .locale))
                }
                self.init(key, ascending: descriptor.ascending, options: options)
                return
            }
        #endif
        // In Apple's Foundation a descriptor may have no key path; on Linux every descriptor has one.
        let path: AnyKeyPath? = descriptor.keyPath
        guard let path else {
            throw PredicateConversionError(.unnamedKeyPath("its key", of: "NSSortDescriptor", isClass: false))
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
        guard let keys = names.keys(of: keyPath) else {
            throw PredicateConversionError(.unnamed(keyPath))
        }
        self.init(keys.joined(separator: "."), ascending: ascending)
    }
}

extension ComparisonOptions {
    /// The options with which a sort key compares as a selector does.
    package static let ofSelectors: [String: ComparisonOptions] = [
        "compare:": [],
        "caseInsensitiveCompare:": .caseInsensitive,
        "localizedCompare:": .localeSensitive,
        "localizedCaseInsensitiveCompare:": [.localeSensitive, .caseInsensitive],
    ]
}

/// A sort descriptor that may have been made from the name of a key, in which case its key path is meaningless.
package protocol NamedSortDescriptor {
    /// Returns the order by the name; nil for a descriptor that was made from a key path. Throws for an order that
    /// sort keys lack.
    func namedSortKey() throws(PredicateConversionError) -> SortKey?
}

extension String.StandardComparator {
    /// True for comparison without a locale, in either direction.
    fileprivate var isLexical: Bool {
        var comparator = self
        comparator.order = .forward
        return comparator == .lexical
    }
}

extension PredicateFetchRequest {
    /// Makes a query for objects of a type from a Swift predicate and sort descriptors.
    ///
    /// ```swift
    /// try PredicateFetchRequest(where: #Predicate<Person> { $0.age > 18 }, sortedBy: [SortDescriptor(\.name)], limit: 20)
    /// ```
    ///
    /// The entity has the name of the type unless another one is given. A URL is compared with the text in the store.
    ///
    /// - Throws: ``PredicateConversionError`` for anything that the language lacks.
    public init<Object>(
        _ entity: String = "\(Object.self)", where predicate: Predicate<Object>,
        sortedBy order: [SortDescriptor<Object>] = [], limit: Int? = nil, offset: Int? = nil,
        names: KeyPathNames = KeyPathNames()
    ) throws(PredicateConversionError) {
        let predicate = try FormatPredicate(predicate, names: names).withTextsOfURLs
        self.init(entity, predicate, limit: limit, offset: offset)
        sortKeys = try order.map { (descriptor) throws(PredicateConversionError) in
            try SortKey(descriptor, names: names)
        }
    }
}
