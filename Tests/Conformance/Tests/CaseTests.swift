import Foundation
import PredicateConformance
import PredicateReference
import Testing

/// Our own records: what each statement about the language means, shown by examples.
@Suite struct CaseTests {
    @Test("every record holds", arguments: DataFiles.cases)
    func everyRecordHolds(path: String) throws {
        if ProcessInfo.processInfo.environment["PREDICATES_REWRITE"] == "1" {
            try ConformanceSuite.rewriteGoldenFields(path: path)
        }
        let report = try ConformanceSuite.load(path: path).run()
        for failure in report.failures { Issue.record("\(failure)") }
        #expect(report.passed > 0)
    }

    /// Each citation has a statement. That each statement has evidence, a record or a test, the tests of the grammar say.
    @Test func recordsCiteStatements() throws {
        let statements = try Self.statements()
        #expect(!statements.isEmpty)
        let citations = try Self.suites().flatMap(\.citations)
        let unknown = citations.filter { !statements.contains($0.message) }
        #expect(unknown.map(\.description) == [], "citations of statements that do not exist")
    }

    @Test func everyErrorCodeIsExpectedByARecord() throws {
        let expected = try Self.suites().reduce(into: Set<String>()) { $0.formUnion($1.expectedErrorCodes) }
        // No record has a policy.
        let formatCodes = Set(FormatErrorName.allCases.map(\.rawValue)).subtracting(["refused"])
        // No object of a record lists no keys, fails to encode itself, is observed or has property wrappers.
        let evaluationCodes = Set(EvaluationErrorName.allCases.map(\.rawValue))
            .subtracting(["unlistedKeys", "notEncodable", "untrackedKey", "unreadWrapper", "refused"])
        #expect(formatCodes.subtracting(expected).sorted() == [])
        #expect(evaluationCodes.subtracting(expected).sorted() == [])
    }

    @Test func noStatementStandsTwice() throws {
        let numbers = try Self.statementNumbers()
        #expect(Set(numbers).count == numbers.count)
    }

    private static func suites() throws -> [ConformanceSuite] {
        try DataFiles.cases.map { try ConformanceSuite.load(path: $0) }
    }

    private static func statements() throws -> Set<String> {
        Set(try statementNumbers())
    }

    /// `NSP-001` of `- **NSP-001** (A DD) White space may …`
    private static func statementNumbers() throws -> [String] {
        let text = try String(contentsOfFile: DataFiles.statements, encoding: .utf8)
        return text.split(separator: "\n").compactMap { line in
            let head = line.drop { "-*# ".contains($0) }
            guard head.hasPrefix("NSP-"), head.startIndex != line.startIndex else { return nil }
            return String(head.prefix { $0.isLetter || $0.isNumber || $0 == "-" })
        }
    }
}
