import PredicateSyntax

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The date functions that a host may register. [NSP-416]
///
/// `month:(due)`: a date is read as seconds since 2001, as in memory, and the dialect's own functions take its days
/// apart, in UTC.
extension Resolver {
    func resolve(
        _ function: CalendarFunction, _ nodes: [ExpressionNode], _ calendar: ZonedCalendar, _ path: TreePath
    ) throws(CompilationFault) -> Resolved {
        guard nodes.count == function.argumentCount else {
            throw CompilationFault(
                .expected(.arguments(function.argumentCount), found: .other("\(nodes.count)")), at: path)
        }
        var arguments: [Resolved] = []
        for (index, node) in nodes.enumerated() { arguments.append(try resolve(node, path.child(index))) }
        let call = CalendarCall(arguments: arguments, calendar: calendar, path: path)
        switch function {
        case .part(let part):
            return try lifting(arguments[0], .constant(.null), path) { (date, _) throws(CompilationFault) in
                try self.part(part, of: date, call)
            }
        case .truncation:
            let unit = try call.unit(at: 1)
            return try lifting(arguments[0], .constant(.null), path) { (date, _) throws(CompilationFault) in
                try self.beginning(of: unit, date, call)
            }
        case .sum:
            let unit = try call.unit(at: 0)
            guard let count = try call.count(at: 1, of: unit) else { return .constant(.null) }
            return try lifting(arguments[2], .constant(.null), path) { (date, _) throws(CompilationFault) in
                try self.sum(count, unit, date, call)
            }
        case .ago:
            let unit = try call.unit(at: 1)
            guard let count = try call.count(at: 0, of: unit) else { return .constant(.null) }
            return try sum(-count, unit, .constant(.date(Date())), call)
        }
    }

    private func part(
        _ part: CalendarPart, of date: Resolved, _ call: CalendarCall
    ) throws(CompilationFault) -> Resolved {
        switch try moment(date, call, 0) {
        case nil: return .constant(.null)
        case .constant(let seconds): return .constant(.integer(Int64(call.calendar.value(of: part, at: seconds))))
        case .value(let value): return .value(try calendar(SQLPiece.Calendar(part), value, .integer, call))
        }
    }

    private func beginning(
        of unit: CalendarUnit, _ date: Resolved, _ call: CalendarCall
    ) throws(CompilationFault) -> Resolved {
        switch try moment(date, call, 0) {
        case nil: return .constant(.null)
        case .constant(let seconds): return .constant(call.date(call.calendar.truncate(seconds, to: unit)))
        case .value(let value):
            return .value(try calendar(SQLPiece.Calendar(beginningOf: unit), value, .date(.since2001), call))
        }
    }

    /// Adds units of a fixed length. Months have none: their number of days depends on the row.
    private func sum(
        _ count: Int, _ unit: CalendarUnit, _ date: Resolved, _ call: CalendarCall
    ) throws(CompilationFault) -> Resolved {
        switch try moment(date, call, 2) {
        case nil: return .constant(.null)
        case .constant(let seconds):
            let sum = call.calendar.add(count, unit, to: seconds)
            guard sum.magnitude <= GregorianCalendar.mostSeconds else { throw call.excess }
            return .constant(call.date(sum))
        case .value(let moment):
            try call.checkZone()
            let (seconds, number) = (moment.value, form(.double(Double(count * unit.leastSeconds)), .double))
            let sum: ValueForm
            switch unit {
            case .year, .quarter, .month:
                throw CompilationFault(.construct("a date some \(unit.rawValue)s after that of a row"), at: call.path)
            case .hour, .minute, .second: sum = .arithmetic(.add, seconds.form, number)
            case .week, .day:
                if count == 0 { return .value(inRange(seconds.form, of: seconds)) }
                let whole = try calendar(.secondStart, seconds.form, call)
                sum = .arithmetic(
                    .add, .arithmetic(.add, whole, number), .arithmetic(.subtract, seconds.form, whole))
            }
            return .value(inRange(sum, of: seconds, argument: moment.isBounded ? nil : seconds.form))
        }
    }

