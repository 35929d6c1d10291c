import PredicateSyntax

/// Dates compared as they are kept: what a column may hold for the dates that satisfy a condition is a range.
extension Resolver {
    /// `born < %@`: NULL where the date is.
    func relate(
        _ value: Value, _ storage: SQLType.DateStorage, _ relation: RelationOperator, _ seconds: Double,
        _ path: TreePath
    ) throws(Fault) -> ConditionForm {
        switch storage {
        case .since1970 where !seconds.isNaN: return since1970(value, relation, seconds)
        case .timestamp:
            if let timestamps = dialect.timestamps { return timestamp(value.form, relation, seconds, timestamps) }
        case .since2001, .since1970, .iso8601: break
        }
        return relate(double: Value(form: try inSeconds(value, path).form, kind: .double), relation, seconds)
    }

    // MARK: Seconds since 1970

    /// The reference date in seconds since 1970.
    private static let epoch = 978_307_200.0

    private func since1970(_ value: Value, _ relation: RelationOperator, _ seconds: Double) -> ConditionForm {
        let least = MonotoneSearch.firstDouble { $0 - Self.epoch >= seconds }
        let above = MonotoneSearch.firstDouble { $0 - Self.epoch > seconds }
        let all = ConditionForm.not(.isNull(value.form))
        switch relation {
        case .equal, .notEqual:
            guard let least, least != above else { return .never }
            if least.nextUp == above { return bounded(value, .equal, least) }
            return .all([bounded(value, .greaterOrEqual, least), above.map { bounded(value, .less, $0) } ?? .always])
        case .less: return least.map { bounded(value, .less, $0) } ?? all
        case .lessOrEqual: return above.map { bounded(value, .less, $0) } ?? all
        case .greater: return above.map { bounded(value, .greaterOrEqual, $0) } ?? .never
        case .greaterOrEqual: return least.map { bounded(value, .greaterOrEqual, $0) } ?? .never
        }
    }

    private func bounded(_ value: Value, _ relation: RelationOperator, _ bound: Double) -> ConditionForm {
        compare(value.form, relation, bound)
    }

    // MARK: Moments of the database's own type

    /// The bare column beside the first moments at and above a date; moments have microseconds, and far from 2001 several of
    /// them are one date. [NSP-190]
    func timestamp(
        _ value: ValueForm, _ relation: RelationOperator, _ seconds: Double, _ timestamps: SQLTimestamps
    ) -> ConditionForm {
        let least = timestamps.first { NumberOrder($0, seconds) != .less }
        let above = timestamps.first { NumberOrder($0, seconds) == .greater }
        let bounds = MomentBounds(value: value, timestamps: timestamps, resolver: self)
        switch relation {
        case .equal, .notEqual:
            guard let least, least != above else { return .never }
            if above == timestamps.moment(after: least) { return bounds.compare(.equal, least) }
            return .all([bounds.from(least), bounds.below(above)])
        case .less: return bounds.below(least)
        case .lessOrEqual: return bounds.below(above)
        case .greater: return bounds.from(above)
        case .greaterOrEqual: return bounds.from(least)
        }
    }
}

/// Conditions on a column of moments. A bound that is nil lies above all moments.
private struct MomentBounds {
    let value: ValueForm
    let timestamps: SQLTimestamps
    let resolver: Resolver

    func below(_ bound: Int64?) -> ConditionForm {
        guard let bound else { return .not(.isNull(value)) }
        return bound == timestamps.least ? .never : compare(.less, bound)
    }

    func from(_ bound: Int64?) -> ConditionForm {
        guard let bound else { return .never }
        return bound == timestamps.least ? .not(.isNull(value)) : compare(.greaterOrEqual, bound)
    }

    func compare(_ relation: RelationOperator, _ bound: Int64) -> ConditionForm {
        .compare(value, relation, resolver.form(.text(timestamps.text(bound)), .timestamp))
    }
}
