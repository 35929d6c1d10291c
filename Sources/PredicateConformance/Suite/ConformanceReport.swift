/// The results of a run of conformance data.
///
/// `print(report.summary)` prints `912 passed, 1 failed, 2 skipped`, and each finding is one line: `dd-004: expected …`.
package struct ConformanceReport: Hashable, Sendable {
    /// One line about one case: `dd-004: expected false, found true`.
    package struct Finding: Hashable, Sendable, CustomStringConvertible {
        package let id: String
        package let message: String

        package init(id: String, message: String) {
            self.id = id
            self.message = message.onOneLine
        }

        package var description: String { "\(id): \(message)" }
    }

    /// The number of cases that pass.
    package private(set) var passed = 0
    /// The number of cases that fail; each has at least one line among ``failures``.
    package private(set) var failed = 0
    /// The differences, with the expected and the found value.
    package private(set) var failures: [Finding] = []
    /// Cases that assert nothing certain, with the reason.
    package private(set) var skipped: [Finding] = []
    /// Cases that fail and are listed as exceptions, with the reasons of the list.
    package private(set) var excepted: [Finding] = []

    package init() {}

    /// True if no case fails.
    package var isSuccess: Bool { failed == 0 }

    /// `912 passed, 1 failed, 2 skipped`, and `1 excepted` if there are exceptions.
    package var summary: String {
        let exceptions = excepted.isEmpty ? "" : ", \(excepted.count) excepted"
        return "\(passed) passed, \(failed) failed, \(skipped.count) skipped\(exceptions)"
    }

    /// Adds the results of another run.
    package mutating func merge(_ other: ConformanceReport) {
        passed += other.passed
        failed += other.failed
        failures += other.failures
        skipped += other.skipped
        excepted += other.excepted
    }

    /// Adds the verdict about one case.
    mutating func record(_ verdict: Verdict, of id: String, exception reason: String?) {
        switch verdict {
        case .passed where reason != nil: fail(id, ["listed as an exception, yet it passes"])
        case .passed: passed += 1
        case .skipped(let why): skipped.append(Finding(id: id, message: why))
        case .failed(let messages):
            guard let reason else { return fail(id, messages) }
            excepted.append(Finding(id: id, message: reason))
        }
    }

    private mutating func fail(_ id: String, _ messages: [String]) {
        failed += 1
        failures += messages.map { Finding(id: id, message: $0) }
    }
}

extension String {
    /// The text with its line ends written as `\n`.
    var onOneLine: String {
        guard utf8.contains(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) else { return self }
        var result = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
