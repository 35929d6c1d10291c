internal import PredicateEvaluation
public import PredicateSyntax

/// Finds legal but probably mistaken parts of a predicate.
///
/// Each family of checks is a file. The checks need no data; a caller that has data passes additional families.
///
///     try Checker.findings(inFormat: "age > 5 AND age < 3").first?.description
package enum Checker {
    package typealias Family = @Sendable (CheckSubject) -> [PredicateFinding]

    /// The findings in a format whose arguments are unknown, in source order.
    /// - Throws: ``PredicateFormatError`` if the format is not a predicate.
    package static func findings(
        inFormat format: String, scope: CheckScope = CheckScope()
    ) throws(PredicateFormatError) -> [PredicateFinding] {
        let specifiers = FormatPredicate.specifiers(in: format)
        let predicate = try FormatPredicate(format: format, arguments: specifiers.map(\.kind.standIn))
        return findings(in: predicate, open: specifiers.map(OpenPart.init), scope: scope)
    }

    /// The findings in source order.
    ///
    /// `open` lists the parts of the format whose values are unknown, `scope` describes the evaluated objects and the
    /// context, and `further` holds checks that need data.
    package static func findings(
        in predicate: FormatPredicate, open: [OpenPart] = [], scope: CheckScope = CheckScope(), further: [Family] = []
    ) -> [PredicateFinding] {
        let subject = CheckSubject(predicate, open: open, scope: scope)
        return shown(all(in: subject, further), of: subject)
    }

    /// The first mistake that contradicts the types of the objects; nil if there is none. Its code may name the cause
    /// instead, such as a number in quotes.
    static func contradiction(in predicate: FormatPredicate, scope: CheckScope) -> PredicateFinding? {
        let subject = CheckSubject(predicate, open: [], scope: scope)
        let all = all(in: subject, [])
        let contradictions = inSourceOrder(all.filter(\.contradictsTypes))
        guard let first = contradictions.first else { return nil }
        let shown = shown(all, of: subject)
        let cause = shown.first { finding in
            guard let range = finding.range, let mistaken = first.range else { return false }
            return range.overlaps(mistaken) && finding.level != .note
        }
        return shown.first { $0.code == first.code && $0.range == first.range } ?? cause ?? first.in(subject.format)
    }

    private static func all(in subject: CheckSubject, _ further: [Family]) -> [PredicateFinding] {
        KeyChecks.findings(in: subject) + (families + further).flatMap { $0(subject) }
    }

    /// The findings that do not follow from others, in source order.
    private static func shown(_ findings: [PredicateFinding], of subject: CheckSubject) -> [PredicateFinding] {
        inSourceOrder(withoutConsequences(findings)).map { $0.in(subject.format) }
    }

    /// The integer divisions whose fraction matters, in source order, without any other checks.
    package static func divisions(in predicate: FormatPredicate, scope: CheckScope) -> [PredicateFinding] {
        let subject = CheckSubject(predicate, open: [], scope: scope)
        return inSourceOrder(DivisionChecks.findings(in: subject)).map { $0.in(subject.format) }
    }

    /// The findings about keys and kinds in an expression, and the type of its value.
    package static func findings(
        in expression: FormatExpression, scope: CheckScope
    ) -> (findings: [PredicateFinding], type: KnownType) {
        let printed = expression.source == nil ? try? FormatExpression(expression.expressionFormat) : nil
        let source = expression.source ?? (printed == expression ? printed?.source : nil)
        var typing = Typing(scope, ranges: source?.ranges ?? [], open: [])
        let root = typing.check(.expression(expression.node))
        let format = source?.text ?? expression.expressionFormat
        return (inSourceOrder(typing.findings).map { $0.in(format) }, root.type)
    }

    /// Removes duplicates, which have the same code and place, and sorts by place.
    private static func inSourceOrder(_ findings: [PredicateFinding]) -> [PredicateFinding] {
        struct Identity: Hashable {
            var code: PredicateFinding.Code
            var range: Range<Int>?
            var message: String?
        }
        var seen: Set<Identity> = []
        let unique = findings.filter { finding in
            let message = finding.range == nil ? finding.message : nil
            return seen.insert(Identity(code: finding.code, range: finding.range, message: message)).inserted
        }
        return unique.enumerated().sorted {
            ($0.element.range?.lowerBound ?? 0, $0.offset) < ($1.element.range?.lowerBound ?? 0, $1.offset)
        }.map(\.element)
    }

    /// Removes findings that are consequences of others: a kind mismatch whose cause is a missing or misplaced quote, a failed
    /// evaluation whose cause is already reported, the weaker of two findings about one comparison.
    private static func withoutConsequences(_ findings: [PredicateFinding]) -> [PredicateFinding] {
        let dates = ranges(of: [.dateWithoutQuotes], findings)
        let wildcards = ranges(of: [.wildcardInPattern, .patternInLike, .lostBackslash], findings)
        let failures: Set<PredicateFinding.Code> = [.cannotBeEvaluated, .cannotBePrepared]
        let errors = ranges(findings.filter { $0.level == .error && !failures.contains($0.code) })
        let outcomes = ranges(of: [.neverHolds, .alwaysHolds, .duplicateClause], findings)
        let kinds = ranges(of: [.kindMismatch], findings)
        let decomposed = ranges(of: [.decomposedText], findings)
        let mismatches = Set(findings.filter { $0.code == .kindMismatch }.map(\.range))
        let causes = ranges(of: causesOfMismatches, findings)
        let single = ranges(of: [.toOneKey], findings)
        let hyphenated = ranges(of: [.hyphenatedKey], findings)
        let versions = ranges(of: [.versionOrder], findings)
        let named = ranges(findings.filter { $0.level != .note && !failures.contains($0.code) && $0.code != .keepsNil })
        let quoted = ranges(
            of: [.quotedKey, .hyphenatedKey, .keywordAsKey, .constantInQuotes, .textWithoutQuotes, .specifierInQuotes],
            findings)
        return findings.filter { finding in
            guard let range = finding.range else { return true }
            return switch finding.code {
            case .kindMismatch: !dates.overlap(range) && !quoted.overlap(range) && !causes.overlap(range)
            case .unknownKey: !hyphenated.overlap(range)
            case .cannotBeEvaluated: !named.overlap(range)
            case .cannotBePrepared: !errors.overlap(range) && !dates.overlap(range) && !hyphenated.overlap(range)
            case .neverHolds, .alwaysHolds:
                !quoted.overlap(range) && !mismatches.contains(range) && !versions.overlap(range)
            case .bothConstant: !outcomes.overlap(range)
            case .impliedClause: !outcomes.overlap(range) && !kinds.overlap(range)
            case .caseDiffers: !decomposed.overlap(range)
            case .anyDiffers: !single.overlap(range)
            case .matchesWholeText, .likeWithoutWildcard, .foreignWildcard: !wildcards.overlap(range)
            default: true
            }
        }
    }

    /// Mistakes that lead to a kind mismatch.
    private static let causesOfMismatches: Set<PredicateFinding.Code> = [
        .variableInQuotes, .containsCollection, .inNoCollection, .bothConstant,
    ]

    private static func ranges(of codes: Set<PredicateFinding.Code>, _ findings: [PredicateFinding]) -> SourceRanges {
        ranges(findings.filter { codes.contains($0.code) })
    }

    private static func ranges(_ findings: [PredicateFinding]) -> SourceRanges {
        var end = 0
        let ranges = findings.compactMap(\.range)
        // The ranges of comparisons may contain each other. A range that begins inside another one is left out.
        let apart = ranges.sorted { ($0.lowerBound, -$0.upperBound) < ($1.lowerBound, -$1.upperBound) }.filter {
            guard $0.lowerBound >= end else { return false }
            end = $0.upperBound
            return true
        }
        return SourceRanges(apart)
    }

    private static let families: [Family] = [
        PreparationChecks.findings, SourceChecks.findings, TextChecks.findings, WildcardChecks.findings,
        QuotingChecks.findings, ShapeChecks.findings, QuantityChecks.findings, KindChecks.findings,
        OrderChecks.findings, OperatorChecks.findings, CollectionChecks.findings, DivisionChecks.findings,
        LogicChecks.findings, ConstantChecks.findings, ImpliedChecks.findings, StoreChecks.findings,
    ]
}

