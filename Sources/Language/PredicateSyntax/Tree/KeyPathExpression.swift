/// A path of keys from `SELF` or from another expression.
///
/// `dept.name`, `$person.name`, `SELF.age`, `friends.@avg.age`
public struct KeyPathExpression: Sendable {
    /// The components, stored without an array for short paths: one key of the evaluated object is inline; two keys,
    /// or a base with one key, are boxed.
    package enum Steps: Sendable {
        /// `age`
        case key(String)
        /// `dept.name`
        indirect case keys(String, String)
        /// `$t.name`, `SUBQUERY(…).@count`
        indirect case basedKey(ExpressionNode, String)
        /// `dept.head.name`, `dept.$key`
        case components([Component])
        /// `$t.dept.name`
        indirect case based(ExpressionNode, [Component])
    }

    package private(set) var steps: Steps

    /// The expression at which the path begins; nil for the evaluated object.
    public var base: ExpressionNode? {
        get {
            switch steps {
            case .key, .keys, .components: nil
            case .basedKey(let base, _), .based(let base, _): base
            }
        }
        set { self = KeyPathExpression(base: newValue, components) }
    }

    /// The components of the path, in order.
    public var components: [Component] {
        get {
            switch steps {
            case .key(let name), .basedKey(_, let name): [.key(name)]
            case .keys(let first, let second): [.key(first), .key(second)]
            case .components(let components), .based(_, let components): components
            }
        }
        set { self = KeyPathExpression(base: base, newValue) }
    }

    /// The number of components. Together with the subscript, it allows iteration without making an array.
    package var count: Int {
        switch steps {
        case .key, .basedKey: 1
        case .keys: 2
        case .components(let components), .based(_, let components): components.count
        }
    }

    package subscript(_ index: Int) -> Component {
        switch steps {
        case .key(let name), .basedKey(_, let name): .key(name)
        case .keys(let first, let second): .key(index == 0 ? first : second)
        case .components(let components), .based(_, let components): components[index]
        }
    }

    /// The key, if the path is a single key of the evaluated object.
    package var singleKey: String? {
        switch steps {
        case .key(let name): name
        case .keys, .basedKey, .components, .based: nil
        }
    }

    /// The components as keys; nil if one of them is a variable.
    package var keys: [String]? {
        var keys: [String] = []
        for index in 0..<count {
            guard case .key(let name) = self[index] else { return nil }
            keys.append(name)
        }
        return keys
    }

    /// Makes a path of components; without a base it begins at the evaluated object.
    public init(base: ExpressionNode? = nil, _ components: [Component]) {
        steps =
            switch (base, components.count, components.first, components.last) {
            case (nil, 1, .key(let name)?, _): .key(name)
            case (nil, 2, .key(let first)?, .key(let second)?): .keys(first, second)
            case (let base?, 1, .key(let name)?, _): .basedKey(base, name)
            case (nil, _, _, _): .components(components)
            case (let base?, _, _, _): .based(base, components)
            }
    }

    /// Makes the path that `%K` reads from a string: keys separated by dots.
    public init(base: ExpressionNode? = nil, keys: String) {
        self.init(base: base, Self.keys(of: keys).map { .key($0) })
    }

    /// Returns the keys between the dots of a string; a key may begin with a combining mark.
    package static func keys(of path: String) -> [String] {
        path.unicodeScalars.split(separator: ".", omittingEmptySubsequences: false).map { String($0) }
    }

    init(key: consuming String) {
        steps = .key(key)
    }

    /// Makes a path of one component from another expression.
    init(base: consuming ExpressionNode, _ component: consuming Component) {
        switch consume component {
        case .key(let name): steps = .basedKey(base, name)
        case let component: steps = .based(base, [component])
        }
    }

    consuming func appending(_ component: consuming Component) -> KeyPathExpression {
        switch (steps, copy component) {
        case (.key(let first), .key(let second)): steps = .keys(first, second)
        case (.key, .variable), (.keys, _), (.basedKey, _), (.components, _), (.based, _):
            let base = base
            var components = components
            // Nothing else may hold the list while it grows; otherwise it would be copied.
            steps = .key("")
            components.append(component)
            steps = base.map { .based($0, components) } ?? .components(components)
        }
        return self
    }
}

