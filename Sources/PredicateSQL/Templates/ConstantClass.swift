import PredicateSyntax
import PredicateText

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A class of constants for which a comparison with a column has the same SQL text, whatever the value.
///
/// `age > 21` and `age > 65` differ in a binding only. `age > 0` is in no class: for a count it is a test for existence, so
/// constants near zero, past 32 bits or without a stable text are compared by value.
enum ConstantClass: UInt8 {
    case positive, negative, wholeDouble, positiveFraction, negativeFraction, text, date, earlyDate, uuid

    /// The class of a constant; nil for one that is compared by value.
    init?(_ value: PredicateValue) {
        switch value {
        case .integer(let value) where value > 1 && value < 1 << 31: self = .positive
        case .integer(let value) where value < 0 && value >= -1 << 31: self = .negative
        case .double(let value) where value.magnitude > 1 && value.magnitude < 0x1p31:
            guard value == value.rounded() else {
                self = value > 0 ? .positiveFraction : .negativeFraction
                return
            }
            guard value > 0 else { return nil }
            self = .wholeDouble
        case .string(let text) where Self.isOrdinary(text): self = .text
        // Past that, integers among the seconds of a column do not compare as doubles do.
        case .date(let date) where date.timeIntervalSinceReferenceDate.magnitude < 0x1p52:
            self = date.timeIntervalSinceReferenceDate < 0 ? .earlyDate : .date
        case .uuid: self = .uuid
        case .null, .nullObject, .bool, .integer, .double, .decimal, .string, .date, .data, .url, .type, .array, .set,
            .orderedSet, .dictionary, .object, .expression, .predicate:
            return nil
        }
    }

    /// True for a text without NUL that has an ASCII character, which folding never takes away. One that may be a UUID is
    /// another thing in a column of these.
    private static func isOrdinary(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            if bytes.count == 36, bytes[8] == UInt8(ascii: "-") { return false }
            var hasASCII = false
            for byte in bytes {
                if byte == 0 { return false }
                if byte < 0x80 { hasASCII = true }
            }
            return hasASCII
        }
    }

    /// A value of the class that is told from those of other numbers after every conversion.
    func sentinel(_ number: Int) -> PredicateValue {
        let value = 1_000_003 + 7 * number
        switch self {
        case .positive: return .integer(Int64(value))
        case .negative: return .integer(Int64(-value))
        case .wholeDouble: return .double(Double(value))
        case .positiveFraction: return .double(Double(value) + 0.25)
        case .negativeFraction: return .double(-Double(value) - 0.25)
        // ASCII at the beginning, since a pattern of LIKE is made of that.
        case .text: return .string("Z\(value)é1")
        case .date: return .date(Date(timeIntervalSinceReferenceDate: Self.seconds(number)))
        case .earlyDate: return .date(Date(timeIntervalSinceReferenceDate: -Self.seconds(number)))
        case .uuid:
            let bytes = UInt8(truncatingIfNeeded: number)
            return .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, UInt8(number >> 8 & 255), bytes)))
        }
    }

    /// Seconds of dates that lie eight days apart, so that texts of days around them differ.
    private static func seconds(_ number: Int) -> Double { Double(1_000_003 + 700_003 * number) + 0.125 }
}

/// The way from a constant to the binding that stands for it.
enum BindingConversion: CaseIterable {
    case integer, double, decimal, date, uuidText, uuidLowercaseText, uuidBytes
    case text, textWithoutCase, textWithoutDiacritics, textWithoutBoth
    case bytes
    /// The days around a date with which texts of it may begin.
    case firstDay, endDay
    /// The least text after all that begin with this one, folded.
    case successor, successorWithoutCase, successorWithoutDiacritics, successorWithoutBoth
    /// The pattern of LIKE for all that begin with the ASCII of this one.
    case beginning

    /// The binding; nil for a constant of a kind that the conversion does not take.
    func binding(of value: PredicateValue) -> SQLBinding? {
        switch (self, value) {
        case (.integer, .integer(let value)): .integer(value)
        case (.integer, .double(let value)): Int64(exactly: value).map(SQLBinding.integer)
        case (.double, .integer(let value)): .double(Double(value))
        case (.double, .double(let value)): .double(value)
        case (.decimal, .integer(let value)): .text(String(value))
        case (.date, .date(let date)): .double(date.timeIntervalSinceReferenceDate)
        case (.firstDay, .date(let date)):
            DayText.first(around: date.timeIntervalSinceReferenceDate).map(SQLBinding.text)
        case (.endDay, .date(let date)): DayText.end(around: date.timeIntervalSinceReferenceDate).map(SQLBinding.text)
        case (.uuidText, .uuid(let uuid)): .text(uuid.uuidString)
        case (.uuidLowercaseText, .uuid(let uuid)): .text(uuid.uuidString.lowercased())
        case (.uuidBytes, .uuid(let uuid)): .blob(uuid.bytes)
        case (_, .string(let text)): binding(of: text)
        default: nil
        }
    }

    private func binding(of text: String) -> SQLBinding? {
        switch self {
        case .text: .text(text)
        case .textWithoutCase: .text(Folding.fold(text, .caseInsensitive))
        case .textWithoutDiacritics: .text(Folding.fold(text, .diacriticInsensitive))
        case .textWithoutBoth: .text(Folding.fold(text, .caseAndDiacriticInsensitive))
        case .bytes: .blob(text.bytes)
        case .successor: successor(of: text, .none)
        case .successorWithoutCase: successor(of: text, .caseInsensitive)
        case .successorWithoutDiacritics: successor(of: text, .diacriticInsensitive)
        case .successorWithoutBoth: successor(of: text, .caseAndDiacriticInsensitive)
        case .beginning: .text(LikePattern.beginning(text))
        case .integer, .double, .decimal, .date, .firstDay, .endDay, .uuidText, .uuidLowercaseText, .uuidBytes: nil
        }
    }

    private func successor(of text: String, _ mode: FoldMode) -> SQLBinding? {
        Folding.fold(text, mode).codePointSuccessor.map(SQLBinding.text)
    }
}
