import PredicateChecks
import PredicateSyntax

/// `predicate-argument-type`: an argument of a type that its specifier does not accept.
enum ArgumentTypeRule {
    static func findings(_ subject: LintSubject) -> [LintFinding] {
        guard subject.parse.error == nil, let arguments = subject.arguments else { return [] }
        var findings: [LintFinding] = []
        for (specifier, (written, range)) in zip(subject.specifiers, zip(subject.literals, arguments)) {
            let literal = written == .unknown ? ArgumentLiteral(subject.reader?.type(of: range)) : written
            guard let expected = expectation(specifier.kind, literal, subject) else { continue }
            let spelling = String(decoding: subject.parse.text.bytes[specifier.range], as: UTF8.self)
            let message = "expected \(expected) for \(spelling), found \(literal.words)"
            findings.append(subject.finding(.argumentType, message, hints: hints(specifier.kind, literal), at: range))
        }
        return findings
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

    init(_ range: Range<Int>, _ bytes: Bytes, _ language: CodeLanguage) {
        var part = bytes
        part.count = min(range.upperBound, bytes.count)
        var lexer = CodeLexer(part, language)
        var token = lexer.token(at: range.lowerBound)
        let isNegative = token.is("-")
        if isNegative { token = lexer.token(at: token.end) }
        let after = lexer.token(at: token.end)
        let isWhole = after.kind == .end
        switch token.kind {
        case .number where isWhole: self = Self.number(part.text(token.range))
        case .string where isWhole && !isNegative: self = Self.text(token, part, language)
        case .word where !isNegative: self = Self.word(token, after, isWhole, part, range, language)
        case .symbol where token.is("@") && language == .objectiveC: self = .object
        case .symbol where token.is("[") && language == .objectiveC:
            self = part.makesObject(range) ? .object : Self.sent(part.text(range))
        case .number, .string, .word, .symbol, .opaque, .end, .condition, .directive: self = .unknown
        }
    }

    private static func number(_ text: String) -> ArgumentLiteral {
        if text.hasPrefix("0x") || text.hasPrefix("0b") || text.hasPrefix("0o") { return .integer }
        return text.contains(where: { $0 == "." || $0 == "e" || $0 == "E" || $0 == "f" }) ? .floatingPoint : .integer
    }

    private static func text(_ token: CodeToken, _ bytes: Bytes, _ language: CodeLanguage) -> ArgumentLiteral {
        if language == .swift {
            let text = SwiftLiteral.text(of: token.range, bytes)
            return text.hasHoles ? .text("") : .text(text.text)
        }
        guard bytes[token.start] == UInt8(ascii: "@") else { return .cString }
        return .text(ObjectiveCLiteral.text(of: token.range, bytes).text)
    }

    private static func word(
        _ token: CodeToken, _ after: CodeToken, _ isWhole: Bool, _ bytes: Bytes, _ range: Range<Int>,
        _ language: CodeLanguage
    ) -> ArgumentLiteral {
        if bytes.equals("#keyPath", token.range), after.is("(") { return keyPath(after.end..<range.upperBound, bytes) }
        guard isWhole else { return part(of: bytes, range, language) }
        return switch bytes.text(token.range) {
        case "true", "false", "YES", "NO": .bool
        case "nil", "NULL", "Nil": .null
        default: .unknown
        }
    }

    /// `x as NSNumber`, `NSNumber(value: 1)`, `date.timeIntervalSince1970`
    private static func part(of bytes: Bytes, _ range: Range<Int>, _ language: CodeLanguage) -> ArgumentLiteral {
        let text = bytes.text(range)
        let words = text.split(whereSeparator: \.isWhitespace)
        if words.count == 3, words[1] == "as", objects.contains(String(words[2])) { return .object }
        if text.hasPrefix("NSNumber("), text.hasSuffix(")"), text.utf8.count(where: { $0 == UInt8(ascii: "(") }) == 1 {
            return .object
        }
        guard words.count == 1, !text.contains("?") else { return .unknown }
        // In Objective-C, an object may have a count that is itself an object.
        if text.hasSuffix(".count"), language == .swift { return .integer }
        return member(text, after: ".")
    }

    /// `[date timeIntervalSince1970]`, `[number intValue]`
    private static func sent(_ message: String) -> ArgumentLiteral {
        message.hasSuffix("]") ? member(String(message.dropLast()), after: " ") : .unknown
    }

    /// The kind of a property, if its name shows it.
    private static func member(_ text: String, after separator: Character) -> ArgumentLiteral {
        guard let name = text.split(separator: separator).last.map(String.init), name.utf8.count < text.utf8.count
        else {
            return .unknown
        }
        return switch name {
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
    fileprivate init(_ type: ValueType?) {
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

    /// `#keyPath(Person.boss.name)`: the keys after the type.
    private static func keyPath(_ range: Range<Int>, _ bytes: Bytes) -> ArgumentLiteral {
        let words = bytes.text(range).prefix { $0 != ")" }.split(separator: ".").map {
            $0.filter { !$0.isWhitespace && $0 != "?" && $0 != "!" }
        }
        let path = words.dropFirst().joined(separator: ".")
        return path.isEmpty ? .unknown : .keyPath(path)
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

extension Bytes {
    /// True for `[NSNumber numberWithInt:1]`.
    fileprivate func makesObject(_ range: Range<Int>) -> Bool {
        let makers: [StaticString] = [
            "[NSNumber numberWith", "[NSString stringWith", "[NSDate dateWith", "[NSDate date]",
        ]
        guard makers.contains(where: { matches($0, at: range.lowerBound) }) else { return false }
        var walk = TokenWalk(self, .objectiveC, range, reach: 4096)
        return walk.next() != nil && walk.closing == range.upperBound
    }
}
