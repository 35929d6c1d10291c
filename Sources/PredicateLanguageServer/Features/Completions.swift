import PredicateChecks
import PredicateSyntax

/// A word that may stand at the cursor.
struct CompletionItem: Hashable {
    /// The numbers of the protocol.
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

/// The words that may stand at the end of an unfinished format.
struct Completions {
    /// The bytes before the cursor that a word replaces.
    private(set) var length = 0
    private(set) var items: [CompletionItem] = []

    /// Items of one kind that are sent at most.
    private static let most = 500
    /// The characters that end a word; dots do not, so that the path before a key is known.
    private static let breaks: Set<Character> = Set(" \t\n\r\"'`<>=;|&{}(),[]!+-*/^~?%")

    init(after prefix: String, keys: any KeyCatalog, entity: String?, used: Set<String>, variables: Set<String>) {
        guard FormatToken.tokens(of: prefix).last?.kind != .openString else { return }
        let word = String(prefix.reversed().prefix { !Self.breaks.contains($0) }.reversed())
        if word.hasPrefix("$"), !word.contains(".") {
            length = word.utf8.count
            items = variables.sorted().map { CompletionItem(label: "$" + $0, kind: .variable) }
            return
        }
        let parts = word.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let last = parts.last ?? ""
        length = last.utf8.count
        if last.hasPrefix("@") {
            items = CollectionOperator.allCases.map { CompletionItem(label: $0.rawValue, kind: .operator) }
            return
        }
        let path = Array(parts.dropLast())
        items = Self.keys(after: path, keys, entity, used)
        guard path.isEmpty else { return }
        items += Keyword.allCases.map { CompletionItem(label: $0.rawValue, kind: .keyword) } + Self.functions
    }

    /// The keys of the model, and those that other formats of the document use.
    private static func keys(
        after path: [String], _ catalog: any KeyCatalog, _ entity: String?, _ used: Set<String>
    ) -> [CompletionItem] {
        let start = path.first == "SELF" || path.first == "self" ? Array(path.dropFirst()) : path
        let known = catalog.keys(after: start, entity: entity)
        var seen = Set(known.map(\.name))
        let prefix = start.map { $0 + "." }.joined()
        let others = used.filter { $0.hasPrefix(prefix) }.compactMap {
            $0.dropFirst(prefix.count).split(separator: ".").first.map(String.init)
        }.filter { !$0.hasPrefix("@") && seen.insert($0).inserted }
        let items =
            known.map { CompletionItem(label: $0.name, kind: .property, detail: $0.detail) }
            + others.sorted().map { CompletionItem(label: $0, kind: .property) }
        return Array(items.prefix(most))
    }

    private static let functions = FunctionExpression.Predefined.allCases.map { function in
        let takesList = function.arity.upperBound == 1 || function.arity.upperBound == .max
        let name = takesList ? String(function.rawValue.dropLast()) : function.rawValue
        return CompletionItem(label: name + "(", kind: .function)
    }
}

/// The keys of the objects that predicates of a project are about.
protocol KeyCatalog: Sendable {
    /// The keys of an entity, or of all entities, behind a path of relationships, in the order of their names.
    func keys(after path: [String], entity: String?) -> [CatalogKey]
}

/// A key, and what it holds: `Integer 32`, `to many Order`.
struct CatalogKey: Hashable {
    var name: String
    var detail: String?
}

/// No keys: a project without a model.
struct EmptyCatalog: KeyCatalog {
    func keys(after path: [String], entity: String?) -> [CatalogKey] { [] }
}
