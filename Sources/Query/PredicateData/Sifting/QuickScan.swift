import PredicateJSON
import PredicateSyntax

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Checks JSON before a line feed. The line feed ends every loop, so no bounds are checked.
///
/// Invalid and rare constructs give nil and are left to ``JSONParser``. Nothing is accepted that the parser would
/// reject. Up to sixteen bytes after the last line feed are read and ignored.
struct QuickScan {
    typealias Pointer = UnsafePointer<UInt8>

    /// The end of the last line, after its line feed.
    let end: Pointer

    /// The maximum depth; deeper values are left to the parser.
    static let maximumDepth = 64

    /// The properties of a string.
    struct Traits {
        var hasEscapes = false
        var isASCII = true
    }

    /// Returns the closing quote of a string.
    @inline(__always)
    func closingQuote(_ start: Pointer, _ traits: inout Traits) -> Pointer? {
        let stop = start.pastPlainText
        return stop.pointee == Byte.quote ? stop : unusualQuote(start, stop, &traits)
    }

    /// Returns the closing quote of a string with escapes or non-ASCII bytes, the first of which is at `first`.
    @inline(never)
    private func unusualQuote(_ start: Pointer, _ first: Pointer, _ traits: inout Traits) -> Pointer? {
        traits.isASCII = false
        // The line feed at the end is a stop.
        let stop = first + StringStops.skip(UnsafeBufferPointer(start: first, count: end + 8 - first), from: 0)
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

    /// Skips a value. If it is wanted, its numbers must be representable.
    @inline(__always)
    func value(_ pointer: Pointer, depth: Int, needsValue: Bool) -> Pointer? {
        if pointer.pointee == Byte.quote {
            var traits = Traits()
            return closingQuote(pointer + 1, &traits).map { $0 + 1 }
        }
        if !needsValue, pointer.pointee.isDigit { return number(pointer) }
        return otherValue(pointer, depth: depth, needsValue: needsValue)
    }

    /// Skips a value other than a string.
    private func otherValue(_ pointer: Pointer, depth: Int, needsValue: Bool) -> Pointer? {
        switch pointer.pointee {
        case Byte.openBrace: return object(pointer + 1, depth: depth + 1, needsValue: needsValue)
        case Byte.openBracket: return array(pointer + 1, depth: depth + 1, needsValue: needsValue)
        case Byte.minus, Byte.zero...Byte.nine:
            var ignored = FlatValue.opaque
            return needsValue ? number(pointer, &ignored) : number(pointer)
        default:
            return word(pointer)?.end
        }
    }

    private func object(_ start: Pointer, depth: Int, needsValue: Bool) -> Pointer? {
        var pointer = start.pastSpaces
        if pointer.pointee == Byte.closeBrace { return pointer + 1 }
        if depth > Self.maximumDepth { return nil }
        while true {
            var traits = Traits()
            guard pointer.pointee == Byte.quote, let quote = closingQuote(pointer + 1, &traits) else { return nil }
            guard let value = pastColon(quote + 1),
                let end = self.value(value, depth: depth, needsValue: needsValue)?.pastSpaces
            else { return nil }
            if end.pointee == Byte.closeBrace { return end + 1 }
            guard end.pointee == Byte.comma else { return nil }
            pointer = (end + 1).pastSpaces
        }
    }

    private func array(_ start: Pointer, depth: Int, needsValue: Bool) -> Pointer? {
        var pointer = start.pastSpaces
        if pointer.pointee == Byte.closeBracket { return pointer + 1 }
        if depth > Self.maximumDepth { return nil }
        while true {
            guard let end = value(pointer, depth: depth, needsValue: needsValue)?.pastSpaces else { return nil }
            if end.pointee == Byte.closeBracket { return end + 1 }
            guard end.pointee == Byte.comma else { return nil }
            pointer = (end + 1).pastSpaces
        }
    }

    /// Returns the value after a key's closing quote.
    @inline(__always)
    func pastColon(_ pointer: Pointer) -> Pointer? {
        let colon = pointer.pastSpaces
        return colon.pointee == Byte.colon ? (colon + 1).pastSpaces : nil
    }

    /// `true`, `false` and `null`
    @inline(__always)
    func word(_ pointer: Pointer) -> (value: FlatValue, end: Pointer)? {
        switch UnsafeRawPointer(pointer).loadUnaligned(as: UInt32.self).littleEndian {
        case 0x6575_7274: (.bool(true), pointer + 4)
        case 0x6C6C_756E: (.null, pointer + 4)
        case 0x736C_6166 where pointer[4] == 0x65: (.bool(false), pointer + 5)
        default: nil
        }
    }
}

extension QuickScan {
    /// Skips a number.
    @inline(__always)
    func number(_ start: Pointer) -> Pointer? {
        var pointer = start.pointee == Byte.minus ? start + 1 : start
        let whole = pointer
        pointer = pointer.pastDigits
        if pointer == whole || whole.pointee == Byte.zero && pointer - whole > 1 { return nil }
        if pointer.pointee == Byte.dot {
            let fraction = pointer + 1
            pointer = fraction.pastDigits
            if pointer == fraction { return nil }
        }
        guard pointer.pointee | 0x20 == 0x65 else { return pointer }
        pointer += pointer[1] == Byte.minus || pointer[1] == Byte.plus ? 2 : 1
        let exponent = pointer
        pointer = pointer.pastDigits
        return pointer == exponent ? nil : pointer
    }

