import PredicateChecks
import PredicateLint
import PredicateModel
import PredicateSyntax

/// The hover text for a format string: its canonical form and its tree, or its error, and the type of the key under
/// the pointer.
enum Hover {
    /// The maximum length of the canonical form and of the tree, in characters.
    private static let longest = 4_000

    /// `word` is the word under the pointer, `keys` are the keys of the project's models.
    static func markdown(of site: FormatSite, _ word: UnfinishedFormat?, _ keys: SchemaKeys?) -> String {
        let tree = tree(of: site)
        guard let word, let detail = keys?.detail(of: word.path + [word.key]) else { return tree }
        return "`\(word.key)`: \(detail)\n\n" + tree
    }

    private static func tree(of site: FormatSite) -> String {
        switch site.parse {
        case .predicate(let predicate): text(predicate.predicateFormat, TreeDump(predicate.node), site)
        case .expression(let expression): text(expression.expressionFormat, TreeDump(expression.node), site)
        case .failure(let error): block(error.description)
        }
    }

    private static func text(_ canonical: String, _ tree: TreeDump, _ site: FormatSite) -> String {
        let count = FormatPredicate.specifiers(in: site.parsed.text).count
        let note = count == 0 ? [] : ["Arguments are numbered from left to right."]
        let holes = site.text.hasHoles ? ["Interpolated values are replaced by stand-ins."] : []
        return ([block(canonical), block(tree.description)] + note + holes).joined(separator: "\n\n")
    }

    /// A code block that displays its contents verbatim.
    private static func block(_ text: String) -> String {
        let shown = text.count > longest ? text.prefix(longest) + "…" : text[...]
        var fence = "```"
        while shown.contains(fence) { fence += "`" }
        return "\(fence)text\n\(shown)\n\(fence)"
    }
}

/// A completion that an editor offers at the cursor.
struct CompletionItem: Hashable {
    /// Numbers defined by the protocol.
    enum Kind: Int64 {
        case function = 3
        case variable = 6
        case property = 10
        case keyword = 14
        case `operator` = 24
    }

    var label: String
    var kind: Kind
    var detail: String?
}

/// The completions at the end of an incomplete format.
struct Completions {
    /// The number of bytes before the cursor that a completion replaces.
    private(set) var length = 0
    private(set) var items: [CompletionItem] = []

    /// The maximum number of items of one kind.
    private static let most = 500

    /// `keys` are the keys of the project's models; `used` and `variables` come from the other formats of the document.
    init(after prefix: String, keys: SchemaKeys?, used: Set<String>, variables: Set<String>) {
        let format = UnfinishedFormat(prefix)
        guard format.openString == nil else { return }
        length = format.key.utf8.count
        if format.key.hasPrefix("$"), format.isSingleKey {
            items = variables.sorted().map { CompletionItem(label: "$" + $0, kind: .variable) }
            return
        }
        if format.key.hasPrefix("@") {
            items = KeyPathOperator.allCases.map { CompletionItem(label: $0.rawValue, kind: .operator) }
            return
        }
        items = Self.keys(after: format.path, keys, used)
        guard format.isSingleKey else { return }
        items += format.keywords.map { CompletionItem(label: $0, kind: .keyword) }
        items += UnfinishedFormat.functions.map { CompletionItem(label: $0, kind: .function) }
    }

    /// Keys of the models, and keys that other formats of the document use.
    private static func keys(after path: [String], _ keys: SchemaKeys?, _ used: Set<String>) -> [CompletionItem] {
        let known = keys?.keys(after: path) ?? []
        var seen = Set(known.map(\.name))
        let prefix = path.map { $0 + "." }.joined()
        let others = used.filter { $0.hasPrefix(prefix) }.compactMap {
            $0.dropFirst(prefix.count).split(separator: ".").first.map(String.init)
        }.filter { !$0.hasPrefix("@") && seen.insert($0).inserted }
        let items =
            known.map { CompletionItem(label: $0.name, kind: .property, detail: $0.detail) }
            + others.sorted().map { CompletionItem(label: $0, kind: .property) }
        return Array(items.prefix(most))
    }
}

