/// Keys followed one after another, from `SELF` or from another expression.
///
/// `dept.name`, `$person.name`, `SELF.age`, `friends.@avg.age`
public struct KeyPathExpression: Sendable {
    package private(set) var steps: KeyPathSteps

    /// Where the path begins; nil when no base is written: the evaluated object.
    public var base: ExpressionNode? {
        get {
            switch steps {
            case .key, .keys, .components: nil
            case .based(let path): path.base
            case .basedComponents(let base, _): base
            }
        }
        set { self = KeyPathExpression(base: newValue, components) }
    }

    public var components: [KeyPathComponent] {
        get {
            switch steps {
            case .key(let name): [.key(name)]
            case .keys(let pair): [.key(pair.first), .key(pair.second)]
            case .based(let path): [.key(path.key)]
            case .components(let components), .basedComponents(_, let components): components
            }
        }
        set { self = KeyPathExpression(base: base, newValue) }
    }

    /// How many components there are; with the subscript a list is gone through without being made.
    package var count: Int {
        switch steps {
        case .key, .based: 1
        case .keys: 2
        case .components(let components), .basedComponents(_, let components): components.count
        }
    }

    package subscript(_ index: Int) -> KeyPathComponent {
        switch steps {
        case .key(let name): .key(name)
        case .keys(let pair): .key(index == 0 ? pair.first : pair.second)
        case .based(let path): .key(path.key)
        case .components(let components), .basedComponents(_, let components): components[index]
        }
    }

    /// The key of a path that is one key of the evaluated object.
    package var singleKey: String? {
        switch steps {
        case .key(let name): name
        case .keys, .based, .components, .basedComponents: nil
        }
    }

    public init(base: ExpressionNode? = nil, _ components: [KeyPathComponent]) {
        steps = KeyPathSteps(base, components)
    }

    /// The path that `%K` makes of a string: keys divided by dots.
    public init(base: ExpressionNode? = nil, keys: String) {
        self.init(base: base, keys.split(separator: ".", omittingEmptySubsequences: false).map { .key(String($0)) })
    }

    /// A path of one key.
    init(key: consuming String) {
        steps = .key(key)
    }

    /// A path of one step from another expression.
    init(base: consuming ExpressionNode, _ component: consuming KeyPathComponent) {
        switch consume component {
        case .key(let key): steps = .based(KeyPathSteps.Based(base, key))
        case let component: steps = .basedComponents(base, [component])
        }
    }

    /// The path with a step more.
    consuming func appending(_ component: consuming KeyPathComponent) -> KeyPathExpression {
        switch (steps, component) {
        case (.key(let first), .key(let second)): steps = .keys(KeyPathSteps.Pair(first, second))
        case (.key, .variable), (.keys, _), (.based, _), (.components, _), (.basedComponents, _):
            let base = base
            var components = components
            // Nothing else may hold the list while it grows, or it would be copied.
            steps = .key("")
            components.append(component)
            steps = base.map { .basedComponents($0, components) } ?? .components(components)
        }
        return self
    }
}

/// The steps of a path as they lie in memory: in place, or in one box, for most paths are short.
package enum KeyPathSteps: Sendable {
    /// `age`
    case key(String)
    /// `dept.name`
    indirect case keys(Pair)
    /// `$t.name`, `SUBQUERY(…).@count`
    indirect case based(Based)
    /// `dept.head.name`, `dept.$key`
    case components([KeyPathComponent])
    /// `$t.dept.name`
    indirect case basedComponents(ExpressionNode, [KeyPathComponent])

    package struct Pair: Sendable {
        package let first: String
        package let second: String

        @inline(__always)
        init(_ first: consuming String, _ second: consuming String) {
            self.first = first
            self.second = second
        }
    }

    package struct Based: Sendable {
        package let base: ExpressionNode
        package let key: String

        @inline(__always)
        init(_ base: consuming ExpressionNode, _ key: consuming String) {
            self.base = base
            self.key = key
        }
    }

    /// Whether the number of rows or elements is asked for: `tags.@count`, `SUBQUERY(…).@count`.
    @inlinable package var isCount: Bool {
        switch self {
        case .key: false
        case .keys(let pair): pair.second == "@count"
        case .based(let path): path.key == "@count"
        case .components(let components), .basedComponents(_, let components): components.last == .key("@count")
        }
    }

    fileprivate init(_ base: ExpressionNode?, _ components: [KeyPathComponent]) {
        switch (base, components.count, components.first, components.last) {
        case (nil, 1, .key(let key)?, _): self = .key(key)
        case (nil, 2, .key(let first)?, .key(let second)?): self = .keys(Pair(first, second))
        case (let base?, 1, .key(let key)?, _): self = .based(Based(base, key))
        case (nil, _, _, _): self = .components(components)
        case (let base?, _, _, _): self = .basedComponents(base, components)
        }
    }
}

extension KeyPathExpression: Hashable {
    public static func == (left: KeyPathExpression, right: KeyPathExpression) -> Bool {
        if case .key(let left) = left.steps, case .key(let right) = right.steps {
            return left.hasSameCodePoints(as: right)
        }
        return left.base == right.base && left.components == right.components
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(base)
        hasher.combine(components)
    }
}

/// One step of a key path.
public enum KeyPathComponent: Sendable {
    /// `name`, `@count`, `#size`
    case key(String)
    /// `Record1.$age`: a variable that holds the key
    case variable(String)
}

extension KeyPathComponent: Hashable {
    public static func == (left: KeyPathComponent, right: KeyPathComponent) -> Bool {
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
