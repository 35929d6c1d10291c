import Foundation
import PredicateEvaluation
import PredicateSyntax

/// Messages: the host's, then those with arguments that values understand, then properties and keys. [NSP-125]
extension ReferenceEvaluator {
    mutating func send(
        _ selector: String, to target: ExpressionNode, _ nodes: [ExpressionNode]
    ) throws(ReferenceError) -> ReferenceValue {
        let receiver = try value(target)
        if receiver.isNull { return .null }
        try spend(1 + receiver.weight)
        let arguments = try values(nodes)
        if let own = registry.messages[selector] {
            return ReferenceValue(try hosted { try own(receiver.keyedValue, arguments.map(\.keyedValue)) })
        }
        guard let answer = try answer(selector, of: receiver, arguments) else { throw ReferenceError(.unknownMessage) }
        return answer
    }

    /// The result of a message to a value; nil if the value does not respond to it.
    private mutating func answer(
        _ selector: String, of receiver: ReferenceValue, _ arguments: [ReferenceValue]
    ) throws(ReferenceError) -> ReferenceValue? {
        if arguments.isEmpty { return try unaryAnswer(selector, of: receiver) }
        if let answer = try Self.universal(selector, receiver, arguments) { return answer }
        if let answer = try textAnswer(selector, receiver, arguments) { return answer }
        if let answer = try collectionAnswer(selector, receiver, arguments) { return answer }
        if let answer = try dateAnswer(selector, receiver, arguments) { return answer }
        return try path(selector, receiver, arguments)
    }

    /// A property or a key.
    private func unaryAnswer(
        _ selector: String, of receiver: ReferenceValue
    ) throws(ReferenceError) -> ReferenceValue? {
        if case .object(let object) = receiver, let value = object.value(forKey: selector) {
            return ReferenceValue(value)
        }
        if let value = try property(selector, of: receiver) { return value }
        return receiver.entry(selector)
    }

    private static func universal(
        _ selector: String, _ receiver: ReferenceValue, _ arguments: [ReferenceValue]
    ) throws(ReferenceError) -> ReferenceValue? {
        switch selector {
        case "isEqual:": return .truth(receiver.equals(arguments[0]))
        case "isKindOfClass:", "isMemberOfClass:":
            guard case .plain(.type(let type)) = arguments[0] else { throw ReferenceError(.argumentKind) }
            let own = receiver.keyedValue.valueClass
            return .truth(selector == "isKindOfClass:" ? own.isKind(of: type) : own == type)
        case "compare:": return .number(.integer(Int64(try order(receiver, arguments[0], .none))))
        default: return nil
        }
    }

    private mutating func path(
        _ selector: String, _ receiver: ReferenceValue, _ arguments: [ReferenceValue]
    ) throws(ReferenceError) -> ReferenceValue? {
        guard selector == "valueForKey:" || selector == "valueForKeyPath:" else { return nil }
        let text = try Self.text(arguments[0])
        let keys = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        if keys.count > limits.nesting, selector == "valueForKeyPath:" { throw ReferenceError(.nestingTooDeep) }
        return try follow(selector == "valueForKey:" ? [text] : keys[...], from: receiver)
    }

    private static func text(_ value: ReferenceValue) throws(ReferenceError) -> String {
        guard let text = value.text else { throw ReferenceError(.notAString) }
        return text
    }

    /// A position in something of so many parts.
    private static func index(
        _ value: ReferenceValue, in parts: ClosedRange<Int>
    ) throws(ReferenceError) -> Int {
        guard let number = value.number else { throw ReferenceError(.notANumber) }
        guard let index = number.asInteger else { throw ReferenceError(.notAnInteger) }
        guard let place = Int(exactly: index), parts.contains(place) else { throw ReferenceError(.indexOutOfRange) }
        return place
    }
}

extension ReferenceValue {
    fileprivate static func truth(_ answer: Bool) -> ReferenceValue {
        .number(.integer(answer ? 1 : 0))
    }
}

/// Messages to strings; positions count UTF-16 code units.
extension ReferenceEvaluator {
    private static let ofTwoTexts: Set<String> = [
        "stringByAppendingString:", "stringByAppendingPathComponent:", "stringByAppendingPathExtension:", "hasPrefix:",
        "hasSuffix:", "containsString:", "isEqualToString:", "caseInsensitiveCompare:", "componentsSeparatedByString:",
    ]

    private func textAnswer(
        _ selector: String, _ receiver: ReferenceValue, _ arguments: [ReferenceValue]
    ) throws(ReferenceError) -> ReferenceValue? {
        guard let text = receiver.text else { return nil }
        if Self.ofTwoTexts.contains(selector) {
            let other = try Self.text(arguments[0])
            if text.utf8.count + other.utf8.count > limits.resultSize { throw ReferenceError(.resultTooLarge) }
            return Self.answer(selector, text, other)
        }
        let units = Array(text.utf16)
        switch selector {
        case "substringFromIndex:":
            let index = try Self.index(arguments[0], in: 0...units.count)
            return .text(String(decoding: units[index...], as: UTF16.self))
        case "substringToIndex:":
            let index = try Self.index(arguments[0], in: 0...units.count)
            return .text(String(decoding: units[..<index], as: UTF16.self))
        case "characterAtIndex:":
            let index = try Self.index(arguments[0], in: 0...units.count)
            guard index < units.count else { throw ReferenceError(.indexOutOfRange) }
            return .number(.integer(Int64(units[index])))
        case "stringByReplacingOccurrencesOfString:withString:":
            let pieces = Self.pieces(of: text, between: try Self.text(arguments[0]))
            return .text(try joined(pieces, Self.text(arguments[1])))
        default: return nil
        }
    }

