import PredicateSyntax
import PredicateText

/// A regular expression for UTF-8 strings: `name MATCHES[c] "j.*n"` where the names are in a database.
package struct TextPattern {
    private let whole: WholePattern
    private let arena = Arena()
    private let test: PatternTest

    /// Compiles a pattern. Throws `invalidPattern`, and `exceeds` for a pattern that is too long.
    package init(
        _ pattern: String, _ mode: FoldMode, limits: PredicateLimits = .standard
    ) throws(EvaluationError) {
        whole = try Self.placing { () throws(Fault) in try WholePattern(pattern, mode, limits) }
        test = PatternTest(whole, in: arena)
    }

    /// Returns true if the pattern matches the whole string, and adds the steps of the matcher to `steps`. Throws
    /// `patternTooCostly`, and `exceeds` for a string that is too long.
    package func matches(
        _ text: UnsafeBufferPointer<UInt8>, steps: inout Int
    ) throws(EvaluationError) -> Bool {
        if let result = test.result(of: text, &steps).decided { return result }
        return try Self.placing { () throws(Fault) in
            try whole.matches(String(decoding: text, as: UTF8.self), steps: &steps)
        }
    }

    /// Converts faults to errors of a comparison with two operands.
    private static func placing<Result>(_ work: () throws(Fault) -> Result) throws(EvaluationError) -> Result {
        do throws(Fault) { return try work() } catch { throw EvaluationError(error, operands: [0, 1], whole: 2) }
    }
}

/// A regular expression as a trivial value, for tests that hold only pointers.
///
/// A string that contains none of the required texts does not match. All others are left to the automaton, if the
/// pattern has one.
struct PatternTest: BitwiseCopyable {
    private let whole: Unmanaged<WholePattern>
    private let automaton: Unmanaged<PatternAutomaton>?
    private let required: UnsafeBufferPointer<FlatNeedle>
    private let limits: (subjectLength: Int, visits: Int)
    /// The ASCII characters with which a string that matches may begin, one bit for each.
    private let beginnings: SIMD2<UInt64>
    /// True if only the general matcher can decide strings that are not ASCII, because they must be folded.
    private let isASCIIOnly: Bool

    /// The pattern must outlive the arena.
    init(_ pattern: WholePattern, in arena: Arena) {
        whole = arena.keep(pattern)
        automaton = pattern.automaton.map { .passUnretained($0) }
        required = arena.store(pattern.required.map(\.flat))
        limits = (pattern.limits.subjectLength, pattern.mostVisits)
        isASCIIOnly = pattern.foldsDiacritics
        beginnings = isASCIIOnly ? SIMD2(repeating: .max) : pattern.automaton?.beginnings ?? SIMD2(repeating: .max)
    }

    /// True if most strings are decided without creating a String.
    var isQuick: Bool { automaton != nil }

    /// Returns the result for UTF-8; unknown if a String is required.
    @inline(__always)
    func result(of text: UnsafeBufferPointer<UInt8>) -> LeafResult {
        var steps = 0
        return result(of: text, &steps)
    }

    /// Returns the result for UTF-8, and adds the steps of the matcher to `steps`; unknown if a String is required.
    @inline(never)
    func result(of text: UnsafeBufferPointer<UInt8>, _ steps: inout Int) -> LeafResult {
        guard text.count <= limits.subjectLength else { return .unknown }
        if let first = text.first, first < 0x80 {
            let word = first < 64 ? beginnings.x : beginnings.y
            if word &>> UInt64(first & 63) & 1 == 0 { return .no }
        }
        if !required.isEmpty, !required.contains(where: { $0.isContained(in: text) }) { return .no }
        guard let automaton, !isASCIIOnly || text.allSatisfy({ $0 < 0x80 }) else { return .unknown }
        return automaton._withUnsafeGuaranteedRef { automaton in
            var visits = 0
            defer { steps &+= visits / WholePattern.visitsPerStep }
            switch automaton.outcome(of: text, &visits, atMost: limits.visits) {
            case .matches: return .yes
            case .fails: return .no
            case .malformed, .tooCostly: return .unknown
            }
        }
    }

    /// Returns the result for a string in place; unknown if it is an error.
    @inline(__always)
    func result(at text: UnsafePointer<String>) -> LeafResult {
        let quick = text.withBytes { result(of: $0) }
        return quick == .unknown ? generalResult(at: text) : quick
    }

    @inline(never)
    private func generalResult(at text: UnsafePointer<String>) -> LeafResult {
        guard let result = whole._withUnsafeGuaranteedRef({ try? $0.matches(text.pointee) }) else { return .unknown }
        return LeafResult(result)
    }
}
