import PredicateModel
import PredicateSyntax

/// `predicate-argument-count` for variables: those without a value in a substitution, and those that are never substituted.
///
/// `NSPredicate(format: "name == $NAME AND age > $AGE").withSubstitutionVariables(["NAME": name])`
enum VariableRule {
    static func findings(_ subject: LintSubject) -> [LintFinding] {
        let variables = variables(subject)
        guard !variables.isEmpty, let reader = subject.reader,
            let given = names(given(to: subject.call, reader), reader)
        else { return [] }
        return variables.filter { !given.contains($0) }.map { name in
            finding("$\(name) has no value among the substitution variables", "add \"\(name)\" to them", subject)
        }
    }

    /// The variables of a fetch template to which a call gives no values.
    ///
    /// `model.fetchRequestFromTemplate(withName: "Recent", substitutionVariables: ["SINCE": date])`
    static func findings(_ call: FoundCall, _ reader: TextReader, _ templates: ModelSchema?) -> [LintFinding] {
        guard case .string(let name)? = reader.constant(reader.expression(in: call.arguments[call.format].value)),
            let variables = templates?.variables(ofTemplate: name), let table = call.arguments.last,
            let label = table.label, reader.bytes.equals("substitutionVariables", label),
            let given = names(table.value.lowerBound, reader)
        else { return [] }
        return variables.filter { !given.contains($0) }.map { variable in
            LintFinding(
                rule: .argumentCount, level: .error,
                text: "$\(variable) of the template \(name) has no value among the substitution variables",
                hints: ["add \"\(variable)\" to them"], range: table.value)
        }
    }

    /// The findings in a format whose host does not substitute variables.
    static func findings(_ subject: LintSubject, ofHost host: String?) -> [LintFinding] {
        guard let host, [HostTable.log, HostTable.munki, HostTable.extensionRule].contains(host) else { return [] }
        return variables(subject).map { name in
            finding(
                "$\(name) never gets a value", "write the value, or the name of a variable of a SUBQUERY", subject)
        }
    }

    private static func finding(_ text: String, _ hint: String, _ subject: LintSubject) -> LintFinding {
        subject.finding(.argumentCount, text, hints: [hint], at: subject.text.literal)
    }

    private static func variables(_ subject: LintSubject) -> [String] {
        guard case .predicate(let predicate) = subject.parse.outcome, !subject.text.hasHoles else { return [] }
        return PredicateReferences(predicate.node).variables
    }

    private static let method: StaticString = ".withSubstitutionVariables("

    /// The offset of the variables: in the call itself or, if its result is stored in a variable, in the only later call.
    private static func given(to call: FoundCall, _ reader: TextReader) -> Int? {
        let bytes = reader.bytes
        let next = bytes.spaceEnd(from: call.range.upperBound)
        if bytes.matches(method, at: next) { return next + method.utf8CodeUnitCount }
        let tokens = reader.source.tokens
        let start = tokens.tokens.firstIndex(from: max(call.statement, call.name.lowerBound - 128), \.start)
        let end = tokens.tokens.firstIndex(from: call.name.lowerBound, \.start)
        guard reader.language == .swift,
            let word = (start..<end).first(where: { tokens.isWord($0, "let") || tokens.isWord($0, "var") })
        else { return nil }
        return given(to: tokens[word + 1].range, after: call, reader)
    }

    /// The offset of the variables in the only later call for the predicate that a name has.
    private static func given(to name: Range<Int>, after call: FoundCall, _ reader: TextReader) -> Int? {
        let bytes = reader.bytes
        let use = bytes.text(name) + method.description
        let scope = reader.declarations.scopes.innermost(at: call.name.lowerBound)
        let end = min(scope.end, call.range.upperBound + EntityFinder.laterReach)
        var (found, offset): ([Int], Int) = ([], call.range.upperBound)
        while found.count < 2, offset < end, let next = bytes.firstOffset(of: use, in: offset..<end) {
            offset = next + use.utf8.count
            if !bytes[next - 1].isName, bytes[next - 1] != UInt8(ascii: ".") { found.append(offset) }
        }
        let own = reader.declarations.declaration(of: name, at: name.lowerBound, bytes)
        guard found.count == 1 else { return nil }
        let isOther = own.map { reader.isReplaced($0, between: call.range.upperBound, and: found[0]) } ?? false
        return isOther ? nil : found[0]
    }

    /// The keys of a dictionary literal; nil for any other expression.
    private static func names(_ start: Int?, _ reader: TextReader) -> Set<String>? {
        guard let start, case .group(_, let parts) = reader.expression(from: start),
            parts.contains(where: { $0.label != nil })
        else { return nil }
        let keys = parts.filter { $0.label == nil }.map { reader.constant($0.value) }
        let names = keys.compactMap { if case .string(let name)? = $0 { name } else { nil } }
        return names.count == keys.count ? Set(names) : nil
    }
}

extension ModelSchema {
    /// The variables in the predicate of a fetch template; nil for an unknown template.
    fileprivate func variables(ofTemplate name: String) -> [String]? {
        let found = models.flatMap(\.fetchRequestTemplates).filter { $0.name == name }
        guard found.count == 1, let predicate = try? found[0].predicate?.predicate() else { return nil }
        return PredicateReferences(predicate.node).variables
    }
}
