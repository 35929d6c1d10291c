/// Which keys lead from the object to a value.
enum KeyRoute: Hashable {
    /// `dept.name` is `["dept", "name"]`, `SELF` is empty; elements of a collection lie where the collection does
    case keys([String])
    /// A value that is made, not found: a constant, a sum
    case computed
    /// Something of the object, and it is not known what: `{SELF, name}[0]`
    case unknown

    /// Keys that tell of a value what it is, and of an object what it is made of.
    static let reflective: Set<String> = [
        "class", "classForCoder", "superclass", "description", "debugDescription", "hash", "mirror", "customMirror",
        "zone", "isa", "retainCount", "methodSignature", "classDescription", "attributeKeys", "objectSpecifier",
    ]

    /// The route after the components of a path.
    func followed(by components: [KeyPathExpression.Component]) -> KeyRoute {
        var route = self
        for component in components {
            switch component {
            case .key(let key): route = route.followed(by: key)
            case .variable: return .unknown
            }
        }
        return route
    }

    /// Operators and `self` stay where they are.
    private func followed(by key: String) -> KeyRoute {
        switch self {
        case .keys(let keys):
            let stays = key.utf8.first == UInt8(ascii: "@") || key == "self"
            return stays ? self : .keys(keys + [key])
        case .computed: return .computed
        case .unknown: return .unknown
        }
    }

    /// `dept["name"]` is `dept.name`; a position is an element, and any other index might be a key.
    func indexed(by index: ExpressionNode) -> KeyRoute {
        switch index {
        case .constantValue(.string(let key)): return followed(by: key)
        case .constantValue(.integer), .symbol: return self
        case .constantValue, .evaluatedObject, .variable, .keyPath, .member, .function, .message, .cast, .aggregate,
            .index, .subquery, .conditional, .set, .assignment, .anyKey, .fetch:
            return self == .computed ? .computed : .unknown
        }
    }

    /// Whether a list of paths names this one, or with `.*` one that it lies behind.
    func isAllowed(by paths: Set<String>) -> Bool {
        guard case .keys(let keys) = self else { return false }
        if paths.contains(keys.joined(separator: ".")), !keys.contains(where: { $0.contains(".") }) { return true }
        return keys.indices.contains { count in
            count > 0 && paths.contains(keys[..<count].joined(separator: ".") + ".*")
                && !keys[..<count].contains { $0.contains(".") }
        }
    }
}
