import PredicateSyntax

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Checks JSON in front of a line feed, which stops every loop, so that no byte is counted.
///
/// Whatever is wrong or rare gives nil, and then ``JSONParser`` has the word: this accepts nothing that it would refuse.
/// Up to eight bytes behind the last line feed are looked at and not used.
struct QuickScan {
    typealias Place = UnsafePointer<UInt8>

    /// Behind the last line feed.
    let end: Place

    /// Deeper values are left to the parser.
    static let maximumDepth = 64

    /// What a string is made of.
    struct Traits {
        var hasEscapes = false
        var isASCII = true
    }

    /// The quote that ends the text which begins here.
    @inline(__always)
    func closingQuote(_ start: Place, _ traits: inout Traits) -> Place? {
        var place = start
        var high: UInt64 = 0
        while true {
            let word = place.word
            let stops = StringStops.stops(in: word)
            if stops != 0 {
                let plain = stops.trailingZeroBitCount & ~7
                high |= word & ((1 &<< UInt64(truncatingIfNeeded: plain)) &- 1)
                place += plain &>> 3
                break
            }
            high |= word
            place += 8
        }
        if place.pointee == Byte.quote, high & 0x8080_8080_8080_8080 == 0 { return place }
        return unusualQuote(start, place, &traits)
    }

    /// The same for a text that is not plain ASCII; `stop` is its first byte that ends or escapes.
    @inline(never)
    private func unusualQuote(_ start: Place, _ stop: Place, _ traits: inout Traits) -> Place? {
        traits.isASCII = false
        if stop.pointee == Byte.quote {
            let text = UnsafeBufferPointer(start: start, count: stop - start)
            return UTF8Validation.firstFault(in: text, 0..<text.count) == nil ? stop : nil
        }
        guard stop.pointee == Byte.backslash else { return nil }
        traits.hasEscapes = true
        var parser = JSONParser(UnsafeBufferPointer(start: start - 1, count: end - start + 1))
        guard (try? parser.scanString()) != nil else { return nil }
        return start - 1 + (parser.index - 1)
    }

    /// Past a value. The numbers of a value that is wanted must be such that they can be held.
    func value(_ place: Place, depth: Int, isWanted: Bool) -> Place? {
        switch place.pointee {
        case Byte.quote:
            var traits = Traits()
            return closingQuote(place + 1, &traits).map { $0 + 1 }
        case Byte.openBrace: return object(place + 1, depth: depth + 1, isWanted: isWanted)
        case Byte.openBracket: return array(place + 1, depth: depth + 1, isWanted: isWanted)
        case Byte.minus, Byte.zero...Byte.nine:
            var ignored = FlatValue.opaque
            return isWanted ? number(place, &ignored) : number(place)
        default:
            return word(place)?.end
        }
    }

    private func object(_ start: Place, depth: Int, isWanted: Bool) -> Place? {
        var place = start.pastSpaces
        if place.pointee == Byte.closeBrace { return place + 1 }
        if depth > Self.maximumDepth { return nil }
        while true {
            var traits = Traits()
            guard place.pointee == Byte.quote, let quote = closingQuote(place + 1, &traits) else { return nil }
            guard let value = pastColon(quote + 1),
                let end = self.value(value, depth: depth, isWanted: isWanted)?.pastSpaces
            else { return nil }
            if end.pointee == Byte.closeBrace { return end + 1 }
            guard end.pointee == Byte.comma else { return nil }
            place = (end + 1).pastSpaces
        }
    }

    private func array(_ start: Place, depth: Int, isWanted: Bool) -> Place? {
        var place = start.pastSpaces
        if place.pointee == Byte.closeBracket { return place + 1 }
        if depth > Self.maximumDepth { return nil }
        while true {
            guard let end = value(place, depth: depth, isWanted: isWanted)?.pastSpaces else { return nil }
            if end.pointee == Byte.closeBracket { return end + 1 }
            guard end.pointee == Byte.comma else { return nil }
            place = (end + 1).pastSpaces
        }
    }

    /// From behind a key to its value.
    @inline(__always)
    func pastColon(_ place: Place) -> Place? {
        let colon = place.pastSpaces
        return colon.pointee == Byte.colon ? (colon + 1).pastSpaces : nil
    }

