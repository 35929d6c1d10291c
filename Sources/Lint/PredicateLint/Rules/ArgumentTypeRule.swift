import PredicateChecks
import PredicateSyntax

/// `predicate-argument-type`: an argument of a type that its specifier does not accept.
enum ArgumentTypeRule {
    static func findings(_ subject: LintSubject, _ scope: CheckScope) -> [LintFinding] {
        guard subject.parse.error == nil else { return [] }
        return swapped(subject, scope)
            + zip(subject.specifiers, subject.arguments ?? []).flatMap { specifier, argument -> [LintFinding] in
                guard let type = argument.type, let passing = type.passing else { return [] }
                let spelling = String(decoding: subject.parse.text.bytes[specifier.range], as: UTF8.self)
                guard let expected = expectation(specifier.kind, passing, isC: subject.hasVariableArguments) else {
                    return truncation(specifier.kind, spelling, argument, subject)
                }
                let message = "expected \(expected) for \(spelling), found \(passing.rawValue)"
                let hints = hints(specifier.kind, passing)
                return [subject.finding(.argumentType, message, hints: hints, at: argument.range)]
            }
    }

    /// `NSPredicate(format: "%K == %@", name, "title")`: the key of the entity is passed as the value, and a value as the key.
    private static func swapped(_ subject: LintSubject, _ scope: CheckScope) -> [LintFinding] {
        guard let schema = scope.schema, let entity = scope.subject.entity, let arguments = subject.arguments,
            let reader = subject.reader, arguments.count == 2, subject.specifiers.count == 2,
            let key = subject.specifiers.firstIndex(where: { $0.kind == .keyPath }),
            subject.specifiers[1 - key].kind == .value, isPlainValue(arguments[key].node, reader),
            case .string(let text)? = reader.constant(arguments[1 - key].node), schema.keys(of: entity).contains(text)
        else { return [] }
        let message = "\(text) is a key of \(entity), but it is passed as a value, and a value as the key"
        let hints = ["swap the arguments: %K takes the key, %@ the value"]
        return [subject.finding(.argumentType, message, hints: hints, at: arguments[1 - key].range, level: .warning)]
    }

    /// True for a variable or parameter that is a string and whose name is not that of a key.
    private static func isPlainValue(_ node: CodeExpression, _ reader: TextReader) -> Bool {
        guard let own = reader.local(node), own.isParameter || own.isVariable, let name = node.lastName,
            reader.type(of: node)?.isString ?? false
        else { return false }
        let word = reader.bytes.text(name).lowercased()
        return !["key", "field", "attribute", "property", "path", "column", "prop", "attr", "relation"].contains {
            word.contains($0)
        }
    }

    /// `NSPredicate(format: "id == %d", id)` with `id: Int64`: of the number, only the lower 32 bits are read.
    private static func truncation(
        _ kind: FormatSpecifier.Kind, _ spelling: String, _ argument: FormatArgument, _ subject: LintSubject
    ) -> [LintFinding] {
        guard kind == .integer, spelling.count == 2, subject.hasVariableArguments, let type = argument.type,
            ["Int64", "UInt64", "int64_t", "uint64_t"].contains(type.name)
        else { return [] }
        let message = "\(spelling) takes 32 bits, but the argument is an \(type.name)"
        let hint = "write %ll\(spelling.dropFirst())"
        return [subject.finding(.argumentType, message, hints: [hint], at: argument.range)]
    }

    /// What the specifier expects, if something else is passed; `isC` is true for C varargs.
    private static func expectation(_ kind: FormatSpecifier.Kind, _ passing: TypeName.Passing, isC: Bool) -> String? {
        switch (kind, passing) {
        case (.integer, .text): return "an integer"
        case (.integer, .floatingPoint), (.integer, .object), (.integer, .cString): return isC ? "an integer" : nil
        case (.floatingPoint, .text): return "a floating-point number"
        case (.floatingPoint, .integer), (.floatingPoint, .boolean), (.floatingPoint, .object),
            (.floatingPoint, .cString):
            return isC ? "a floating-point number" : nil
        case (.keyPath, .integer), (.keyPath, .floatingPoint), (.keyPath, .boolean): return "the name of a key"
        case (.value, .integer), (.value, .floatingPoint), (.value, .boolean), (.value, .cString):
            return isC ? "an object" : nil
        case (.text, .text): return isC ? "a C string" : nil
        case (.integer, .integer), (.integer, .boolean), (.floatingPoint, .floatingPoint), (.keyPath, .text),
            (.keyPath, .cString), (.keyPath, .object), (.value, .text), (.value, .object), (.text, .integer),
            (.text, .floatingPoint), (.text, .boolean), (.text, .object), (.text, .cString):
            return nil
        }
    }

    private static func hints(_ kind: FormatSpecifier.Kind, _ passing: TypeName.Passing) -> [String] {
        switch kind {
        case .value: passing == .floatingPoint ? ["write %f, or pass an NSNumber"] : ["write %d, or pass an NSNumber"]
        case .integer: passing == .floatingPoint ? ["write %f"] : ["write %@"]
        case .floatingPoint:
            passing == .integer ? ["write %d, or write the number with a decimal point: 5.0"] : ["write %@"]
        case .text: ["write %@"]
        case .keyPath: []
        }
    }
}
