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
        case .iso8601 where dialect.features.contains(.storageClasses):
            return try text(value, relation, seconds, besideNumbers: nil, path)
        case .since2001, .since1970, .iso8601: break
        }
        return try relate(inSeconds: value, relation, seconds, path)
    }

    private func relate(
        inSeconds value: Value, _ relation: RelationOperator, _ seconds: Double, _ path: TreePath
    ) throws(Fault) -> ConditionForm {
        relate(double: Value(form: try inSeconds(value, path).form, kind: .double), relation, seconds)
    }

    // MARK: Texts

    /// `t0."born" < ?1 AND predicates_date(t0."born") < ?2`: texts of ISO 8601 begin with a day, at most two days from the one
    /// in UTC, and so lie in a range of texts that an index serves; the function tells among those. [NSP-335]
    ///
    /// A column that may hold numbers, which stand below all texts, is given as `numbers`.
    func text(
        _ value: Value, _ relation: RelationOperator, _ seconds: Double, besideNumbers numbers: ColumnForm?,
        _ path: TreePath
    ) throws(Fault) -> ConditionForm {
        let condition = try relate(inSeconds: value, relation, seconds, path)
        guard case .column = value.form else { return condition }
        var range: [ConditionForm] = []
        if !relation.admits(.less), let day = DayText.first(around: seconds) {
            let isAbove = ConditionForm.compareText(value.form, .greaterOrEqual, form(.text(day), .text))
            range.append(numbers.map { .any([isAbove, .isStored($0, .number)]) } ?? isAbove)
        }
        if !relation.admits(.greater), let day = DayText.end(around: seconds) {
            range.append(.compareText(value.form, .less, form(.text(day), .text)))
        }
        return .all(range + [condition])
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

/// The days that texts of ISO 8601 begin with, whatever the offset of their times.
///
/// `2024-02-29T00:30:00+14:00` is 10:30 on the day before. Offsets are less than a day, and so are times.
enum DayText {
    private static let twoDays = 172_800.0

    /// The first day that texts of a date or of later ones begin with; nil where all texts do.
    static func first(around seconds: Double) -> String? { text(seconds - twoDays) }

    /// The day after the last that texts of a date or of earlier ones begin with; nil where all texts do.
    static func end(around seconds: Double) -> String? { text(seconds + twoDays) }

    /// The day of a moment; nil for years that have not four digits.
    private static func text(_ seconds: Double) -> String? {
        guard seconds.magnitude < 1e12 else { return nil }
        let moment = CivilMoment(microseconds: Int64(seconds.rounded(.down)) * 1_000_000)
        return (0...9999).contains(moment.year) ? moment.dayText : nil
    }
}