extension OpenPart {
    /// A specifier without an argument.
    package init(_ specifier: FormatSpecifier) {
        self.init(specifier.range, specifier.kind.valueKind)
    }
}

extension FormatSpecifier.Kind {
    /// A valid argument for a specifier whose argument is unknown.
    package var standIn: PredicateValue {
        switch self {
        case .value, .text: .string("argument")
        case .keyPath: .string("key")
        case .integer: .integer(1)
        case .floatingPoint: .double(1.5)
        }
    }

    /// The kind of the argument; nil for `%@`, which takes any kind, and for `%K`.
    fileprivate var valueKind: PredicateValue.Kind? {
        switch self {
        case .value, .keyPath: nil
        case .text: .string
        case .integer, .floatingPoint: .number
        }
    }
}

extension FormatPredicate {
    /// Returns the legal but probably mistaken parts of the predicate, in source order.
    ///
    ///     try FormatPredicate("age > 5 AND age < 3").check().first?.message
    ///     // this and age > 5 never hold together
    ///
    /// Variables may have any value.
    public func check() -> [PredicateFinding] { Checker.findings(in: self) }

    /// Returns the probable mistakes in the predicate when it is used with objects of an entity: unknown keys, kinds
    /// that are never equal, and everything that ``check()`` finds.
    ///
    ///     for finding in predicate.check(against: shop, entity: "Order") { print(finding) }
    ///
    /// Variables may have any value. An entity that is not in the schema has no keys.
    public func check(against schema: some PredicateSchema, entity: String) -> [PredicateFinding] {
        Checker.findings(in: self, scope: CheckScope(schema, entity: entity))
    }
}

extension FormatPredicate {
    /// Returns the probable mistakes in the predicate when it is used with values of a type: one with a table of key paths
    /// or, except on Apple's platforms, any struct.
    ///
    ///     try FormatPredicate("boss.nmae == 'jo'").check(against: Person.self).first?.hint  // did you mean name?
    public func check<Root>(against type: Root.Type) -> [PredicateFinding] {
        let schema = KeyPathSchema(type)
        return check(against: schema, entity: schema.root)
    }
}
