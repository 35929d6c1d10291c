import PredicateChecks
import PredicateModel
import PredicateSyntax

/// Checks the format strings of one source at a time.
///
///     let linter = Linter(LintSettings())
///     let result = linter.lint(Array(text.utf8), kind: .swift)
///     for finding in result.findings { print(finding.rule.rawValue, finding.message) }
///
/// Any bytes are accepted; bytes that are not code of the given kind contain no formats. Time and memory are linear in the
/// length of the source.
package struct Linter: Sendable {
    package var settings: LintSettings
    /// The objects of the project. A predicate is checked against them if the source shows its entity.
    package var schema: (any PredicateSchema)?
    /// The types that the sources of the project declare. An entity of the schema takes precedence over a type of the sources.
    package var types: SourceTypes
    /// The types of other sources whose properties are arguments.
    package var members = SourceTypes()
    /// The functions of other sources that pass a parameter on as a format.
    package var wrappers: [CallName] = []

    /// The maximum length of a literal in bytes; longer ones are ignored.
    private static let longestLiteral = 1 << 20

    package init(
        _ settings: LintSettings = LintSettings(), schema: (any PredicateSchema)? = nil,
        types: SourceTypes = SourceTypes()
    ) {
        self.settings = settings
        self.schema = schema
        self.types = types
    }

    /// The built-in hosts and those of the configuration.
    private var hosts: HostTable { settings.hosts.isEmpty ? .standard : .with(settings.hosts) }

    /// Returns the format strings of a source and the findings about them.
    package func lint(_ source: [UInt8], kind: SourceKind) -> LintResult {
        source.withUnsafeBufferPointer { buffer in
            let bytes = Bytes(buffer)
            let words = Self.words(in: bytes, kind)
            var result = found(source, bytes, kind, words)
            finish(&result, bytes)
            return result
        }
    }

    /// The words of Swift or Objective-C code; nil for other sources.
    private static func words(in bytes: Bytes, _ kind: SourceKind) -> SourceWords? {
        switch kind {
        case .swift: SourceWords(bytes, .swift)
        case .objectiveC: SourceWords(bytes, .objectiveC)
        case .script, .propertyList, .dataModel, .compiledModel, .program, .markdown: nil
        }
    }

    /// The formats of a source with all findings, before levels and suppressions.
    private func found(_ source: [UInt8], _ bytes: Bytes, _ kind: SourceKind, _ words: SourceWords?) -> LintResult {
        switch kind {
        case .swift: return lintCode(bytes, .swift, words ?? SourceWords())
        case .objectiveC: return lintCode(bytes, .objectiveC, words ?? SourceWords())
        case .script:
            let texts =
                ScriptScanner.texts(in: bytes) + AnalyticScanner.texts(in: bytes)
                + ElementLocatorScanner.texts(in: bytes)
            return lintStored(texts, bytes, nil)
        case .program: return lintStored(ElementLocatorScanner.texts(in: bytes), bytes, nil)
        case .markdown: return lintBlocks(source)
        case .propertyList: return lintStored(PropertyListScanner.texts(in: bytes), bytes, nil)
        case .dataModel:
            let texts = DataModelScanner.texts(in: bytes)
            return lintStored(texts, bytes, texts.isEmpty ? nil : try? ManagedObjectModel(bytes: source))
        case .compiledModel:
            // The predicates have no places in the file, so findings name the file as a whole.
            let model = try? ManagedObjectModel(bytes: source)
            return lintStored(model.map(CompiledModelScanner.texts) ?? [], bytes, model)
        }
    }

    /// Sets levels, removes suppressed findings, and sorts by place.
    private func finish(_ result: inout LintResult, _ bytes: Bytes) {
        var suppressions = result.words?.contains(.disableComment) ?? true ? Suppressions(bytes) : Suppressions()
        let own = distinct(result.findings + EncodingRule.findings(in: bytes)).filter { !suppressions.cover($0) }
        let comments = suppressions.findings(
            settings, formats: result.formats.map(\.text.literal), knowsKeys: schema != nil)
        let found = (own + comments).filter(settings.isOn).map { $0.withoutFix(in: bytes) }
        result.findings = found.compactMap { finding in
            settings.level(of: finding).map { level in
                var finding = finding
                finding.level = level
                return finding
            }
        }
        result.quiet = found.filter { settings.level(of: $0) == nil }
        result.findings.sort { ($0.range.lowerBound, $0.rule.rawValue) < ($1.range.lowerBound, $1.rule.rawValue) }
        result.formats.sort { $0.text.literal.lowerBound < $1.text.literal.lowerBound }
    }

    /// The findings without duplicates: a format that is built in several ways has the same mistake in each of them.
    private func distinct(_ findings: [LintFinding]) -> [LintFinding] {
        struct Identity: Hashable {
            var identifier: String
            var text: String
            var range: Range<Int>
        }
        var seen: Set<Identity> = []
        return findings.filter {
            seen.insert(Identity(identifier: $0.identifier, text: $0.text, range: $0.range)).inserted
        }
    }

    // MARK: Code

    private func lintCode(_ bytes: Bytes, _ language: CodeLanguage, _ words: SourceWords) -> LintResult {
        var result = LintResult()
        result.words = words
        let hasMacros = language == .swift && words.mayUseMacros
        let elsewhere = wrappers.isEmpty ? [] : InjectionRule.elsewhere(wrappers, in: bytes, language)
        let mayNameKeys = words.mayNameKeys && (schema != nil || hosts.mayOccur(in: bytes))
        let mayCall = words.mayCall(language) || mayNameKeys
        guard mayCall || hasMacros || !elsewhere.isEmpty || !settings.calls.isEmpty else { return result }
        let usesRealm = bytes.namesRealm
        var names = CallNames(custom: settings.calls + elsewhere, usesRealm: usesRealm, language)
        names.findsKeys = schema != nil || mayNameKeys || hosts.refuseBlocks(in: bytes)
        let findsCalls = mayCall || names.namesOccur(in: bytes)
        guard findsCalls || hasMacros else { return result }
        let source = CodeScanner(bytes, language, names)
        if language == .swift, words.mayDeclareEntities { result.types = SourceTypes(source) }
        var (calls, reader) = (source.calls, reader(of: source))
        if hasMacros { result.findings = MacroRule.findings(reader, types, settings.macroHost) }
        result.needs = reader.needs.all
        guard findsCalls else { return result }
        result.wrappers = InjectionRule.wrappers(calls, reader)
        if !result.wrappers.isEmpty || !elsewhere.isEmpty {
            var all = CallNames(custom: settings.calls + result.wrappers + elsewhere, usesRealm: usesRealm, language)
            all.findsKeys = names.findsKeys
            if !result.wrappers.isEmpty {
                let again = CodeScanner(source.tokens, all)
                (calls, reader) = (again.calls, self.reader(of: again))
            }
            calls.removeAll { !InjectionRule.isOwn($0, all, reader) }
        }
        let isKnown =
            schema != nil || !types.isEmpty || usesRealm || hosts.mayOccur(in: bytes)
            || words.contains(.predicate)
                && [".filtered(", ".evaluate("].contains { bytes.firstOffset(of: $0) != nil }
        let hasEntities = isKnown && !bytes.namesMigration
        var listed: Set<Range<Int>> = []
        for call in calls {
            lint(call, reader, hasEntities: hasEntities, &result, &listed)
        }
        result.needs.formUnion(reader.needs.all)
        return result
    }

    /// The declarations in a source on which other sources of the project depend. Nothing is checked.
    static func declarations(in source: [UInt8], _ kind: SourceKind) -> LintResult {
        var result = LintResult()
        source.withUnsafeBufferPointer { buffer in
            let (bytes, language) = (Bytes(buffer), kind == .swift ? CodeLanguage.swift : .objectiveC)
            guard let words = words(in: bytes, kind) else { return }
            result.words = words
            guard words.mayCall(language) else { return }
            let names = CallNames(custom: [], usesRealm: bytes.namesRealm, language)
            let source = CodeScanner(bytes, language, names)
            if language == .swift, words.mayDeclareEntities { result.types = SourceTypes(source) }
            result.wrappers = InjectionRule.wrappers(source.calls, Linter().reader(of: source))
        }
        return result
    }

    private func reader(of source: CodeScanner) -> TextReader {
        TextReader(
            source: source, comments: EntityComments(source.bytes), edited: TextReader.edited(in: source.bytes),
            members: members, schema: schema)
    }

    private func lint(
        _ call: FoundCall, _ reader: TextReader, hasEntities: Bool, _ result: inout LintResult,
        _ listed: inout Set<Range<Int>>
    ) {
        guard call.arguments.indices.contains(call.format) else { return }
        if call.kind == .keys, reader.bytes.equals("fetchRequestFromTemplate", call.name) {
            result.findings += VariableRule.findings(call, reader, schema as? ModelSchema)
            return
        }
        if call.kind == .keys, !KeyUse.comparesByCode(call, reader.bytes) {
            let entity = hasEntities ? entity(of: call, TextValue(text: FormatText()), reader) : nil
            let schema = entity.flatMap(hosts.entity) == nil ? schema(ofEntity: entity) : hosts
            result.findings += KeyRule.findings(call, reader, Self.scope(schema, ofEntity: entity))
            return
        }
        if call.kind == .block || call.kind == .keys {
            let finder = EntityFinder(reader: reader, hosts: hosts, findsFetches: true)
            let entity = hasEntities ? finder.fetched(by: call) : nil
            result.findings += KeyRule.blocks(call, entity, scope(ofEntity: entity), hosts)
            return
        }
        result.findings += ArgumentCountRule.passedAsOne(call, reader)
        let format = reader.expression(in: call.arguments[call.format].value)
        var values = reader.values(of: format)
        if values.isEmpty {
            let outside = InjectionRule.findings(call, reader)
            result.findings += outside.isEmpty ? DynamicRule.findings(call, reader) : outside
            // `func find(_ format: String = "age > 18")`
            guard let standard = reader.local(format)?.standard else { return }
            values = reader.values(of: reader.expression(from: standard)).map { $0.made(isUncertain: true) }
        }
        if call.kind == .metadata {
            result.findings += values.flatMap { MetadataRule.findings($0.text, hosts) }
            return
        }
        let arguments = FormatArgument.all(call, reader)
        for value in values where value.text.literal.count < Self.longestLiteral {
            guard let subject = subject(value, call, arguments, reader, reader.bytes) else {
                list(value, call, parsed: value.text, &result, &listed)
                continue
            }
            if call.isUncertain, subject.parse.error != nil { continue }
            let count = result.formats.count
            list(value, call, parsed: subject.parse.text, &result, &listed)
            guard !call.expectsFailure else { continue }
            let entity = hasEntities ? entity(of: call, value, reader) : nil
            if count < result.formats.count { result.formats[count].entity = entity }
            result.findings += HostRule.findings(subject, entity, hosts)
            result.findings += findings(subject, scope(of: entity, call, reader))
        }
    }

    /// The scope for the objects of a call: objects of an entity, of a class in memory, or of a class of Realm.
    private func scope(of entity: String?, _ call: FoundCall, _ reader: TextReader) -> CheckScope {
        let own = scope(ofEntity: entity)
        guard own.schema == nil, let entity, let objects = ObjectTypes(entity, call, reader) else { return own }
        return CheckScope(objects, entity: entity)
    }

    private func entity(of call: FoundCall, _ value: TextValue, _ reader: TextReader) -> String? {
        if call.kind == .logCommand { return HostTable.log }
        return EntityFinder(reader: reader, hosts: hosts).entity(of: call, literal: value.text.literal)
    }

    private func list(
        _ value: TextValue, _ call: FoundCall, parsed: FormatText, _ result: inout LintResult,
        _ listed: inout Set<Range<Int>>
    ) {
        guard listed.insert(value.text.literal).inserted else { return }
        result.formats.append(FoundFormat(text: value.text, kind: call.kind, name: call.name, parsed: parsed))
    }

    /// Returns the format with the data that the rules need; nil if it does not parse with any stand-ins and this does not
    /// prove a mistake.
    private func subject(
        _ value: TextValue, _ call: FoundCall, _ arguments: [FormatArgument]?, _ reader: TextReader?, _ bytes: Bytes
    ) -> LintSubject? {
        let isClosed = !value.text.hasHoles
        let known = isClosed ? reader.map { KnownArguments.values(of: arguments ?? [], in: value.text, call, $0) } : []
        let text = HostFunctions.called(in: value.text, settings)
        guard let parse = StandIns.parse(text, isExpression: call.kind.isExpression, values: known ?? []) else {
            return nil
        }
        let holes = SourceRanges(parse.text.holes.map(\.range).filter { !$0.isEmpty })
        return LintSubject(
            bytes: bytes, reader: reader, call: call, value: value, format: value.text.text, parse: parse,
            arguments: arguments, known: known ?? [],
            specifiers: parse.specifiers.filter { !holes.overlap($0.range) },
            quoted: QuotedSpecifier.all(in: parse.text).filter { !holes.overlap($0.range) })
    }

    private func findings(_ subject: LintSubject, _ scope: CheckScope) -> [LintFinding] {
        var scope = scope
        scope.hostNames = HostFunctions.names(in: subject.parse.text, settings)
        return SyntaxRule.findings(subject) + ArgumentCountRule.findings(subject) + VariableRule.findings(subject)
            + ArgumentTypeRule.findings(subject, scope)
            + QuotedPlaceholderRule.findings(subject) + InterpolationRule.findings(subject)
            + EncodingRule.findings(subject)
            + (settings.usesChecks ? CheckRule.findings(subject, scope) : [])
    }

    // MARK: Other sources

    /// Checks the code blocks in Markdown.
    private func lintBlocks(_ source: [UInt8]) -> LintResult {
        var result = LintResult()
        for (kind, masked) in MarkdownScanner.sources(in: source) {
            let own = masked.withUnsafeBufferPointer { buffer in
                found(masked, Bytes(buffer), kind, Self.words(in: Bytes(buffer), kind))
            }
            result.formats += own.formats
            result.findings += own.findings
        }
        return result
    }

    /// `model` is the model that contains the formats.
    private func lintStored(_ texts: [StoredFormat], _ bytes: Bytes, _ model: ManagedObjectModel?) -> LintResult {
        var result = LintResult()
        result.findings = texts.filter { $0.kind == .metadata }.flatMap { MetadataRule.findings($0.text, hosts) }
        for stored in texts where stored.kind != .metadata {
            var listed: Set<Range<Int>> = []
            var call = FoundCall(kind: stored.kind, name: stored.name, range: stored.name, format: 0)
            call.isUncertain = stored.isUncertain
            call.arguments = [.init(label: nil, value: stored.text.literal)]
            let value = TextValue(text: stored.text.asUTF8())
            let parse = subject(value, call, [], nil, bytes)
            if stored.isUncertain, parse?.parse.error != nil || parse == nil { continue }
            list(value, call, parsed: parse?.parse.text ?? value.text, &result, &listed)
            guard let parse else { continue }
            result.formats[result.formats.count - 1].entity = stored.entity
            let schema = model.map { ModelSchema([$0], isFetch: stored.isFetch) }
            let scope = Self.scope(schema, ofEntity: stored.entity, owner: stored.owner)
            let host = stored.kind == .logCommand ? HostTable.log : stored.entity
            result.findings += HostRule.findings(parse, host, hosts) + VariableRule.findings(parse, ofHost: host)
            result.findings += findings(parse, scope)
        }
        return result
    }
}
