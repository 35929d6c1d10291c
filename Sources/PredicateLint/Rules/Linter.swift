import PredicateChecks
import PredicateSyntax

/// Checks the format strings of one source at a time.
///
///     let linter = Linter(LintSettings())
///     let result = linter.lint(Array(text.utf8), kind: .swift)
///     for finding in result.findings { print(finding.rule.rawValue, finding.message) }
///
/// Any bytes will do: what is no code of the kind has no formats. Time and memory grow linearly with the source.
package struct Linter: Sendable {
    package var settings: LintSettings
    /// The data model against which keys are checked.
    package var schema: (any LintSchema)?
    /// Reads the data models among the sources.
    package var modelReader: (any LintModelReader)?
    /// Evaluates comparisons of constants, and prepares predicates, for `predicate-check`.
    package var judge: any PredicateJudge

    package init(
        _ settings: LintSettings = LintSettings(), schema: (any LintSchema)? = nil,
        modelReader: (any LintModelReader)? = nil, judge: any PredicateJudge = ConstantJudge()
    ) {
        self.judge = judge
        self.settings = settings
        self.schema = schema
        self.modelReader = modelReader
    }

    /// The format strings of a source and what is wrong with them.
    package func lint(_ source: [UInt8], kind: SourceKind) -> LintResult {
        source.withUnsafeBufferPointer { buffer in
            let bytes = Bytes(buffer)
            var result: LintResult
            switch kind {
            case .swift: result = lintCode(bytes, .swift)
            case .objectiveC: result = lintCode(bytes, .objectiveC)
            case .script:
                result = lintStored(ScriptScanner.texts(in: bytes) + AnalyticScanner.texts(in: bytes), bytes, nil)
            case .compiledModel: result = lintCompiledModel(source, bytes)
            case .propertyList: result = lintStored(PropertyListScanner.texts(in: bytes), bytes, nil)
            case .dataModel:
                let texts = DataModelScanner.texts(in: bytes)
                let own = texts.isEmpty ? nil : modelReader?.schema(ofModel: source)
                result = lintStored(texts, bytes, own)
            }
            finish(&result, bytes)
            return result
        }
    }

    /// Sets levels, leaves out what is suppressed, and orders by place.
    private func finish(_ result: inout LintResult, _ bytes: Bytes) {
        let suppressions = Suppressions(bytes)
        var seen: Set<LintFinding> = []
        result.findings = result.findings.compactMap { finding in
            guard let level = settings.level(of: finding), !suppressions.cover(finding), seen.insert(finding).inserted
            else {
                return nil
            }
            var finding = finding
            finding.level = level
            return finding
        }
        result.findings.sort { ($0.range.lowerBound, $0.rule.rawValue) < ($1.range.lowerBound, $1.rule.rawValue) }
        result.formats.sort { $0.text.literal.lowerBound < $1.text.literal.lowerBound }
    }

    // MARK: Code

    private func lintCode(_ bytes: Bytes, _ language: CodeLanguage) -> LintResult {
        var result = LintResult()
        let usesRealm = bytes.firstOffset(of: "Realm") != nil || bytes.firstOffset(of: "RLM") != nil
        let names = CallNames(custom: settings.calls, usesRealm: usesRealm)
        guard names.mayOccur(in: bytes) else { return result }
        var scanner = CodeScanner(bytes, language, names)
        scanner.scan()
        let reader = TextReader(bytes: bytes, language: language, declarations: scanner.declarations)
        var listed: Set<Range<Int>> = []
        for call in scanner.calls {
            lint(call, reader, &result, &listed)
        }
        return result
    }

    private func lint(
        _ call: FoundCall, _ reader: TextReader, _ result: inout LintResult, _ listed: inout Set<Range<Int>>
    ) {
        guard call.arguments.indices.contains(call.format) else { return }
        let values = reader.values(of: call.arguments[call.format].value)
        if values.isEmpty { result.findings += DynamicRule.findings(call, reader) }
        for value in values where value.text.literal.count < settings.longestLiteral {
            let arguments = CallArguments(call, reader)
            guard let subject = subject(value, call, arguments, reader) else {
                list(value, call, parsed: value.text, &result, &listed)
                continue
            }
            if call.isUncertain, subject.parse.error != nil { continue }
            list(value, call, parsed: subject.parse.text, &result, &listed)
            guard !call.expectsFailure else { continue }
            result.findings += findings(subject) { reader.declarations.parameterType($0, reader.bytes) }
            guard let schema else { continue }
            let finder = EntityFinder(bytes: reader.bytes, language: reader.language, declarations: reader.declarations)
            let entity = finder.entity(of: call, literal: value.text.literal)
            result.formats[result.formats.count - 1].entity = entity
            if let entity, let rule = ModelRule(schema, entity: entity) { result.findings += rule.findings(subject) }
        }
    }

    private func list(
        _ value: TextValue, _ call: FoundCall, parsed: FormatText, _ result: inout LintResult,
        _ listed: inout Set<Range<Int>>
    ) {
        guard listed.insert(value.text.literal).inserted else { return }
        result.formats.append(FoundFormat(text: value.text, kind: call.kind, name: call.name, parsed: parsed))
    }

    /// Nil for a format with holes of which nothing can be said.
    private func subject(
        _ value: TextValue, _ call: FoundCall, _ arguments: CallArguments, _ reader: TextReader?
    ) -> LintSubject? {
        let quick = FormatPredicate.specifiers(in: value.text.text)
        let values = zip(quick, arguments.literals).map { $1.value(for: $0.kind) }
        guard let parse = StandIns.parse(value.text, isExpression: call.kind.isExpression, values: values) else {
            return nil
        }
        let holes = parse.text.holes.map(\.range)
        let isInHole = { (range: Range<Int>) in
            holes.contains { $0.lowerBound <= range.lowerBound && range.upperBound <= $0.upperBound && !$0.isEmpty }
        }
        return LintSubject(
            bytes: arguments.bytes, language: reader?.language, call: call, value: value, parse: parse,
            arguments: arguments.values, literals: arguments.literals,
            specifiers: parse.specifiers.filter { !isInHole($0.range) },
            quoted: QuotedSpecifier.all(in: parse.text).filter { !isInHole($0.range) })
    }

    private func findings(_ subject: LintSubject, parameters: (Range<Int>) -> String?) -> [LintFinding] {
        SyntaxRule.findings(subject) + ArgumentCountRule.findings(subject) + ArgumentTypeRule.findings(subject)
            + QuotedPlaceholderRule.findings(subject) + InterpolationRule.findings(subject, parameters: parameters)
            + (settings.isOn(.check) ? CheckRule.findings(subject, judge) : [])
    }

    // MARK: Other sources

    /// The predicates of a compiled model have no place in it but the whole.
    private func lintCompiledModel(_ source: [UInt8], _ bytes: Bytes) -> LintResult {
        let texts = (modelReader?.predicates(ofModel: source) ?? []).map { predicate in
            var text = FormatText()
            text.appendEscape(predicate.format.utf8, source: 0..<0)
            return StoredText(
                text: text, kind: .stored, name: 0..<0, entity: predicate.entity, owner: predicate.owner)
        }
        return lintStored(texts, bytes, modelReader?.schema(ofModel: source))
    }

    private func lintStored(_ texts: [StoredText], _ bytes: Bytes, _ schema: (any LintSchema)?) -> LintResult {
        var result = LintResult()
        for stored in texts {
            var listed: Set<Range<Int>> = []
            var call = FoundCall(kind: stored.kind, name: stored.name, range: stored.name, format: 0, scope: 0)
            call.isUncertain = stored.isUncertain
            call.arguments = [.init(label: nil, value: stored.text.literal)]
            let value = TextValue(text: stored.text)
            let arguments = CallArguments(none: bytes)
            let parse = subject(value, call, arguments, nil)
            if stored.isUncertain, parse?.parse.error != nil || parse == nil { continue }
            list(value, call, parsed: parse?.parse.text ?? value.text, &result, &listed)
            guard let parse else { continue }
            result.findings += findings(parse) { _ in nil }
            result.formats[result.formats.count - 1].entity = stored.entity
            if let schema, let entity = stored.entity, let rule = ModelRule(schema, entity: entity, owner: stored.owner)
            {
                result.findings += rule.findings(parse)
            }
        }
        return result
    }
}

/// `predicate-dynamic`: a format of which nothing is known; off by default.
enum DynamicRule {
    static func findings(_ call: FoundCall, _ reader: TextReader) -> [LintFinding] {
        guard !call.isUncertain, call.kind != .custom else { return [] }
        let range = call.arguments[call.format].value
        return [
            LintFinding(
                rule: .dynamic, level: .note, message: "the format is not known before the program runs",
                hints: ["a literal with %@ and %K can be checked"], range: range)
        ]
    }
}
