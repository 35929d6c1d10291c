import Foundation
import PredicateSyntax

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
                    .argumentKind(function: "dateByAddingTimeInterval:", expected: "a lesser span", found: found),
                    operand: 1)
            }
            return .value(.date(sum))
        },
    ]

    /// A message with a date for its argument.
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
