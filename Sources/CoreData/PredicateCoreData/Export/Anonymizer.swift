import Foundation
import PredicateModel
import PredicateSyntax

/// How the values of a column are anonymized. Other columns are kept: keys, positions and Booleans.
enum Replacement {
    case text
    /// The scheme is kept.
    case url
    /// Within the bounds of the model.
    case date(ClosedRange<Double>?)
    case number(ClosedRange<Double>)
    case uuid
    case data
    /// Left out.
    case dropped

    /// The replacement for a column of an entity's table; nil for a column that is kept.
    init?(_ column: PlainColumn) {
        switch column.role {
        case .attribute(let attribute): self.init(attribute)
        case .archive(let attribute): self = attribute.isOptional ? .dropped : .data
        case .key, .link, .linkEntity, .linkPosition, .source, .target, .position, .inversePosition, .history:
            return nil
        }
    }

    private init?(_ attribute: AttributeDescription) {
        switch attribute.type {
        case .string, .undefined, .unknown: self = .text
        case .uri: self = .url
        case .date: self = .date(attribute.hasBounds ? attribute.bounds(within: -.infinity ... .infinity) : nil)
        case .integer16, .integer32, .integer64:
            let range = attribute.type.integerRange ?? Int64.min...Int64.max
            self = .number(attribute.bounds(within: Double(range.lowerBound)...Double(range.upperBound)))
        case .decimal, .double, .float: self = .number(attribute.bounds(within: -.infinity ... .infinity))
        case .binaryData: self = .data
        case .uuid: self = .uuid
        case .transformable: self = .dropped
        case .boolean, .objectID, .composite: return nil
        }
    }
}

extension AttributeDescription {
    fileprivate var hasBounds: Bool { minimumValue != nil || maximumValue != nil }

    /// The bounds of the model within a range.
    fileprivate func bounds(within range: ClosedRange<Double>) -> ClosedRange<Double> {
        let low = max(range.lowerBound, minimumValue?.amount ?? -.infinity)
        let high = min(range.upperBound, maximumValue?.amount ?? .infinity)
        return low <= high ? low...high : range
    }
}

/// Replaces values with others of the same shape, using a secret that exists for one export only.
///
/// Strings and digits go through a permutation of all strings of their shape, so equal values stay equal and different
/// ones different.
struct Anonymizer {
    private let hash: SipHash
    /// The seconds by which all dates are shifted: up to ten years into the past. Each is also moved by up to a month.
    private let shift: Double

    init() {
        var generator = SystemRandomNumberGenerator()
        self.init(secret: (generator.next(), generator.next()), shift: -Double(Int64.random(in: 1...3652) * 86_400))
    }

    init(secret: (UInt64, UInt64), shift: Double) {
        (hash, self.shift) = (SipHash(secret.0, secret.1), shift)
    }

    /// The value in place of another one.
    func replaced(_ cell: ExportedCell, _ replacement: Replacement) -> ExportedCell {
        var (bounds, dates) = (-Double.infinity ... .infinity, ClosedRange<Double>?.none)
        if case .number(let range) = replacement { bounds = range }
        if case .date(let range) = replacement { dates = range }
        return switch (cell, replacement) {
        case (.null, _), (_, .dropped): .null
        case (.text(let bytes), .url): .ownText(text(String(decoding: bytes, as: UTF8.self), keepsScheme: true))
        case (.text(let bytes), _): .ownText(text(String(decoding: bytes, as: UTF8.self), keepsScheme: false))
        case (.ownText(let bytes), _): .ownText(text(String(decoding: bytes, as: UTF8.self), keepsScheme: false))
        case (.date(let seconds), _): .date(date(seconds, dates))
        case (.integer(let number), _): .integer(integer(number, bounds))
        case (.double(let number), _): .double(double(number, bounds))
        case (.decimal(let number), _): .decimal(double(number, bounds))
        case (.uuid(let uuid), _): .uuid(self.uuid(uuid))
        case (.data(let bytes), _): .ownData(data(Array(bytes)))
        case (.ownData(let data), _): .ownData(self.data(Array(data)))
        case (.boolean, _), (.uri, _): cell
        case (.json, _): .null
        }
    }

    // MARK: - Strings

    /// Each letter and digit becomes another one of its kind; spaces, punctuation, marks and symbols are kept.
    func text(_ string: String, keepsScheme: Bool = false) -> [UInt8] {
        var scalars = Array(string.unicodeScalars)
        let start = keepsScheme ? Self.schemeLength(scalars) : 0
        let places = scalars.indices.dropFirst(start).filter { ScalarKind(scalars[$0]) != nil }
        let kinds = places.compactMap { ScalarKind(scalars[$0]) }
        let digits = zip(places, kinds).map { UInt64(scalars[$0].value - $1.first) }
        let changed = permuted(digits, radices: kinds.map { UInt64($0.count) })
        for (index, place) in places.enumerated() {
            scalars[place] = Unicode.Scalar(kinds[index].first + UInt32(changed[index])) ?? scalars[place]
        }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return Array(String(text).utf8)
    }

