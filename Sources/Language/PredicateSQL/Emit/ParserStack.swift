/// The depth of a database parser's stack while it reads a statement.
///
/// `a OR (b AND c)`: `a`, `OR`, `(`, `b`, `AND` are on the stack when `c` is read.
///
/// A parser keeps what it cannot reduce yet on a stack of limited size: SQLite's has a hundred entries. This type
/// simulates such a parser on generated SQL, as far as necessary, and never counts too few entries.
struct ParserStack {
    /// An unfinished part of the statement.
    private struct Entry {
        enum Kind { case parenthesis, call, select, choice, range, binary, prefix }

        let kind: Kind
        /// The precedence of an operator; 0 for a part that only a keyword or a parenthesis ends.
        let binding: Int
        /// The number of stack entries that it takes.
        var weight: Int
    }

    /// The kind of the last token.
    private enum Previous { case opening, operand, sameness, distinct }

    /// The precedences, from the lowest.
    private enum Binding {
        static let or = 1
        static let and = 2
        static let not = 3
        static let comparison = 4
        static let bits = 5
        static let sum = 6
        static let product = 7
        static let prefix = 8
    }

    private var entries: [Entry] = []
    private var total = 0
    private var previous = Previous.opening
    private(set) var deepest = 0

    /// The entries of an operand: alias, dot and name.
    private static let operandWeight = 3

    init(_ statement: [UInt8]) {
        var rest = statement[...]
        while let byte = rest.first { read(byte, &rest) }
    }
}

// MARK: - Tokens

extension ParserStack {
    private typealias Bytes = ArraySlice<UInt8>

    private mutating func read(_ byte: UInt8, _ rest: inout Bytes) {
        switch byte {
        case UInt8(ascii: " "): rest.removeFirst()
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            rest.removeFirst()
            rest = rest.drop { $0 != byte }.dropFirst()
            readOperand()
        case UInt8(ascii: "("):
            rest.removeFirst()
            open()
        case UInt8(ascii: ")"):
            rest.removeFirst()
            close()
        case UInt8(ascii: ","):
            rest.removeFirst()
            readComma()
        case _ where Self.isWord(byte):
            let word = Self.take(&rest, while: Self.isWord)
            // Most words are names and placeholders.
            if word.allSatisfy(Self.isLetter) { read(word: Self.text(word)) } else { readOperand() }
        default: read(sign: Self.text(Self.take(&rest) { !Self.isWord($0) && !" \"'(),".utf8.contains($0) }))
        }
    }

    private static func take(_ rest: inout Bytes, while belongs: (UInt8) -> Bool) -> Bytes {
        let token = rest.prefix(while: belongs)
        rest = rest.dropFirst(token.count)
        return token
    }

