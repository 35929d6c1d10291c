import PredicateChecks
import PredicateData
import PredicateEvaluation
import PredicateJSON
import PredicateQuery
import PredicateSQL
import PredicateSession
import PredicateSyntax

/// A value of each record that is written, or by which records are sorted or grouped: a column, a key path or an expression.
///
/// `age`, `dept.name`, `tags.@count AS n`, `price * quantity AS total`; `v1\.0` is one key.
///
/// A column or key that has the same spelling as the expression takes precedence: `dep-delay`, `price (EUR)`.
final class OutputValue {
    /// The item of the option as it was written; it may be the name of a column.
    let spelling: String
    /// The text before AS.
    let text: String
    /// The name of the written column: the name after AS, or else the text.
    let name: String
    /// The root keys to read from records: the spelling, in case a column has this name, and the keys in the value; nil if any
    /// key may be needed.
    let roots: Set<String>?
    private let content: Content
    /// The index of the value among all those of a query.
    fileprivate(set) var number = 0
    /// The names of records from other files, which are not columns.
    private let lookups: Set<String>

    private enum Content {
        case path([String])
        /// A key path with a collection operator, or an expression
        case computed(ComputedExpression, isPath: Bool)
        /// Text that is not an expression. Its error is reported unless a column has this name
        case invalid(CommandFailure)
    }

    /// Creates the value for an item of a list: `price * quantity AS total`. A path that begins with a key in `lookups` leads
    /// to another file, so it is computed.
    init(_ item: String, _ context: PredicateContext, lookups: Set<String> = []) {
        let (text, name) = OutputList.divided(item)
        let content = Self.content(text, context, lookups)
        (spelling, self.text, self.lookups, self.content) = (item, text, lookups, content)
        self.name = name ?? (text.hasPrefix("#") ? Self.pathName(content) : nil) ?? text
        switch content {
        case .path(let keys): roots = [item, text, keys.first ?? text]
        case .computed(let value, _): roots = RecordPaths(value.expression.node).roots?.union([item, text])
        case .invalid: roots = [item]
        }
    }

    /// Creates the value of the key that is spelled like another value.
    private init(key other: OutputValue) {
        (spelling, text, name) = (other.spelling, other.text, other.name)
        (roots, lookups, number) = (other.roots, other.lookups, other.number)
        content = .path([other.text])
    }

    /// `first name` for `#"first name"`
    private static func pathName(_ content: Content) -> String? {
        if case .path(let keys) = content { keys.joined(separator: ".") } else { nil }
    }

    private static func content(_ text: String, _ context: PredicateContext, _ lookups: Set<String>) -> Content {
        let keys = RecordsPath.keys(text)
        if keys.count > 1, lookups.contains(keys[0]) {
            return content(FormatExpression(.keyPath(KeyPathExpression(keys.map { .key($0) }))), context)
        }
        if keys.count > 1, keys[0].uppercased() != "SELF", StringKey(rawValue: keys[keys.count - 1]) != nil {
            return content(FormatExpression(.keyPath(KeyPathExpression(keys.map { .key($0) }))), context)
        }
        if keys.allSatisfy({ isPlainKey($0) }) { return .path(keys) }
        do throws(PredicateFormatError) {
            let options = FormatOptions(surplusArguments: .refused, limits: context.limits)
            let expression = try FormatExpression(ofQuery: text, arguments: [], options: options)
            if case .keyPath(let path) = expression.node, let keys = keysOnly(path) { return .path(keys) }
            return content(expression, context)
        } catch {
            return text.contains(where: "()[]{}+*/<>=\"'%$&|^~,@#".contains)
                ? .invalid(.format(error, hints: hints(for: error))) : .path(keys)
        }
    }

    private static func hints(for error: PredicateFormatError) -> [String] {
        if case .unterminatedString = error.code { PredicateOptions.closing(error) } else { [] }
    }

    private static func content(_ expression: FormatExpression, _ context: PredicateContext) -> Content {
        if let name = PredicateReferences(expression.node).variables.first {
            return .invalid(.message("the variable $\(name) has no value", hints: ["a key has no $: \(name)"]))
        }
        do throws(EvaluationError) {
            let value = try ComputedExpression(expression, context)
            if case .keyPath = expression.node { return .computed(value, isPath: true) }
            return .computed(value, isPath: false)
        } catch {
            // `Installed-Size` looks like a difference between a key and a word that is not a value.
            let keys = RecordsPath.keys(error.text)
            return keys.allSatisfy { isPlainKey($0, allowingHyphens: true) }
                ? .path(keys) : .invalid(.evaluation(error))
        }
    }

