/// The lists of `--keys`, `--sum` and others: `name, price * quantity AS total, max({a, b}) AS "the larger"`.
package enum OutputList {
    /// Returns the items of a list, without surrounding blanks. Commas in parentheses and strings do not separate items.
    ///
    /// In a list with an unclosed string, such as `driver's name,age`, every comma separates.
    package static func items(_ list: String) -> [String] {
        let marks = Scan(list)
        let scalars = Array(list.unicodeScalars)
        let commas = scalars.indices.filter { scalars[$0] == "," && (marks.isOpen || marks.depths[$0] == 0) }
        var items: [String] = []
        var start = 0
        for comma in commas + [scalars.count] {
            items.append(text(scalars[start..<comma]).trimmed)
            start = comma + 1
        }
        return items
    }

    /// Returns true if a text is a name with parentheses that close at the end of the text; false for `(a) + (b)`.
    package static func isCall(_ text: String) -> Bool {
        let depths = Scan(text).depths.drop { $0 == 0 }
        return text.hasSuffix(")") && text.first != "(" && depths.dropLast().allSatisfy { $0 > 0 }
    }

    /// Divides a setting at the first equals sign outside of parentheses and strings: `user=users.csv:id`
    package static func assignment(_ setting: String) -> (name: String, value: String)? {
        let scalars = Array(setting.unicodeScalars)
        let marks = Scan(setting)
        guard let sign = scalars.indices.first(where: { scalars[$0] == "=" && marks.depths[$0] == 0 }) else {
            return nil
        }
        return (text(scalars[..<sign]).trimmed, text(scalars[(sign + 1)...]))
    }

    /// Divides an item into the expression and the name after AS; the name is nil if there is no AS.
    package static func divided(_ item: String) -> (text: String, name: String?) {
        guard let (text, last) = divided(item, at: "as"), let name = name(last) else { return (item, nil) }
        return (text, name)
    }

    /// Divides a text at the last occurrence of a word outside parentheses and strings: `price BY city` at `by`; nil if there
    /// is none.
    package static func divided(_ text: String, at word: String) -> (before: String, after: String)? {
        let marks = Scan(text)
        let scalars = Array(text.unicodeScalars)
        let length = word.unicodeScalars.count
        let isBlank = { (scalar: Unicode.Scalar) in scalar == " " || scalar == "\t" || scalar == "\n" }
        guard !marks.isOpen, scalars.count > length + 2 else { return nil }
        for index in stride(from: scalars.count - length - 2, to: 0, by: -1)
        where marks.depths[index] == 0 && isBlank(scalars[index]) && isBlank(scalars[index + length + 1])
            && Self.text(scalars[index + 1..<index + 1 + length]).lowercased() == word
        {
            return (Self.text(scalars[..<index]).trimmed, Self.text(scalars[(index + length + 2)...]).trimmed)
        }
        return nil
    }

    /// Returns a name without its quotes; nil for an unquoted name that contains blanks.
    private static func name(_ text: String) -> String? {
        if let quote = text.first, quote == "\"" || quote == "'" {
            guard text.count > 2, text.last == quote else { return nil }
            return String(text.dropFirst().dropLast())
        }
        return text.isEmpty || text.contains(where: \.isWhitespace) ? nil : text
    }

    private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        String(String.UnicodeScalarView(scalars))
    }

    /// The nesting depth of each code point in parentheses and strings.
    private struct Scan {
        private(set) var depths: [Int] = []
        private(set) var isOpen = false

        init(_ text: String) {
            var depth = 0
            var quote: Unicode.Scalar?
            var isEscaped = false
            for scalar in text.unicodeScalars {
                if let open = quote {
                    depths.append(depth + 1)
                    if scalar == open, !isEscaped { quote = nil }
                    isEscaped = scalar == "\\" && !isEscaped
                    continue
                }
                switch scalar {
                case "\"", "'": quote = scalar
                case "(", "[", "{": depth += 1
                case ")", "]", "}": depth -= 1
                default: break
                }
                depths.append(quote == nil ? depth : depth + 1)
            }
            isOpen = quote != nil || depth != 0
        }
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
