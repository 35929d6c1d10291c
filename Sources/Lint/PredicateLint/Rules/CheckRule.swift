import PredicateChecks
import PredicateSyntax

/// `predicate-check` and `predicate-model`: the findings of `predicate check`.
enum CheckRule {
    /// The findings in a format of the source; none if it is not a predicate.
    static func findings(_ subject: LintSubject, _ scope: CheckScope) -> [LintFinding] {
        let unknown = SourceRanges(subject.unknownText)
        return checked(subject, scope).compactMap { rule, finding in
            guard let range = finding.range, !isReportedElsewhere(finding, subject), !unknown.overlap(range),
                !comparesExpressions(finding, subject), !isNilOfRealm(finding, subject),
                !countsInRealm(finding, subject), !joinsAlternatives(finding, subject)
            else {
                return nil
            }
            return lintFinding(finding, rule, subject, knowsKeys: scope.schema != nil)
        }
    }

    private static func checked(
        _ subject: LintSubject, _ scope: CheckScope
    ) -> [(rule: LintRule, finding: PredicateFinding)] {
        switch subject.parse.outcome {
        case .predicate(let predicate): findings(in: predicate, open: subject.openParts, scope: scope)
        case .expression(let expression) where scope.schema != nil && subject.openParts.isEmpty:
            Checker.findings(in: expression, scope: scope).findings.map { (.model, $0) }
        case .expression, .failure: []
        }
    }

    /// The checker's findings in a predicate, each with the rule that reports it.
    static func findings(
        in predicate: FormatPredicate, open: [OpenPart], scope: CheckScope
    ) -> [(rule: LintRule, finding: PredicateFinding)] {
        let found = Checker.findings(in: predicate, open: open, scope: scope)
        guard scope.schema != nil else { return found.map { (.check, $0) } }
        let ofSchema = ofSchema(found, predicate, open)
        return found.map { (ofSchema($0) ? .model : .check, $0) }
    }

    /// Returns a function that tells which findings depend on the schema. A kind mismatch between two constants does not, and
    /// neither does a hyphenated key that is recognized by the string it is compared with.
    private static func ofSchema(
        _ found: [PredicateFinding], _ predicate: FormatPredicate, _ open: [OpenPart]
    ) -> (PredicateFinding) -> Bool {
        guard found.contains(where: { mayBeOfSchema.contains($0.code) }) else { return { ofSchema.contains($0.code) } }
        let others = Checker.findings(in: predicate, open: open)
        return { finding in
            ofSchema.contains(finding.code)
                || mayBeOfSchema.contains(finding.code)
                    && !others.contains { $0.code == finding.code && $0.range == finding.range }
        }
    }

    /// True for a check that finds more if the objects are known.
    static func dependsOnSchema(_ code: PredicateFinding.Code) -> Bool {
        ofSchema.contains(code) || mayBeOfSchema.contains(code)
    }

    private static let mayBeOfSchema: Set<PredicateFinding.Code> = [.kindMismatch, .hyphenatedKey]

    /// Findings about keys and the kinds of their values.
    private static let ofSchema: Set<PredicateFinding.Code> = [
        .unknownKey, .unknownProperty, .subentityKey, .transientKey, .keywordAsKey, .outOfRange, .toManyKey,
        .toOneKey, .nilInToMany, .refusedByStore,
    ]

    /// True for `%@ == %@` with an argument that is an NSExpression, so it may be a key path.
    private static func comparesExpressions(_ finding: PredicateFinding, _ subject: LintSubject) -> Bool {
        guard finding.code == .bothConstant, let range = finding.range, let arguments = subject.arguments else {
            return false
        }
        return zip(subject.specifiers, arguments).contains { specifier, argument in
            guard range.contains(specifier.range.lowerBound), specifier.kind == .value else { return false }
            return subject.bytes.text(argument.range).lowercased().contains("expression")
                || argument.type?.name.contains("Expression") ?? false
        }
    }

    /// True for findings about conditions of which each may be the only one that is added at run time.
    private static func joinsAlternatives(_ finding: PredicateFinding, _ subject: LintSubject) -> Bool {
        subject.value.isUncertain
            && [.neverHolds, .alwaysHolds, .duplicateClause, .impliedClause].contains(finding.code)
    }

    /// True for `age IN {nil}` and `name CONTAINS nil` in a query of Realm, which accepts nil as an element and as a string.
    private static func isNilOfRealm(_ finding: PredicateFinding, _ subject: LintSubject) -> Bool {
        guard finding.code == .neverHolds || finding.code == .alwaysHolds, let range = finding.range,
            subject.call.kind == .realm || subject.call.kind == .custom && subject.bytes.namesRealm
        else { return false }
        let text = String(decoding: subject.parse.text.bytes[range], as: UTF8.self).lowercased()
        let words = text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
        return !Set(words).isDisjoint(with: ["in", "contains", "beginswith", "endswith", "like"])
            && (words.contains("nil") || words.contains("null"))
    }

    /// True for `ANY items.pets.@count > 1` in a query of Realm, where it means the number of pets of each item.
    private static func countsInRealm(_ finding: PredicateFinding, _ subject: LintSubject) -> Bool {
        guard finding.code == .toOneKey, let range = finding.range, subject.bytes.namesRealm else { return false }
        return String(decoding: subject.parse.text.bytes[range], as: UTF8.self).contains(".@count")
    }

