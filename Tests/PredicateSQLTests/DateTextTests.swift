import Foundation
import PredicateSQL
import PredicateSyntax
import Testing

/// Dates that are kept as texts, in databases that read them by a function. [NSP-343]
@Suite struct DateTextTests {
    private static let dialects: [any SQLDialect] = [
        PostgreSQLDialect(), MariaDBDialect(), MySQLDialect(), DuckDBDialect(), SparkDialect(),
    ]

    @Test(arguments: dialects.indices)
    func aFunctionReadsTheText(_ number: Int) throws {
        let dialect = Self.dialects[number]
        let compiler = SQLCompiler(
            schema: SQLSchema(table: "event", columns: ["at": .date(.iso8601), "day": .date(.timestamp)]),
            dialect: dialect)
        for format in ["at < %@", "at == day", "at != at"] {
            let date = PredicateValue.date(Date(timeIntervalSinceReferenceDate: 730_900_799.999))
            let query = try compiler.compile(FormatPredicate(format: format, arguments: [date]), entity: "event")
            #expect(query.where.text.contains("predicates_date("), "\(dialect.name) \(format)")
            #expect(query.prelude.count == 1, "\(dialect.name) \(format)")
        }
    }
}
