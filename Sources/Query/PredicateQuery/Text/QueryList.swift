/// The lists of `--keys`, `--sum` and others: `name, price * quantity AS total, max({a, b}) AS "the larger"`.
package enum OutputList {
    /// Returns the items of a list, without surrounding blanks. Commas in parentheses and strings do not separate items.
    ///
    /// In a list with an unclosed string, such as `driver's name,age`, every comma separates.
    package static func items(_ list: String) -> [String] {
        let tokens = QueryTokens(list)
        if tokens.isOpen {
            return list.split(separator: ",", omittingEmptySubsequences: false).map { String($0).trimmed }
        }
        let commas = tokens.entries.indices.filter { tokens.isSymbol(.comma, $0) && tokens.entries[$0].depth == 0 }
        let places = commas.map { tokens.entries[$0].range }
        let starts = [0] + places.map(\.upperBound)
        return zip(starts, places.map(\.lowerBound) + [tokens.length]).map { tokens.text($0..<$1).trimmed }
    }

    /// Returns true if a text is a name with parentheses that close at the end of the text; false for `(a) + (b)`.
    package static func isCall(_ text: String) -> Bool {
        let depths = QueryTokens(text).entries.map(\.depth).drop { $0 == 0 }
        return text.hasSuffix(")") && text.first != "(" && depths.dropLast().allSatisfy { $0 > 0 }
    }

    /// Divides a setting at the first equals sign outside of parentheses and strings: `user=users.csv:id`
    package static func assignment(_ setting: String) -> (name: String, value: String)? {
        let tokens = QueryTokens(setting)
        let sign = tokens.entries.first { $0.depth == 0 && tokens.text($0.range).hasPrefix("=") }
        return sign.map { sign in
            let end = sign.range.lowerBound
            return (tokens.text(0..<end).trimmed, tokens.text(end + 1..<tokens.length))
        }
    }

    /// Divides an item into the expression and the name after AS; the name is nil if there is no AS.
    package static func divided(_ item: String) -> (text: String, name: String?) {
        guard let (text, last) = divided(item, at: "AS"), let name = name(last) else { return (item, nil) }
        return (text, name)
    }

    /// Divides a text at the last occurrence of a word outside parentheses and strings: `price BY city` at `BY`; nil if there
    /// is none.
    package static func divided(_ text: String, at word: String) -> (before: String, after: String)? {
        let tokens = QueryTokens(text)
        guard !tokens.isOpen, let (before, after) = tokens.divided(tokens.entries.indices, at: word), !after.isEmpty
        else {
            return nil
        }
        return (tokens.text(tokens.range(before)), tokens.text(tokens.range(after)))
    }

    /// Returns a name without its quotes: `a`, `"the average"`, `net-price`; nil for an unquoted name that contains blanks.
    static func name(_ text: String) -> String? {
        if let text = text.unquoted { return text.isEmpty ? nil : text }
        return text.isEmpty || text.contains { $0.isWhitespace || $0 == "\"" || $0 == "'" } ? nil : text
    }
}

extension String {
    /// The string without white space at both ends.
    package var trimmed: String {
        var rest = self[...]
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}
