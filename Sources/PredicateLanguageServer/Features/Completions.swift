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

    /// `keys` are those of the project's models, `used` and `variables` are of the other formats of the document.
    init(after prefix: String, keys: SchemaKeys?, used: Set<String>, variables: Set<String>) {
        guard FormatToken.tokens(of: prefix).last?.kind != .openString else { return }
        let place = KeyWord(endOf: prefix)
        if place.word.hasPrefix("$"), place.isAlone {
            length = place.word.utf8.count
            items = variables.sorted().map { CompletionItem(label: "$" + $0, kind: .variable) }
            return
        }
        length = place.last.utf8.count
        if place.last.hasPrefix("@") {
            items = CollectionOperator.allCases.map { CompletionItem(label: $0.rawValue, kind: .operator) }
            return
        }
        items = Self.keys(after: place.path, keys, used)
        guard place.isAlone else { return }
        items += Keyword.allCases.map { CompletionItem(label: $0.rawValue, kind: .keyword) } + Self.functions
    }

    /// The keys of the models, and those that other formats of the document use.
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

    private static let functions = FunctionExpression.Predefined.allCases.map { function in
        let takesList = function.arity.upperBound == 1 || function.arity.upperBound == .max
        let name = takesList ? String(function.rawValue.dropLast()) : function.rawValue
        return CompletionItem(label: name + "(", kind: .function)
    }
}
