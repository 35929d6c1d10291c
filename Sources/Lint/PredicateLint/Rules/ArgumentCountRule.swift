import PredicateChecks
import PredicateSyntax

/// `predicate-argument-count`: specifiers without an argument, or arguments without a specifier.
enum ArgumentCountRule {
    static func findings(_ subject: LintSubject) -> [LintFinding] {
        guard subject.parse.error == nil, let arguments = subject.arguments, !subject.value.isUncertain else {
            return []
        }
        let expected = subject.specifiers.count
        if arguments.count < expected { return [missing(arguments.count, subject)] }
        guard arguments.count > max(expected, subject.value.mostArguments), !subject.text.hasHoles,
            subject.quoted.isEmpty
        else { return [] }
        let message = "expected \(Self.count(expected)), found \(arguments.count)"
        let hint = "each argument needs a specifier of its own: %@, %K, %d"
        return [subject.finding(.argumentCount, message, hints: [hint], at: subject.text.literal)]
    }

    private static func missing(_ count: Int, _ subject: LintSubject) -> LintFinding {
        let specifiers = subject.specifiers
        let message = "expected \(Self.count(specifiers.count)), found \(count == 0 ? "none" : "\(count)")"
        let hint = "specifier number \(count + 1) has no argument; each %@, %K, %d takes one"
        return subject.finding(
            .argumentCount, message, hints: [hint], at: subject.source(specifiers[count].range), level: .error)
    }

    /// `NSPredicate(format: format, arguments)`, where `arguments: CVarArg...` is passed as one array
    static func passedAsOne(_ call: FoundCall, _ reader: TextReader) -> [LintFinding] {
        guard call.kind == .predicate || call.kind == .expression else { return [] }
        return call.arguments[(call.format + 1)...].compactMap { argument in
            let node = reader.expression(in: argument.value)
            guard argument.label == nil, let own = reader.local(node), own.isParameter, let type = own.type,
                reader.bytes.matches("...", at: type.upperBound)
            else { return nil }
            let name = reader.bytes.text(argument.value)
            return LintFinding(
                rule: .argumentCount, level: .warning, text: "\(name) is passed as one argument, an array",
                hints: ["write arguments: getVaList(\(name)), or argumentArray: \(name)"], range: argument.value)
        }
    }

    private static func count(_ number: Int) -> String {
        number == 0 ? "no arguments" : "\(number) argument\(number == 1 ? "" : "s")"
    }
}

/// An argument of a format, with its value and type if the sources show them.
struct FormatArgument {
    let range: Range<Int>
    let node: CodeExpression
    let type: TypeName?

    init(_ range: Range<Int>, _ reader: TextReader) {
        self.range = range
        node = reader.expression(in: range)
        type = reader.keyPath(node) == nil ? reader.type(of: node) : TypeName(name: "String")
    }

    /// The arguments that a call passes for the specifiers of a format; nil if their number is unknown.
    static func all(_ call: FoundCall, _ reader: TextReader) -> [FormatArgument]? {
        (call.isComplete ? values(call, reader) : nil)?.map { FormatArgument($0, reader) }
    }

    private static func values(_ call: FoundCall, _ reader: TextReader) -> [Range<Int>]? {
        var result: [Range<Int>] = []
        for argument in call.arguments[(call.format + 1)...] {
            guard let label = argument.label else {
                if reader.bytes.mayBeSeveral(argument.value) { return nil }
                result.append(argument.value)
                continue
            }
            let bytes = reader.bytes
            if bytes.equals("argumentArray", label) || bytes.equals("arguments", label) || bytes.equals("args", label) {
                return elements(of: argument.value, reader)
            }
            break
        }
        return result
    }

    /// The elements of a list: `[a, b]`, `@[a, b]`, `nil`, `getVaList([a, b])`.
    private static func elements(of range: Range<Int>, _ reader: TextReader) -> [Range<Int>]? {
        let bytes = reader.bytes
        var node = reader.expression(in: range)
        if case .call(.name(let name), let arguments, _) = node, bytes.equals("getVaList", name),
            let list = arguments.first
        {
            node = list.value
        }
        if case .literal(let token) = node { return bytes.equals("nil", token.range) ? [] : nil }
        return reader.elements(node)?.map(\.range)
    }
}

extension TextReader {
    /// The elements of `[a, b]` and `@[a, b]`; nil for anything else.
    func elements(_ list: CodeExpression) -> [CodeExpression]? {
        guard case .group(let range, let parts) = list, parts.allSatisfy({ $0.label == nil }),
            bytes.matches(language == .swift ? "[" : "@[", at: range.lowerBound)
        else { return nil }
        return parts.map(\.value)
    }
}

extension Bytes {
    /// True for an argument that may expand to several arguments: `__VA_ARGS__`, `args...`.
    fileprivate func mayBeSeveral(_ range: Range<Int>) -> Bool {
        firstOffset(of: "__VA_ARGS__", in: range) != nil || matches("...", at: range.upperBound - 3)
    }
}
