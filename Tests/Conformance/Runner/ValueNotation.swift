import PredicateData
import PredicateEvaluation
import PredicateJSON
import PredicateSyntax

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The notation of values in JSON.
///
/// Most JSON values denote themselves. `null` inside an array is the null object, because an array cannot contain
/// nil.
enum ValueNotation: Hashable, Sendable {
    /// Arguments and variables: `{"date": "2024-01-01"}`. A dictionary whose only key is a tag is written with `dict`
    case argument
    /// Objects to evaluate: `{"$date": "2024-01-01"}`. All other members are data
    case object

    func value(_ json: PredicateValue) throws(CaseDataError) -> PredicateValue {
        if let values = json.list { return .array(try elements(values)) }
        guard let members = json.entries else { return json }
        if let tagged = try tagged(members) { return tagged }
        return .dictionary(try entries(members))
    }

    /// Returns a value for a substitution, where `null` is the null object, as on Apple's platforms.
    func substitution(_ json: PredicateValue) throws(CaseDataError) -> PredicateValue {
        json.isAbsent ? .nullObject : try value(json)
    }

    func elements(_ values: [PredicateValue]) throws(CaseDataError) -> [PredicateValue] {
        var result: [PredicateValue] = []
        for value in values { result.append(value.isAbsent ? .nullObject : try self.value(value)) }
        return result
    }

    func entries(_ members: [String: PredicateValue]) throws(CaseDataError) -> [String: PredicateValue] {
        var result: [String: PredicateValue] = [:]
        for (key, member) in members { result[key] = try value(member) }
        return result
    }

    /// Returns the value of a tag; nil if the object is a dictionary.
    private func tagged(_ members: [String: PredicateValue]) throws(CaseDataError) -> PredicateValue? {
        if let dollar = members.keys.first(where: { $0.hasPrefix("$") }) {
            return try Self.object.marked(members, dollar)
        }
        guard self == .argument, members.count == 1, let (key, payload) = members.first else { return nil }
        guard let tag = ValueTag(rawValue: key) else { return nil }
        return try tag.value(of: payload, self)
    }

    /// Returns the value of `{"$date": …}` or `{"$class": "Person", "name": "Lily"}`, an object that is not a
    /// dictionary.
    private func marked(_ members: [String: PredicateValue], _ mark: String) throws(CaseDataError) -> PredicateValue {
        if let name = members["$class"]?.text, members.count > 1 {
            let properties = try entries(members.filter { $0.key != "$class" })
            return .object(PredicateObject(NamedObject(className: name, properties: properties)))
        }
        guard members.count == 1, let payload = members[mark], let tag = ValueTag(rawValue: String(mark.dropFirst()))
        else { throw CaseDataError("unknown tag '\(mark)'") }
        return try tag.value(of: payload, self)
    }
}

/// The tag of a value, which is the key of a JSON object: `{"date": "2024-01-01"}`, `{"$set": [1, 2]}`.
enum ValueTag: String, CaseIterable {
    case string, int, double, bool, decimal
    /// The argument for `%K`
    case key
    /// An ISO 8601 string, or seconds since 2001-01-01 UTC
    case date, dateSinceReference
    case array, set, dict
    /// A dictionary with any keys: `[[1, "a"], ["1", "b"]]`
    case pairs
    /// A closed range and a half-open range of Swift; null for a missing bound
    case range, halfOpenRange
    /// A value that is known only by reflection, and an actor; the payload is a string
    case unknown, actor
    case orderedSet = "orderedset"
    /// Base 64
    case data
    case uuid, url
    /// A class by its name
    case `class`
    /// The class of a value
    case classOf = "class-of"
    /// A format string of an expression
    case expression
    /// A format string of a predicate
    case predicate
    /// The null object
    case nsnull
    /// nil
    case null

    /// Returns the value of the payload. `notation` reads the elements of collections.
    func value(of payload: PredicateValue, _ notation: ValueNotation) throws(CaseDataError) -> PredicateValue {
        switch self {
        case .string, .key: .string(try need(payload.text, payload))
        case .int: .integer(Int64(try need(payload.wholeNumber, payload)))
        case .double: .double(try need(payload.realNumber ?? payload.text.flatMap { Double($0) }, payload))
        case .bool: .bool(try need(payload.truth ?? payload.wholeNumber.map { $0 != 0 }, payload))
        case .decimal: .decimal(try need(decimal(payload), payload))
        case .date, .dateSinceReference: .date(try need(date(payload), payload))
        case .array: .array(try elements(payload, notation))
        case .set: .set(Set(try elements(payload, notation)))
        case .orderedSet: .orderedSet(try elements(payload, notation))
        case .dict: .dictionary(try notation.entries(try need(payload.entries, payload)))
        case .pairs: try dictionary(payload, notation)
        case .range, .halfOpenRange: try range(payload, notation)
        case .unknown: KeyedValue(bridging: UnknownValue(text: try need(payload.text, payload))).argument
        case .actor: KeyedValue(bridging: UnknownActor(text: try need(payload.text, payload))).argument
        case .data: .data(try need(payload.text.flatMap { Data(base64Encoded: $0) }, payload))
        case .uuid: .uuid(try need(payload.text.flatMap { UUID(uuidString: $0) }, payload))
        case .url: .url(try need(payload.text.flatMap { URL(string: $0) }, payload))
        case .class: .type(PredicateValue.ClassName(try need(payload.text, payload)))
        case .classOf: .type(KeyedValue.value(try notation.value(payload)).valueClass)
        case .expression: .expression(try expression(payload))
        case .predicate: .predicate(try predicate(payload))
        case .nsnull: .nullObject
        case .null: notation == .object ? .nullObject : .null
        }
    }

