import PredicateSyntax

/// What is known of the values of an expression before any object is evaluated.
package struct KnownType {
    /// The kinds of the values, nil left out; empty where nothing is known about them.
    package var kinds: Set<PredicateValue.Kind> = []
    /// The entity of the objects; nil for plain values.
    package var entity: String?
    /// True where there are several values: the key of several objects, an array of data.
    package var isToMany = false
    /// True for `nil`.
    package var isNil = false
    /// True if all numbers are integers, false if some are not; nil where that is unknown.
    package var isWhole: Bool?
    /// The value of a constant.
    package var constant: PredicateValue?
    /// The elements of a collection that is written out or passed as an argument.
    package var elements: [KnownType]?
    /// The property that the last key names.
    package var property: SchemaProperty?
    /// The keys from the evaluated object; nil for other expressions.
    package var path: [String]?
    /// The position in the path of the last key that leads to several values.
    package var manyIndex: Int?

    /// Nothing is known.
    package static let unknown = KnownType()
    /// A number.
    package static let number = KnownType([.number])

    package init(_ kinds: Set<PredicateValue.Kind> = []) {
        self.kinds = kinds
    }

    /// An object of an entity.
    package init(entity: String) {
        kinds = [.object]
        self.entity = entity
    }

    /// The values that a property holds.
    package init(_ property: SchemaProperty) {
        kinds = property.kinds
        entity = property.entity
        isToMany = property.isToMany
        isWhole = property.isWhole
        self.property = property
    }

    /// A constant.
    package init(_ value: PredicateValue) {
        constant = value
        guard let kind = value.kind else {
            isNil = true
            return
        }
        // Objects of the host may be anything.
        if kind != .object { kinds = [kind] }
        if case .integer = value { isWhole = true } else if kind == .number { isWhole = false }
        if kind == .array || kind == .dictionary { elements = (value.elements ?? []).map { KnownType($0) } }
    }

    /// True where nothing is known that a comparison could contradict.
    package var isOpen: Bool { kinds.isEmpty }

    /// One of several values.
    package var element: KnownType {
        var copy = self
        copy.isToMany = false
        return copy
    }
}
