import PredicateData
import PredicateJSON
import PredicateReference
import PredicateSyntax

/// Creates a record from its fields.
struct CaseRecordReader {
    private let path: String
    /// True if golden fields may be empty, because they are about to be written.
    private let acceptsEmptyGoldens: Bool
    private let schema: CaseSchema?
    private var seen: Set<String> = []

    init(_ path: String, _ acceptsEmptyGoldens: Bool, _ schema: CaseSchema?) {
        self.path = path
        self.schema = schema
        self.acceptsEmptyGoldens = acceptsEmptyGoldens
    }

    func record(_ fields: [CaseField]) throws(ConformanceFileError) -> CaseRecord {
        var reader = self
        return try reader.read(fields)
    }

    private mutating func read(_ fields: [CaseField]) throws(ConformanceFileError) -> CaseRecord {
        guard let first = fields.first, let title = Self.title(first) else {
            throw ConformanceFileError(.missingField("case"), path: path, line: fields.first?.line)
        }
        let name = String(title.value)
        let id = "\(path.lastPathComponent):\(first.line) \(name)"
        var record = CaseRecord(id: id, title: name, line: first.line)
        record.citedStatements = title.statements
        record.schema = schema
        for field in fields.dropFirst(first.name == "case" ? 1 : 0) { try read(field, into: &record) }
        try check(record)
        return record
    }

    /// The title and the statements of the field `case`. A record that begins with its format has that as its title.
    private static func title(_ first: CaseField) -> (value: Substring, statements: [String])? {
        switch first.name {
        case "case": first.cited.value.isEmpty ? nil : first.cited
        case "format", "expression", "api": first.value.isEmpty ? nil : (first.value, [])
        default: nil
        }
    }

    private mutating func read(_ field: CaseField, into record: inout CaseRecord) throws(ConformanceFileError) {
        guard let name = CaseField.Name(field.name) else {
            throw ConformanceFileError(.unknownField(String(field.name)), path: path, line: field.line)
        }
        if !name.repeats { try once(name.rawValue, field) }
        switch name {
        case .case: break
        case .format: (record.kind, record.format) = (.predicate, try text(field))
        case .expression: (record.kind, record.format) = (.expression, try text(field))
        case .api: record.compound = try compound(field)
        case .options: record.options = try options(field)
        case .args: record.arguments = try arguments(field)
        case .vars: record.variables = try variables(field)
        case .prints: record.prints = try golden(field)
        case .tree: record.tree = try golden(field)
        case .substituted: record.substituted = try text(field)
        case .sqlite: record.conditions[.sqlite] = try golden(field)
        case .postgresql: record.conditions[.postgresql] = try golden(field)
        case .mariadb: record.conditions[.mariadb] = try golden(field)
        case .duckdb: record.conditions[.duckdb] = try golden(field)
        case .spark: record.conditions[.spark] = try golden(field)
        case .error: record.error = try formatError(field)
        case .gap: record.gaps.insert(try gap(field))
        case .row:
            record.citedStatements += field.cited.statements
            record.rows.append(try row(field))
        }
    }

    /// Throws for a field that the record already has.
    private mutating func once(_ name: String, _ field: CaseField) throws(ConformanceFileError) {
        guard seen.insert(name).inserted else {
            throw ConformanceFileError(.repeatedField(name), path: path, line: field.line)
        }
    }

