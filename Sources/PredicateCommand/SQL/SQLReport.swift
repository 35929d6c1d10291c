import PredicateData
import PredicateSQL
import PredicateSyntax

/// The report about a predicate as SQL.
struct SQLReport {
    private let query: SQLQuery
    private let dialect: String
    private let namesParameters: Bool

    init(_ query: SQLQuery, dialect: String, namesParameters: Bool = false) {
        self.query = query
        self.dialect = dialect
        self.namesParameters = namesParameters
    }

    /// The report as text.
    ///
    ///     where      t0."age" >= ?1
    ///     bindings   1  bigint  21
    ///     select     SELECT t0."id" FROM "person" AS t0 WHERE t0."age" >= ?1
    var text: String {
        let select = query.select
        var rows = [("where", query.where.text), ("bindings", bindings(select)), ("select", select.text)]
        let calls = query.requiredFunctions.map(\.name).sorted()
        if !calls.isEmpty { rows.append(("calls", calls.joined(separator: ", "))) }
        rows += query.setup.map { ("setup", $0) }
        rows += query.prelude.map { ("prelude", Self.shortened($0)) }
        if let residual = query.residual { rows.append(("residual", residual.predicateFormat)) }
        return rows.map(Self.row).joined()
    }

    private static let longest = 300

    /// Returns a text shortened for reading: a folding function has a table of all letters, and a regular expression one of all marks.
    private static func shortened(_ text: String) -> String {
        guard text.count > longest else { return text }
        return "\(text.prefix(longest))…\n(\(text.count) characters; --json prints all)"
    }

    private static let column = 11

    /// Returns a name and a text; further lines of the text are aligned with the first.
    private static func row(_ name: String, _ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let space = String(repeating: " ", count: column)
        return lines.enumerated().map { index, line in
            (index == 0 ? name + space.dropFirst(name.count) : line.isEmpty ? "" : space) + line + "\n"
        }.joined()
    }

    private func bindings(_ select: SQLFragment) -> String {
        if select.bindings.isEmpty { return "(none)" }
        let width = String(select.bindings.count).count
        let longest = select.parameterTypes.map(\.sqlName.count).max() ?? 0
        let lines = zip(select.parameterTypes, select.bindings).enumerated().map { index, parameter in
            let (number, type) = (String(index + 1), parameter.0.sqlName)
            let space = String(repeating: " ", count: longest - type.count)
            let lead = String(repeating: " ", count: width - number.count)
            return "\(lead)\(number)  \(type)\(space)  \(Self.shortened(JSONWriter().text(of: parameter.1.value)))"
        }
        return lines.joined(separator: "\n")
    }

    /// The report as a JSON object; numbers are exact, and of 64 bits.
    var json: String {
        let select = query.select
        let bindings = zip(select.parameterTypes, select.bindings).enumerated().map { index, parameter in
            binding(parameter.0, parameter.1, number: index + 1)
        }
        let object: PredicateValue = [
            "dialect": .string(dialect), "entity": .string(query.entity.name), "select": .string(select.text),
            "where": .string(query.where.text), "bindings": .array(bindings),
            "parameters": .string(namesParameters ? "named" : query.parameterOrder),
            "setup": .array(query.setup.map(PredicateValue.string)),
            "prelude": .array(query.prelude.map(PredicateValue.string)),
            "calls": .array(query.requiredFunctions.map(\.name).sorted().map(PredicateValue.string)),
            "residual": query.residual.map { .string($0.predicateFormat) } ?? .null,
        ]
        return JSONWriter().text(of: object) + "\n"
    }
}

extension SQLReport {
    /// `{"type":"bigint","value":21}`, or `{"name":"p1","type":"bigint","value":21}`
    private func binding(
        _ type: SQLBinding.ParameterType, _ binding: SQLBinding, number: Int
    ) -> PredicateValue {
        guard namesParameters else { return ["type": .string(type.sqlName), "value": binding.value] }
        return ["name": .string("p\(number)"), "type": .string(type.sqlName), "value": binding.value]
    }
}

extension SQLBinding {
    /// The value for JSON, which has no number for infinity: `"inf"`
    fileprivate var value: PredicateValue {
        switch self {
        case .null: .null
        case .integer(let value): .integer(value)
        case .double(let value): value.isFinite ? .double(value) : .string("\(value)")
        case .boolean(let value): .bool(value)
        case .text(let value): .string(value)
        case .blob(let value): .data(value)
        }
    }
}
