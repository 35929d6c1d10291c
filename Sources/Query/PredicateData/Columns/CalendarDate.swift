import PredicateJSON
import PredicateSyntax

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The order of day and month in a date with slashes, points or hyphens.
package enum DateOrder: String, Hashable, Sendable, CaseIterable {
    /// `25/12/2024`, `25.12.2024`
    case dayFirst = "day-first"
    /// `12/25/2024`
    case monthFirst = "month-first"
}

/// Dates as spreadsheets write them, with or without a time.
///
/// `25.12.2024`, `25/12/24 18:30`, `12/25/2024 6:30:05 PM`
///
/// As in Excel, two-digit years up to 29 mean 2000 to 2029, and from 30 on 1930 to 1999. A date without an offset is in the
/// given zone, or in UTC if that is nil.
enum CalendarDate {
    /// Returns the date, and whether it has a time; nil for a cell of another form.
    static func read(
        _ cell: UnsafeBufferPointer<UInt8>, _ order: DateOrder, in zone: LocalZone?
    ) -> (date: Date, hasTime: Bool)? {
        guard cell.count >= 6, cell.count <= 28, cell[0].isDigit else { return nil }
        var reader = Reader(cell)
        guard let first = reader.number(1...2), let mark = reader.mark(), let second = reader.number(1...2),
            reader.mark() == mark, let year = reader.year()
        else { return nil }
        let (day, month) = order == .dayFirst ? (first, second) : (second, first)
        return date(year, month, day, &reader, zone)
    }

    /// Returns the date of a cell that can be read in one way only.
    ///
    /// `2024/12/25`, `25-Dec-24`, `25 December 2024 18:30`, `Dec 25, 2024`, `20241225`, `25/Dec/2024:18:30:00 +0100`
    static func readUnambiguous(
        _ cell: UnsafeBufferPointer<UInt8>, in zone: LocalZone?
    ) -> (date: Date, hasTime: Bool)? {
        guard cell.count >= 8, cell.count <= 40 else { return nil }
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
        let first = reader.number(1...2)
        if first != nil { reader.skipMarks() }
        guard let month = reader.monthName() else { return nil }
        reader.skipMarks()
        guard let day = first ?? reader.number(1...2) else { return nil }
        reader.skipMarks()
        guard let year = reader.year() else { return nil }
        return date(year, month, day, &reader, zone)
    }

    /// Returns the date with the time after it.
    private static func date(
        _ year: Int, _ month: Int, _ day: Int, _ reader: inout Reader, _ zone: LocalZone?
    ) -> (date: Date, hasTime: Bool)? {
        var text = [UInt8]()
        append(year, 4, to: &text)
        append(month, 2, after: Byte.minus, to: &text)
        append(day, 2, after: Byte.minus, to: &text)
        let hasTime = !reader.isAtEnd
        if hasTime {
            guard let time = reader.time() else { return nil }
            append(time.hour, 2, after: Byte.space, to: &text)
            append(time.minute, 2, after: Byte.colon, to: &text)
            append(time.second, 2, after: Byte.colon, to: &text)
        }
        let offset = reader.zoneSeconds
        let date = text.withUnsafeBufferPointer { ISO8601.date(from: $0, in: offset == nil ? zone : nil) }
        return date.map { ($0 - Double(offset ?? 0), hasTime) }
    }

    private static func append(_ number: Int, _ width: Int, after mark: UInt8? = nil, to text: inout [UInt8]) {
        if let mark { text.append(mark) }
        let digits = Array(String(number).utf8)
        text += [UInt8](repeating: Byte.zero, count: max(0, width - digits.count)) + digits
    }

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

        /// Returns the number of a month from its English name or the first three letters of the name.
        mutating func monthName() -> Int? {
            let letters = cell[index...].prefix { ($0 | 0x20) &- 0x61 < 26 }.map { $0 | 0x20 }
            guard letters.count > 2 else { return nil }
            let month = Self.months.firstIndex { name in
                name.utf8.elementsEqual(letters) || name.utf8.prefix(3).elementsEqual(letters)
            }
            index += letters.count
            return month.map { $0 + 1 }
        }

        private static let months = [
            "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
            "november",
            "december",
        ]

        /// `18:30`, `6:30:05 PM`
        mutating func time() -> (hour: Int, minute: Int, second: Int)? {
            guard takes(Byte.space) || takes(0x54) || takes(Byte.colon), var hour = number(1...2), takes(Byte.colon),
                let minute = number(2...2)
            else { return nil }
            var second = 0
            if takes(Byte.colon) {
                guard let number = number(2...2) else { return nil }
                second = number
            }
            if takesZone() { return isAtEnd ? (hour, minute, second) : nil }
            if takes(Byte.space) {
                guard index + 2 == cell.count, (1...12).contains(hour), cell[index + 1] | 0x20 == 0x6D else {
                    return nil
                }
                guard cell[index] | 0x20 == 0x61 || cell[index] | 0x20 == 0x70 else { return nil }
                hour = hour % 12 + (cell[index] | 0x20 == 0x70 ? 12 : 0)
                index = cell.count
            }
            return isAtEnd ? (hour, minute, second) : nil
        }

        /// ` -0700`, as in the logs of web servers
        private mutating func takesZone() -> Bool {
            guard index + 6 == cell.count, cell[index] == Byte.space,
                cell[index + 1] == Byte.minus || cell[index + 1] == Byte.plus
            else { return false }
            let sign = cell[index + 1] == Byte.minus ? -1 : 1
            index += 2
            guard let hours = number(2...2), let minutes = number(2...2) else { return false }
            zoneSeconds = sign * (hours * 3600 + minutes * 60)
            return true
        }

        private mutating func takes(_ byte: UInt8) -> Bool {
            guard index < cell.count, cell[index] == byte else { return false }
            index += 1
            return true
        }
    }
}
