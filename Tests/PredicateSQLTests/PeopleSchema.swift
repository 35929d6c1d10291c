import PredicateConformance
import PredicateSQL
import PredicateSyntax
import Testing

/// A made-up schema with every kind of column and relationship.
let people = SQLSchema([
    SQLEntity(
        "Person", table: "person",
        attributes: [
            "name": .init(.string, column: "full_name"), "nick": .init(.string, collation: "BINARY"),
            "age": .init(.integer), "rank": .init(.integer, isNullable: false), "height": .init(.double),
            "weight": .init(.double), "member": .init(.boolean), "born": .init(.date), "seen": .init(.date(.since1970)),
            "due": .init(.date(.iso8601)), "code": .init(.uuid), "label": .init(.uuid(.text)), "photo": .init(.data),
            "price": .init(.decimal), "cost": .init(.decimal),
        ],
        relationships: [
            "boss": .toOne("Person", column: "boss_id"), "deputy": .toOne("Person", column: "deputy_id"),
            "staff": .toMany("Person", inverseColumn: "boss_id"),
            "phones": .toMany("Phone", inverseColumn: "person_id"),
            "tags": .manyToMany("Tag", joinTable: "person_tag", sourceColumn: "person_id", targetColumn: "tag_id"),
        ]),
    SQLEntity(
        "Phone", table: "phone",
        attributes: ["number": .init(.string), "rank": .init(.integer), "length": .init(.double)],
        relationships: [
            "owner": .toOne("Person", column: "person_id"), "calls": .toMany("Call", inverseColumn: "phone_id"),
        ]),
    SQLEntity("Tag", table: "tag", primaryKeyType: .string, attributes: ["title": .init(.string)]),
    SQLEntity("Call", table: "call", attributes: ["seconds": .init(.integer)]),
])

/// A condition with its values, as one line: `t0."age" >= ?1 [21]`
func condition(
    _ format: String, _ arguments: PredicateValue..., dialect: any SQLDialect = SQLiteDialect(),
    variables: [String: PredicateValue] = [:]
) throws -> String {
    let predicate = try FormatPredicate(format: format, arguments: arguments)
    let query = try SQLCompiler(schema: people, dialect: dialect).compile(
        predicate, entity: "Person", variables: PredicateVariables(variables))
    return shown(query.where)
}

func shown(_ fragment: SQLFragment) -> String { fragment.shown }

/// The error that compiling a format ends in.
func refusal(
    _ format: String, _ arguments: [PredicateValue] = [], dialect: any SQLDialect = SQLiteDialect(),
    variables: [String: PredicateValue] = [:], limits: PredicateLimits = .standard
) throws -> SQLCompilationError? {
    let predicate = try FormatPredicate(format: format, arguments: arguments)
    do throws(SQLCompilationError) {
        _ = try SQLCompiler(schema: people, dialect: dialect, limits: limits).compile(
            predicate, entity: "Person", variables: PredicateVariables(variables))
        return nil
    } catch {
        return error
    }
}

/// Compares what formats become with what is written below them, indented; a long condition goes on in the next line.
func expectConditions(_ cases: String, dialect: any SQLDialect = SQLiteDialect()) throws {
    var written: [(format: String, sql: String)] = []
    for line in cases.split(separator: "\n") {
        if line.first != " " {
            written.append((String(line), ""))
        } else if let last = written.indices.last {
            let separator = written[last].sql.isEmpty ? "" : " "
            written[last].sql += separator + line.drop { $0 == " " }
        }
    }
    for (format, sql) in written {
        #expect(try condition(format, dialect: dialect) == sql, "\(format)")
    }
}
