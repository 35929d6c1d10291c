/// A tree as JSON, for user interfaces: each node is an object in which one member names the kind of node.
///
/// | predicate | JSON |
/// |---|---|
/// | `a AND b`, `a OR b`, `NOT a` | `{"and": [a, b]}`, `{"or": [a, b]}`, `{"not": a}` |
/// | `TRUEPREDICATE` | `{"constant": true}` |
/// | `ANY name ==[cd] "jo"` | `{"operator": "==", "left": …, "right": …, "options": "cd", "quantifier": "ANY"}` |
/// | any other, or text | `{"format": "age > %@", "arguments": [{"int": 1}]}`, `"age > 1"` |
///
/// Other nodes are written as a format, and a format may stand anywhere in a tree. A member that its kind of node does not
/// have is an error: ``PredicateArchiveError``. A decoded tree must pass a policy, as a decoded ``FormatPredicate`` must.
extension PredicateNode: Codable {
    public init(from decoder: any Decoder) throws {
        let policy = decoder.predicatePolicy
        self = try TreeReader(decoder, policy.limits).predicate()
        try policy.check(FormatPredicate(self))
    }

    public func encode(to encoder: any Encoder) throws { try encode(to: encoder, level: 1) }

    fileprivate func encode(to encoder: any Encoder, level: Int) throws {
        try TreeReader.check(level, .standard, encoder.codingPath)
        var members = encoder.container(keyedBy: TreeMember.self)
        switch self {
        case .constant(let value): try members.encode(value, forKey: "constant")
        case .comparison(let node) where node.operator.isSpelled:
            try node.encode(to: &members, node.operator.spelling, level)
        case .string(let node): try node.encode(to: &members, node.operator.spelling, level)
        case .compound(let compound) where compound.type == .not && compound.count == 1:
            try compound[0].encode(to: members.superEncoder(forKey: "not"), level: level + 1)
        case .compound(let compound) where compound.type != .not:
            var parts = members.nestedUnkeyedContainer(forKey: compound.type == .and ? "and" : "or")
            for part in compound.subpredicates { try part.encode(to: parts.superEncoder(), level: level + 1) }
        case .comparison, .compound, .block: try EncodedFormat(FormatPredicate(self)).encode(to: encoder)
        }
    }
}

/// An expression as JSON, as in a tree of ``PredicateNode``.
///
/// | expression | JSON |
/// |---|---|
/// | a constant | `{"int": 21}`, `{"string": "jo"}`, `{"nil": true}`, … |
/// | `home.city`, `$f.city` | `{"key": "home.city"}`, `{"key": "city", "of": {"variable": "f"}}` |
/// | `$f`, `SELF` | `{"variable": "f"}`, `{"self": true}` |
/// | `length:(name)`, `a + 1` | `{"function": "length:", "arguments": […]}`, `{"function": "add:to:", …}` |
/// | `{age, 65}` | `{"list": […]}` |
/// | `SUBQUERY(friends, $f, $f.age > 21)` | `{"subquery": …, "as": "f", "where": …}` |
/// | `TERNARY(a == 1, b, c)` | `{"if": …, "then": …, "else": …}` |
/// | any other, or text | `{"format": "CAST(born, %@)", "arguments": […]}`, `"born"` |
extension ExpressionNode: Codable {
    public init(from decoder: any Decoder) throws {
        let policy = decoder.predicatePolicy
        self = try TreeReader(decoder, policy.limits).expression()
        try policy.check(FormatExpression(self))
    }

    public func encode(to encoder: any Encoder) throws { try encode(to: encoder, level: 1) }

    fileprivate func encode(to encoder: any Encoder, level: Int) throws {
        try TreeReader.check(level, .standard, encoder.codingPath)
        if case .constantValue(let value) = self { return try value.encode(to: encoder) }
        var members = encoder.container(keyedBy: TreeMember.self)
        func encode(_ part: ExpressionNode, _ member: TreeMember) throws {
            try part.encode(to: members.superEncoder(forKey: member), level: level + 1)
        }
        func encode(_ parts: [ExpressionNode], _ member: TreeMember) throws {
            var list = members.nestedUnkeyedContainer(forKey: member)
            for part in parts { try part.encode(to: list.superEncoder(), level: level + 1) }
        }
        switch self {
        case .evaluatedObject: try members.encode(true, forKey: "self")
        case .variable(let name): try members.encode(name, forKey: "variable")
        case .keyPath(let path) where path.plainKeys != nil:
            try members.encode(path.plainKeys, forKey: "key")
            if let base = path.base { try encode(base, "of") }
        case .function(let call):
            try members.encode(call.function.name, forKey: "function")
            try encode(call.arguments, "arguments")
        case .aggregate(let elements): try encode(elements, "list")
        case .subquery(let subquery):
            try encode(subquery.collection, "subquery")
            try members.encode(subquery.variable, forKey: "as")
            try subquery.predicate.encode(to: members.superEncoder(forKey: "where"), level: level + 1)
        case .conditional(let choice):
            try choice.predicate.encode(to: members.superEncoder(forKey: "if"), level: level + 1)
            try encode(choice.trueExpression, "then")
            try encode(choice.falseExpression, "else")
        case .constantValue, .keyPath, .member, .message, .cast, .index, .symbol, .set, .assignment, .anyKey, .block,
            .fetch:
            try EncodedFormat(FormatExpression(self)).encode(to: encoder)
        }
    }
}

