import Foundation
import PredicateSyntax
import PredicateText

/// `FUNCTION(name, "stringByAppendingString:", "!")`: a message to a value.
///
/// The host's messages are searched first, then the built-in ones. A selector without arguments may also be a
/// property of the value or a key of the object: `FUNCTION(person, "name")`. A message to nil gives nil. All other
/// selectors throw `unknownMessage`. [NSP-125]
final class MessagePlan: ExpressionPlan {
    let node: Int
    private let target: any ExpressionPlan
    private let selector: String
    private let arguments: [any ExpressionPlan]
    private let hostMessage: EvaluationRegistry.Message?
    private let message: BuiltInMessages.Message?
    private let property: ValueProperty?
    private let registry: EvaluationRegistry
    private let limits: PredicateLimits

    init(
        _ target: any ExpressionPlan, _ selector: String, _ arguments: [any ExpressionPlan],
        _ registry: EvaluationRegistry, _ limits: PredicateLimits, node: Int
    ) {
        self.limits = limits
        self.target = target
        self.selector = selector
        self.arguments = arguments
        self.registry = registry
        self.hostMessage = registry.message(named: selector)
        self.message = BuiltInMessages.table[selector]
        self.property = arguments.isEmpty ? ValueProperty(rawValue: selector) : nil
        self.node = node
    }

    func value(_ context: inout EvaluationContext) throws(EvaluationError) -> KeyedValue {
        let receiver = try target.value(&context)
        if receiver.isNull { return .null }
        try context.spend(on: receiver, at: node)
        let values = try context.values(of: arguments, at: node)
        if let hostMessage {
            do { return try hostMessage(receiver, values) } catch {
                throw EvaluationError(host: error, of: selector, at: node)
            }
        }
        do {
            if let result = try result(for: receiver, values) { return result }
        } catch {
            // In a fault, operand 0 is the receiver; the arguments follow.
            throw EvaluationError(error, operands: [target.node] + arguments.map(\.node), whole: node)
        }
        throw unknownMessage(to: receiver)
    }

    /// The result of a built-in message; nil if the receiver does not understand it.
    private func result(for receiver: KeyedValue, _ arguments: [KeyedValue]) throws(Fault) -> KeyedValue? {
        if let message { return try message(receiver, arguments, limits) }
        guard arguments.isEmpty else { return nil }
        if let property, property.isDescription { try ResultLimit.check(descriptionOf: receiver, limits) }
        if let object = receiver.hostReceiver { return object.value(forKey: selector) ?? property?.value(of: receiver) }
        return property?.value(of: receiver) ?? receiver.entry(for: .value(.string(selector)))
    }

    @inline(never)
    private func unknownMessage(to receiver: KeyedValue) -> EvaluationError {
        var nearMisses = registry.messageNames(near: selector)
        if arguments.isEmpty {
            nearMisses += NearMiss.candidates(for: selector, among: receiver.propertyNames)
            if nearMisses.isEmpty { nearMisses = NearMiss.completions(of: selector, among: receiver.propertyNames) }
        }
        return EvaluationError(
            .unknownMessage(selector, target: receiver.className, nearMisses: nearMisses), node: node)
    }
}

extension KeyedValue {
    /// The object that receives the message; nil for data and dictionaries.
    fileprivate var hostReceiver: (any KeyValueCoding)? {
        guard case .object(let object) = self, !(object is any DictionaryCoding) else { return nil }
        return object
    }

    /// The names of messages without arguments.
    fileprivate var propertyNames: [String] {
        hostReceiver?.allKeys ?? (ValueProperty.names(for: self) + (entries.map { Array($0.keys) } ?? []))
    }
}

// MARK: - Built-in messages

/// The built-in messages with arguments: pure methods of Foundation's classes.
///
/// Messages without arguments are properties: see ``ValueProperty``.
enum BuiltInMessages {
    /// Returns the result of a message to a receiver, which is never nil, with one argument for each colon of the
    /// selector; nil if receivers of this kind do not understand the message. In a fault, operand 0 is the receiver.
    typealias Message =
        @Sendable (_ receiver: KeyedValue, _ arguments: [KeyedValue], _ limits: PredicateLimits) throws(Fault) ->
        KeyedValue?

    static let table: [String: Message] = {
        var table = universal
        for messages in [dates, collections, texts] {
            for (selector, message) in messages { table[selector] = message }
        }
        return table
    }()