/// The possible keys of a predicate, according to the data models of its project.
struct SchemaKeys {
    let schema: any PredicateSchema
    /// The entity of the predicate, or all entities if the source does not show it.
    private let entities: [String]

    /// A key and its type: `Integer 32`, `to many Order`
    struct Key: Hashable {
        var name: String
        var detail: String?
    }

    /// `names` are the entities of the project.
    init(_ schema: any PredicateSchema, names: [String], entity: String?) {
        self.schema = schema
        entities = entity.flatMap(schema.entity).map { [$0] } ?? names
    }

    /// The possible keys after a path, sorted by name: keys of objects or of plain values.
    func keys(after path: [String]) -> [Key] {
        var found: [String: Key] = [:]
        for type in types(of: path) {
            for key in keys(of: type) where found[key.name] == nil { found[key.name] = key }
        }
        return found.values.sorted { $0.name < $1.name }
    }

    private func keys(of type: KnownType) -> [Key] {
        if let entity = type.entity {
            return schema.keys(of: entity).map { Key(name: $0, detail: schema.property($0, of: entity)?.typeName) }
        }
        return type.kinds.flatMap { kind in
            kind.keys.map { Key(name: $0, detail: kind.key($0)?.result?.rawValue) }
        }
    }

    /// The type of the last key of a path: `Integer 32`, `number`; nil if it is unknown or differs between entities.
    func detail(of path: [String]) -> String? {
        let details = Set(
            types(of: path).map { type in
                type.property?.typeName ?? (type.kinds.count == 1 ? type.kinds.first?.rawValue : nil)
            })
        return details.count == 1 ? details.first ?? nil : nil
    }

    /// The type of a path in each entity that has it.
    private func types(of path: [String]) -> [KnownType] {
        entities.map { CheckScope(schema, entity: $0).type(at: path) }.filter {
            !$0.kinds.isEmpty || $0.property != nil
        }
    }
}

extension OpenDocument {
    /// The quick fixes for a range of the document, in the form of the protocol.
    func codeActions(_ range: Range<Int>, uri: String) -> [PredicateValue] {
        let near = analysis.fixes.filter {
            $0.range.lowerBound <= range.upperBound && range.lowerBound <= $0.range.upperBound
        }
        return near.map { near in
            let edits = near.fix.edits.map { edit in
                PredicateValue.object(["range": value(of: edit.range), "newText": .string(edit.replacement)])
            }
            let mended = analysis.problems.filter { $0.range.overlaps(near.range) }.map(diagnostic)
            return .object([
                "title": .string(near.fix.title), "kind": .string("quickfix"),
                "isPreferred": .bool(near.fix.isCertain), "diagnostics": .array(mended),
                "edit": .object(["changes": .object([uri: .array(edits)])]),
            ])
        }
    }

    /// The mistakes in the document, in the form of the protocol.
    var diagnostics: [PredicateValue] { analysis.problems.map(diagnostic) }

    private func diagnostic(_ problem: LintFinding) -> PredicateValue {
        let lines = [problem.message] + problem.hints.map { "hint: \($0)" }
        let severity: Int64 =
            switch problem.level {
            case .error: 1
            case .warning: 2
            case .note: 3
            }
        return .object([
            "range": value(of: problem.range), "severity": .integer(severity), "source": .string("predicate"),
            "code": .string(problem.rule.rawValue), "message": .string(lines.joined(separator: "\n")),
        ])
    }

    /// A range of bytes as lines and columns.
    func value(of range: Range<Int>) -> PredicateValue {
        let (start, end) = (text.position(of: range.lowerBound), text.position(of: range.upperBound))
        return .object(["start": start.value, "end": end.value])
    }
}