    /// The result that the database computes for a date of a row.
    private func calendar(
        _ piece: SQLPiece.Calendar, _ moment: RowMoment, _ kind: ValueKind, _ call: CalendarCall
    ) throws(CompilationFault) -> TypedValue {
        try call.checkZone()
        let seconds = moment.value
        let result = try calendar(piece, seconds.form, call)
        let isInRange = moment.isBounded || result.isCall
        let form = own(piece, moment, or: isInRange ? result : .conditional(isDate(seconds.form), result, .null))
        guard !moment.isBounded else {
            return TypedValue(form: form, kind: kind, mayBeNil: seconds.mayBeNil, failures: seconds.failures)
        }
        var value = date(form, of: seconds)
        value.kind = kind
        return value
    }

    /// The database's own part of a whole day or of a date near enough to 2001; otherwise the part computed from seconds.
    private func own(_ piece: SQLPiece.Calendar, _ moment: RowMoment, or computed: ValueForm) -> ValueForm {
        guard dialect.templates.part[piece] != nil, let column = moment.column else { return computed }
        // The year of an infinite date is infinite, and no integer.
        if column.holdsDays, piece != .year || dialect.timestamps?.hasInfinities == false {
            return .cast(column, .part(piece))
        }
        return isNear(column).map { .conditional($0, .cast(column, .part(piece)), computed) } ?? computed
    }

    /// An expression of the dialect, or a function of the application, which is NULL beyond the calendar.
    private func calendar(
        _ piece: SQLPiece.Calendar, _ seconds: ValueForm, _ call: CalendarCall
    ) throws(CompilationFault) -> ValueForm {
        if dialect.templates.calendar[piece] != nil { return .cast(seconds, .calendar(piece)) }
        let (function, word) = piece.call
        return try self.call(function, [seconds, .word(word)], "this function of dates", call.path)
    }

    private func inRange(_ sum: ValueForm, of seconds: TypedValue, argument: ValueForm? = nil) -> TypedValue {
        let tests = [argument, sum].compactMap { $0.map(isDate) }
        return date(.conditional(.all(tests), sum, .null), of: seconds)
    }

    /// Tests whether seconds are in the range of dates.
    private func isDate(_ seconds: ValueForm) -> ConditionForm {
        .all([
            .compare(seconds, .greaterOrEqual, .word("-1000000000000000.0")),
            .compare(seconds, .lessOrEqual, .word("1000000000000000.0")),
        ])
    }
}

extension ValueForm {
    /// True for a column whose dates are whole days, which are the same as seconds in a double.
    var holdsDays: Bool {
        if case .column(let column) = self { column.column.holdsDays } else { false }
    }

    var isCall: Bool {
        if case .call = self { true } else { false }
    }
}

// MARK: - Dates

/// The argument of a date function, in seconds since 2001.
private enum Moment {
    case constant(Double)
    case value(RowMoment)
}

/// A date of a row, in seconds since 2001.
struct RowMoment {
    let value: TypedValue
    /// True if the database holds no date outside the range of calendars.
    let isBounded: Bool
    /// The column of the database's own type that it is; nil for another date.
    var column: ValueForm?
}

extension Resolver {
    /// Returns a date, or a string in ISO 8601, as seconds; nil if the operand is nil.
    private func moment(
        _ operand: Resolved, _ functionCall: CalendarCall, _ index: Int
    ) throws(CompilationFault) -> Moment? {
        if operand.isNil { return nil }
        let path = functionCall.path.child(index)
        switch operand {
        case .constant(.date(let date)): return .constant(try seconds(of: date, path))
        case .constant(.string(let text)):
            guard let date = ISO8601.date(from: text, in: functionCall.calendar.localZone) else {
                throw CompilationFault(.expected(.date, found: .other("a string that is not one")), at: path)
            }
            return .constant(try seconds(of: date, path))
        case .value(let found):
            let value = found.checked.ofOneKind
            if case .date(let storage) = value.kind {
                let column = storage == .timestamp && value.form.isColumn ? value.form : nil
                return .value(
                    RowMoment(value: try inSeconds(value, path), isBounded: isBounded(storage), column: column))
            }
            guard value.kind == .string else { break }
            let text = try call(.date, [value.form], "a date in a string", path)
            return .value(RowMoment(value: date(text, of: value), isBounded: true))
        case .constant, .object, .collection, .list, .choice, .combined: break
        }
        throw CompilationFault(.expected(.date, found: operand.operand), at: path)
    }