    /// Messages that every value understands.
    private static let universal: [String: Message] = [
        "isEqual:": { (receiver, arguments, _) throws(Fault) in
            .value(.bool(isEqual(receiver, arguments.argument(0))))
        },
        "isKindOfClass:": { (receiver, arguments, _) throws(Fault) in
            try result(of: "isKindOfClass:", receiver, arguments)
        },
        "isMemberOfClass:": { (receiver, arguments, _) throws(Fault) in
            try result(of: "isMemberOfClass:", receiver, arguments)
        },
        "compare:": { (receiver, arguments, _) throws(Fault) in
            let order = try Ordering.compare(receiver, arguments.argument(0), .none)
            return .value(.integer(order == .less ? -1 : order == .greater ? 1 : 0))
        },
        "valueForKey:": { (receiver, arguments, limits) throws(Fault) in
            let key = try arguments.argument(0).requiredText(operand: 1)
            return try value(of: [key], in: receiver, limits)
        },
        "valueForKeyPath:": { (receiver, arguments, limits) throws(Fault) in
            let path = try arguments.argument(0).requiredText(operand: 1)
            return try value(of: KeyPathExpression.keys(of: path), in: receiver, limits)
        },
    ]

    /// Returns the result of an operator that is also a selector.
    private static func result(
        of selector: String, _ receiver: KeyedValue, _ arguments: [KeyedValue]
    ) throws(Fault) -> KeyedValue? {
        guard let selector = CustomSelector.builtIn[selector] else { return nil }
        return .value(.bool(try selector(receiver, arguments.argument(0))))
    }

    private static func value(
        of keys: [String], in receiver: KeyedValue, _ limits: PredicateLimits
    ) throws(Fault) -> KeyedValue {
        try faulting { () throws(EvaluationError) in
            try ResolvedKeyPath(components: keys, limits).value(from: receiver)
        }
    }
}

/// Messages to strings. Positions count UTF-16 code units, as in NSString.
extension BuiltInMessages {
    static let texts: [String: Message] = [
        "stringByAppendingString:": text { (text, argument) in .string(text + argument) },
        "stringByAppendingPathComponent:": text { (text, argument) in .string(joined(text, argument)) },
        "stringByAppendingPathExtension:": text { (text, argument) in .string(text + "." + argument) },
        "hasPrefix:": text { (text, argument) in .bool(TextSearch.begins(text, with: argument, .none)) },
        "hasSuffix:": text { (text, argument) in .bool(TextSearch.ends(text, with: argument, .none)) },
        "containsString:": text { (text, argument) in .bool(TextSearch.contains(text, argument, .none)) },
        "isEqualToString:": text { (text, argument) in .bool(text.hasSameCodePoints(as: argument)) },
        "caseInsensitiveCompare:": text { (text, argument) in
            .integer(Int64(TextSearch.compare(text, argument, .caseInsensitive)))
        },
        "componentsSeparatedByString:": text { (text, argument) in
            .array(pieces(text, argument).map(PredicateValue.string))
        },
        "stringByReplacingOccurrencesOfString:withString:": { (receiver, arguments, limits) throws(Fault) in
            guard let text = receiver.text else { return nil }
            let old = try arguments.argument(0).requiredText(operand: 1)
            let new = try arguments.argument(1).requiredText(operand: 2)
            let pieces = pieces(text, old)
            return .value(.string(try joined(pieces, new, limits)))
        },
        "substringFromIndex:": position { (units, index) in .string(string(units[index...])) },
        "substringToIndex:": position { (units, index) in .string(string(units[..<index])) },
        "characterAtIndex:": { (receiver, arguments, _) throws(Fault) in
            guard let text = receiver.text else { return nil }
            let units = Array(text.utf16)
            let index = try index(arguments.argument(0), count: units.count, isEndAllowed: false)
            return .value(.integer(Int64(units[index])))
        },
    ]

    /// A message with one string argument.
    private static func text(_ body: @escaping @Sendable (String, String) -> PredicateValue) -> Message {
        { (receiver, arguments, limits) throws(Fault) in
            guard let (text, argument) = try operands(receiver, arguments, limits) else { return nil }
            return .value(body(text, argument))
        }
    }

