/// One assertion about the language.
protocol ConformanceCase: Sendable {
    /// The identifier of the case in failures and exceptions.
    var id: String { get }

    /// Judges the case.
    func judge() -> Verdict

    /// The evaluations that the case asserts.
    var evaluations: [ConformanceEvaluation] { get }
}

extension ConformanceCase {
    var evaluations: [ConformanceEvaluation] { [] }
}

/// The verdict about a case.
enum Verdict: Hashable, Sendable {
    case passed
    /// The differences, one line each.
    case failed([String])
    /// The case asserts nothing certain.
    case skipped(String)

    init(complaints: [String]) {
        self = complaints.isEmpty ? .passed : .failed(complaints)
    }
}

/// A case with invalid data: it fails with the reason, so that no row is skipped.
struct UnreadableCase: ConformanceCase {
    let id: String
    let problem: String

    func judge() -> Verdict {
        .failed([problem])
    }
}
