#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension PredicateValue {
    /// The constant as it is printed in a predicate.
    ///
    /// `21`, `"jo"`, `1` for YES, `nil`, `{1, 2}`, `CAST(592299475.577120, "NSDate")`
    package var printed: String { printed(.exact) }

    fileprivate func printed(_ form: Printer.Form, isElement: Bool = false) -> String {
        var printer = Printer(form: form)
        printer.write(value: self, isElement: isElement)
        return printer.text
    }

    /// The text in Apple's form, if it differs from the exact one: `2` for 2.0, `55.8` for the Float 55.8, `137DECC8-…` for a
    /// UUID, `2015-05-22 15:06:40 +0000` for a date in a collection. [NSP-143] [NSP-144]
    @inline(never)
    fileprivate func appleText(isElement: Bool) -> String? {
        switch self {
        case .uuid(let value): value.uuidString
        case .double(let value): value.isFinite ? Self.appleText(of: value) : nil
        case .date(let date): isElement ? Self.appleText(of: date) : nil
        case .null, .nullObject, .bool, .integer, .decimal, .string, .data, .url, .type, .array, .set, .orderedSet,
            .dictionary, .object, .expression, .predicate:
            nil
        }
    }

    private static func appleText(of value: Double) -> String {
        let text = value.description
        if text.hasSuffix(".0") { return String(text.dropLast(2)) }
        // A double that equals a Float and needs this many characters was made from that Float.
        let float = Float(value)
        return text.utf8.count > digitsOfFloat && Double(float) == value ? float.description : text
    }

    /// A double written with at most this many characters may not come from a Float, even if it equals one.
    private static var digitsOfFloat: Int { 14 }

    private static func appleText(of date: Date) -> String? {
        let seconds = date.timeIntervalSinceReferenceDate.rounded(.down)
        return ISO8601.string(from: Date(timeIntervalSinceReferenceDate: seconds)).map { text in
            text.dropLast().split(separator: "T").joined(separator: " ") + " +0000"
        }
    }

    /// True if the printed constant parses to the same constant.
    package var readsBack: Bool {
        switch self {
        case .null, .nullObject, .bool, .integer, .double, .decimal, .string, .date, .data, .uuid, .type: true
        case .url(let value): URL(string: value.absoluteString) == value
        case .array(let values), .orderedSet(let values): values.allSatisfy(\.readsBack)
        case .dictionary(let values): values.values.allSatisfy(\.readsBack)
        case .set, .object, .expression, .predicate: false
        }
    }
}

extension Printer {
    mutating func write(value: PredicateValue, isElement: Bool = false) {
        if form == .apple, let text = value.appleText(isElement: isElement) { return write(text: text) }
        switch value {
        case .null: write("nil")
        case .nullObject: write(text: Symbol.nullObject.rawValue)
        case .bool(let value): if value { write("1") } else { write("0") }
        case .integer(let value): write(text: String(value))
        case .double(let value): write(number: value)
        case .decimal(let value): write(decimal: value)
        case .string(let value): write(quoting: value)
        case .date(let value): writeCast(.date) { $0.write(date: value) }
        case .data(let value): writeCast(.data, of: value.base64EncodedString())
        case .uuid(let value): writeCast(.uuid, of: value.uuidString)
        case .url(let value): writeCast(.url, of: value.absoluteString)
        case .type(let value): writeCast(.type, of: value.name)
        case .array(let values): writeList(values) { $0.write(value: $1, isElement: true) }
        case .set(let values): write(set: values)
        case .orderedSet(let values):
            writeCast(.orderedSet) { $0.writeList(values) { $0.write(value: $1, isElement: true) } }
        case .dictionary(let values): writeCast(.dictionary) { $0.write(dictionary: values) }
        case .object(let value): write(text: value.printed)
        case .expression(let value): write(text: value.format(form))
        case .predicate(let value): write(text: value.format(form))
        }
    }

    @inline(never)
    private mutating func write(set values: Set<PredicateValue>) {
        let form = form
        writeList(values.map { $0.printed(form, isElement: true) }.inOrder()) { $0.write(text: $1) }
    }

    /// `18446744073709551615`, or `CAST("1.10", "NSDecimalNumber")` if no literal holds the number. [NSP-177]
    @inline(never)
    private mutating func write(decimal value: Decimal) {
        if let integer = value.unsignedInteger { return write(text: String(integer)) }
        writeCast(.decimalNumber, of: value.description)
    }

    /// `CAST("137DECC8-…", "NSUUID")`
    @inline(never)
    private mutating func writeCast(_ type: CastType, of text: String) {
        writeCast(type) { $0.write(quoting: text) }
    }

    private mutating func writeCast(_ type: CastType, _ content: (inout Printer) -> Void) {
        writeCast(type.rawValue, content)
    }

    /// Writes alternating keys and values.
    private mutating func write(dictionary: [String: PredicateValue]) {
        writeList(dictionary.keys.map(\.self).inOrder()) { printer, key in
            printer.write(quoting: key)
            printer.write(", ")
            printer.write(value: dictionary[key] ?? .null)
        }
    }

    /// Writes the shortest digits that read back. A whole number keeps its `.0`, so that it stays a floating-point
    /// number.
    private mutating func write(number value: Double) {
        if value.isFinite { return write(text: value.description) }
        writeCast(.number, of: value.isNaN ? "nan" : value < 0 ? "-inf" : "inf")
    }