    /// Throws if a record has no format, asserts nothing, or contradicts itself.
    private func check(_ record: CaseRecord) throws(ConformanceFileError) {
        func fail(_ code: ConformanceFileError.Code) -> ConformanceFileError {
            ConformanceFileError(code, path: path, line: record.line)
        }
        let formats = ["format", "expression", "api"].filter(seen.contains)
        if formats.isEmpty { throw fail(.missingField("format")) }
        if formats.count > 1 { throw fail(.contradictingFields(formats[0], formats[1])) }
        let dialects = CaseStage.conditions.map(\.rawValue).filter(seen.contains)
        let stages =
            ["prints", "tree", "substituted"].filter(seen.contains) + (record.rows.isEmpty ? [] : ["row"]) + dialects
        if record.error == nil, stages.isEmpty { throw fail(.noStages) }
        if record.error != nil, let stage = stages.first { throw fail(.contradictingFields("error", stage)) }
        if let dialect = dialects.first {
            if record.schema == nil { throw fail(.missingField("schema")) }
            if record.kind == .expression { throw fail(.contradictingFields("expression", dialect)) }
        }
        if let row = record.rows.first(where: { !$0.suits(record.kind) }) {
            throw ConformanceFileError(.invalidField("row", expected: CaseRow.shape), path: path, line: row.line)
        }
    }

    // MARK: - Fields

    private func invalid(_ field: CaseField, _ expected: String) -> ConformanceFileError {
        ConformanceFileError(.invalidField(String(field.name), expected: expected), path: path, line: field.line)
    }

    /// The value as it is written, or the string that it encodes as JSON.
    private func text(_ field: CaseField) throws(ConformanceFileError) -> String {
        guard field.isJSON else { return String(field.value) }
        guard let text = try json(field, field.value).text else { throw invalid(field, "a JSON string") }
        return text
    }

    private func golden(_ field: CaseField) throws(ConformanceFileError) -> String {
        if field.value.isEmpty, acceptsEmptyGoldens { return "" }
        let text = try text(field)
        if text.isEmpty { throw invalid(field, "what is printed; rewriting the golden fields fills it in") }
        return text
    }

    /// `not([])`
    private func compound(_ field: CaseField) throws(ConformanceFileError) -> PredicateNode {
        do {
            return try CompoundNotation.predicate(String(field.value))
        } catch {
            throw invalid(field, "readable: \(error.message)")
        }
    }

    /// `strict nesting=3`
    private func options(_ field: CaseField) throws(ConformanceFileError) -> CaseOptions {
        var options = CaseOptions()
        for word in field.value.split(whereSeparator: \.isWhitespace) {
            let parts = word.split(separator: "=", omittingEmptySubsequences: false)
            switch (parts[0], parts.count == 2 ? Int(parts[1]) : nil) {
            case ("strict", nil) where parts.count == 1: options.format.surplusArguments = .refused
            case ("formatLength", let limit?): options.format.limits.formatLength = limit
            case ("nesting", let limit?): options.format.limits.nesting = limit
            case ("evaluationNesting", let limit?): options.evaluation.nesting = limit
            case (let name, let limit?):
                guard let known = PredicateLimits.Limit(rawValue: String(name)) else {
                    throw invalid(field, "the name of a limit such as 'nodes=3'")
                }
                options.format.limits[known] = limit
                options.evaluation[known] = limit
            default: throw invalid(field, "'strict', 'nesting=3', 'evaluationNesting=2' or another limit")
            }
        }
        return options
    }

    private func arguments(_ field: CaseField) throws(ConformanceFileError) -> [PredicateValue] {
        guard let values = try json(field, field.value).list else { throw invalid(field, "a JSON array") }
        var arguments: [PredicateValue] = []
        for value in values { arguments.append(try self.value(field, .argument, value)) }
        return arguments
    }

    private func variables(_ field: CaseField) throws(ConformanceFileError) -> [String: PredicateValue] {
        guard let members = try json(field, field.value).entries else { throw invalid(field, "a JSON object") }
        var variables: [String: PredicateValue] = [:]
        for (name, value) in members { variables[name] = try self.value(field, .argument, value) }
        return variables
    }

    /// `stage reason`
    private func gap(_ field: CaseField) throws(ConformanceFileError) -> CaseStage {
        let words = field.value.split(maxSplits: 1, whereSeparator: \.isWhitespace)
        guard words.count == 2, let stage = CaseStage(rawValue: String(words[0])) else {
            throw invalid(field, "a stage and a reason")
        }
        return stage
    }