    private func need<Value>(_ value: Value?, _ payload: PredicateValue) throws(CaseDataError) -> Value {
        guard let value else { throw CaseDataError("invalid \(rawValue): \(JSONWriter().text(of: payload))") }
        return value
    }

    private func elements(_ payload: PredicateValue, _ notation: ValueNotation) throws(CaseDataError)
        -> [PredicateValue]
    {
        try notation.elements(try need(payload.list, payload))
    }

    private func dictionary(
        _ payload: PredicateValue, _ notation: ValueNotation
    ) throws(CaseDataError) -> PredicateValue {
        var pairs: [(key: KeyedValue, value: KeyedValue)] = []
        for pair in try need(payload.list, payload) {
            let pair = try elements(pair, notation)
            guard pair.count == 2 else { throw CaseDataError("invalid \(rawValue): \(JSONWriter().text(of: payload))") }
            pairs.append((pair[0].keyedValue, pair[1].keyedValue))
        }
        return KeyedValue(dictionary: pairs).argument
    }

    private func range(_ payload: PredicateValue, _ notation: ValueNotation) throws(CaseDataError) -> PredicateValue {
        let bounds = try need(payload.list, payload)
        guard bounds.count == 2 else { throw CaseDataError("invalid \(rawValue): \(JSONWriter().text(of: payload))") }
        let lower = bounds[0].isAbsent ? nil : try notation.value(bounds[0])
        let upper = bounds[1].isAbsent ? nil : try notation.value(bounds[1])
        return PredicateRange(lower, upper, includesUpperBound: self == .range).predicateValue
    }

    private func decimal(_ payload: PredicateValue) -> Decimal? {
        if case .decimal(let value) = payload { return value }
        return Decimal(string: payload.text ?? JSONWriter().text(of: payload))
    }

    private func date(_ payload: PredicateValue) -> Date? {
        payload.text.flatMap { ISO8601.date(from: $0) }
            ?? payload.realNumber.map(Date.init(timeIntervalSinceReferenceDate:))
    }

    private func expression(_ payload: PredicateValue) throws(CaseDataError) -> ExpressionNode {
        let format = try need(payload.text, payload)
        do { return try FormatExpression(format: format, arguments: []).node } catch { throw problem(error) }
    }

    private func predicate(_ payload: PredicateValue) throws(CaseDataError) -> PredicateNode {
        let format = try need(payload.text, payload)
        do { return try FormatPredicate(format: format, arguments: []).node } catch { throw problem(error) }
    }

    private func problem(_ error: PredicateFormatError) -> CaseDataError {
        CaseDataError("invalid \(rawValue): \(error.inOneLine)")
    }
}

/// An error in the data of a case.
struct CaseDataError: Error, Hashable {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}

extension PredicateValue {
    /// The string of a JSON string.
    var text: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The elements of a JSON array.
    var list: [PredicateValue]? {
        if case .array(let values) = self { values } else { nil }
    }

    /// The members of a JSON object.
    var entries: [String: PredicateValue]? {
        if case .dictionary(let entries) = self { entries } else { nil }
    }

    var truth: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// A whole number.
    var wholeNumber: Int? {
        switch self {
        case .integer(let value): Int(exactly: value)
        case .double(let value): Int(exactly: value)
        case .null, .nullObject, .bool, .decimal, .string, .date, .data, .uuid, .url, .type, .array, .set, .orderedSet,
            .object, .dictionary, .expression, .predicate:
            nil
        }
    }

    /// A number.
    var realNumber: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .double(let value): value
        case .null, .nullObject, .bool, .decimal, .string, .date, .data, .uuid, .url, .type, .array, .set, .orderedSet,
            .object, .dictionary, .expression, .predicate:
            nil
        }
    }

    var isAbsent: Bool {
        if case .null = self { true } else { false }
    }
}

/// Reads the members of a JSON object with their expected types.
struct JSONFields {
    private let members: [String: PredicateValue]

    init(_ members: [String: PredicateValue]) {
        self.members = members
    }

    /// Returns a member; nil if it is missing or null.
    subscript(name: String) -> PredicateValue? {
        members[name].flatMap { $0.isAbsent ? nil : $0 }
    }

    /// Returns an optional member of an expected type.
    func optional<Value>(_ name: String, _ type: String, _ read: (PredicateValue) -> Value?) throws(CaseDataError)
        -> Value?
    {
        guard let member = self[name] else { return nil }
        guard let value = read(member) else { throw CaseDataError("'\(name)' should be \(type)") }
        return value
    }

    /// Returns a required member.
    func required<Value>(_ name: String, _ type: String, _ read: (PredicateValue) -> Value?) throws(CaseDataError)
        -> Value
    {
        guard let value = try optional(name, type, read) else { throw CaseDataError("'\(name)' is missing") }
        return value
    }

    func text(_ name: String) throws(CaseDataError) -> String? {
        try optional(name, "a string", \.text)
    }
}