    @inline(never)
    private static func operands(
        _ receiver: KeyedValue, _ arguments: [KeyedValue], _ limits: PredicateLimits
    ) throws(Fault) -> (String, String)? {
        guard let text = receiver.text else { return nil }
        let argument = try arguments.argument(0).requiredText(operand: 1)
        try ResultLimit.check(text.utf8.count + argument.utf8.count, limits)
        return (text, argument)
    }

    /// A message with one position in the string as its argument. The end of the string is allowed.
    private static func position(_ body: @escaping @Sendable ([UInt16], Int) -> PredicateValue) -> Message {
        { (receiver, arguments, _) throws(Fault) in
            guard let text = receiver.text else { return nil }
            let units = Array(text.utf16)
            return .value(body(units, try index(arguments.argument(0), count: units.count, isEndAllowed: true)))
        }
    }

    /// Returns an argument as an index below `count`. Throws `indexOutOfRange`.
    static func index(_ value: KeyedValue, count: Int, isEndAllowed: Bool) throws(Fault) -> Int {
        let wide = try value.requiredInteger(operand: 1)
        let index = Int(clamping: wide)
        guard index >= 0, isEndAllowed ? index <= count : index < count else {
            throw Fault(.indexOutOfRange(index, count: count), operand: 1)
        }
        return index
    }

    /// Joins strings with a separator. Throws `resultTooLarge`.
    static func joined(_ pieces: [String], _ separator: String, _ limits: PredicateLimits) throws(Fault) -> String {
        let size = pieces.reduce(0) { $0 + $1.utf8.count }
        let (gaps, overflows) = separator.utf8.count.multipliedReportingOverflow(by: pieces.count)
        try ResultLimit.check(overflows ? Int.max : size.addingReportingOverflow(gaps).partialValue, limits)
        return pieces.joined(separator: separator)
    }

    /// Makes a string of UTF-16 code units; an unpaired surrogate becomes the replacement character.
    private static func string(_ units: ArraySlice<UInt16>) -> String {
        String(decoding: units, as: UTF16.self)
    }

    /// Splits a string at a separator, compared by code points; the whole string if the separator does not occur.
    private static func pieces(_ text: String, _ separator: String) -> [String] {
        let (bytes, mark) = (Array(text.utf8), Array(separator.utf8))
        guard let first = mark.first else { return [text] }
        var pieces: [String] = []
        var (start, position) = (0, 0)
        while position + mark.count <= bytes.count {
            if bytes[position] == first, bytes[position..<position + mark.count].elementsEqual(mark) {
                pieces.append(String(decoding: bytes[start..<position], as: UTF8.self))
                position += mark.count
                start = position
            } else {
                position += 1
            }
        }
        return pieces + [String(decoding: bytes[start...], as: UTF8.self)]
    }

    /// Joins `a` and `b` with one slash between them.
    private static func joined(_ path: String, _ component: String) -> String {
        let tail = component.drop { $0 == "/" }
        if path.isEmpty { return component }
        return path.last == "/" ? path + tail : path + "/" + tail
    }
}

/// Messages to arrays, sets and dictionaries.
extension BuiltInMessages {
    static let collections: [String: Message] = [
        "objectAtIndex:": { (receiver, arguments, _) throws(Fault) in
            guard receiver.isOrderedCollection else { return nil }
            let index = try index(arguments.argument(0), count: receiver.elementCount ?? 0, isEndAllowed: false)
            return receiver.element(atOffset: index) ?? .null
        },
        "objectForKey:": { (receiver, arguments, _) throws(Fault) in
            guard receiver.isDictionary else { return nil }
            return try receiver.element(at: arguments.argument(0))
        },
        "indexOfObject:": { (receiver, arguments, _) throws(Fault) in
            guard receiver.isOrderedCollection, let elements = receiver.elements else { return nil }
            let element = arguments.argument(0)
            // NSNotFound, as in Foundation on 64-bit systems.
            return .value(.integer(elements.firstIndex { isEqual($0, element) }.map(Int64.init) ?? Int64.max))
        },
        "containsObject:": { (receiver, arguments, _) throws(Fault) in
            guard receiver.collectionKind != nil, let elements = receiver.elements else { return nil }
            let element = arguments.argument(0)
            return .value(.bool(elements.contains { isEqual($0, element) }))
        },
        "componentsJoinedByString:": { (receiver, arguments, limits) throws(Fault) in
            guard receiver.isOrderedCollection, let elements = receiver.elements else { return nil }
            let separator = try arguments.argument(0).requiredText(operand: 1)
            if elements.contains(where: \.isCompound) { try ResultLimit.check(descriptionOf: receiver, limits) }
            return .value(.string(try joined(elements.map(\.descriptionText), separator, limits)))
        },
        "isEqualToArray:": equality { $0.collectionKind == .array },
        "isEqualToSet:": equality { $0.collectionKind == .set },
        "isEqualToOrderedSet:": equality { $0.collectionKind == .orderedSet },
        "isEqualToDictionary:": equality { $0.isDictionary },
        "isEqualToNumber:": equality { $0.number != nil },
        "arrayByAddingObject:": { (receiver, arguments, _) throws(Fault) in
            guard receiver.collectionKind == .array, let elements = receiver.elements else { return nil }
            return KeyedValue(elements: elements + arguments, kind: .array)
        },
        "isSubsetOfSet:": sets { (own, others) in own.allSatisfy { others.contains(DistinctValue($0)) } },
        "intersectsSet:": sets { (own, others) in own.contains { others.contains(DistinctValue($0)) } },
    ]