    /// `true`, `false` and `null`
    @inline(__always)
    func word(_ place: Place) -> (value: FlatValue, end: Place)? {
        switch UnsafeRawPointer(place).loadUnaligned(as: UInt32.self).littleEndian {
        case 0x6575_7274: (.bool(true), place + 4)
        case 0x6C6C_756E: (.null, place + 4)
        case 0x736C_6166 where place[4] == 0x65: (.bool(false), place + 5)
        default: nil
        }
    }
}

extension QuickScan {
    /// Past a number, whatever it amounts to.
    @inline(__always)
    private func number(_ start: Place) -> Place? {
        var place = start.pointee == Byte.minus ? start + 1 : start
        let whole = place
        place = place.pastDigits
        if place == whole || whole.pointee == Byte.zero && place - whole > 1 { return nil }
        if place.pointee == Byte.dot {
            let fraction = place + 1
            place = fraction.pastDigits
            if place == fraction { return nil }
        }
        guard place.pointee | 0x20 == 0x65 else { return place }
        place += place[1] == Byte.minus || place[1] == Byte.plus ? 2 : 1
        let exponent = place
        place = place.pastDigits
        return place == exponent ? nil : place
    }

    /// Past a number, and what it is: as ``NumberSpelling`` has it.
    @inline(__always)
    func number(_ start: Place, _ value: inout FlatValue) -> Place? {
        let isNegative = start.pointee == Byte.minus
        let whole = isNegative ? start + 1 : start
        var mantissa: UInt64 = 0
        var place = whole.pastDigits(&mantissa)
        let wholeCount = place - whole
        if wholeCount == 0 || whole.pointee == Byte.zero && wholeCount > 1 { return nil }
        if place.pointee == Byte.dot {
            let fraction = place + 1
            place = fraction.pastDigits(&mantissa)
            let count = place - fraction
            if count == 0 { return nil }
            if wholeCount + count > 15 || place.pointee | 0x20 == 0x65 { return spelledNumber(start, &value) }
            let digits = Double(mantissa) / NumberSpelling.powers[count]
            value = .double(isNegative ? -digits : digits)
            return place
        }
        if wholeCount > 18 || place.pointee | 0x20 == 0x65 { return spelledNumber(start, &value) }
        let digits = Int64(truncatingIfNeeded: mantissa)
        value = .integer(isNegative ? -digits : digits)
        return place
    }

    /// Numbers with many digits or an exponent.
    @inline(never)
    private func spelledNumber(_ start: Place, _ value: inout FlatValue) -> Place? {
        let bytes = UnsafeBufferPointer(start: start, count: end - start)
        guard let spelling = try? NumberSpelling(bytes, from: 0), let number = try? spelling.value(in: bytes) else {
            return nil
        }
        value = FlatValue(number)
        return start + spelling.range.upperBound
    }
}

extension FlatValue {
    /// A value that was read in full, as far as it is flat.
    init(_ value: PredicateValue) {
        switch value {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .integer(let value): self = .integer(value)
        case .double(let value): self = .double(value)
        case .date(let value): self = .date(value.timeIntervalSinceReferenceDate)
        case .nullObject, .decimal, .string, .data, .uuid, .url, .type, .array, .set, .orderedSet, .dictionary,
            .object, .expression, .predicate:
            self = .opaque
        }
    }
}

extension UnsafePointer<UInt8> {
    /// Eight bytes, the first one lowest.
    @inline(__always)
    var word: UInt64 { UInt64(littleEndian: UnsafeRawPointer(self).loadUnaligned(as: UInt64.self)) }

    /// Past spaces and tabs: what JSON calls white space and a line may hold.
    @inline(__always)
    var pastSpaces: Self {
        var place = self
        while place.pointee == Byte.space || place.pointee == Byte.tab { place += 1 }
        return place
    }

    @inline(__always)
    fileprivate var pastDigits: Self {
        var place = self
        while place.pointee.isDigit { place += 1 }
        return place
    }

    @inline(__always)
    fileprivate func pastDigits(_ mantissa: inout UInt64) -> Self {
        var place = self
        while place.pointee.isDigit {
            mantissa = mantissa &* 10 &+ place.pointee.digit
            place += 1
        }
        return place
    }
}