    private static func answer(_ selector: String, _ text: String, _ other: String) -> ReferenceValue? {
        switch selector {
        case "stringByAppendingString:": return .text(text + other)
        case "stringByAppendingPathExtension:": return .text(text + "." + other)
        case "stringByAppendingPathComponent:":
            let tail = String(other.drop { $0 == "/" })
            return .text(text.isEmpty ? other : text + (text.last == "/" ? "" : "/") + tail)
        case "hasPrefix:": return .truth(SlowText.begins(text, other, .none))
        case "hasSuffix:": return .truth(SlowText.ends(text, other, .none))
        case "containsString:": return .truth(SlowText.contains(text, other, .none))
        case "isEqualToString:": return .truth(SlowText.compare(text, other, .none) == 0)
        case "caseInsensitiveCompare:":
            return .number(.integer(Int64(SlowText.compare(text, other, .caseInsensitive))))
        default: return .list(pieces(of: text, between: other).map(ReferenceValue.text), .array)
        }
    }

    /// The pieces between the places where a separator stands.
    private static func pieces(of text: String, between separator: String) -> [String] {
        let (mark, scalars) = (Array(separator.unicodeScalars), Array(text.unicodeScalars))
        if mark.isEmpty { return [text] }
        var pieces = [String.UnicodeScalarView()]
        var place = 0
        while place < scalars.count {
            if scalars[place...].starts(with: mark) {
                pieces.append(String.UnicodeScalarView())
                place += mark.count
            } else {
                pieces[pieces.count - 1].append(scalars[place])
                place += 1
            }
        }
        return pieces.map { String($0) }
    }

    private func joined(_ pieces: [String], _ separator: String) throws(ReferenceError) -> String {
        let size = pieces.reduce(0) { $0 + $1.utf8.count } + separator.utf8.count * pieces.count
        if size > limits.resultSize { throw ReferenceError(.resultTooLarge) }
        return pieces.joined(separator: separator)
    }
}

/// Messages to collections, dictionaries and dates.
extension ReferenceEvaluator {
    private func collectionAnswer(
        _ selector: String, _ receiver: ReferenceValue, _ arguments: [ReferenceValue]
    ) throws(ReferenceError) -> ReferenceValue? {
        let argument = arguments[0]
        switch selector {
        case "objectForKey:": return receiver.pairs == nil ? nil : try Self.element(of: receiver, at: argument)
        case "containsObject:": return receiver.list.map { .truth($0.has(argument)) }
        case "isEqualToArray:": return receiver.kind == .array ? .truth(receiver.equals(argument)) : nil
        case "isEqualToSet:": return receiver.kind == .set ? .truth(receiver.equals(argument)) : nil
        case "isEqualToOrderedSet:": return receiver.kind == .orderedSet ? .truth(receiver.equals(argument)) : nil
        case "isEqualToDictionary:": return receiver.pairs == nil ? nil : .truth(receiver.equals(argument))
        case "isEqualToNumber:": return receiver.number == nil ? nil : .truth(receiver.equals(argument))
        case "isSubsetOfSet:", "intersectsSet:":
            guard receiver.kind == .set, let own = receiver.list else { return nil }
            guard let others = argument.elements else { throw ReferenceError(.notACollection) }
            return .truth(selector == "isSubsetOfSet:" ? own.allSatisfy(others.has) : own.contains(where: others.has))
        default: return try arrayAnswer(selector, receiver, argument)
        }
    }

    private func arrayAnswer(
        _ selector: String, _ receiver: ReferenceValue, _ argument: ReferenceValue
    ) throws(ReferenceError) -> ReferenceValue? {
        guard let elements = receiver.orderedList else { return nil }
        switch selector {
        case "objectAtIndex:":
            let index = try Self.index(argument, in: 0...elements.count)
            guard index < elements.count else { throw ReferenceError(.indexOutOfRange) }
            return elements[index]
        case "indexOfObject:":
            return .number(.integer(elements.firstIndex { $0.equals(argument) }.map(Int64.init) ?? .max))
        case "componentsJoinedByString:":
            let separator = try Self.text(argument)
            if elements.contains(where: { $0.elements != nil }) { try checkDescription(of: receiver) }
            return .text(try joined(elements.map(\.keyedValue.descriptionText), separator))
        case "arrayByAddingObject:": return receiver.kind == .array ? .list(elements + [argument], .array) : nil
        default: return nil
        }
    }

    private func dateAnswer(
        _ selector: String, _ receiver: ReferenceValue, _ arguments: [ReferenceValue]
    ) throws(ReferenceError) -> ReferenceValue? {
        guard case .date(let date) = receiver else { return nil }
        if selector == "dateByAddingTimeInterval:" {
            guard let seconds = arguments[0].number?.asDouble else { throw ReferenceError(.notANumber) }
            let sum = date.timeIntervalSinceReferenceDate + seconds
            guard abs(sum) <= 1e15 else { throw ReferenceError(.argumentKind) }
            return .date(Date(timeIntervalSinceReferenceDate: sum))
        }
        let selectors = ["timeIntervalSinceDate:", "earlierDate:", "laterDate:", "isEqualToDate:"]
        guard selectors.contains(selector) else { return nil }
        guard case .date(let other) = arguments[0] else { throw ReferenceError(.argumentKind) }
        switch selector {
        case "timeIntervalSinceDate:":
            return .number(.double(date.timeIntervalSinceReferenceDate - other.timeIntervalSinceReferenceDate))
        case "earlierDate:": return .date(min(date, other))
        case "laterDate:": return .date(max(date, other))
        default: return .truth(date == other)
        }
    }
}