    /// The length of `https:` at the beginning; 0 without a scheme.
    private static func schemeLength(_ scalars: [Unicode.Scalar]) -> Int {
        func isLetter(_ scalar: Unicode.Scalar) -> Bool { scalar.isASCII && scalar.properties.isAlphabetic }
        guard let colon = scalars.firstIndex(of: ":"), let first = scalars.first, isLetter(first),
            scalars[..<colon].allSatisfy({ isLetter($0) || "0123456789+-.".unicodeScalars.contains($0) })
        else { return 0 }
        return colon + 1
    }

    /// A permutation of the numbers whose digits have the given radices: a Feistel network over both halves.
    func permuted(_ digits: [UInt64], radices: [UInt64]) -> [UInt64] {
        var digits = digits
        let middle = digits.count / 2
        for round in 0..<8 {
            let (fixed, changed) =
                round % 2 == 0 ? (0..<middle, middle..<digits.count) : (middle..<digits.count, 0..<middle)
            var seed = hash.begin(UInt64(round) << 32 | UInt64(digits.count))
            for index in fixed { seed.add(digits[index]) }
            for index in changed {
                var own = seed
                own.add(UInt64(index))
                digits[index] = (digits[index] + own.value % radices[index]) % radices[index]
            }
        }
        return digits
    }

    // MARK: - Numbers and dates

    private func date(_ seconds: Double, _ bounds: ClosedRange<Double>?) -> Double {
        var state = hash.begin(0)
        state.add(seconds.bitPattern)
        let month: UInt64 = 30 * 86_400_000_000
        let shifted = seconds + shift + Double(Int64(state.value % (2 * month)) - Int64(month)) / 1e6
        guard let bounds, bounds.contains(seconds) else { return shifted }
        return min(max(shifted, bounds.lowerBound), bounds.upperBound)
    }

    /// Integers of less than four digits are kept: counts, codes and flags. Others become integers of as many digits within the
    /// bounds, by a permutation of all of these; numbers outside the bounds may become equal.
    func integer(_ number: Int64, _ bounds: ClosedRange<Double>) -> Int64 {
        guard number.magnitude >= 1000 else { return number }
        let sign = Int64(number.signum())
        let inner = sign < 0 ? -bounds.upperBound ... -bounds.lowerBound : bounds
        let range = Self.magnitudes(of: String(number.magnitude).utf8.count, within: inner)
        // Without bounds, numbers of all types with the same digits become the same.
        if range.upperBound == range.lowerBound &* 10 - 1 {
            return Int64((sign < 0 ? "-" : "") + shuffledDigits(String(number.magnitude))) ?? number
        }
        let count = range.upperBound - range.lowerBound + 1
        var offset = number.magnitude &- range.lowerBound
        // A number outside its bounds is moved into them.
        if offset >= count { offset %= count }
        return sign * Int64(clamping: range.lowerBound + permuted(offset, below: count))
    }

    /// The magnitudes of integers with this many digits within bounds; all of them if the bounds have none.
    private static func magnitudes(of digits: Int, within bounds: ClosedRange<Double>) -> ClosedRange<UInt64> {
        var least: UInt64 = 1
        for _ in 1..<digits { least *= 10 }
        let greatest = digits < 19 ? least * 10 - 1 : UInt64(Int64.max)
        let low = max(Double(least), bounds.lowerBound.rounded(.up))
        let high = min(Double(greatest), bounds.upperBound.rounded(.down))
        guard low <= high, high >= 0 else { return least...greatest }
        return min(UInt64(low), greatest)...min(UInt64(high), greatest)
    }

    /// A permutation of the numbers below a count: numbers that are too large are permuted again.
    private func permuted(_ number: UInt64, below count: UInt64) -> UInt64 {
        let digits = String(count - 1).utf8.count
        var value = number
        repeat {
            var places: [UInt64] = []
            for _ in 0..<digits {
                places.append(value % 10)
                value /= 10
            }
            value = permuted(places, radices: places.map { _ in 10 }).reversed().reduce(0) { $0 &* 10 &+ $1 }
        } while value >= count
        return value
    }

    func double(_ number: Double, _ bounds: ClosedRange<Double>) -> Double {
        guard number.isFinite, number.rounded() != number || number.magnitude >= 1000 else { return number }
        var changed = number
        for _ in 0..<1000 {
            let parts = changed.description.split(separator: "e", maxSplits: 1, omittingEmptySubsequences: false)
            let isWhole = parts[0].hasSuffix(".0")
            let digits = shuffledDigits(String(isWhole ? parts[0].dropLast(2) : parts[0]))
            guard let next = Double(digits + (parts.count > 1 ? "e" + parts[1] : "")), next.isFinite else { break }
            changed = next
            if changed != number, bounds.contains(changed) { return changed }
        }
        return spread(number, over: bounds)
    }