extension KeyPathExpression: Hashable {
    public static func == (left: KeyPathExpression, right: KeyPathExpression) -> Bool {
        switch (left.steps, right.steps) {
        case (.key(let left), .key(let right)): left.hasSameCodePoints(as: right)
        case (.keys(let first, let second), .keys(let otherFirst, let otherSecond)):
            first.hasSameCodePoints(as: otherFirst) && second.hasSameCodePoints(as: otherSecond)
        case (.basedKey(let base, let key), .basedKey(let otherBase, let otherKey)):
            key.hasSameCodePoints(as: otherKey) && base == otherBase
        case (.components(let left), .components(let right)): left == right
        case (.based(let base, let components), .based(let otherBase, let others)):
            components == others && base == otherBase
        case (.key, _), (.keys, _), (.basedKey, _), (.components, _), (.based, _): false
        }
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(base)
        hasher.combine(count)
        for index in 0..<count { hasher.combine(self[index]) }
    }
}

extension KeyPathExpression {
    /// A component of a key path.
    public enum Component: Sendable {
        /// `name`, `@count`, `#size`
        case key(String)
        /// `Record1.$age`: a variable that holds the key
        case variable(String)
    }
}

extension KeyPathExpression.Component: Hashable {
    public static func == (left: KeyPathExpression.Component, right: KeyPathExpression.Component) -> Bool {
        switch (left, right) {
        case (.key(let left), .key(let right)), (.variable(let left), .variable(let right)):
            left.hasSameCodePoints(as: right)
        case (.key, .variable), (.variable, .key): false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .key(let name): name.hashCodePoints(into: &hasher)
        case .variable(let name):
            hasher.combine(1)
            name.hashCodePoints(into: &hasher)
        }
    }
}

// MARK: - Collection operators

/// An operator in a key path over a collection.
package enum KeyPathOperator: String, Hashable, Sendable, CaseIterable {
    /// `friends.@count`
    case count = "@count"
    /// `prices.@sum.self`
    case sum = "@sum"
    /// `friends.@avg.age`
    case average = "@avg"
    /// `friends.@min.age`
    case minimum = "@min"
    /// `friends.@max.age`
    case maximum = "@max"
    /// `friends.@distinctUnionOfObjects.city`
    case distinctUnionOfObjects = "@distinctUnionOfObjects"
    /// `friends.@unionOfObjects.city`
    case unionOfObjects = "@unionOfObjects"
    /// `teams.@distinctUnionOfArrays.name`, where teams is an array of arrays
    case distinctUnionOfArrays = "@distinctUnionOfArrays"
    /// `teams.@unionOfArrays.name`
    case unionOfArrays = "@unionOfArrays"
    /// `teams.@distinctUnionOfSets.name`, where teams is a set of sets
    case distinctUnionOfSets = "@distinctUnionOfSets"
    /// `teams.@unionOfSets.name`
    case unionOfSets = "@unionOfSets"
    /// `%@ IN self.@allKeys`: the keys of a dictionary
    case allKeys = "@allKeys"
    /// `%@ IN self.@allValues`: the values of a dictionary
    case allValues = "@allValues"

    /// Returns the operators closest to a mistyped name.
    package static func nearMisses(of name: String) -> [String] {
        if let meant = synonyms[name.lowercased()] { return [meant.rawValue] }
        return NearMiss.candidates(for: name, among: allCases.map(\.rawValue))
    }

    /// Names of these operators in other languages.
    private static let synonyms: [String: KeyPathOperator] = [
        "@average": .average, "@mean": .average, "@minimum": .minimum, "@maximum": .maximum, "@total": .sum,
        "@size": .count, "@length": .count, "@keys": .allKeys, "@values": .allValues,
        "@distinct": .distinctUnionOfObjects, "@union": .unionOfObjects,
    ]
}