    /// True for `'%@'`, which another rule reports if the call passes arguments.
    private static func isReportedElsewhere(_ finding: PredicateFinding, _ subject: LintSubject) -> Bool {
        finding.code == .specifierInQuotes && (!subject.call.kind.isStored || subject.call.kind == .logCommand)
    }

    private static func lintFinding(
        _ finding: PredicateFinding, _ rule: LintRule, _ subject: LintSubject, knowsKeys: Bool
    ) -> LintFinding {
        let argument = finding.range.flatMap(subject.knownArgument(at:))
        var result = subject.finding(
            rule, finding.message, hints: finding.hint.map { [$0] } ?? [],
            at: argument ?? subject.source(finding.range ?? 0..<0), level: level(of: finding, knowsKeys: knowsKeys))
        result.code = finding.code
        result.isQuiet = result.level == .note && !knowsKeys
        result.fix = fix(finding, subject)
        if let fix = finding.fix, !subject.text.hasHoles, !subject.containsKnownArgument(fix.range) {
            result.suggestion = LintFix(fix, finding.hint, at: subject.source(fix.range))
        }
        return result
    }

    private static func level(of finding: PredicateFinding, knowsKeys: Bool) -> LintLevel {
        finding.level == .warning && !knowsKeys && advice.contains(finding.code) ? .note : finding.level
    }

    /// Findings about forms that are often intentional. They are notes unless the keys are known.
    private static let advice: Set<PredicateFinding.Code> = [
        .anyDiffers, .emptyText, .matchesWholeText, .unescapedDot, .wholeDivision, .unusedVariable,
        .numberInQuotes,
    ]

    /// The fix of a check, if it is certain and its replacement needs no escapes in the source.
    private static func fix(_ finding: PredicateFinding, _ subject: LintSubject) -> LintFix? {
        guard let fix = finding.fix, fix.isCertain, subject.value.isDirect, !subject.text.hasHoles,
            !subject.containsKnownArgument(fix.range),
            fix.replacement.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C && $0 != 0x26 && $0 != 0x3C })
        else { return nil }
        let edit = LintEdit(range: subject.source(fix.range), replacement: fix.replacement)
        return LintFix(title: "Write \(fix.replacement)", edits: [edit])
    }
}

// MARK: - Predicates by themselves

extension Linter {
    /// The findings in a predicate outside code, with their places in its format, as `predicate check` reports them.
    ///
    /// `linter.check("nmae == 'jo'", entity: "Person")`
    package func check(_ format: String, entity: String? = nil) -> [LintFinding] {
        let specifiers = FormatPredicate.specifiers(in: format)
        do throws(PredicateFormatError) {
            let predicate = try FormatPredicate(format: format, arguments: specifiers.map(\.kind.standIn))
            let scope = scope(ofEntity: entity)
            return CheckRule.findings(in: predicate, open: specifiers.map(OpenPart.init), scope: scope).map {
                LintFinding($0.finding, $0.rule, in: format)
            }
        } catch {
            return [
                LintFinding(
                    rule: .syntax, level: .error, text: SyntaxRule.message(of: error), hints: error.hints,
                    range: error.range, format: format, literal: 0..<format.utf8.count)
            ]
        }
    }

    /// The scope for objects of an entity, which is named as in the source.
    func scope(ofEntity name: String?, owner: String? = nil) -> CheckScope {
        Self.scope(schema(ofEntity: name), ofEntity: name, owner: owner)
    }

    /// The schema that provides the keys that an editor offers for an entity or a host.
    package func keySchema(ofEntity name: String?) -> (any PredicateSchema)? {
        let hosts = HostTable.with(settings.hosts)
        return name.flatMap(hosts.entity) != nil ? hosts : schema(ofEntity: name)
    }

    /// The schema that describes an entity: the models, or else the types in the sources.
    package func schema(ofEntity name: String?) -> (any PredicateSchema)? {
        guard let name else { return schema }
        return schema?.entity(named: name) == nil && types.entity(named: name) != nil ? types : schema
    }

    /// The scope for objects of an entity; `owner` is the entity of `$FETCH_SOURCE`.
    static func scope(_ schema: (any PredicateSchema)?, ofEntity name: String?, owner: String? = nil) -> CheckScope {
        guard let schema, let entity = name.flatMap(schema.entity) else { return CheckScope() }
        var scope = CheckScope(schema, entity: entity)
        if let owner = owner.flatMap(schema.entity) { scope.variables["FETCH_SOURCE"] = KnownType(entity: owner) }
        return scope
    }
}

extension LintFinding {
    /// Creates a finding in a predicate outside code, whose format is also its source.
    fileprivate init(_ finding: PredicateFinding, _ rule: LintRule, in format: String) {
        let literal = 0..<format.utf8.count
        self.init(
            rule: rule, level: finding.level, code: finding.code, text: finding.message,
            hints: finding.hint.map { [$0] } ?? [], range: finding.range ?? literal, format: format, literal: literal)
        suggestion = finding.fix.map { LintFix($0, finding.hint, at: $0.range) }
    }
}