    /// A number between the bounds that is no greater than another in magnitude, for one whose digits find no other.
    private func spread(_ number: Double, over bounds: ClosedRange<Double>) -> Double {
        var state = hash.begin(1)
        state.add(number.bitPattern)
        let share = Double(state.value >> 11) / 0x1p53
        let low = max(bounds.lowerBound, min(-number.magnitude, bounds.upperBound))
        let high = min(bounds.upperBound, max(number.magnitude, low))
        return low * (1 - share) + high * share
    }

    /// The number with other digits, of which the first significant one is not zero. Other characters do not change.
    private func shuffledDigits(_ text: String) -> String {
        var bytes = Array(text.utf8)
        guard let first = bytes.firstIndex(where: { (0x31...0x39).contains($0) }) else { return text }
        let places = bytes.indices.filter { $0 >= first && (0x30...0x39).contains(bytes[$0]) }
        let digits = places.map { UInt64(bytes[$0]) - ($0 == first ? 0x31 : 0x30) }
        let changed = permuted(digits, radices: places.map { $0 == first ? 9 : 10 })
        for (index, place) in places.enumerated() {
            bytes[place] = UInt8(changed[index]) + (place == first ? 0x31 : 0x30)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    // MARK: - Bytes

    /// As many bytes as were given, each of which depends on all of them.
    func data(_ bytes: [UInt8]) -> Data {
        var seed = hash.begin(UInt64(bytes.count))
        for byte in bytes { seed.add(UInt64(byte)) }
        var (result, number) = (Data(capacity: bytes.count + 8), UInt64(0))
        while result.count < bytes.count {
            var next = seed
            next.add(number)
            withUnsafeBytes(of: next.value) { result.append(contentsOf: $0) }
            number += 1
        }
        return result.prefix(bytes.count)
    }

    /// A UUID of the same version.
    func uuid(_ uuid: UUID) -> UUID {
        let bytes = withUnsafeBytes(of: uuid.uuid) { Array($0) }
        var changed = Array(data(bytes))
        changed[6] = changed[6] & 0x0F | bytes[6] & 0xF0
        changed[8] = changed[8] & 0x3F | bytes[8] & 0xC0
        return changed.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    func uuidText(_ text: String) -> String {
        UUID(uuidString: text).map { uuid($0).uuidString } ?? String(decoding: self.text(text), as: UTF8.self)
    }
}

/// The range of characters in which a letter or digit is replaced.
private struct ScalarKind {
    let first: UInt32
    let count: UInt32

    /// nil for a character that is kept.
    init?(_ scalar: Unicode.Scalar) {
        guard let range = Self.ranges.first(where: { $0.contains(scalar.value) }) else { return nil }
        (first, count) = (range.lowerBound, range.upperBound - range.lowerBound + 1)
    }

    /// ASCII digits and letters, then letters of other scripts in ranges without surrogates. The characters of a range
    /// have as many UTF-16 code units.
    private static let ranges: [ClosedRange<UInt32>] = [
        0x61...0x7A, 0x41...0x5A, 0x30...0x39, 0xDF...0xF6, 0xC0...0xD6, 0xF8...0x24F, 0x391...0x3A1, 0x3B1...0x3C9,
        0x410...0x42F, 0x430...0x44F, 0x450...0x52F, 0x531...0x556, 0x561...0x587, 0x5D0...0x5EA, 0x620...0x64A,
        0x904...0x939, 0xE01...0xE2E, 0x10D0...0x10FA, 0x1E00...0x1EFF, 0x3041...0x3096, 0x30A1...0x30FA,
        0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0x20000...0x2A6DF,
    ]
}

/// SipHash-2-4, a keyed hash whose values reveal nothing about the input without the key.
struct SipHash {
    private let (first, second): (UInt64, UInt64)

    init(_ first: UInt64, _ second: UInt64) {
        (self.first, self.second) = (first, second)
    }

    /// A hash of words, begun with one.
    func begin(_ word: UInt64) -> State {
        var state = State(first, second)
        state.add(word)
        return state
    }

    struct State {
        private var (a, b, c, d): (UInt64, UInt64, UInt64, UInt64)

        fileprivate init(_ first: UInt64, _ second: UInt64) {
            (a, b) = (first ^ 0x736F_6D65_7073_6575, second ^ 0x646F_7261_6E64_6F6D)
            (c, d) = (first ^ 0x6C79_6765_6E65_7261, second ^ 0x7465_6462_7974_6573)
        }

        mutating func add(_ word: UInt64) {
            d ^= word
            for _ in 0..<2 { mix() }
            a ^= word
        }

        var value: UInt64 {
            var copy = self
            copy.c ^= 0xFF
            for _ in 0..<4 { copy.mix() }
            return copy.a ^ copy.b ^ copy.c ^ copy.d
        }

        private mutating func mix() {
            a &+= b
            b = (b << 13 | b >> 51) ^ a
            a = a << 32 | a >> 32
            c &+= d
            d = (d << 16 | d >> 48) ^ c
            a &+= d
            d = (d << 21 | d >> 43) ^ a
            c &+= b
            b = (b << 17 | b >> 47) ^ c
            c = c << 32 | c >> 32
        }
    }
}
