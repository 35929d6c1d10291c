import PredicateSQL
import PredicateSyntax

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The tables that the conditions of a file's records are written for.
///
///     schema   Person {"table": "person", "attributes": {"age": {"type": "integer"}}}
///     schema   Phone {"attributes": {"number": {"type": "string"}}}
///
/// Each line is an entity in the JSON form of `SQLSchema`; predicates select objects of the first one.
struct CaseSchema: Hashable, Sendable {
    let schema: SQLSchema
    /// The entity whose objects are selected.
    let entity: String

    /// Reads the header of a file.
    init(_ fields: [CaseField], _ path: String) throws(ConformanceFileError) {
        var names: [String] = []
        var entities: [String] = []
        for field in fields {
            let name = String(field.value.prefix { !$0.isWhitespace })
            let json = field.value.dropFirst(name.count)
            guard field.name == "schema", !name.isEmpty, !json.isBlank else {
                throw Self.invalid("the name of an entity and its JSON", field, path)
            }
            guard !names.contains(name) else {
                throw ConformanceFileError(.duplicate(name), path: path, line: field.line)
            }
            names.append(name)
            entities.append("\"\(name)\": \(json)")
        }
        do throws(SQLSchemaError) {
            schema = try SQLSchema(json: Data("{\"entities\": {\(entities.joined(separator: ", "))}}".utf8))
            try schema.check()
        } catch {
            throw ConformanceFileError(
                .invalidField("schema", expected: "readable: \(error)"), path: path, line: fields.first?.line)
        }
        entity = names.first ?? ""
    }

    private static func invalid(_ expected: String, _ field: CaseField, _ path: String) -> ConformanceFileError {
        ConformanceFileError(.invalidField("schema", expected: expected), path: path, line: field.line)
    }

    /// The condition of a predicate with its bindings: `t0."age" = ?1 [21]`, or `refused: …` with the reason.
    func condition(
        of predicate: FormatPredicate, _ dialect: any SQLDialect, _ variables: [String: PredicateValue]
    ) -> String {
        do throws(SQLCompilationError) {
            return try SQLCompiler(schema: schema, dialect: dialect)
                .compile(predicate, entity: entity, variables: variables).where.shown
        } catch {
            return "refused: " + [error.title, error.label].compactMap(\.self).joined(separator: ": ")
        }
    }
}

extension SQLFragment {
    /// `t0."age" = ?1 [21]`
    package var shown: String {
        bindings.isEmpty ? text : "\(text) [\(bindings.map(\.shown).joined(separator: ", "))]"
    }
}

extension SQLBinding {
    /// `NULL`, `21`, `1.0`, `true`, `'jo'`, `x6a.6f`
    fileprivate var shown: String {
        switch self {
        case .null: "NULL"
        case .integer(let value): "\(value)"
        case .double(let value): "\(value)"
        case .boolean(let value): "\(value)"
        case .text(let value): "'\(value)'"
        case .blob(let data): "x" + data.map { String($0, radix: 16) }.joined(separator: ".")
        }
    }
}
