import PredicateData
import PredicateEvaluation
import PredicateJSON
import PredicateSession
import PredicateSyntax

/// A value of each record that is written, or that sorts or groups: a column, a key path or an expression.
///
/// `age`, `dept.name`, `tags.@count AS n`, `price * quantity AS total`; `v1\.0` is one key.
///
/// A column or key that is spelled like the expression comes first: `dep-delay`, `price (EUR)`.
struct OutputValue {
    /// The item of the option as it was written, which may be the name of a column.
    let spelling: String
    /// What stands before AS.
    let text: String
    /// The name of the column that is written: what stands after AS, or else the text.
    let name: String
    /// The root keys to read from records: the spelling, in case a column has this name, and the keys of the value;
    /// nil if it may need any key.
    let roots: Set<String>?
    private let content: Content
    /// The names of records of other files, which are no columns.
    private let lookups: Set<String>

    private enum Content {
        case path([String])
        /// A key path with a collection operator, or an expression.
        case computed(ExpressionEvaluator, isPath: Bool)
        /// Text that is no expression, with the error, which is reported unless a column has this name.
        case invalid(CommandFailure)
    }

    /// Creates the value of an item of a list: `price * quantity AS total`. A path of a key in `lookups` leads through
    /// another file, so that it is computed.
    init(_ item: String, limits: PredicateLimits = .standard, lookups: Set<String> = []) {
        let (text, name) = OutputList.divided(item)
        (spelling, self.text, self.lookups) = (item, text, lookups)
        content = Self.content(text, limits, lookups)
        self.name = name ?? (text.hasPrefix("#") ? Self.pathName(content) : nil) ?? text
        switch content {
        case .path(let keys): roots = [item, text, keys.first ?? text]
        case .computed(let evaluator, _): roots = RootKeys.names(of: evaluator.expression.node)?.union([item, text])
        case .invalid: roots = [item]
        }
    }

    /// `first name` for `#"first name"`
    private static func pathName(_ content: Content) -> String? {
        if case .path(let keys) = content { keys.joined(separator: ".") } else { nil }
    }

    private static func content(_ text: String, _ limits: PredicateLimits, _ lookups: Set<String>) -> Content {
        let keys = RecordsPath.keys(text)
        if keys.count > 1, lookups.contains(keys[0]) {
            return content(FormatExpression(.keyPath(KeyPathExpression(keys.map { .key($0) }))), limits)
        }
        if keys.allSatisfy(isPlainKey) { return .path(keys) }
        do throws(PredicateFormatError) {
            let expression = try expression(text, FormatOptions(surplusArguments: .refused, limits: limits))
            if case .keyPath(let path) = expression.node, let keys = keysOnly(path) { return .path(keys) }
            return content(expression, limits)
        } catch {
            return text.contains(where: "()[]{}+*/<>=\"'%$&|^~,@#".contains) ? .invalid(.format(error)) : .path(keys)
        }
    }

    /// Parses an expression. A call of a function that the language does not have stands in parentheses in a format of
    /// its own: `year(joined)`.
    private static func expression(
        _ text: String, _ options: FormatOptions
    ) throws(PredicateFormatError) -> FormatExpression {
        do throws(PredicateFormatError) {
            return try FormatExpression(format: text, arguments: [], options: options)
        } catch {
            guard case .unknownFunction = error.code else { throw error }
            return try FormatExpression(format: "(\(text))", arguments: [], options: options)
        }
    }

    private static func content(_ expression: FormatExpression, _ limits: PredicateLimits) -> Content {
        do throws(EvaluationError) {
            let evaluator = try ExpressionEvaluator(expression, registry: .ambient, limits: limits)
            if case .keyPath = expression.node { return .computed(evaluator, isPath: true) }
            return .computed(evaluator, isPath: false)
        } catch {
            return .invalid(.evaluation(error))
        }
    }

    /// Returns true for a key that is read from a record as it is, also if it is a word of the language.
    private static func isPlainKey(_ key: String) -> Bool {
        !key.isEmpty && Int(key) == nil
            && !["true", "false", "yes", "no", "nil", "null", "self"].contains(key.lowercased())
            && key.unicodeScalars.allSatisfy { $0 == "_" || $0.properties.isAlphabetic || ("0"..."9").contains($0) }
    }