    /// `expectedExpression @ 6..<6`
    private func formatError(_ field: CaseField) throws(ConformanceFileError) -> ExpectedFormatError {
        let parts = field.cited.value.split(separator: "@", maxSplits: 1).map(\.trimmed)
        guard parts.count == 2, let code = FormatErrorName(rawValue: parts[0]), let range = Self.range(parts[1]) else {
            throw invalid(field, "a code and its place, as in 'expectedExpression @ 6..<6'")
        }
        return ExpectedFormatError(code: code, range: range)
    }

    private static func range(_ text: String) -> Range<Int>? {
        let bounds = text.split(separator: "..<", omittingEmptySubsequences: false).map { Int($0) }
        guard bounds.count == 2, let lower = bounds[0], let upper = bounds[1], lower <= upper else { return nil }
        return lower..<upper
    }

    /// `{"age": 21} true`, `{"a": 1} = 2`, `{} error(notANumber)`
    private func row(_ field: CaseField) throws(ConformanceFileError) -> CaseRow {
        guard let parts = RowParts(field.cited.value) else { throw invalid(field, CaseRow.shape) }
        let object = try value(field, .object, try json(field, parts.object))
        return CaseRow(line: field.line, object: object, expectation: try expectation(field, parts.expectation))
    }

    private func expectation(
        _ field: CaseField, _ part: RowParts.WrittenResult
    ) throws(ConformanceFileError) -> CaseRow.Expectation {
        switch part {
        case .truth(let truth): return .truth(truth)
        case .value(let text): return .value(try value(field, .object, try json(field, text)))
        case .error(let name):
            guard let name = EvaluationErrorName(rawValue: String(name)) else {
                throw invalid(field, "error(…) with the code of an evaluation error")
            }
            return .error(name)
        }
    }

    private func json(_ field: CaseField, _ text: Substring) throws(ConformanceFileError) -> PredicateValue {
        do {
            return try JSONReader.parse(String(text))
        } catch {
            throw ConformanceFileError(.notJSON("\(error.message): \(text)"), path: path, line: field.line)
        }
    }

    private func value(
        _ field: CaseField, _ notation: ValueNotation, _ json: PredicateValue
    ) throws(ConformanceFileError) -> PredicateValue {
        do {
            return try notation.value(json)
        } catch {
            throw invalid(field, "readable: \(error.message)")
        }
    }
}

/// The parts of a row: the object and the expectation.
///
/// `{"age": 21} true`
struct RowParts {
    enum WrittenResult {
        case truth(Bool)
        /// The name in the parentheses of `error(…)`
        case error(Substring)
        /// JSON
        case value(Substring)
    }

    /// The object, as JSON.
    let object: Substring
    let expectation: WrittenResult

    init?(_ text: Substring) {
        if let equals = text.firstEqualsOutsideStrings {
            object = text[..<equals]
            expectation = .value(text[text.index(after: equals)...])
            return
        }
        guard let blank = text.lastIndex(where: \.isWhitespace) else { return nil }
        object = text[..<blank]
        switch text[text.index(after: blank)...] {
        case "true": expectation = .truth(true)
        case "false": expectation = .truth(false)
        case let word where word.hasPrefix("error(") && word.hasSuffix(")"):
            expectation = .error(word.dropFirst("error(".count).dropLast())
        default: return nil
        }
    }
}

extension Substring {
    /// The first `=` outside JSON strings.
    fileprivate var firstEqualsOutsideStrings: Index? {
        var isInString = false
        var isEscaped = false
        for (index, scalar) in zip(unicodeScalars.indices, unicodeScalars) {
            switch scalar {
            case _ where isEscaped: isEscaped = false
            case "\\": isEscaped = isInString
            case "\"": isInString.toggle()
            case "=" where !isInString: return index
            default: break
            }
        }
        return nil
    }
}