    /// Writes seconds since 2001 with six decimal places, or with more if six would lose precision. [NSP-144]
    private mutating func write(date: Date) {
        let seconds = date.timeIntervalSinceReferenceDate
        guard seconds.isFinite, abs(seconds) < 0x1p53 else { return write(number: seconds) }
        let whole = abs(seconds).rounded(.down)
        let micros = ((abs(seconds) - whole) * 1e6).rounded()
        let digits = String(Int64(micros))
        let fraction = String(repeating: "0", count: 6 - min(6, digits.count)) + digits
        let text = "\(seconds < 0 ? "-" : "")\(Int64(whole)).\(fraction)"
        if micros < 1e6, Double(text) == seconds { write(text: text) } else { write(number: seconds) }
    }
}

/// Descriptions without reflection, which would show the storage and would fail for dates that Foundation cannot
/// describe.
extension PredicateValue: CustomStringConvertible, CustomDebugStringConvertible {
    public var description: String { printed }
    public var debugDescription: String { printed }
}

extension PredicateObject {
    /// The description of the object; `<Type>` if it has none.
    fileprivate var printed: String {
        (base as? any CustomStringConvertible)?.description ?? "<\(Swift.type(of: base))>"
    }
}

extension PredicateNode {
    /// The predicate as a format string, in the canonical spelling.
    ///
    /// `age >= 21 AND name BEGINSWITH[cd] "jo"`
    public var predicateFormat: String { format(.exact) }

    /// The predicate as Apple's classes print it: `score > 10` for `score > 10.0`. [NSP-143]
    package var foundationFormat: String { format(.apple) }

    fileprivate func format(_ form: Printer.Form) -> String {
        var printer = Printer(form: form)
        printer.print(self)
        return printer.text
    }
}

extension Printer {
    /// Prints an expression as a whole format. A call of a host function without a colon is enclosed in parentheses,
    /// since alone it would be refused. [NSP-018]
    mutating func printFormat(_ node: ExpressionNode) {
        var isBareCall = false
        if case .function(let call) = node, case .custom(let name) = call.function { isBareCall = !name.contains(":") }
        printEnclosed(node, if: isBareCall)
    }
}

extension ExpressionNode {
    /// The expression as a format string, in the canonical spelling.
    ///
    /// `age + 1`, `SUBQUERY(friends, $f, $f.age > 21).@count`
    public var expressionFormat: String { format(.exact) }

    /// The expression as Apple's classes print it: `score / 2` for `score / 2.0`. [NSP-143]
    package var foundationFormat: String { format(.apple) }

    fileprivate func format(_ form: Printer.Form) -> String {
        var printer = Printer(form: form)
        printer.printFormat(self)
        return printer.text
    }
}

extension TreeNode {
    /// The node as a format string, in the canonical spelling.
    package var printed: String {
        switch self {
        case .predicate(let node): node.predicateFormat
        case .expression(let node): node.expressionFormat
        }
    }
}

/// Spellings of names and strings that parse back.
extension Printer {
    /// `age`, `#size`, `@count`. A name that cannot be a bare key is quoted: `#"first name"`, or `"first name"` after
    /// a dot.
    ///
    /// A dollar sign followed by letters is printed bare, as on Apple's platforms. [NSP-147]
    mutating func write(key: String, isFirst: Bool) {
        var copy = key
        copy.withUTF8 { bytes in
            if bytes.isIdentifier {
                if Keyword.table.keyword(bytes, from: 0, count: bytes.count) != nil { write("#") }
                return write(bytes)
            }
            if bytes.isMarkedIdentifier { return write(bytes) }
            if isFirst { write("#") }
            write(quoting: bytes)
        }
    }

    /// `$limit`. A name that is not an identifier is quoted: `$"any name"`.
    mutating func write(variable name: String) {
        write("$")
        if name.isIdentifier { write(text: name) } else { write(quoting: name) }
    }

    /// Writes a string in double quotes, escaping backslashes and quotes and nothing else. [NSP-145]
    mutating func write(quoting text: String) {
        var copy = text
        copy.withUTF8 { write(quoting: $0) }
    }

    private mutating func write(quoting bytes: UnsafeBufferPointer<UInt8>) {
        write("\"")
        var start = 0
        for index in bytes.indices where bytes[index] == UInt8(ascii: "\\") || bytes[index] == UInt8(ascii: "\"") {
            write(UnsafeBufferPointer(rebasing: bytes[start..<index]))
            write("\\")
            start = index
        }
        write(UnsafeBufferPointer(rebasing: bytes[start...]))
        write("\"")
    }
}

extension String {
    /// True for ASCII letters, digits and underscores that do not begin with a digit.
    package var isIdentifier: Bool {
        var copy = self
        return copy.withUTF8 { $0.isIdentifier }
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate var isIdentifier: Bool {
        guard let first, ByteClass.isWordStart(first) else { return false }
        return allSatisfy { ByteClass.isWord($0) }
    }

    /// `@count`, `$limit`
    fileprivate var isMarkedIdentifier: Bool {
        guard first == UInt8(ascii: "@") || first == UInt8(ascii: "$") else { return false }
        return UnsafeBufferPointer(rebasing: dropFirst()).isIdentifier
    }
}