    /// Returns the keys of a path from the record: `#"first name".x`; nil for a path with a collection operator.
    private static func keysOnly(_ path: KeyPathExpression) -> [String]? {
        guard path.base == nil else { return nil }
        var keys: [String] = []
        for component in path.components {
            guard case .key(let key) = component, !key.hasPrefix("@") else { return nil }
            keys.append(key)
        }
        return keys
    }

    /// Returns the values of the lists of an option: `-k 'name, price * quantity AS total'`.
    static func all(
        _ option: CommandOption, _ reader: ArgumentReader, _ limits: PredicateLimits = .standard
    ) throws(CommandFailure) -> [OutputValue] {
        try items(reader.values(of: option), option, reader).map {
            OutputValue($0, limits: limits, lookups: Lookups.names(reader))
        }
    }

    /// Returns the items of lists. Throws for an empty one.
    static func items(
        _ lists: [String], _ option: CommandOption, _ reader: ArgumentReader
    ) throws(CommandFailure) -> [String] {
        let items = lists.flatMap(OutputList.items)
        if items.contains("*"), option.name == FilterOption.keys.name {
            let hint = "without --keys all columns are printed"
            throw reader.failure("--keys takes keys and expressions, found '*'", hints: [hint])
        }
        if items.contains("") {
            throw reader.failure("--\(option.name) takes keys separated by commas")
        }
        return items
    }
}

// MARK: - Where the value is

extension OutputValue {
    /// A Boolean value that indicates whether the value is computed, or written under another name than its key.
    var needsColumn: Bool {
        switch content {
        case .path: name != text
        case .computed, .invalid: true
        }
    }

    /// The key path of the value, also with a collection operator; nil for another expression.
    var keyPath: String? {
        switch content {
        case .path, .computed(_, isPath: true): text
        case .computed, .invalid: nil
        }
    }

    /// The expression; nil for a key path without collection operators.
    var evaluator: ExpressionEvaluator? {
        if case .computed(let evaluator, _) = content { evaluator } else { nil }
    }

    /// The keys from the record to values that must exist: `dept.name`, and `tags` of `tags.@count`.
    var paths: [[String]] {
        switch content {
        case .path(let keys): [keys]
        case .computed(let evaluator, _):
            Array(RecordPaths.paths(of: evaluator.expression.node)).sorted { $0.lexicographicallyPrecedes($1) }
        case .invalid: []
        }
    }

    /// The path whose slot in a sieve has the value of a JSON record, unless a member of it has the name `spelling`;
    /// nil for an expression.
    var slotPath: [String]? {
        if case .path(let keys) = content { keys } else { nil }
    }

    /// The expression and its keys, if it needs no more of a record than the values of these; nil for a key path.
    var computed: (evaluator: ExpressionEvaluator, keys: [String])? {
        guard case .computed(let evaluator, isPath: false) = content,
            let keys = RootKeys.names(of: evaluator.expression.node), paths.allSatisfy({ $0.count == 1 })
        else { return nil }
        return (evaluator, keys.sorted())
    }

    /// True for an expression. A record of a store has its value under its spelling, also if this is nil.
    private var isComputed: Bool {
        if case .computed = content { true } else { false }
    }

    /// Throws if the text is no expression.
    func check() throws(CommandFailure) {
        if case .invalid(let failure) = content { throw failure }
    }

    /// Returns the index of the column that has the name of the value, or the key that it is.
    func column(in columns: [String]) -> Int? {
        if let index = columns.firstIndex(of: spelling) ?? columns.firstIndex(of: text) { return index }
        guard case .path(let keys) = content, keys.count == 1 else { return nil }
        return columns.firstIndex(of: keys[0])
    }

    /// Returns the key that is not among the columns; nil if the value can be computed of them. Throws if the text is
    /// no expression.
    func missingKey(in columns: [String]) throws(CommandFailure) -> String? {
        if column(in: columns) != nil { return nil }
        switch content {
        case .path: return text
        case .computed: return paths.compactMap(\.first).first { !columns.contains($0) && !lookups.contains($0) }
        case .invalid(let failure): throw failure
        }
    }

