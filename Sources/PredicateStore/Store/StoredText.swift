import Foundation
import PredicateEvaluation
import PredicateSyntax

/// Values that a file keeps as text, read by the evaluator's own CAST, so that a row means the same to both.
///
/// `2016-03-02T00:00:00Z`, `2016-03-02 00:00:00`; `1.10`
enum StoredText {
    /// The moment that ISO 8601 text names; nil for any other text.
    static func date(_ text: String) -> Date? {
        guard case .date(let date)? = cast(text, by: dateCast) else { return nil }
        return date
    }

    /// The number in decimal notation; nil for any other text.
    static func decimal(_ text: String) -> Decimal? {
        guard case .decimal(let decimal)? = cast(text, by: decimalCast) else { return nil }
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
