import PredicateSyntax

/// Looks for legal but probably wrong parts of a predicate.
///
/// Each family of checks has a file. They need no data; a caller that has some passes further checks.
///
///     try Checker.findings(inFormat: "age > 5 AND age < 3").first?.description(in: format)
package enum Checker {
    /// A family of checks.
    package typealias Family = @Sendable (CheckSubject) -> [Finding]

    /// Returns the findings in a format whose arguments are unknown, in source order. Throws a ``PredicateFormatError``
    /// for what is no predicate.
    package static func findings(
        inFormat format: String, keys: (any KeyKnowledge)? = nil, judge: any PredicateJudge = ConstantJudge()
    ) throws(PredicateFormatError) -> [Finding] {
        let arguments = FormatPredicate.specifiers(in: format).map(\.kind.standIn)
        let predicate = try FormatPredicate(format: format, arguments: arguments)
        return findings(in: predicate, hasArguments: arguments.isEmpty, keys: keys, judge: judge)
    }

    /// Returns the findings in source order.
    ///
    /// `hasArguments` is false if the arguments of the format's specifiers are not given; they may then be any values.
    /// `keys` is what data or a model say about keys; `judge` evaluates comparisons of constants; `further` are checks that
    /// need data.
    package static func findings(
        in predicate: FormatPredicate, hasArguments: Bool = true, keys: (any KeyKnowledge)? = nil,
        variables: [String: PredicateValue] = [:], judge: any PredicateJudge = ConstantJudge(), further: [Family] = []
    ) -> [Finding] {
        let subject = CheckSubject(
            predicate, hasArguments: hasArguments, keys: keys, variables: variables, judge: judge)
        let found = (families + further).flatMap { $0(subject) }
        var seen: Set<Finding> = []
        let unique = withoutConsequences(found).filter { seen.insert($0).inserted }
        return unique.enumerated().sorted {
            ($0.element.range?.lowerBound ?? 0, $0.offset) < ($1.element.range?.lowerBound ?? 0, $1.offset)
        }.map(\.element)
    }

    /// Removes findings that are a consequence of another one: those about kinds of a date without quotes, and those
    /// about one comparison of which something stronger is said.
    private static func withoutConsequences(_ findings: [Finding]) -> [Finding] {
        let dates = ranges(of: [.dateWithoutQuotes], findings)
        let wildcards = ranges(of: [.wildcardInPattern, .patternInLike], findings)
        let errors = ranges(findings.filter { $0.code == .kindMismatch && $0.level == .error })
        let outcomes = ranges(of: [.neverHolds, .alwaysHolds, .duplicateClause, .kindMismatch], findings)
        return findings.filter { finding in
            guard let range = finding.range else { return true }
            return switch finding.code {
            case .kindMismatch: !dates.overlap(range)
            case .cannotBeEvaluated: !errors.overlap(range)
            case .impliedClause, .bothConstant: !outcomes.overlap(range)
            case .matchesWholeText, .likeWithoutWildcard, .foreignWildcard: !wildcards.overlap(range)
            default: true
            }
        }
    }

    private static func ranges(of codes: Set<Finding.Code>, _ findings: [Finding]) -> SourceRanges {
        ranges(findings.filter { codes.contains($0.code) })
    }

    private static func ranges(_ findings: [Finding]) -> SourceRanges {
        var end = 0
        let ranges = findings.compactMap(\.range)
        // Ranges of comparisons may contain each other; those that begin inside of another one are left out.
        let apart = ranges.sorted { ($0.lowerBound, -$0.upperBound) < ($1.lowerBound, -$1.upperBound) }.filter {
            guard $0.lowerBound >= end else { return false }
            end = $0.upperBound
            return true
        }
        return SourceRanges(apart)
    }

    private static let families: [Family] = [
        PreparationChecks.findings, SourceChecks.findings, TextChecks.findings, WildcardChecks.findings,
        QuotingChecks.findings, ShapeChecks.findings, KindChecks.findings, OperatorChecks.findings,
        CollectionChecks.findings, DivisionChecks.findings, LogicChecks.findings, ConstantChecks.findings,
        ImpliedChecks.findings,
    ]
}

extension FormatSpecifier.Kind {
    /// A valid argument for a specifier whose argument is unknown.
    fileprivate var standIn: PredicateValue {
        switch self {
        case .value, .text: .string("argument")
        case .keyPath: .string("key")
        case .integer: .integer(1)
        case .floatingPoint: .double(1.5)
        }
    }
}
