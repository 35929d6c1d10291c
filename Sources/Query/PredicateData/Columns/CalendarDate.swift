import PredicateJSON
import PredicateSyntax

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The notation of the dates in a column that are not in ISO 8601.
package enum DateNotation: String, Hashable, Sendable, CaseIterable {
    /// `25/12/2024`, `25.12.2024`
    case dayFirst = "dmy"
    /// `12/25/2024`
    case monthFirst = "mdy"
    /// `24-12-25`
    case yearFirst = "ymd"
    /// Seconds since 1970: `1735084800`, below 100 000 000 000
    case epoch
    /// Milliseconds since 1970: `1735084800000`
    case epochMilliseconds = "epochms"

    /// The names, for messages.
    package static let list = allCases.map(\.rawValue).joined(separator: ", ")

    /// Returns the options that choose between notations of a column: `--dates d=dmy or --dates d=mdy`
    package static func options(_ column: String, _ choice: [DateNotation]) -> String {
        choice.map { "--dates '\(column)=\($0.rawValue)'" }.joined(separator: " or ")
    }

    /// The notations that are orders of day, month and year.
    static let orders: [DateNotation] = [.dayFirst, .monthFirst, .yearFirst]

    /// True for numbers of seconds or milliseconds.
    var isNumeric: Bool { self == .epoch || self == .epochMilliseconds }

    /// Returns the date of a number; nil for a number that must be milliseconds, and for the other notations.
    func date(of number: Double) -> Date? {
        guard isNumeric, abs(number) < (self == .epoch ? 1e11 : 1e14) else { return nil }
        let microseconds = Int64((number * (self == .epoch ? 1e6 : 1e3)).rounded())
        return Microseconds.date(microseconds - 978_307_200_000_000)
    }
}

/// Date notations: those of single columns, and the one of all other columns.
///
/// `dmy`, `joined=epoch,left=mdy`
package struct DateNotations: Hashable, Sendable {
    package private(set) var others: DateNotation?
    package private(set) var columns: [String: DateNotation] = [:]

    package init() {}

    /// Reads the values of `--dates`. Throws for an unknown notation, and for `epoch` and `epochms` without a column.
    package init(_ words: [String]) throws(DataError) {
        for word in words.joined(separator: ",").split(separator: ",") {
            let parts = word.split(separator: "=", omittingEmptySubsequences: false)
            let notation = DateNotation(rawValue: parts.last.map(String.init) ?? "")
            guard let notation, parts.count > 1 || !notation.isNumeric else {
                throw DataError(.invalidDateNotation(String(word)))
            }
            if parts.count == 1 {
                others = notation
            } else {
                columns[parts.dropLast().joined(separator: "=")] = notation
            }
        }
    }

    subscript(column: String) -> DateNotation? { columns[column] ?? others }
}

/// Dates as spreadsheets, mails and logs write them, with or without a time.
///
/// `25.12.2024`, `25/12/24 18:30`, `12/25/2024 6:30:05 PM`, `Wed, 25 Dec 2024 18:30:05 +0100`
///
/// As in Excel, two-digit years up to 29 mean 2000 to 2029, and from 30 on 1930 to 1999. A date without an offset is in the
/// given zone, or in UTC if that is nil.
enum CalendarDate {
    /// Returns the date, and whether it has a time; nil for a cell of another form.
    static func read(
        _ cell: UnsafeBufferPointer<UInt8>, _ notation: DateNotation, in zone: LocalZone?
    ) -> (date: Date, hasTime: Bool)? {
        guard cell.count >= 6, cell.count <= 28, cell[0].isDigit, !notation.isNumeric else { return nil }
        var reader = Reader(cell)
        let startsWithYear = notation == .yearFirst
        guard let first = startsWithYear ? reader.year() : reader.number(1...2), let mark = reader.mark(),
            let second = reader.number(1...2), reader.mark() == mark,
            let third = startsWithYear ? reader.number(1...2) : reader.year()
        else { return nil }
        switch notation {
        case .dayFirst: return date(third, second, first, &reader, zone)
        case .monthFirst: return date(third, first, second, &reader, zone)
        case .yearFirst, .epoch, .epochMilliseconds: return date(first, second, third, &reader, zone)
        }
    }