    /// The range of a key in the text.
    func range(of key: String) -> Range<Int>? {
        guard let evaluator, let ranges = evaluator.expression.source?.ranges else { return nil }
        return ranges.indices.first { number in
            guard
                case .expression(.keyPath(let path)) = TreeNode.expression(evaluator.expression.node).node(
                    number: number)
            else { return false }
            return path.components.first == .key(key)
        }.map { ranges[$0] }
    }
}

// MARK: - Its value

extension OutputValue {
    /// Returns the value in a record: nil for missing keys, and an array if an array is on the path. An expression of
    /// nil is nil, as in SQL; any other error is thrown.
    func value(in record: PredicateValue) throws(EvaluationError) -> PredicateValue {
        if case .dictionary(let members) = record, let value = members[spelling], value != .null || isComputed {
            return value
        }
        switch content {
        case .path(let keys): return Self.value(of: keys[...], in: record)
        case .computed(let evaluator, _): return try Self.value(evaluator, .value(record))
        case .invalid: return .null
        }
    }

    /// Returns the value of an expression; nil if an operand is nil.
    static func value(
        _ evaluator: ExpressionEvaluator, _ object: KeyedValue
    ) throws(EvaluationError) -> PredicateValue {
        do throws(EvaluationError) {
            return try evaluator.value(object).predicateValue ?? .null
        } catch {
            if error.isAboutNil { return .null }
            throw error
        }
    }

    private static func value(of keys: ArraySlice<String>, in value: PredicateValue) -> PredicateValue {
        guard let key = keys.first else { return value }
        switch value {
        case .dictionary(let members):
            return members[key].map { self.value(of: keys.dropFirst(), in: $0) } ?? .null
        case .array(let elements):
            return .array(elements.map { self.value(of: keys, in: $0) })
        case .null, .nullObject, .bool, .integer, .double, .decimal, .string, .date, .data, .uuid, .url, .type, .set,
            .orderedSet, .object, .expression, .predicate:
            return .null
        }
    }

    /// Appends the JSON at a key path in the text of a JSON record. Returns false for a missing key, and nil for a key
    /// of the elements of empty arrays and for a value that is not at a path.
    func append(from record: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) throws(JSONError) -> Bool? {
        guard case .path(let keys) = content else { return nil }
        return try JSONScanner.append(keys, in: record, to: &bytes)
    }
}

// MARK: - Lists

/// The lists of `--keys`, `--sum` and others: `name, price * quantity AS total, max({a, b}) AS "the larger"`.
enum OutputList {
    /// Returns the items between the commas outside of parentheses and strings, without blanks around them.
    ///
    /// In a list with an open string, such as `driver's name,age`, each comma separates.
    static func items(_ list: String) -> [String] {
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

    /// Divides a setting at the first equals sign outside of parentheses and strings: `user=users.csv:id`
    static func assignment(_ setting: String) -> (name: String, value: String)? {
        let scalars = Array(setting.unicodeScalars)
        let marks = Scan(setting)
        guard let sign = scalars.indices.first(where: { scalars[$0] == "=" && marks.depths[$0] == 0 }) else {
            return nil
        }
        return (text(scalars[..<sign]).trimmed, text(scalars[(sign + 1)...]))
    }

    /// Divides an item into the expression and the name after AS; nil without a name.
    static func divided(_ item: String) -> (text: String, name: String?) {
        let marks = Scan(item)
        let scalars = Array(item.unicodeScalars)
        let isBlank = { (scalar: Unicode.Scalar) in scalar == " " || scalar == "\t" || scalar == "\n" }
        guard !marks.isOpen, scalars.count > 4 else { return (item, nil) }
        for index in stride(from: scalars.count - 4, to: 0, by: -1)
        where marks.depths[index] == 0 && isBlank(scalars[index]) && isBlank(scalars[index + 3])
            && String(String.UnicodeScalarView(scalars[index + 1..<index + 3])).lowercased() == "as"
        {
            guard let name = name(text(scalars[(index + 4)...]).trimmed) else { return (item, nil) }
            return (text(scalars[..<index]).trimmed, name)
        }
        return (item, nil)
    }

    /// Returns a name without its quotes; nil for a name with blanks that has none.
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

    /// The nesting of each code point in parentheses and strings.
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
