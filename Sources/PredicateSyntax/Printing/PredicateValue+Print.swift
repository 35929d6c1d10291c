#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension PredicateValue {
    /// The constant as it stands in a printed predicate.
    ///
    /// `21`, `"jo"`, `1` for YES, `nil`, `{1, 2}`, `CAST(592299475.577120, "NSDate")`
    public var printed: String {
        switch self {
        case .null: "nil"
        case .nullObject: Symbol.nullObject.rawValue
        case .bool(let value): value ? "1" : "0"
        case .integer(let value): String(value)
        case .double(let value): Self.printed(value)
        case .decimal(let value): Self.cast("\"\(value)\"", "NSDecimalNumber")
        case .string(let value): value.quoted
        case .date(let value): Self.cast(Self.printed(value), "NSDate")
        case .data(let value): Self.cast("\"\(value.base64EncodedString())\"", "NSData")
        case .uuid(let value): Self.cast("\"\(value.uuidString)\"", "NSUUID")
        case .url(let value): Self.cast(value.absoluteString.quoted, "NSURL")
        case .type(let value): Self.cast(value.name.quoted, "Class")
        case .array(let values): Self.list(values.map(\.printed))
        case .set(let values): Self.list(values.map(\.printed).sorted())
        case .orderedSet(let values): Self.cast(Self.list(values.map(\.printed)), "NSOrderedSet")
        case .dictionary(let values):
            Self.cast(
                Self.list(values.sorted { $0.key < $1.key }.flatMap { [$0.key.quoted, $0.value.printed] }),
                "NSDictionary")
        case .object(let value): value.printed
        case .expression(let value): value.expressionFormat
        case .predicate(let value): value.predicateFormat
        }
    }

    /// Whether the print, parsed, gives the same constant again.
    package var readsBack: Bool {
        switch self {
        case .null, .nullObject, .bool, .integer, .double, .decimal, .string, .date, .data, .uuid, .type: true
        case .url(let value): URL(string: value.absoluteString) == value
        case .array(let values), .orderedSet(let values): values.allSatisfy(\.readsBack)
        case .dictionary(let values): values.values.allSatisfy(\.readsBack)
        case .set, .object, .expression, .predicate: false
        }
    }

    private static func cast(_ text: String, _ type: String) -> String {
        "\(Keyword.cast.rawValue)(\(text), \(type.quoted))"
    }

    private static func list(_ texts: [String]) -> String {
        "{\(texts.joined(separator: ", "))}"
    }

    /// The shortest digits that read back; a whole number keeps its `.0`, so that it stays a floating-point
    /// number. [NSP-143]
    private static func printed(_ value: Double) -> String {
        guard value.isFinite else {
            return cast((value.isNaN ? "nan" : value < 0 ? "-inf" : "inf").quoted, "NSNumber")
        }
        return "\(value)"
    }

    /// Seconds since 2001 with six decimals, or more where six would lose some. [NSP-144]
    private static func printed(_ date: Date) -> String {
        let seconds = date.timeIntervalSinceReferenceDate
        let micros = (seconds * 1e6).rounded()
        guard seconds.isFinite, abs(micros) < 9e15, micros / 1e6 == seconds else { return printed(seconds) }
        let digits = String(Int64(abs(micros)))
        let padded = String(repeating: "0", count: max(0, 7 - digits.count)) + digits
        return "\(micros < 0 ? "-" : "")\(padded.dropLast(6)).\(padded.suffix(6))"
    }
}

/// Never by reflection, which would show what the value is made of, down to dates that Foundation cannot describe.
extension PredicateValue: CustomStringConvertible, CustomDebugStringConvertible {
    public var description: String { printed }
    public var debugDescription: String { printed }
}

extension PredicateObject {
    /// What the object says of itself; `<Type>` where it says nothing.
    fileprivate var printed: String {
        (base as? any CustomStringConvertible)?.description ?? "<\(Swift.type(of: base))>"
    }
}

extension PredicateNode {
    /// The predicate as text, in the canonical spelling.
    ///
    /// `age >= 21 AND name BEGINSWITH[cd] "jo"`
    public var predicateFormat: String {
        var printer = Printer()
        printer.print(self)
        return printer.text
    }
}

extension Printer {
    /// An expression as a format of its own: a call of a host's function without a colon stands in parentheses, since
    /// alone it would be refused. [NSP-018]
    mutating func printFormat(_ node: ExpressionNode) {
        var isBareCall = false
        if case .function(let call) = node, case .custom(let name) = call.function { isBareCall = !name.contains(":") }
        printEnclosed(node, if: isBareCall)
    }
}

extension ExpressionNode {
    /// The expression as text, in the canonical spelling.
    ///
    /// `age + 1`, `SUBQUERY(friends, $f, $f.age > 21).@count`
    public var expressionFormat: String {
        var printer = Printer()
        printer.printFormat(self)
        return printer.text
    }
}
