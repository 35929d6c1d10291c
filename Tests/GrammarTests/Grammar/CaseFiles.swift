@testable import PredicateConformance

/// The records of Tests/Conformance/Cases.
enum CaseFiles {
    static func records() throws -> [CaseRecord] {
        try ProjectFile.paths(in: "Tests/Conformance/Cases", extension: "cases").flatMap { path in
            try CaseFile(path: path, text: try ProjectFile.text(path)).records
        }
    }

    /// Their formats, of predicates and of expressions.
    static func formats() throws -> [String] {
        try records().filter { $0.compound == nil }.map(\.format)
    }
}
