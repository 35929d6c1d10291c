import PredicateChecks
import PredicateSyntax

/// `predicate-argument-type`: an argument of a type that its specifier does not accept.
enum ArgumentTypeRule {
    static func findings(_ subject: LintSubject, _ scope: CheckScope) -> [LintFinding] {
        guard subject.parse.error == nil else { return [] }
        return swapped(subject, scope) + values(subject)
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

    /// Findings about values that have an accepted type but are never intended.
    private static func values(_ subject: LintSubject) -> [LintFinding] {
        guard let reader = subject.reader, let arguments = subject.arguments else { return [] }
        return zip(subject.specifiers, arguments).enumerated().compactMap { index, pair in
            let (specifier, argument) = pair
            guard specifier.kind == .value else { return nil }
            let node = value(of: argument.node, reader)
            let isKnown = subject.known.indices.contains(index) && subject.known[index] != nil
            if !isKnown, let count = reader.elements(node)?.count, count != 2, areBounds(specifier, subject) {
                return subject.finding(
                    .argumentType, "BETWEEN takes two bounds, but this is a list of \(count)",
                    hints: ["pass the lower and the upper bound"], at: argument.range)
            }
            return described(node, argument, subject, reader) ?? cases(argument, subject, reader)
        }
    }

    /// True for the specifier after `BETWEEN`.
    private static func areBounds(_ specifier: FormatSpecifier, _ subject: LintSubject) -> Bool {
        let tokens = TolerantToken.tokens(of: subject.parse.text.text)
        let place = tokens.firstIndex { $0.range == specifier.range } ?? 0
        return place > 0 && tokens[place - 1].kind == .token(.keyword(.between))
    }

    /// The value of a constant, or the expression itself.
    private static func value(of node: CodeExpression, _ reader: TextReader) -> CodeExpression {
        switch node {
        case .cast(let inner, _): value(of: inner, reader)
        case .name, .member: reader.constantValue(node) ?? node
        case .call, .closure, .literal, .infix, .group, .element, .choice, .forced, .branch, .refused, .unknown: node
        }
    }

    /// `String(describing: person.name)`, where `name` is optional
    private static func described(
        _ node: CodeExpression, _ argument: FormatArgument, _ subject: LintSubject, _ reader: TextReader
    ) -> LintFinding? {
        guard case .call(.name(let function), let arguments, _) = node, reader.bytes.equals("String", function),
            arguments.count == 1, let label = arguments[0].label, reader.bytes.equals("describing", label),
            reader.type(of: arguments[0].value)?.isOptional ?? false
        else { return nil }
        let name = reader.bytes.text(arguments[0].value.range)
        return subject.finding(
            .argumentType, "the description of the optional \(name) is Optional(…), which no value equals",
            hints: ["unwrap it first"], at: argument.range, level: .warning)
    }

    /// A list of the cases of an enum, which are not values that predicates can compare.
    private static func cases(
        _ argument: FormatArgument, _ subject: LintSubject, _ reader: TextReader
    ) -> LintFinding? {
        guard reader.language == .swift, subject.call.kind == .predicate, let type = argument.type, type.isCollection,
            !type.isTable, type.elementKind == nil, reader.memberType("rawValue", of: type.value) != nil,
            [reader.needs.ownTypes(reader.source), reader.members].contains(where: {
                $0[type.name]?.form == .enumeration
            })
        else { return nil }
        return subject.finding(
            .argumentType, "a predicate cannot compare values with the cases of \(type.name)",
            hints: ["pass their raw values: map(\\.rawValue)"], at: argument.range, level: .warning)
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

    /// `NSPredicate(format: "id == %d", id)` with `id: Int64`: only the lower 32 bits of the number are read.
    private static func truncation(
        _ kind: FormatSpecifier.Kind, _ spelling: String, _ argument: FormatArgument, _ subject: LintSubject
    ) -> [LintFinding] {
        guard kind == .integer, spelling.count == 2, subject.hasVariableArguments, let type = argument.type,
            ["Int64", "UInt64", "int64_t", "uint64_t", "long long"].contains(type.name)
        else { return [] }
        let message = "\(spelling) takes 32 bits, and \(type.name) has 64"
        let hint = "write %ll\(spelling.dropFirst())"
        return [subject.finding(.argumentType, message, hints: [hint], at: argument.range)]
    }

    /// The argument that the specifier expects, if another one is passed; `isC` is true for C varargs.
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
