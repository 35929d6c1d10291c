import PredicateChecks
import PredicateSyntax

/// `predicate-argument-type`: an argument of a type that its specifier does not accept.
enum ArgumentTypeRule {
    static func findings(_ subject: LintSubject) -> [LintFinding] {
        guard subject.parse.error == nil, let arguments = subject.arguments else { return [] }
        var findings: [LintFinding] = []
        for (specifier, (literal, range)) in zip(subject.specifiers, zip(subject.literals, arguments)) {
            guard let expected = expectation(specifier.kind, literal, subject) else {
                findings += truncation(specifier, range, subject)
                continue
            }
            let spelling = String(decoding: subject.parse.text.bytes[specifier.range], as: UTF8.self)
            let message = "expected \(expected) for \(spelling), found \(literal.words)"
            findings.append(subject.finding(.argumentType, message, hints: hints(specifier.kind, literal), at: range))
        }
        return findings
    }

    /// `NSPredicate(format: "id == %d", id)` with `id: Int64`: of the number, only the lower 32 bits are read.
    private static func truncation(
        _ specifier: FormatSpecifier, _ argument: Range<Int>, _ subject: LintSubject
    ) -> [LintFinding] {
        let spelling = String(decoding: subject.parse.text.bytes[specifier.range], as: UTF8.self)
        guard specifier.kind == .integer, spelling.count == 2, subject.hasVariableArguments,
            let type = subject.reader?.type(in: argument), !type.isOptional,
            ["Int64", "UInt64", "int64_t", "uint64_t"].contains(type.name)
        else { return [] }
        let wide = "%ll" + spelling.dropFirst()
        return [
            subject.finding(
                .argumentType, "\(spelling) takes 32 bits, but the argument is an \(type.name)",
                hints: ["write \(wide)"],
                at: argument)
        ]
    }

    /// What the specifier expects, if the literal is something else.
    private static func expectation(
        _ kind: FormatSpecifier.Kind, _ literal: ArgumentLiteral, _ subject: LintSubject
    ) -> String? {
        let isC = subject.hasVariableArguments
        switch (kind, literal) {
        case (_, .unknown), (_, .null): return nil
        case (.integer, .text), (.integer, .keyPath): return "an integer"
        case (.integer, .floatingPoint), (.integer, .object), (.integer, .cString): return isC ? "an integer" : nil
        case (.floatingPoint, .text), (.floatingPoint, .keyPath): return "a floating-point number"
        case (.floatingPoint, .integer), (.floatingPoint, .bool), (.floatingPoint, .object), (.floatingPoint, .cString):
            return isC ? "a floating-point number" : nil
        case (.keyPath, .integer), (.keyPath, .floatingPoint), (.keyPath, .bool): return "the name of a key"
        case (.keyPath, .object): return nil
        case (.value, .integer), (.value, .floatingPoint), (.value, .bool), (.value, .cString):
            return isC ? "an object" : nil
        case (.integer, .integer), (.integer, .bool), (.floatingPoint, .floatingPoint), (.keyPath, .text),
            (.keyPath, .keyPath), (.keyPath, .cString), (.value, .text), (.value, .keyPath), (.value, .object):
            return nil
        case (.text, .text), (.text, .keyPath): return isC ? "a C string" : nil
        case (.text, .integer), (.text, .floatingPoint), (.text, .bool), (.text, .object), (.text, .cString): return nil
        }
    }

    private static func hints(_ kind: FormatSpecifier.Kind, _ literal: ArgumentLiteral) -> [String] {
        switch kind {
        case .value: literal == .floatingPoint ? ["write %f, or pass an NSNumber"] : ["write %d, or pass an NSNumber"]
        case .integer: literal == .floatingPoint ? ["write %f"] : ["write %@"]
        case .floatingPoint:
            literal == .integer ? ["write %d, or write the number with a decimal point: 5.0"] : ["write %@"]
        case .text: ["write %@"]
        case .keyPath: []
        }
    }
}

extension ArgumentLiteral {
    fileprivate var words: String {
        switch self {
        case .text, .keyPath: "a string"
        case .integer: "an integer"
        case .floatingPoint: "a floating-point number"
        case .bool: "a Boolean"
        case .null: "nil"
        case .object: "an object"
        case .cString: "a C string"
        case .unknown: "something else"
        }
    }
}

