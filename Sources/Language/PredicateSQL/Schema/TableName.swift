import PredicateSyntax

/// The name of a table, with that of its schema if the connection does not search that schema: `sales.orders`
package struct TableName: Hashable, Sendable {
    package let schema: String?
    package let table: String

    package init(_ table: String, in schema: String?) { (self.schema, self.table) = (schema, table) }

    /// Reads a name as SQL writes it: `orders`, `sales.orders`. A name with a dot of its own is in double quotes,
    /// `sales."odd.md"`. nil for anything else.
    package init?(_ text: String) {
        var parts: [String] = [""]
        var (isQuoted, rest) = (false, Substring(text))
        while let character = rest.popFirst() {
            switch character {
            case "\"" where isQuoted && rest.first == "\"": parts[parts.count - 1].append(rest.removeFirst())
            case "\"": isQuoted.toggle()
            case "." where !isQuoted: parts.append("")
            default: parts[parts.count - 1].append(character)
            }
        }
        guard !isQuoted, parts.count < 3, !parts.contains("") else { return nil }
        self.init(parts[parts.count - 1], in: parts.count > 1 ? parts[0] : nil)
    }

    /// `"sales"."orders"`
    package var quoted: SQLText { schema.map { "\(name: $0).\(name: table)" } ?? "\(name: table)" }

    /// `sales.orders`
    package var words: String { schema.map { "\($0).\(table)" } ?? table }
}