    private func seconds(of date: Date, _ path: TreePath) throws(CompilationFault) -> Double {
        let seconds = date.timeIntervalSinceReferenceDate
        guard seconds.magnitude <= GregorianCalendar.mostSeconds else {
            throw CompilationFault(.expected(.date, found: .other("\(seconds) seconds")), at: path)
        }
        return seconds
    }

    private func isBounded(_ storage: SQLType.DateStorage) -> Bool {
        switch storage {
        case .since2001, .since1970: false
        // Without a timestamp type, the column may hold numbers.
        case .timestamp: dialect.timestamps?.hasInfinities == false
        case .iso8601: !dialect.features.contains(.storageClasses)
        }
    }
}

/// The arguments of a date function.
private struct CalendarCall {
    let arguments: [Resolved]
    let calendar: ZonedCalendar
    let path: TreePath

    func date(_ seconds: Double) -> PredicateValue { .date(Date(timeIntervalSinceReferenceDate: seconds)) }

    /// Databases count days in UTC.
    func checkZone() throws(CompilationFault) {
        guard calendar.isUTC else { throw CompilationFault(.timeZone(calendar.zone.identifier), at: path) }
    }

    func unit(at index: Int) throws(CompilationFault) -> CalendarUnit {
        guard case .constant(let constant) = arguments[index] else {
            throw CompilationFault(.construct("a unit of the calendar that is no constant"), at: path.child(index))
        }
        if case .string(let word) = constant, let unit = CalendarUnit(word: word) { return unit }
        throw CompilationFault(.expected(.calendarUnit, found: constant.operand), at: path.child(index))
    }

    /// Returns an argument as a number of units; nil if the argument is nil.
    func count(at index: Int, of unit: CalendarUnit) throws(CompilationFault) -> Int? {
        guard case .constant(let constant) = arguments[index] else {
            throw CompilationFault(.construct("a number of days or other units that is no constant"), at: path)
        }
        let found: Int?
        switch constant {
        case .null, .nullObject: return nil
        case .integer(let number): found = Int(exactly: number)
        case .double(let number): found = Int(exactly: number)
        case .bool(let value): found = value ? 1 : 0
        default: found = nil
        }
        guard let found else {
            throw CompilationFault(.expected(.integer, found: constant.operand), at: path.child(index))
        }
        guard found.magnitude <= Int(2 * GregorianCalendar.mostSeconds) / unit.leastSeconds else { throw excess }
        return found
    }

    var excess: CompilationFault {
        CompilationFault(.expected(.date, found: .other("one beyond the calendar")), at: path)
    }
}

// MARK: - Units

extension Resolver {
    /// `year:(due) == 2024`, `date:truncatedTo:(due, "day") < %@`: a range of the bare column, which an index serves; nil for
    /// any other comparison.
    func comparison(
        ofUnit left: ExpressionNode, _ relation: ComparisonRelation, _ right: ExpressionNode, _ paths: ComparisonPaths
    ) throws(CompilationFault) -> ConditionForm? {
        guard let calendar, calendar.isUTC, case .relation(let relation) = relation, relation != .notEqual,
            case .function(let call) = left, let (start, end) = try units(from: right, call, calendar, paths.right)
        else { return nil }
        let most = GregorianCalendar.mostSeconds
        let bounds: [(RelationOperator, Double)]
        switch relation {
        case .equal, .notEqual:
            if start == end { return .never }
            bounds = [(.greaterOrEqual, start), (.less, end)]
        case .less: bounds = [(.greaterOrEqual, -most), (.less, start)]
        case .lessOrEqual: bounds = [(.greaterOrEqual, -most), (.less, end)]
        case .greater: bounds = [(.greaterOrEqual, end), (.lessOrEqual, most)]
        case .greaterOrEqual: bounds = [(.greaterOrEqual, start), (.lessOrEqual, most)]
        }
        return try column(call[0], isWithin: bounds, paths)
    }

