import PredicateSyntax

/// Reads a line of migration rules. Predicates and expressions are read by the parser of the language; this one finds
/// where they end: at a comma or an equals sign outside of strings and brackets.
struct RuleParser {
    /// What a line contains.
    enum Line {
        case nothing
        case rule(MigrationRules.Rule)
        case message(MigrationRules.Message)
    }

    private let place: RulePlace
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String, line: Int) {
        place = RulePlace(line: line, text: text)
        bytes = Array(text.utf8)
    }

    mutating func line() throws(CoreDataError) -> Line {
        skipBlanks()
        if isAtEnd || bytes[position] == UInt8(ascii: "#") { return .nothing }
        let start = position
        if accept("MESSAGE"), !isAt(",") { return .message(try message()) }
        position = start
        return .rule(try rule())
    }

    // MARK: - Rules

    /// `entity "," predicate "," action`
    private mutating func rule() throws(CoreDataError) -> MigrationRules.Rule {
        let entity = try name("an entity")
        guard acceptByte(",") else { throw failure(.missingPredicate) }
        let predicate = try predicate(until: ",")
        guard acceptByte(",") else { throw failure(.missingAssignment) }
        let action = try action()
        return MigrationRules.Rule(entity: entity, predicate: predicate, action: action, place: place)
    }

    private mutating func action() throws(CoreDataError) -> MigrationRules.Action {
        let start = position
        if accept("DELETE"), isAtEnd { return .delete }
        position = start
        if let objects = try objects() {
            try requireEnd()
            return .make(objects)
        }
        guard let key = word(), acceptByte("=") else { throw failure(.missingAssignment) }
        if let objects = try objects() {
            try requireEnd()
            return .relate(key: key, objects)
        }
        return .assign(key: key, try expression(until: ""))
    }

    /// `"FIND" entity values [ "OR" "MAKE" [ values ] ] [ each ]` or `"MAKE" entity values [ each ]`; nil if the line
    /// continues otherwise.
    private mutating func objects() throws(CoreDataError) -> MigrationRules.Objects? {
        let start = position
        let finds = accept("FIND")
        guard finds || accept("MAKE"), let entity = word(), isAt("(") else {
            position = start
            return nil
        }
        let values = try values()
        guard finds else { return MigrationRules.Objects(entity: entity, found: nil, made: values, each: try each()) }
        guard !values.isEmpty else { throw failure(.expected("a key by which an object is found")) }
        var made: [MigrationRules.Field]?
        if accept("OR") {
            guard accept("MAKE") else { throw failure(.expected("MAKE")) }
            made = isAt("(") ? try self.values() : []
        }
        return MigrationRules.Objects(entity: entity, found: values, made: made, each: try each())
    }

    /// `"(" [ key "=" expression { "," key "=" expression } ] ")"`
    private mutating func values() throws(CoreDataError) -> [MigrationRules.Field] {
        var fields: [MigrationRules.Field] = []
        guard acceptByte("(") else { throw failure(.expected("(")) }
        if acceptByte(")") { return [] }
        repeat {
            let key = try name("a key")
            guard acceptByte("=") else { throw failure(.expected("=")) }
            fields.append(MigrationRules.Field(key: key, expression: try expression(until: ",)")))
        } while acceptByte(",")
        guard acceptByte(")") else { throw failure(.expected(")")) }
        return fields
    }

    /// `"FOR" variable "IN" expression`
    private mutating func each() throws(CoreDataError) -> MigrationRules.Each? {
        guard accept("FOR") else { return nil }
        let variable = try variable()
        guard accept("IN") else { throw failure(.expected("IN")) }
        return MigrationRules.Each(variable: variable, collection: try expression(until: ""))
    }

    // MARK: - Messages

    /// `selector "=" expression`
    private mutating func message() throws(CoreDataError) -> MigrationRules.Message {
        var (selector, parameters) = ("", [String]())
        repeat {
            selector += try name("the name of a message")
            guard acceptByte(":") else { break }
            selector += ":"
            parameters.append(try variable())
        } while !isAt("=")
        guard acceptByte("=") else { throw failure(.expected("=")) }
        return MigrationRules.Message(
            selector: selector, parameters: parameters, expression: try expression(until: ""), place: place)
    }

    private mutating func variable() throws(CoreDataError) -> String {
        guard acceptByte("$") else { throw failure(.expected("a variable, such as $name")) }
        return try name("the name of a variable")
    }

    // MARK: - Predicates and expressions

    private mutating func predicate(until ends: String) throws(CoreDataError) -> FormatPredicate {
        let (range, format) = part(until: ends)
        do throws(PredicateFormatError) {
            return try FormatPredicate(format: format, arguments: [])
        } catch {
            throw failure(error, range)
        }
    }

    private mutating func expression(until ends: String) throws(CoreDataError) -> FormatExpression {
        let (range, format) = part(until: ends)
        do throws(PredicateFormatError) {
            return try FormatExpression(format: format, arguments: [])
        } catch {
            throw failure(error, range)
        }
    }

    /// The part of the line up to one of the bytes, outside of strings and brackets, without blanks at its ends. In its format,
    /// `UUID()` is replaced with `UUID:()`, a call of a host function.
    private mutating func part(until ends: String) -> (range: Range<Int>, format: String) {
        skipBlanks()
        let (start, stops) = (position, Array(ends.utf8))
        var (depth, quote): (Int, UInt8?) = (0, nil)
        var calls: [Int] = []
        while position < bytes.count {
            let byte = bytes[position]
            if let open = quote {
                if byte == UInt8(ascii: "\\") { position += 1 } else if byte == open { quote = nil }
            } else if depth == 0, stops.contains(byte) {
                break
            } else {
                if Self.quotes.contains(byte) { quote = byte }
                if beginsCall { calls.append(position + 4) }
                depth += Self.opening.contains(byte) ? 1 : Self.closing.contains(byte) ? -1 : 0
            }
            position += 1
        }
        position = min(position, bytes.count)
        var end = position
        while end > start, Self.blanks.contains(bytes[end - 1]) { end -= 1 }
        var format = Array(bytes[start..<end])
        for call in calls.reversed() { format.insert(UInt8(ascii: ":"), at: call - start) }
        return (start..<end, String(decoding: format, as: UTF8.self))
    }

    /// True at `UUID()`, false within another name.
    private var beginsCall: Bool {
        guard bytes[position...].starts(with: Self.call) else { return false }
        guard let before = bytes[..<position].last.map(Unicode.Scalar.init) else { return true }
        return !before.properties.isXIDContinue && !".#$@".unicodeScalars.contains(before)
    }

    private static let call = Array("UUID()".utf8)
    private static let quotes: Set<UInt8> = [0x27, 0x22]
    private static let opening = Set("([{".utf8)
    private static let closing = Set(")]}".utf8)
    private static let blanks = Set(" \t\r".utf8)

    // MARK: - Words

    private var isAtEnd: Bool { position == bytes.count }

    private mutating func skipBlanks() {
        while position < bytes.count, Self.blanks.contains(bytes[position]) { position += 1 }
    }

    private func isAt(_ byte: Unicode.Scalar) -> Bool {
        position < bytes.count && bytes[position] == UInt8(ascii: byte)
    }

    /// Accepts a byte and the blanks after it.
    private mutating func acceptByte(_ byte: Unicode.Scalar) -> Bool {
        skipBlanks()
        guard isAt(byte) else { return false }
        position += 1
        skipBlanks()
        return true
    }

    /// Accepts a keyword in any case, and the blanks after it.
    private mutating func accept(_ keyword: String) -> Bool {
        let start = position
        if word()?.uppercased() == keyword { return true }
        position = start
        return false
    }

    /// The name or key path at the position, with the blanks after it; nil if there is none.
    private mutating func word() -> String? {
        skipBlanks()
        let start = position
        while position < bytes.count, Self.isNameByte(bytes[position]) { position += 1 }
        guard position > start else { return nil }
        let word = text(start..<position)
        skipBlanks()
        return word
    }

    private mutating func name(_ what: String) throws(CoreDataError) -> String {
        guard let word = word() else { throw failure(.expected(what)) }
        return word
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), 0x80...:
            true
        default: false
        }
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    // MARK: - Errors

    private func requireEnd() throws(CoreDataError) {
        guard !isAtEnd else { return }
        throw CoreDataError(
            .invalidRule(line: place.line, text: place.text, range: position..<bytes.count, .expected("the end")))
    }

    /// An error at the position.
    private func failure(_ problem: CoreDataError.RuleProblem) -> CoreDataError {
        CoreDataError(
            .invalidRule(line: place.line, text: place.text, range: position..<min(position + 1, bytes.count), problem))
    }

    /// An error within a predicate or an expression.
    private func failure(_ error: PredicateFormatError, _ part: Range<Int>) -> CoreDataError {
        let start = min(part.lowerBound + error.range.lowerBound, part.upperBound)
        let range = start..<max(start, min(part.lowerBound + error.range.upperBound, part.upperBound))
        return CoreDataError(.invalidRule(line: place.line, text: place.text, range: range, .format(error)))
    }
}
