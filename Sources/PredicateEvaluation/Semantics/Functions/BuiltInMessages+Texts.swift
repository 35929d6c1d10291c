import Foundation
import PredicateSyntax
import PredicateText

/// Messages to strings. Positions count UTF-16 code units, as NSString does.
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

    /// A message with a string for its argument.
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

    /// A message with a position in the string for its argument, which may be the end.
    private static func position(_ body: @escaping @Sendable ([UInt16], Int) -> PredicateValue) -> Message {
        { (receiver, arguments, _) throws(Fault) in
            guard let text = receiver.text else { return nil }
            let units = Array(text.utf16)
            return .value(body(units, try index(arguments.argument(0), count: units.count, isEndAllowed: true)))
        }
    }

    /// The argument as an index below `count`. Throws `indexOutOfRange`.
    static func index(_ value: KeyedValue, count: Int, isEndAllowed: Bool) throws(Fault) -> Int {
        let wide = try value.requiredInteger(operand: 1)
        let index = Int(clamping: wide)
        guard index >= 0, isEndAllowed ? index <= count : index < count else {
            throw Fault(.indexOutOfRange(index, count: count), operand: 1)
        }
        return index
    }

    /// The pieces with a separator between them. Throws `resultTooLarge`.
    static func joined(_ pieces: [String], _ separator: String, _ limits: PredicateLimits) throws(Fault) -> String {
        let size = pieces.reduce(0) { $0 + $1.utf8.count }
        let (gaps, overflows) = separator.utf8.count.multipliedReportingOverflow(by: pieces.count)
        try ResultLimit.check(overflows ? Int.max : size.addingReportingOverflow(gaps).partialValue, limits)
        return pieces.joined(separator: separator)
    }

    /// The text of code units; half of a surrogate pair becomes the replacement character.
    private static func string(_ units: ArraySlice<UInt16>) -> String {
        String(decoding: units, as: UTF16.self)
    }

    /// The pieces between the occurrences of a separator, by code points; the whole text if it occurs nowhere.
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

    /// `a` and `b` with one slash between them.
    private static func joined(_ path: String, _ component: String) -> String {
        let tail = component.drop { $0 == "/" }
        if path.isEmpty { return component }
        return path.last == "/" ? path + tail : path + "/" + tail
    }
}
