import Foundation
import PredicateData
import PredicateSyntax

extension RowCell {
    /// Creates the cell of a value. In a column of days, a midnight is written without a time. `zone` is nil for UTC. [NSP-496]
    package init(_ value: PredicateValue, isDay: Bool, in zone: LocalZone?) {
        guard isDay, value.isDayOrNil(in: zone), case .date(let date) = value else {
            self = .value(value)
            return
        }
        self = .day(zone?.wallClock(of: date) ?? date)
    }
}

extension PredicateValue {
    /// Returns true if the value is nil, or a date at midnight in the zone.
    package func isDayOrNil(in zone: LocalZone?) -> Bool {
        switch self {
        case .null: true
        case .date(let date):
            (zone?.wallClock(of: date) ?? date).timeIntervalSinceReferenceDate.remainder(dividingBy: 86_400) == 0
        default: false
        }
    }
}