    /// Returns the date of a cell that can be read in one way only.
    ///
    /// `2024/12/25`, `25-Dec-24`, `25 December 2024 18:30`, `Dec 25, 2024`, `20241225`, `25/Dec/2024:18:30:00 +0100`,
    /// `Wed, 25 Dec 2024 18:30:05 GMT` (RFC 2822), `Wed Dec 25 18:30:05 2024` (C, `date` and git)
    static func readUnambiguous(
        _ cell: UnsafeBufferPointer<UInt8>, in zone: LocalZone?
    ) -> (date: Date, hasTime: Bool)? {
        guard cell.count >= 8, cell.count <= 60 else { return nil }
        return readYearFirst(cell, zone) ?? readMonthName(cell, zone)
    }

    private static func readYearFirst(
        _ cell: UnsafeBufferPointer<UInt8>, _ zone: LocalZone?
    ) -> (date: Date, hasTime: Bool)? {
        var reader = Reader(cell)
        guard let year = reader.number(4...4) else { return nil }
        let mark = reader.mark()
        let length = mark == nil ? 2...2 : 1...2
        guard let month = reader.number(length), reader.mark() == mark, let day = reader.number(length) else {
            return nil
        }
        return date(year, month, day, &reader, zone)
    }

    private static func readMonthName(
        _ cell: UnsafeBufferPointer<UInt8>, _ zone: LocalZone?
    ) -> (date: Date, hasTime: Bool)? {
        var reader = Reader(cell)
        reader.skipWeekday()
        let first = reader.number(1...2)
        if first != nil { reader.skipMarks() }
        guard let month = reader.name(Reader.months) else { return nil }
        reader.skipMarks()
        guard let day = first ?? reader.number(1...2) else { return nil }
        let time = first == nil ? reader.timeBeforeYear() : nil
        reader.skipMarks()
        guard let year = reader.year() else { return nil }
        return date(year, month + 1, day, &reader, zone, after: time)
    }

    /// Returns the date with the time after it.
    private static func date(
        _ year: Int, _ month: Int, _ day: Int, _ reader: inout Reader, _ zone: LocalZone?, after early: Time? = nil
    ) -> (date: Date, hasTime: Bool)? {
        guard (1...12).contains(month), day > 0, day <= GregorianCalendar.length(ofMonth: month, year: year) else {
            return nil
        }
        let days = GregorianCalendar.day(year: year, month: month, day: day) - GregorianCalendar.referenceDay
        var seconds = Int64(days) * 86_400
        if early == nil, reader.isAtEnd {
            return (Date(timeIntervalSinceReferenceDate: Double(zone?.start(ofDay: seconds) ?? seconds)), false)
        }
        guard let time = early ?? reader.time(), time.hour < 24, time.minute < 60, time.second < 60,
            reader.isAtEnd || reader.takesZone() && reader.isAtEnd
        else { return nil }
        seconds += Int64(time.hour * 3600 + time.minute * 60 + time.second)
        let moment = reader.zoneSeconds.map { seconds - Int64($0) } ?? zone?.moment(of: seconds) ?? seconds
        return (Date(timeIntervalSinceReferenceDate: Double(moment)), true)
    }

    private typealias Time = (hour: Int, minute: Int, second: Int)

    private struct Reader {
        let cell: UnsafeBufferPointer<UInt8>
        var index = 0
        /// The offset of the time zone: -25200 for `-0700`; nil if there is none.
        private(set) var zoneSeconds: Int?

        init(_ cell: UnsafeBufferPointer<UInt8>) { self.cell = cell }

        var isAtEnd: Bool { index == cell.count }

        mutating func number(_ length: ClosedRange<Int>) -> Int? {
            let start = index
            var value = 0
            while index < cell.count, cell[index].isDigit, index - start < length.upperBound {
                value = value * 10 + Int(cell[index].digit)
                index += 1
            }
            return length.contains(index - start) ? value : nil
        }

