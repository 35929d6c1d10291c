package import Foundation
internal import PredicateEvaluation
import PredicateSyntax

/// Values stored as text, read as the evaluator's CAST reads them, so that SQL and memory agree.
///
/// `2016-03-02T00:00:00Z`, `2016-03-02 00:00:00`; `1.10`
package enum StoredText {
    /// The date of ISO 8601 text; nil for other text.
    package static func date(_ text: String) -> Date? { ISO8601.date(from: text) }

    /// The date of ISO 8601 text in UTF-8; nil for other text.
    package static func date(_ text: UnsafeBufferPointer<UInt8>) -> Date? { ISO8601.date(from: text) }

    /// The number in decimal notation; nil for other text.
    package static func decimal(_ text: String) -> Decimal? {
        let value = try? decimalCast?.value(.value(.string(text)))
        guard case .value(.decimal(let decimal))? = value else { return nil }
        return decimal
    }

    /// The decimal number with the digits of a double; nil for one past the range of decimal numbers.
    package static func decimal(_ number: Double) -> Decimal? {
        guard let decimal = Decimal(string: "\(number)"), !decimal.isNaN else { return nil }
        return decimal
    }

    private static let decimalCast = try? ExpressionEvaluator(
        FormatExpression(.cast(CastExpression(.evaluatedObject, type: "NSDecimalNumber"))))
}
