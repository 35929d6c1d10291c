/// One thing that is asserted about the language.
protocol ConformanceCase: Sendable {
    /// What failures and exceptions call the case.
    var id: String { get }

    /// Whether it holds.
    func judge() -> Verdict

    /// What it says of evaluations.
    var evaluations: [ConformanceEvaluation] { get }
}

extension ConformanceCase {
    var evaluations: [ConformanceEvaluation] { [] }
}

/// Whether a case holds.
enum Verdict: Hashable, Sendable {
    case passed
    /// What differs, one line each.
    case failed([String])
    /// The case says nothing certain.
    case skipped(String)

    init(complaints: [String]) {
        self = complaints.isEmpty ? .passed : .failed(complaints)
    }
}

/// A case whose data cannot be made sense of: it fails and says why, so that no row is passed over.
struct UnreadableCase: ConformanceCase {
    let id: String
    let problem: String

    func judge() -> Verdict {
        .failed([problem])
    }
}