extension OperatorComparison {
    fileprivate func encode(
        to members: inout KeyedEncodingContainer<TreeMember>, _ spelling: String, _ level: Int
    ) throws {
        try members.encode(spelling, forKey: "operator")
        try members.encodeIfPresent(modifier.spelling, forKey: "quantifier")
        let letters = ComparisonOptions.letters.filter { options.contains($0.option) }.map { String($0.letter) }
        if !letters.isEmpty { try members.encode(letters.joined(), forKey: "options") }
        try leftExpression.encode(to: members.superEncoder(forKey: "left"), level: level + 1)
        try rightExpression.encode(to: members.superEncoder(forKey: "right"), level: level + 1)
    }
}

extension KeyPathExpression {
    /// The keys with dots between them; nil if the path has other components, or a key that contains a dot.
    fileprivate var plainKeys: String? {
        var keys: [String] = []
        for component in components {
            guard case .key(let name) = component, !name.isEmpty, !name.utf8.contains(UInt8(ascii: ".")) else {
                return nil
            }
            keys.append(name)
        }
        return keys.isEmpty ? nil : keys.joined(separator: ".")
    }
}

private struct TreeMember: CodingKey, ExpressibleByStringLiteral {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init(stringLiteral value: String) { stringValue = value }
    init?(intValue: Int) { nil }
}

/// The member that names the kind of a node.
private protocol NodeKind: RawRepresentable<String>, CaseIterable {
    /// The other members of a node of the kind.
    var parts: [String] { get }
}

private enum PredicateKind: String, NodeKind {
    case and, or, not, constant, `operator`, format

    var parts: [String] {
        switch self {
        case .and, .or, .not, .constant: []
        case .operator: ["left", "right", "options", "quantifier"]
        case .format: ["arguments"]
        }
    }
}

private enum ExpressionKind: String, NodeKind {
    case key, variable, `self`, function, list, subquery, `if`, format

    var parts: [String] {
        switch self {
        case .variable, .self, .list: []
        case .key: ["of"]
        case .function, .format: ["arguments"]
        case .subquery: ["as", "where"]
        case .if: ["then", "else"]
        }
    }
}

/// A node of a tree that is being read from JSON.
private struct TreeReader {
    private let decoder: any Decoder
    private let level: Int
    private let limits: PredicateLimits
    /// The members of an object, kept because a decoder gathers them anew each time; nil for any other JSON.
    private let object: KeyedDecodingContainer<TreeMember>?

    init(_ decoder: any Decoder, _ limits: PredicateLimits, level: Int = 1) throws {
        try Self.check(level, limits, decoder.codingPath)
        (self.decoder, self.limits, self.level) = (decoder, limits, level)
        object = try? decoder.container(keyedBy: TreeMember.self)
    }

    static func check(_ level: Int, _ limits: PredicateLimits, _ path: [any CodingKey]) throws {
        if level > limits.nesting { throw PredicateArchiveError(.nesting(limit: limits.nesting), at: path) }
    }

    func predicate() throws -> PredicateNode {
        switch try kind(of: PredicateKind.self) {
        case .and: .compound(CompoundPredicate(.and, try list("and") { try $0.predicate() }))
        case .or: .compound(CompoundPredicate(.or, try list("or") { try $0.predicate() }))
        case .not: .compound(CompoundPredicate(.not, [try part("not").predicate()]))
        case .constant: .constant(try members.decode(Bool.self, forKey: "constant"))
        case .operator: try comparison()
        case .format, nil: try EncodedFormat(from: decoder).predicate(limits).node
        }
    }

    func expression() throws -> ExpressionNode {
        if let value = try value() { return .constantValue(value) }
        switch try kind(of: ExpressionKind.self) {
        case .key:
            let (base, keys) = (try optionalPart("of")?.expression(), try text("key"))
            return .keyPath(KeyPathExpression(base: base, keys: keys))
        case .variable: return .variable(try text("variable"))
        case .self: return .evaluatedObject
        case .function:
            let arguments = try list("arguments") { try $0.expression() }
            return .function(FunctionExpression(FunctionExpression.Name(try text("function")), arguments))
        case .list: return .aggregate(of: try list("list") { try $0.expression() })
        case .subquery:
            let (collection, condition) = (try part("subquery").expression(), try part("where").predicate())
            return .subquery(SubqueryExpression(collection, variable: try text("as"), predicate: condition))
        case .if:
            let (first, second) = (try part("then").expression(), try part("else").expression())
            return .conditional(ConditionalExpression(try part("if").predicate(), true: first, false: second))
        case .format, nil: return try EncodedFormat(from: decoder).expression(limits).node
        }
    }