    private static func text(_ token: Bytes) -> String { String(decoding: token, as: UTF8.self).uppercased() }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    /// Returns true for letters, digits, and the characters of placeholders and qualified names.
    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "?"),
            UInt8(ascii: "$"), 0x80...:
            true
        default: false
        }
    }

    private mutating func read(word: String) {
        switch word {
        case "OR": push(operator: Binding.or)
        case "AND": readAnd()
        case "SELECT": push(.select, 0, 4)
        case "FROM" where previous == .distinct: previous = .opening
        case "FROM", "JOIN": turn(.select, 8)
        case "WHERE": turn(.select, 5)
        case "ON": turn(.select, 10)
        case "ORDER", "GROUP", "HAVING", "LIMIT", "OFFSET": turn(.select, 11)
        case "CASE": push(.choice, 0, 2)
        case "WHEN", "ELSE": turn(.choice, 4)
        case "THEN": turn(.choice, 6)
        case "END": end(.choice)
        case "NOT": readNot()
        case "BETWEEN": push(operator: Binding.comparison, .range, 4)
        case "IS":
            push(operator: Binding.comparison)
            previous = .sameness
        case "DISTINCT": previous = .distinct
        case "EXISTS": push(.prefix, Binding.prefix, 1)
        case "IN", "LIKE", "GLOB", "REGEXP", "MATCH", "ILIKE", "SIMILAR": push(operator: Binding.comparison)
        case "ESCAPE": push(.binary, Binding.comparison, 2)
        case "AS", "BY", "ASC", "DESC", "LEFT", "CROSS", "INNER", "OUTER": break
        default: readOperand()
        }
    }

    /// Reads AND. The AND of a BETWEEN is not a conjunction.
    private mutating func readAnd() {
        finish(from: Binding.comparison + 1)
        guard let last = entries.last, last.kind == .range else { return push(operator: Binding.and) }
        entries[entries.count - 1] = Entry(kind: .binary, binding: last.binding, weight: last.weight)
        previous = .opening
    }

    /// Reads the NOT of `NOT a`, but not of `a IS NOT b` and `a NOT IN (b)`.
    private mutating func readNot() {
        switch previous {
        case .opening, .distinct: push(.prefix, Binding.not, 1)
        case .operand, .sameness: break
        }
    }

    private mutating func read(sign: String) {
        switch sign {
        case "::": break
        case "*" where previous != .operand: readOperand()
        case "-", "+", "~":
            if previous == .operand { push(operator: Binding.sum) } else { push(.prefix, Binding.prefix, 1) }
        case "*", "/", "%": push(operator: Binding.product)
        case "&", "|", "<<", ">>": push(operator: Binding.bits)
        case "=", "<", "<=", ">", ">=", "<>", "!=", "==": push(operator: Binding.comparison)
        default: push(.binary, Binding.prefix, 2)
        }
    }
}

// MARK: - Entries

extension ParserStack {
    private mutating func readOperand() {
        deepest = max(deepest, total + Self.operandWeight)
        previous = .operand
    }

    private mutating func push(_ kind: Entry.Kind, _ binding: Int, _ weight: Int) {
        entries.append(Entry(kind: kind, binding: binding, weight: weight))
        total += weight
        deepest = max(deepest, total)
        previous = .opening
    }

    /// Pushes an operator with its left operand. Earlier operators of the same precedence are reduced.
    private mutating func push(operator binding: Int, _ kind: Entry.Kind = .binary, _ weight: Int = 2) {
        finish(from: binding)
        push(kind, binding, weight)
    }

    /// Reads an opening parenthesis, with the function's name before it.
    private mutating func open() {
        switch previous {
        case .operand: push(.call, 0, 3)
        case .opening, .sameness, .distinct: push(.parenthesis, 0, 1)
        }
    }

    /// Reads a comma: the part before it is a list.
    private mutating func readComma() {
        finish(from: 1)
        switch entries.last?.kind {
        case .parenthesis: turn(.parenthesis, 3)
        case .call: turn(.call, 5)
        case .select, .choice, .range, .binary, .prefix, nil: previous = .opening
        }
    }

    private mutating func close() {
        while let last = entries.last, last.kind != .parenthesis, last.kind != .call { pop() }
        end(entries.last?.kind ?? .call)
    }

    /// Reduces the operators that bind at least as tightly as `binding`.
    private mutating func finish(from binding: Int) {
        while let last = entries.last, last.binding >= binding { pop() }
    }

    private mutating func pop() {
        total -= entries.removeLast().weight
    }

    /// Starts the next part of a SELECT or CASE in the same parentheses.
    private mutating func turn(_ kind: Entry.Kind, _ weight: Int) {
        finish(from: 1)
        if let last = entries.last, last.kind == kind {
            pop()
            push(kind, 0, weight)
        }
        previous = .opening
    }

    private mutating func end(_ kind: Entry.Kind) {
        while let last = entries.last, last.kind != kind { pop() }
        if !entries.isEmpty { pop() }
        previous = .operand
    }
}