    /// A message that tests for equality, understood by one kind of receiver.
    private static func equality(_ isUnderstood: @escaping @Sendable (KeyedValue) -> Bool) -> Message {
        { (receiver, arguments, _) throws(Fault) in
            isUnderstood(receiver) ? .value(.bool(isEqual(receiver, arguments.argument(0)))) : nil
        }
    }

    /// A message that compares two sets.
    private static func sets(
        _ body: @escaping @Sendable ([KeyedValue], Set<DistinctValue>) -> Bool
    ) -> Message {
        { (receiver, arguments, _) throws(Fault) in
            guard let (own, others) = try operands(receiver, arguments) else { return nil }
            return .value(.bool(body(own, others)))
        }
    }

    @inline(never)
    private static func operands(
        _ receiver: KeyedValue, _ arguments: [KeyedValue]
    ) throws(Fault) -> ([KeyedValue], Set<DistinctValue>)? {
        guard receiver.collectionKind == .set, let own = receiver.elements else { return nil }
        let argument = arguments.argument(0)
        guard let others = argument.elements else {
            throw Fault(.notACollection(found: argument.found), operand: 1)
        }
        return (own, Set(others.map(DistinctValue.init)))
    }
}

/// Messages to dates.
extension BuiltInMessages {
    static let dates: [String: Message] = [
        "timeIntervalSinceDate:": date("timeIntervalSinceDate:") { .double($0.timeIntervalSince($1)) },
        "earlierDate:": date("earlierDate:") { .date(min($0, $1)) },
        "laterDate:": date("laterDate:") { .date(max($0, $1)) },
        "isEqualToDate:": date("isEqualToDate:") { .bool($0 == $1) },
        "dateByAddingTimeInterval:": { (receiver, arguments, _) throws(Fault) in
            guard case .value(.date(let date)) = receiver else { return nil }
            let seconds = try arguments.argument(0).requiredNumber(operand: 1).doubleValue
            guard let sum = Date(secondsSince2001: date.timeIntervalSinceReferenceDate + seconds) else {
                let found = arguments.argument(0).found
                throw Fault(
                    .argumentKind(function: "dateByAddingTimeInterval:", expected: "a shorter time span", found: found),
                    operand: 1)
            }
            return .value(.date(sum))
        },
    ]

    /// A message with one date argument.
    private static func date(
        _ selector: String, _ body: @escaping @Sendable (Date, Date) -> PredicateValue
    ) -> Message {
        { (receiver, arguments, _) throws(Fault) in
            guard let (date, other) = try operands(selector, receiver, arguments) else { return nil }
            return .value(body(date, other))
        }
    }

    @inline(never)
    private static func operands(
        _ selector: String, _ receiver: KeyedValue, _ arguments: [KeyedValue]
    ) throws(Fault) -> (Date, Date)? {
        guard case .value(.date(let date)) = receiver else { return nil }
        guard case .value(.date(let other)) = arguments.argument(0) else {
            let found = arguments.argument(0).found
            throw Fault(.argumentKind(function: selector, expected: "a date", found: found), operand: 1)
        }
        return (date, other)
    }
}