    /// A constant; nil if no member names a kind of value.
    private func value() throws -> PredicateValue? {
        let names = object?.allKeys.map(\.stringValue) ?? []
        guard let kind = names.first(where: { PredicateValue.ArchivedKind(rawValue: $0) != nil }) else { return nil }
        try check(names, known: [kind])
        return try PredicateValue(from: decoder)
    }

    private func check(_ names: [String], known: [String]) throws {
        guard let other = names.sorted().first(where: { !known.contains($0) }) else { return }
        throw PredicateArchiveError(.member(other, known: known), at: decoder.codingPath)
    }

    private func comparison() throws -> PredicateNode {
        let (left, right) = (try part("left").expression(), try part("right").expression())
        let spelling = try text("operator")
        let modifier = try quantifier()
        let options = try options()
        if let own = StringOperator.allCases.first(where: { $0.spelling == spelling }) {
            return .string(StringPredicate(left, own, right, modifier: modifier, options: options))
        }
        let operators = ComparisonOperator.spelled + (spelling.hasSuffix(":") ? [.customSelector(spelling)] : [])
        guard let own = operators.first(where: { $0.spelling == spelling }) else {
            let known = ComparisonOperator.spelled.map(\.spelling) + StringOperator.allCases.map(\.spelling)
            throw unknown(spelling, in: "operator", known)
        }
        return .comparison(ComparisonPredicate(left, own, right, modifier: modifier, options: options))
    }

    private func quantifier() throws -> ComparisonModifier {
        guard let word = try members.decodeIfPresent(String.self, forKey: "quantifier") else { return .direct }
        let quantifiers = ComparisonModifier.allCases
        guard let own = quantifiers.first(where: { $0.spelling == word }) else {
            throw unknown(word, in: "quantifier", quantifiers.compactMap(\.spelling))
        }
        return own
    }

    private func options() throws -> ComparisonOptions {
        let letters = try members.decodeIfPresent(String.self, forKey: "options") ?? ""
        return try letters.unicodeScalars.reduce(into: []) { options, letter in
            guard let entry = ComparisonOptions.letters.first(where: { $0.letter == letter }) else {
                throw unknown(String(letter), in: "options", ComparisonOptions.letters.map { String($0.letter) })
            }
            options.insert(entry.option)
        }
    }

    private func unknown(_ word: String, in member: TreeMember, _ known: [String]) -> PredicateArchiveError {
        PredicateArchiveError(.word(word, known: known), at: decoder.codingPath + [member])
    }

    // MARK: Members

    private var members: KeyedDecodingContainer<TreeMember> {
        get throws { if let object { object } else { try decoder.container(keyedBy: TreeMember.self) } }
    }

    /// The kind of the node, after a check of its members; nil for text.
    private func kind<Kind: NodeKind>(of: Kind.Type) throws -> Kind? {
        if object == nil, (try? decoder.singleValueContainer().decode(String.self)) != nil { return nil }
        let names = try members.allKeys.map(\.stringValue)
        let kinds = Kind.allCases.filter { names.contains($0.rawValue) }
        guard let kind = kinds.first, kinds.count == 1 else {
            throw PredicateArchiveError(.kind(of: Kind.allCases.map(\.rawValue)), at: decoder.codingPath)
        }
        try check(names, known: [kind.rawValue] + kind.parts)
        return kind
    }

    private func text(_ member: TreeMember) throws -> String { try members.decode(String.self, forKey: member) }

    private func part(_ member: TreeMember) throws -> TreeReader {
        if let part = try optionalPart(member) { return part }
        let words = "expected the member '\(member.stringValue)'"
        let context = DecodingError.Context(codingPath: decoder.codingPath, debugDescription: words)
        throw DecodingError.keyNotFound(member, context)
    }

    private func optionalPart(_ member: TreeMember) throws -> TreeReader? {
        guard try members.contains(member) else { return nil }
        return try TreeReader(try members.superDecoder(forKey: member), limits, level: level + 1)
    }

    private func list<Part>(_ member: TreeMember, _ read: (TreeReader) throws -> Part) throws -> [Part] {
        var list = try members.nestedUnkeyedContainer(forKey: member)
        var parts: [Part] = []
        while !list.isAtEnd { parts.append(try read(TreeReader(list.superDecoder(), limits, level: level + 1))) }
        return parts
    }
}

extension ComparisonOperator {
    /// True for an operator that its spelling identifies; a selector ends with a colon.
    fileprivate var isSpelled: Bool { Self.spelled.contains(self) || spelling.hasSuffix(":") }
}
