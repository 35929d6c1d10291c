import Foundation
import PredicateData
import PredicateEvaluation
import PredicateSyntax

extension RowCell {
    /// Creates the cell of a value, which is written without a time if it is a midnight in a column of days. [NSP-496]
    package init(_ value: PredicateValue, isDay: Bool) {
        guard isDay, value.isDayOrNil, case .date(let date) = value else {
            self = .value(value)
            return
        }
        self = .day(EvaluationRegistry.ambient.zone?.wallClock(of: date) ?? date)
    }
}

extension PredicateValue {
    /// A Boolean value that indicates whether the value is nil, or a date at midnight in the zone of the functions of dates.
    package var isDayOrNil: Bool {
        switch self {
        case .null: true
        case .date(let date):
            (EvaluationRegistry.ambient.zone?.wallClock(of: date) ?? date).timeIntervalSinceReferenceDate
                .remainder(dividingBy: 86_400) == 0
        default: false
        }
    }
}