    /// Returns true for a key that is read from a record as it is, even if it is a word of the language.
    private static func isPlainKey(_ key: String, allowingHyphens: Bool = false) -> Bool {
        !key.isEmpty && Int(key) == nil
            && !["true", "false", "yes", "no", "nil", "null", "self"].contains(key.lowercased())
            && key.unicodeScalars.allSatisfy {
                $0 == "_" || allowingHyphens && $0 == "-" || $0.properties.isAlphabetic || ("0"..."9").contains($0)
            }
    }

    /// Returns the keys of a path that starts at the record: `#"first name".x`; nil if it has a collection operator.
    private static func keysOnly(_ path: KeyPathExpression) -> [String]? {
        guard path.base == nil else { return nil }
        var keys: [String] = []
        for component in path.components {
            guard case .key(let key) = component, !key.hasPrefix("@") else { return nil }
            keys.append(key)
        }
        return keys
    }

    /// Returns the values in the lists that were given for an option: `-k 'name, price * quantity AS total'`.
    static func all(
        _ option: CommandOption, _ reader: ArgumentReader, _ context: PredicateContext
    ) throws(CommandFailure) -> [OutputValue] {
        try items(reader.values(of: option), option, reader).map {
            OutputValue($0, context, lookups: Lookups.names(reader))
        }
    }

    /// Returns the items of lists. Throws for an empty item.
    static func items(
        _ lists: [String], _ option: CommandOption, _ reader: ArgumentReader
    ) throws(CommandFailure) -> [String] {
        let items = lists.flatMap(OutputList.items)
        if items.contains("*") {
            let isKeys = option.name == FilterOption.keys.name
            let hint = isKeys ? "without --keys all columns are printed" : "name the columns: --\(option.name) KEY,..."
            throw reader.failure("--\(option.name) takes keys and expressions, found '*'", hints: [hint])
        }
        if let count = items.first(where: { $0.lowercased().filter { $0 != " " }.hasPrefix("count(*)") }) {
            let hints = [
                "--count prints the number of matches, --count-by KEY that of each value",
                "groups have the column count: --group-by KEY --sort -count",
            ]
            throw reader.failure("--\(option.name) takes keys and expressions, found '\(count)'", hints: hints)
        }
        if items.contains("") {
            throw reader.failure(
                "--\(option.name) takes keys separated by commas",
                hints: ["a list with spaces needs quotes: --\(option.name) 'name, age'"])
        }
        return items
    }
}

/// The expression of an output value, and its evaluator for the current file; all copies of the value share it.
private final class ComputedExpression {
    /// The expression as it was written.
    let expression: FormatExpression
    private(set) var evaluator: ExpressionEvaluator
    private let context: PredicateContext

    init(_ expression: FormatExpression, _ context: PredicateContext) throws(EvaluationError) {
        (self.expression, self.context) = (expression, context)
        evaluator = try ExpressionEvaluator(expression, context: context)
    }

    func read(_ texts: TextReadings) throws(CommandFailure) {
        let expression = try texts.read(expression)
        guard expression != evaluator.expression else { return }
        evaluator = try CommandFailure.evaluating { () throws(EvaluationError) in
            try ExpressionEvaluator(expression, context: context)
        }
    }
}

// MARK: - Where the value is

extension OutputValue {
    /// A Boolean value that indicates whether the value is computed, or written under a name other than its key.
    var needsColumn: Bool {
        switch content {
        case .path: name != text
        case .computed, .invalid: true
        }
    }

    /// The same value, read as a key with the spelling of the expression.
    fileprivate var asKey: OutputValue {
        if case .path = content { self } else { OutputValue(key: self) }
    }

    /// The key path of the value, even with a collection operator; nil for another expression.
    var keyPath: String? {
        switch content {
        case .path, .computed(_, isPath: true): text
        case .computed, .invalid: nil
        }
    }

    /// The expression; nil for a key path without collection operators.
    var evaluator: ExpressionEvaluator? {
        if case .computed(let value, _) = content { value.evaluator } else { nil }
    }

    /// Interprets the strings in the expression's conditions according to the columns of a file.
    func read(_ texts: TextReadings) throws(CommandFailure) {
        if case .computed(let value, _) = content { try value.read(texts) }
    }

    /// The key paths that must exist in records: `dept.name`, or `tags` for `tags.@count`.
    var paths: [[String]] {
        switch content {
        case .path(let keys): [keys]
        case .computed(let value, _):
            RecordPaths(value.expression.node).sorted
        case .invalid: []
        }
    }

