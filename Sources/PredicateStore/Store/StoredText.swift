import Foundation
import PredicateEvaluation
import PredicateSyntax

/// Values stored as text, read with the evaluator's own CAST, so that SQL and memory agree.
///
/// `2016-03-02T00:00:00Z`, `2016-03-02 00:00:00`; `1.10`
enum StoredText {
    /// The date of ISO 8601 text; nil for other text.
    static func date(_ text: String) -> Date? {
        guard case .date(let date)? = cast(text, by: dateCast) else { return nil }
        return date
    }

    /// The number in decimal notation; nil for other text.
    static func decimal(_ text: String) -> Decimal? {
        guard case .decimal(let decimal)? = cast(text, by: decimalCast) else { return nil }
        return decimal
    }

    /// The decimal number with the digits of a double; nil for one past the range of decimal numbers.
    static func decimal(_ number: Double) -> Decimal? {
        guard let decimal = Decimal(string: "\(number)"), !decimal.isNaN else { return nil }
        return decimal
    }

    private static func cast(_ text: String, by evaluator: ExpressionEvaluator?) -> PredicateValue? {
        guard case .value(let value)? = try? evaluator?.value(.value(.string(text))) else { return nil }
        return value
    }

    private static let dateCast = evaluator("NSDate")
    private static let decimalCast = evaluator("NSDecimalNumber")

    private static func evaluator(_ type: String) -> ExpressionEvaluator? {
        try? ExpressionEvaluator(FormatExpression(.cast(CastExpression(.evaluatedObject, type: type))))
    }
}