        mutating func mark() -> UInt8? {
            guard index < cell.count, isMark(cell[index]) else { return nil }
            index += 1
            return cell[index - 1]
        }

        private func isMark(_ byte: UInt8) -> Bool { byte == Byte.slash || byte == Byte.dot || byte == Byte.minus }

        mutating func year() -> Int? {
            let start = index
            guard let year = number(2...4), index - start != 3 else { return nil }
            return index - start == 4 ? year : year < 30 ? 2000 + year : 1900 + year
        }

        /// Skips the separators of a date that names its month.
        mutating func skipMarks() {
            while index < cell.count, cell[index] == Byte.space || cell[index] == Byte.comma || isMark(cell[index]) {
                index += 1
            }
        }

        /// Skips `Wed, ` and `Wednesday, `.
        mutating func skipWeekday() {
            if name(Self.weekdays) != nil { skipMarks() }
        }

        /// Reads a name, possibly cut to three letters, and returns its index; returns nil and skips nothing if there is none.
        mutating func name(_ names: [String]) -> Int? {
            let letters = cell[index...].prefix { ($0 | 0x20) &- 0x61 < 26 }.map { $0 | 0x20 }
            guard letters.count > 1 else { return nil }
            let found = names.firstIndex { name in
                name.utf8.elementsEqual(letters) || name.utf8.prefix(3).elementsEqual(letters)
            }
            if found != nil { index += letters.count }
            return found
        }

        static let months = [
            "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
            "november", "december",
        ]
        private static let weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
        /// The zones of RFC 2822, with their hours.
        private static let zones = ["utc", "gmt", "ut", "est", "edt", "cst", "cdt", "mst", "mdt", "pst", "pdt"]
        private static let zoneHours = [0, 0, 0, -5, -4, -6, -5, -7, -6, -8, -7]

        /// ` 18:30:05`, ` 18:30:05 UTC`
        mutating func timeBeforeYear() -> Time? {
            let start = index
            guard takes(Byte.space), let time = clock() else {
                index = start
                return nil
            }
            _ = takesZone()
            return time
        }

        /// ` 18:30`, ` 6:30:05 PM`, `T18:30`
        mutating func time() -> Time? {
            guard takes(Byte.space) || takes(0x54) || takes(Byte.colon), var time = clock() else { return nil }
            if index + 3 == cell.count, cell[index] == Byte.space, cell[index + 2] | 0x20 == 0x6D {
                let letter = cell[index + 1] | 0x20
                guard (1...12).contains(time.hour), letter == 0x61 || letter == 0x70 else { return nil }
                time.hour = time.hour % 12 + (letter == 0x70 ? 12 : 0)
                index = cell.count
            }
            return time
        }

        private mutating func clock() -> Time? {
            guard let hour = number(1...2), takes(Byte.colon), let minute = number(2...2) else { return nil }
            guard takes(Byte.colon) else { return (hour, minute, 0) }
            return number(2...2).map { (hour, minute, $0) }
        }

        /// ` -0700`, ` GMT`, ` +0000 (UTC)`
        mutating func takesZone() -> Bool {
            guard zoneSeconds == nil, takes(Byte.space) else { return false }
            zoneSeconds = name(Self.zones).map { Self.zoneHours[$0] * 3600 } ?? offset()
            if index + 2 < cell.count, cell[index] == Byte.space, cell[index + 1] == 0x28, cell[cell.count - 1] == 0x29
            {
                index = cell.count
            }
            return zoneSeconds != nil
        }

        private mutating func offset() -> Int? {
            let isWest = takes(Byte.minus)
            guard isWest || takes(Byte.plus), let hours = number(2...2) else { return nil }
            _ = takes(Byte.colon)
            return number(2...2).map { (hours * 3600 + $0 * 60) * (isWest ? -1 : 1) }
        }

        private mutating func takes(_ byte: UInt8) -> Bool {
            guard index < cell.count, cell[index] == byte else { return false }
            index += 1
            return true
        }
    }
}
