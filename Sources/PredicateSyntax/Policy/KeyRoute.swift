/// The keys that lead from the object to a value.
enum KeyRoute: Hashable {
    /// `dept.name` is `["dept", "name"]`, `SELF` is empty; elements of a collection lie where the collection does
    case keys([String])
    /// A computed value: a constant, a sum
    case computed
    /// An unknown part of the object: `{SELF, name}[0]`
    case unknown

    /// Keys that reveal the type of a value and the parts of an object.
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

    /// Collection operators and `self` do not change the route.
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
            .index, .subquery, .conditional, .set, .assignment, .anyKey, .block, .fetch:
            return self == .computed ? .computed : .unknown
        }
    }

    /// True if a list of paths has this one, or with `.*` a prefix of it.
    func isAllowed(by paths: Set<String>) -> Bool {
        guard case .keys(let keys) = self else { return false }
        if paths.contains(keys.joined(separator: ".")), !keys.contains(where: { $0.contains(".") }) { return true }
        return keys.indices.contains { count in
            count > 0 && paths.contains(keys[..<count].joined(separator: ".") + ".*")
                && !keys[..<count].contains { $0.contains(".") }
        }
    }
}