    /// `joined >= %@ AND joined < %@`; nil for anything but a column of dates.
    private func column(
        _ node: ExpressionNode, isWithin bounds: [(RelationOperator, Double)], _ paths: ComparisonPaths
    ) throws(CompilationFault) -> ConditionForm? {
        guard case .value(let value) = try resolve(node, paths.left.child(0)), case .date = value.kind,
            value.form.isColumn || value.guarded != nil
        else { return nil }
        var conditions: [ConditionForm] = []
        for (relation, seconds) in bounds {
            let date = PredicateValue.date(Date(timeIntervalSinceReferenceDate: seconds))
            conditions.append(try relate(value, relation, date, .none, paths.whole))
        }
        return .all(conditions)
    }

    /// The comparisons `year:(joined) == 2019` of a conjunction.
    func years(in nodes: [PredicateNode]) -> [PartEquality] {
        guard let calendar, calendar.isUTC else { return [] }
        return Array(
            nodes.lazy.compactMap { $0.partEquality(.year) }.filter { $0.number.magnitude <= 1_000_000 }.prefix(8))
    }

    /// `month:(joined) == 5` beside `year:(joined) == 2019`: the range of that month; nil for any other condition.
    func month(_ node: PredicateNode, of years: [PartEquality], _ path: TreePath) throws(CompilationFault)
        -> ConditionForm?
    {
        guard let month = node.partEquality(.month), 1...12 ~= month.number,
            let year = years.first(where: { $0.date == month.date })
        else { return nil }
        let (months, years) = (Int(month.number), Int(year.number))
        let bounds = [(years, months), (months < 12 ? years : years + 1, months % 12 + 1)].map {
            Self.beginning(ofYear: $0, month: $1)
        }
        let range = [(RelationOperator.greaterOrEqual, bounds[0]), (.less, bounds[1])]
        return try column(month.date, isWithin: range, ComparisonPaths(path))
    }

    /// Returns the beginnings of the first unit that is not before a constant, and of the first unit after the constant; nil
    /// unless a year or a truncation is compared with a constant.
    private func units(
        from constant: ExpressionNode, _ call: FunctionExpression, _ calendar: ZonedCalendar, _ path: TreePath
    ) throws(CompilationFault) -> (start: Double, end: Double)? {
        switch CalendarFunction(name: call.function.name) {
        case .part(.year):
            guard call.count == 1, case .constantValue(.integer(let year)) = constant, year.magnitude <= 1_000_000
            else { return nil }
            return (Self.beginning(ofYear: Int(year)), Self.beginning(ofYear: Int(year) + 1))
        case .truncation:
            guard call.count == 2, case .constantValue(.string(let word)) = call[1],
                let unit = CalendarUnit(word: word),
                case .constant(.date(let date)) = try resolve(constant, path)
            else { return nil }
            let seconds = date.timeIntervalSinceReferenceDate
            guard seconds.magnitude < GregorianCalendar.mostSeconds / 2 else { return nil }
            let start = calendar.truncate(seconds, to: unit)
            let end = calendar.add(1, unit, to: start)
            return (start == seconds ? start : end, end)
        case .part, .sum, .ago, nil: return nil
        }
    }

    private static func beginning(ofYear year: Int, month: Int = 1) -> Double {
        Double(GregorianCalendar.day(year: year, month: month, day: 1) - GregorianCalendar.referenceDay) * 86_400
    }
}

/// The date and the number in `month:(born) == 5`.
typealias PartEquality = (date: ExpressionNode, number: Int64)

extension PredicateNode {
    /// The parts of `month:(born) == 5`; nil for any other predicate.
    fileprivate func partEquality(_ part: CalendarPart) -> PartEquality? {
        guard case .comparison(let comparison) = self, comparison.operator == .equalTo, comparison.modifier == .direct,
            case .function(let call) = comparison.leftExpression, call.count == 1,
            CalendarFunction(name: call.function.name) == .part(part),
            case .constantValue(.integer(let number)) = comparison.rightExpression
        else { return nil }
        return (call[0], number)
    }
}