    /// The path whose slot in a sieve contains the value for a JSON record, unless the record has a member named `spelling`;
    /// nil for an expression.
    var slotPath: [String]? {
        if case .path(let keys) = content { keys } else { nil }
    }

    /// A Boolean value that indicates whether a key that is spelled like the value is read instead of it.
    var hasOtherSpelling: Bool { slotPath != [text] }

    /// Returns the expression and all key paths that it reads; nil for a key path.
    func computed(inColumns: Bool) -> (evaluator: ExpressionEvaluator, known: [[String]])? {
        guard case .computed(let value, isPath: false) = content, lookups.isEmpty else { return nil }
        return RecordPaths(value.expression.node).known(inColumns: inColumns).map { (value.evaluator, $0) }
    }

    /// True for an expression. A row of a store has the value as a member named by the expression's spelling, even if it is
    /// nil.
    private var isComputed: Bool {
        if case .computed = content { true } else { false }
    }

    /// True for an expression that is not a key path.
    var isExpression: Bool { evaluator != nil && keyPath == nil }

    /// Returns the value as a result of a statement: a key path or an expression.
    func resultKey() throws(CommandFailure) -> ResultKey {
        if let path = keyPath { return ResultKey(path, as: name) }
        try check()
        guard let evaluator else { return ResultKey(text, as: name) }
        return ResultKey(evaluator.expression, as: name)
    }

    /// Throws if the text is not an expression.
    func check() throws(CommandFailure) {
        if case .invalid(let failure) = content { throw failure }
    }

    /// Returns the index of the column that has the value's name, or the name of its key.
    func column(in columns: [String]) -> Int? {
        if let index = columns.firstIndex(of: spelling) ?? columns.firstIndex(of: text) { return index }
        guard case .path(let keys) = content, keys.count == 1 else { return nil }
        return columns.firstIndex(of: keys[0])
    }

    /// Returns a key that is not among the columns; nil if the value can be computed from them. Throws if the text is not an
    /// expression.
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
    /// Returns the value for a record: nil if a key is missing, and an array if there is an array on the path. An expression
    /// with nil as an operand is nil, as in SQL; any other error is thrown.
    func value(in record: PredicateValue) throws(EvaluationError) -> PredicateValue {
        if case .dictionary(let members) = record, let value = members[spelling] ?? members[text],
            value != .null || isComputed
        {
            return value
        }
        switch content {
        case .path(let keys): return Self.value(of: keys[...], in: record)
        case .computed(let value, _): return try value.evaluator.valueOrNil(.value(record))
        case .invalid: return .null
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
}

extension [OutputValue] {
    /// Assigns consecutive numbers to the values.
    func number(from first: Int) {
        for index in indices { self[index].number = first + index }
    }

    /// Returns the values of the objects of an entity: an attribute comes before an expression with the same spelling. [NSP-484]
    func of(_ entity: SQLEntity) -> [OutputValue] {
        map { entity.attributes[$0.text] == nil ? $0 : $0.asKey }
    }

    /// Returns the values, after interpreting the strings in their conditions according to the columns of a file.
    func read(_ texts: TextReadings) throws(CommandFailure) -> [OutputValue] {
        for value in self { try value.read(texts) }
        return self
    }

    /// Returns the values as results of a statement. Throws if one is not an expression.
    func resultKeys() throws(CommandFailure) -> [ResultKey] {
        try map { (value) throws(CommandFailure) in try value.resultKey() }
    }

    /// Returns the values for a match. A value that cannot be computed is nil; the first error is returned. [NSP-484]
    func values(of match: some FoundMatch) -> (values: [PredicateValue], failure: EvaluationError?) {
        values { (value) throws(EvaluationError) in try match.value(of: value) }
    }

    /// Returns the values for a record. A value that cannot be computed is nil.
    func values(in record: PredicateValue) -> [PredicateValue] {
        values { (value) throws(EvaluationError) in try value.value(in: record) }.values
    }

    private func values(
        _ found: (OutputValue) throws(EvaluationError) -> PredicateValue
    ) -> (values: [PredicateValue], failure: EvaluationError?) {
        var (values, failure): ([PredicateValue], EvaluationError?) = ([], nil)
        values.reserveCapacity(count)
        for value in self {
            do throws(EvaluationError) {
                values.append(try found(value))
            } catch {
                failure = failure ?? error
                values.append(.null)
            }
        }
        return (values, failure)
    }
}
