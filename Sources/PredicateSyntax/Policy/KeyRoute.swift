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
        var names: [String] = []
        for component in components {
            guard case .key(let key) = component else { return .unknown }
            if Self.isStep(key) { names.append(key) }
        }
        return followed(by: names)
    }

    /// False for collection operators and `self`, which do not change the route.
    private static func isStep(_ key: String) -> Bool {
        key.utf8.first != UInt8(ascii: "@") && key != "self"
    }

    private func followed(by names: [String]) -> KeyRoute {
        switch self {
        case .keys(let keys): return .keys(keys + names)
        case .computed: return .computed
        case .unknown: return .unknown
        }
    }

    /// `dept["name"]` is `dept.name`; a position is an element, and any other index might be a key.
    func indexed(by index: ExpressionNode) -> KeyRoute {
        switch index {
        case .constantValue(.string(let key)): return followed(by: Self.isStep(key) ? [key] : [])
        case .constantValue(.integer), .symbol: return self
        case .constantValue, .evaluatedObject, .variable, .keyPath, .member, .function, .message, .cast, .aggregate,
            .index, .subquery, .conditional, .set, .assignment, .anyKey, .block, .fetch:
            return self == .computed ? .computed : .unknown
        }
    }

    /// True if a list of paths has this one, or with `.*` a prefix of it.
    func isAllowed(by paths: Set<String>) -> Bool {
        guard case .keys(let keys) = self else { return false }
        // Of a long path no more is compared than the longest one of the list has.
        let longest = keys.count < 8 ? .max : paths.lazy.map(\.utf8.count).max() ?? 0
        var path = ""
        for (index, key) in keys.enumerated() {
            if index > 0 {
                if paths.contains(path + ".*") { return true }
                path += "."
            }
            path += key
            if key.utf8.contains(UInt8(ascii: ".")) || path.utf8.count > longest { return false }
        }
        return paths.contains(path)
    }
}