/// The kind of an argument, as far as its source shows it.
enum ArgumentLiteral: Equatable {
    /// `"jo"`, `@"jo"`
    case text(String)
    /// The keys of `#keyPath(Person.name)`, without the type
    case keyPath(String)
    /// `21`, `-1`
    case integer
    /// `1.5`
    case floatingPoint
    /// `true`, `YES`
    case bool
    /// `nil`, `NULL`
    case null
    /// `@21`, `@[…]`, `@YES`
    case object
    /// `"jo"` in Objective-C
    case cString
    case unknown

    /// What the expression itself shows, or else the kind of its type.
    init(_ node: CodeExpression, _ reader: TextReader) {
        let shown = Self.shown(by: node, reader)
        self = shown == .unknown ? ArgumentLiteral(reader.type(of: node)) : shown
    }

    /// The kind of a literal, of a call that makes an object, and of a property whose name shows it.
    private static func shown(by node: CodeExpression, _ reader: TextReader) -> ArgumentLiteral {
        let bytes = reader.bytes
        return switch node {
        case .literal(let token): literal(token, reader)
        case .group(let range, _): bytes[range.lowerBound] == UInt8(ascii: "@") ? .object : .unknown
        case .cast(_, let type): objects.contains(bytes.text(type)) ? .object : .unknown
        case .call(.member(.name(let type)?, let name, _), _, _)
        where reader.language == .objectiveC && makes(bytes.text(type), bytes.text(name)):
            .object
        case .call(.member(_, let name, _), let arguments, _)
        where reader.language == .objectiveC && arguments.isEmpty:
            member(bytes.text(name))
        case .member(_, let name, false):
            // In Objective-C, an object may have a count that is itself an object.
            reader.language == .swift && bytes.equals("count", name) ? .integer : member(bytes.text(name))
        case .name, .call, .member, .closure, .infix, .element, .choice, .forced, .branch, .refused, .unknown:
            .unknown
        }
    }

    private static func literal(_ token: CodeToken, _ reader: TextReader) -> ArgumentLiteral {
        let bytes = reader.bytes
        switch token.kind {
        case .string:
            if reader.language == .objectiveC, bytes[token.start] != UInt8(ascii: "@") { return .cString }
            let text = reader.literal(token)
            return .text(text.hasHoles ? "" : text.text)
        case .word: return reader.type(of: .literal(token)) == nil ? .null : .bool
        case .number, .symbol, .opaque, .end, .condition, .directive: return .unknown
        }
    }

    /// True for `[NSNumber numberWithInt:1]`.
    private static func makes(_ type: String, _ name: String) -> Bool {
        switch type {
        case "NSNumber": name.hasPrefix("numberWith")
        case "NSString": name.hasPrefix("stringWith")
        case "NSDate": name.hasPrefix("date")
        default: false
        }
    }

    /// The kind of a property, if its name shows it: `date.timeIntervalSince1970`, `[number intValue]`
    private static func member(_ name: String) -> ArgumentLiteral {
        switch name {
        case "intValue", "integerValue", "int16Value", "int32Value", "int64Value", "uintValue", "unsignedIntegerValue",
            "longValue", "longLongValue":
            .integer
        case "boolValue": .bool
        case "doubleValue", "floatValue", "timeIntervalSince1970", "timeIntervalSinceReferenceDate",
            "timeIntervalSinceNow":
            .floatingPoint
        default: .unknown
        }
    }

    private static let objects: Set<String> = ["NSNumber", "NSString", "NSDate"]

    /// The kind of an argument of the given type, if it is known.
    private init(_ type: ValueType?) {
        guard let type, !type.isOptional else {
            self = .unknown
            return
        }
        switch type.name {
        case "Double", "Float", "CGFloat", "TimeInterval", "NSTimeInterval", "double", "float": self = .floatingPoint
        case "Bool", "BOOL", "bool": self = .bool
        case "String", "NSString", "NSMutableString": self = .text("")
        case "NSNumber", "NSDate", "NSArray", "NSSet": self = .object
        default: self = type.isNumber ? .integer : .unknown
        }
    }

    /// The value with which the format is parsed; nil if any stand-in will do.
    func value(for kind: FormatSpecifier.Kind) -> PredicateValue? {
        guard kind == .keyPath else { return nil }
        switch self {
        case .text(let path), .keyPath(let path):
            let keys = path.split(separator: ".", omittingEmptySubsequences: false)
            return keys.contains("") ? nil : .string(path)
        case .integer, .floatingPoint, .bool, .null, .object, .cString, .unknown: return nil
        }
    }
}
