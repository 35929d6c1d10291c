import PredicateData
import PredicateEvaluation
import PredicateSyntax

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The kind of a value in a JSON object with one key: `{"date": "2024-01-01"}`, `{"$set": [1, 2]}`.
enum ValueTag: String, CaseIterable {
    case string, int, double, bool, decimal
    /// The argument for `%K`
    case key
    /// A text of ISO 8601, or seconds since 2001-01-01 UTC
    case date, dateSinceReference
    case array, set, dict
    /// A dictionary of any keys: `[[1, "a"], ["1", "b"]]`
    case pairs
    /// A range of Swift that includes both bounds, and one without its upper bound; null for no bound
    case range, halfOpenRange
    /// A value that the library knows by reflection alone, and an actor, both by their text
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

    /// The value; `notation` reads the elements of collections.
    func value(of payload: PredicateValue, _ notation: ValueNotation) throws(DataProblem) -> PredicateValue {
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

    private func need<Value>(_ value: Value?, _ payload: PredicateValue) throws(DataProblem) -> Value {
        guard let value else { throw DataProblem("no \(rawValue): \(JSONWriter().text(of: payload))") }
        return value
    }

    private func elements(_ payload: PredicateValue, _ notation: ValueNotation) throws(DataProblem) -> [PredicateValue]
    {
        try notation.elements(try need(payload.list, payload))
    }

    private func dictionary(
        _ payload: PredicateValue, _ notation: ValueNotation
    ) throws(DataProblem) -> PredicateValue {
        var pairs: [(key: KeyedValue, value: KeyedValue)] = []
        for pair in try need(payload.list, payload) {
            let pair = try elements(pair, notation)
            guard pair.count == 2 else { throw DataProblem("no \(rawValue): \(JSONWriter().text(of: payload))") }
            pairs.append((pair[0].keyedValue, pair[1].keyedValue))
        }
        return KeyedValue(dictionary: pairs).argument
    }

    private func range(_ payload: PredicateValue, _ notation: ValueNotation) throws(DataProblem) -> PredicateValue {
        let bounds = try need(payload.list, payload)
        guard bounds.count == 2 else { throw DataProblem("no \(rawValue): \(JSONWriter().text(of: payload))") }
        let lower = bounds[0].isAbsent ? nil : try notation.value(bounds[0])
        let upper = bounds[1].isAbsent ? nil : try notation.value(bounds[1])
        return PredicateRange(lower, upper, includesUpperBound: self == .range).predicateValue
    }

    private func decimal(_ payload: PredicateValue) -> Decimal? {
        if case .decimal(let value) = payload { return value }
        return Decimal(string: payload.text ?? JSONWriter().text(of: payload))
    }

    private func date(_ payload: PredicateValue) -> Date? {
        payload.text.flatMap(ISO8601.date(from:))
            ?? payload.realNumber.map(Date.init(timeIntervalSinceReferenceDate:))
    }

    private func expression(_ payload: PredicateValue) throws(DataProblem) -> ExpressionNode {
        let format = try need(payload.text, payload)
        do { return try FormatExpression(format: format, arguments: []).node } catch { throw problem(error) }
    }

    private func predicate(_ payload: PredicateValue) throws(DataProblem) -> PredicateNode {
        let format = try need(payload.text, payload)
        do { return try FormatPredicate(format: format, arguments: []).node } catch { throw problem(error) }
    }

    private func problem(_ error: PredicateFormatError) -> DataProblem {
        DataProblem("no \(rawValue): \(error.inOneLine)")
    }
}
