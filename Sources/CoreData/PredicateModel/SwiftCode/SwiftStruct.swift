import PredicateSyntax

/// The text of a generated struct.
struct SwiftStruct {
    private let name: String
    private let comment: [String]
    /// The name of the entity; nil for a composite type.
    private let entity: String?
    private let content: SwiftProperties
    private let access: String

    init(
        _ entity: EntityDescription, named name: String, _ content: SwiftProperties, _ model: ManagedObjectModel,
        _ access: ModelSwiftCode.Access
    ) {
        (self.name, self.content, self.access) = (name, content, access.modifier)
        (self.entity, comment) = (entity.name, SwiftComment.lines(of: entity, in: model))
    }

    init(
        _ composite: CompositeDescription, named name: String, _ content: SwiftProperties,
        _ access: ModelSwiftCode.Access
    ) {
        (self.name, self.content, self.access) = (name, content, access.modifier)
        (entity, comment) = (nil, SwiftComment.lines(of: composite))
    }

    var text: String {
        let conformances = "KeyPathCoding, Codable, Hashable, Sendable"
        let head = "\(access)struct \(name): \(conformances)\(entity == nil ? ", PredicateValueConvertible" : "") {"
        let parts = [identity, properties] + content.enums.map(text) + [initializer, keys, values, codingKeys]
        let body = parts.filter { !$0.isEmpty }
            .map { $0.map { $0.isEmpty ? "\n" : "    \($0)\n" }.joined() }.joined(separator: "\n")
        return Self.commented(comment).map { "\($0)\n" }.joined() + head + "\n" + body + "}\n"
    }

    private static func commented(_ lines: [String]) -> [String] { lines.map { $0.isEmpty ? "///" : "/// \($0)" } }

    // MARK: - Properties

    private var identity: [String] {
        guard let entity else { return [] }
        let name = [
            "/// The name of the entity in the model.",
            "\(access)static let entityName = \(SwiftNames.literal(entity))",
        ]
        guard content.hasObjectID else { return name }
        return name + [
            "", "/// The identity of the object in its store; nil for an object that is in none.",
            "\(access)var objectID: SQLObjectID?",
        ]
    }

    private var properties: [String] {
        content.properties.flatMap { property in
            let value = property.defaultValue.map { " = \($0)" } ?? ""
            return Self.commented(property.comment)
                + ["\(access)var \(property.name): \(property.declaredType)\(value)"]
        }
    }

    private func text(_ closed: SwiftEnum) -> [String] {
        let head =
            "\(access)enum \(closed.name): \(closed.rawType), Codable, CaseIterable, Sendable, "
            + "PredicateValueConvertible {"
        return Self.commented([closed.comment]) + [head]
            + closed.cases.map { "    case \($0.name) = \($0.literal)" } + ["}"]
    }

    /// The initializer for other modules; within its own module, a type has the compiler's memberwise initializer.
    private var initializer: [String] {
        guard !access.isEmpty else { return [] }
        let own = entity != nil && content.hasObjectID ? [("objectID", "SQLObjectID? = nil")] : []
        let parameters = own + content.properties.map { ($0.name, Self.parameter($0)) }
        guard !parameters.isEmpty else { return ["\(access)init() {}"] }
        let list = parameters.enumerated().map { index, parameter in
            "    \(parameter.0): \(parameter.1)\(index == parameters.count - 1 ? "" : ",")"
        }
        return ["/// Creates an object with the defaults of the model.", "\(access)init("] + list + [") {"]
            + parameters.map { "    self.\($0.0) = \($0.0)" } + ["}"]
    }

    private static func parameter(_ property: SwiftProperty) -> String {
        if let value = property.defaultValue { return "\(property.declaredType) = \(value)" }
        return property.isOptional ? "\(property.declaredType) = nil" : property.declaredType
    }

    // MARK: - Keys

    private var keys: [String] {
        let head = "\(access)static let keys: KeyPathTable<\(name)> ="
        guard !content.properties.isEmpty else { return [head + " [:]"] }
        return [head + " ["]
            + content.properties.map { "    \(SwiftNames.literal($0.key)): .key(\\.\($0.name))," } + ["]"]
    }

    /// The values for a store as a dictionary: `objectValues` of an entity, or `predicateValue` of a composite type.
    private var values: [String] {
        let pairs = content.properties.filter(\.isWritable)
        guard entity == nil else {
            return ["/// The values for `insert` and `update` of a store."]
                + Self.dictionary("\(access)var objectValues: [String: (any PredicateValueConvertible)?]", pairs) {
                    "\($0.name)"
                }
        }
        return ["/// The value as a store and a predicate take it."]
            + Self.dictionary("\(access)var predicateValue: PredicateValue", pairs, wrapped: ".dictionary(", ")") {
                "\($0.name).predicateValue"
            }
    }

    private static func dictionary(
        _ head: String, _ pairs: [SwiftProperty], wrapped open: String = "", _ close: String = "",
        value: (SwiftProperty) -> String
    ) -> [String] {
        guard !pairs.isEmpty else { return ["\(head) { \(open)[:]\(close) }"] }
        return ["\(head) {", "    \(open)["]
            + pairs.map { "        \(SwiftNames.literal($0.key)): \(value($0))," } + ["    ]\(close)", "}"]
    }

    private var codingKeys: [String] {
        let own = entity != nil && content.hasObjectID ? ["    case objectID"] : []
        let cases = content.properties.filter(\.isCoded).map { property in
            property.name.filter { $0 != "`" } == property.key
                ? "    case \(property.name)" : "    case \(property.name) = \(SwiftNames.literal(property.key))"
        }
        guard !(own + cases).isEmpty else {
            return content.properties.isEmpty ? [] : ["\(access)enum CodingKeys: CodingKey {}"]
        }
        return ["\(access)enum CodingKeys: String, CodingKey {"] + own + cases + ["}"]
    }
}