    /// Skips a number and computes its value, like ``JSONNumber``.
    @inline(__always)
    func number(_ start: Pointer, _ value: inout FlatValue) -> Pointer? {
        let isNegative = start.pointee == Byte.minus
        let whole = isNegative ? start + 1 : start
        var mantissa: UInt64 = 0
        var pointer = whole.pastDigits(&mantissa)
        let wholeCount = pointer - whole
        if wholeCount == 0 || whole.pointee == Byte.zero && wholeCount > 1 { return nil }
        if pointer.pointee == Byte.dot {
            let fraction = pointer + 1
            pointer = fraction.pastDigits(&mantissa)
            let count = pointer - fraction
            if count == 0 { return nil }
            if wholeCount + count > 15 || pointer.pointee | 0x20 == 0x65 { return spelledNumber(start, &value) }
            let digits = Double(mantissa) / JSONNumber.powers[count]
            value = .double(isNegative ? -digits : digits)
            return pointer
        }
        if wholeCount > 18 || pointer.pointee | 0x20 == 0x65 { return spelledNumber(start, &value) }
        let digits = Int64(truncatingIfNeeded: mantissa)
        value = .integer(isNegative ? -digits : digits)
        return pointer
    }

    /// Reads a number with many digits or an exponent.
    @inline(never)
    private func spelledNumber(_ start: Pointer, _ value: inout FlatValue) -> Pointer? {
        let bytes = UnsafeBufferPointer(start: start, count: end - start)
        guard let spelling = try? JSONNumber(bytes, from: 0), let number = try? spelling.value(in: bytes) else {
            return nil
        }
        value = FlatValue(number)
        return start + spelling.range.upperBound
    }
}

extension FlatValue {
    /// Creates the flat form of a value; opaque if it has none.
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
    /// Eight bytes as a little-endian word.
    @inline(__always)
    var word: UInt64 { UInt64(littleEndian: UnsafeRawPointer(self).loadUnaligned(as: UInt64.self)) }

    /// Sixteen bytes.
    @inline(__always)
    var sixteenBytes: SIMD16<UInt8> { UnsafeRawPointer(self).loadUnaligned(as: SIMD16<UInt8>.self) }

    /// The pointer after spaces and tabs, the white space of JSON within a line.
    @inline(__always)
    var pastSpaces: Self {
        var pointer = self
        while pointer.pointee <= Byte.space, pointer.pointee == Byte.space || pointer.pointee == Byte.tab {
            pointer += 1
        }
        return pointer
    }

    /// The pointer after printable ASCII characters other than quotes and backslashes, sixteen bytes at a time.
    @inline(__always)
    fileprivate var pastPlainText: Self {
        var pointer = self
        while true {
            let bytes = pointer.sixteenBytes
            let quotes = (bytes ^ SIMD16(repeating: Byte.quote)) &- SIMD16(repeating: 1)
            let backslashes = (bytes ^ SIMD16(repeating: Byte.backslash)) &- SIMD16(repeating: 1)
            let controls = bytes &- SIMD16(repeating: Byte.space)
            // The bytes that end the text have the high bit here.
            let stops = bytes | controls | quotes | backslashes
            let words = unsafeBitCast(stops, to: SIMD2<UInt64>.self) & SIMD2(repeating: 0x8080_8080_8080_8080)
            if words.x != 0 { return pointer + (words.x.littleEndian.trailingZeroBitCount &>> 3) }
            if words.y != 0 { return pointer + 8 + (words.y.littleEndian.trailingZeroBitCount &>> 3) }
            pointer += 16
        }
    }

    /// The pointer after digits, eight at a time.
    @inline(__always)
    fileprivate var pastDigits: Self {
        var pointer = self
        while true {
            let digits = pointer.word ^ 0x3030_3030_3030_3030
            // The first other byte has the high bit here; bits after it may be wrong.
            let others = ((digits &+ 0x7676_7676_7676_7676) | digits) & 0x8080_8080_8080_8080
            if others != 0 { return pointer + (others.trailingZeroBitCount &>> 3) }
            pointer += 8
        }
    }

    @inline(__always)
    fileprivate func pastDigits(_ mantissa: inout UInt64) -> Self {
        var pointer = self
        while pointer.pointee.isDigit {
            mantissa = mantissa &* 10 &+ pointer.pointee.digit
            pointer += 1
        }
        return pointer
    }
}

extension SIMD16<UInt8> {
    /// True if all bytes are zero.
    @inline(__always)
    var isZero: Bool {
        let words = unsafeBitCast(self, to: SIMD2<UInt64>.self)
        return words.x | words.y == 0
    }
}
