import Foundation
import PredicateSyntax
import PredicateText

/// Functions of numbers: `modulus:by:(a, 2)`, `sqrt(a)`, `floor(a)`, `random()`.
///
/// An operand that is not a number throws `notANumber`, and so does nil. Functions of real numbers follow IEEE 754:
/// the square root of −1 is NaN, the logarithm of 0 is −∞.
enum Arithmetic {
    /// A function of two numbers: `a ** b`.
    static func binary(
        _ operation: @escaping @Sendable (Number, Number) throws(EvaluationError) -> Number
    ) -> BuiltInFunction {
        { (arguments) throws(Fault) in
            let left = try arguments.argument(0).requiredNumber(operand: 0)
            let right = try arguments.argument(1).requiredNumber(operand: 1)
            return try faulting { () throws(EvaluationError) in .value(try operation(left, right).predicateValue) }
        }
    }

    /// A function of one number: `-a`.
    static func unary(_ operation: @escaping @Sendable (Number) throws(EvaluationError) -> Number) -> BuiltInFunction {
        { (arguments) throws(Fault) in
            let number = try arguments.argument(0).requiredNumber(operand: 0)
            return try faulting { () throws(EvaluationError) in .value(try operation(number).predicateValue) }
        }
    }

    /// A function of one real number: `sqrt(a)`.
    static func real(_ operation: @escaping @Sendable (Double) -> Double) -> BuiltInFunction {
        { (arguments) throws(Fault) in
            .value(.double(operation(try arguments.argument(0).requiredNumber(operand: 0).doubleValue)))
        }
    }

    /// `floor(a)`, `ceiling(a)`, `trunc(a)`: the result has the type of the operand.
    static func rounding(_ rule: FloatingPointRoundingRule) -> BuiltInFunction {
        unary { (number) throws(EvaluationError) in
            switch number {
            case .integer: number
            case .double(let value): .double(value.rounded(rule))
            case .decimal(let value): .decimal(value.rounded(rule))
            }
        }
    }

    /// `random()`: a double from 0 up to but not including 1.
    static let random: BuiltInFunction = { (_) throws(Fault) in .value(.double(Double.random(in: 0..<1))) }

    /// `randomn(6)`: an integer from 0 up to but not including 6. Throws `argumentKind` for a bound below 1.
    static let randomBelow: BuiltInFunction = { (arguments) throws(Fault) in
        let bound = try arguments.argument(0).requiredInteger(operand: 0)
        guard bound > 0 else {
            let found = PredicateValue.integer(bound).found
            throw Fault(.argumentKind(function: "randomn:", expected: "a number above 0", found: found), operand: 0)
        }
        return .value(.integer(Int64.random(in: 0..<bound)))
    }
}

extension Decimal {
    fileprivate func rounded(_ rule: FloatingPointRoundingRule) -> Decimal {
        rule == .towardZero ? truncated : rounded(to: 0, rule == .down ? .down : .up)
    }
}

extension [KeyedValue] {
    /// Returns the argument at a position. Planning has checked that it exists.
    func argument(_ position: Int) -> KeyedValue {
        indices.contains(position) ? self[position] : .null
    }
}

// MARK: - Bits

/// Functions of the bits of an integer: `flags & 4`, `1 << n`, `~flags`.
///
/// Integers have 64 bits in two's complement; a double without a fraction is accepted. A decimal from 2^63 to 2^64 −
/// 1 represents an unsigned integer and has its bits; the result is then unsigned, as in C. [NSP-177] Other values
/// throw `notAnInteger` or `notANumber`.
struct Bits {
    private let pattern: Int64
    /// True for bits that represent an unsigned integer.
    private let isUnsigned: Bool

    private var value: KeyedValue {
        .value(isUnsigned ? UInt64(bitPattern: pattern).predicateValue : .integer(pattern))
    }

    static func binary(_ operation: @escaping @Sendable (Int64, Int64) -> Int64) -> BuiltInFunction {
        { (arguments) throws(Fault) in
            let left = try arguments.argument(0).requiredBits(operand: 0)
            let right = try arguments.argument(1).requiredBits(operand: 1)
            let isUnsigned = left.isUnsigned || right.isUnsigned
            return Bits(pattern: operation(left.pattern, right.pattern), isUnsigned: isUnsigned).value
        }
    }

    /// `a << n`
    static let leftShift = shift("leftshift:by:") { (bits, count) in bits.pattern << count }

    /// `a >> n`
    static let rightShift = shift("rightshift:by:") { (bits, count) in
        bits.isUnsigned ? Int64(bitPattern: UInt64(bitPattern: bits.pattern) >> UInt64(count)) : bits.pattern >> count
    }

    /// Bits that are shifted out are lost: a shift by 64 or more gives 0, or the sign if it is to the right. Throws
    /// `argumentKind` for a count below 0.
    private static func shift(_ name: String, _ operation: @escaping @Sendable (Bits, Int64) -> Int64)
        -> BuiltInFunction
    {
        { (arguments) throws(Fault) in
            let bits = try arguments.argument(0).requiredBits(operand: 0)
            let count = try arguments.argument(1).requiredInteger(operand: 1)
            guard count >= 0 else {
                let found = arguments.argument(1).found
                throw Fault(.argumentKind(function: name, expected: "a count of 0 or more", found: found), operand: 1)
            }
            return Bits(pattern: operation(bits, count), isUnsigned: bits.isUnsigned).value
        }
    }

    /// `~a`: −1 − a.
    static let complement: BuiltInFunction = { (arguments) throws(Fault) in
        let bits = try arguments.argument(0).requiredBits(operand: 0)
        return Bits(pattern: ~bits.pattern, isUnsigned: bits.isUnsigned).value
    }

    fileprivate init(pattern: Int64, isUnsigned: Bool) {
        self.pattern = pattern
        self.isUnsigned = isUnsigned
    }
}

extension KeyedValue {
    /// Returns the bits of an operand, which must be an integer.
    @inline(never)
    fileprivate func requiredBits(operand: Int) throws(Fault) -> Bits {
        if case .value(.integer(let value)) = self { return Bits(pattern: value, isUnsigned: false) }
        if case .value(.decimal(let value)) = self, let unsigned = value.unsignedInteger {
            return Bits(pattern: Int64(bitPattern: unsigned), isUnsigned: true)
        }
        return Bits(pattern: try requiredInteger(operand: operand), isUnsigned: false)
    }
}

// MARK: - Statistics

/// Functions of many values: `sum(prices)`, `max({1, 2})`, `average(1, 2, 3)`.
///
/// A single argument that is a collection is replaced by its elements. nil elements are skipped; a single nil
/// argument gives nil, as with collection operators. Values that are not numbers throw `notANumber`; `min` and `max`
/// take all values that have an order.
enum Statistics {
    /// The sum; 0 for an empty collection.
    static let sum: BuiltInFunction = { (arguments) throws(Fault) in
        try withNumbers(arguments) { (numbers) throws(Fault) in
            try faulting { () throws(EvaluationError) in try total(numbers).sum().predicateValue }
        }
    }

    /// The number of elements, including nil.
    static let count: BuiltInFunction = { (arguments) throws(Fault) in
        guard arguments.count == 1 else { return .value(.integer(Int64(arguments.count))) }
        if arguments.argument(0).isNull { return .null }
        return .value(.integer(Int64(arguments.argument(0).elementCount ?? 1)))
    }

    /// The least value. Throws `emptyCollection`.
    static let minimum: BuiltInFunction = { (arguments) throws(Fault) in try extreme(arguments, "min:", keeps: .less) }

    /// The greatest value. Throws `emptyCollection`.
    static let maximum: BuiltInFunction = { (arguments) throws(Fault) in try extreme(arguments, "max:", keeps: .greater)
    }

    /// The mean: a decimal if the numbers are decimals, otherwise a double. Throws `emptyCollection`.
    static let average: BuiltInFunction = { (arguments) throws(Fault) in
        try withNumbers(arguments, notEmptyFor: "average:") { (numbers) throws(Fault) in
            try faulting { () throws(EvaluationError) in
                try total(numbers).average(of: numbers.count).predicateValue
            }
        }
    }

    /// The number in the middle, or the mean of the two numbers in the middle. Throws `emptyCollection`.
    static let median: BuiltInFunction = { (arguments) throws(Fault) in
        try withNumbers(arguments, notEmptyFor: "median:") { (numbers) in
            let sorted = numbers.sorted { $0.compare($1) == .less }
            let middle = sorted.count / 2
            if sorted.count % 2 == 1 { return sorted[middle].predicateValue }
            return .double(sorted[middle - 1].doubleValue / 2 + sorted[middle].doubleValue / 2)
        }
    }

    /// An array of the most frequent numbers, in the order of their first appearance; empty for an empty collection.
    static let mode: BuiltInFunction = { (arguments) throws(Fault) in
        try withNumbers(arguments) { (numbers) in
            let values = numbers.map { DistinctValue(.value($0.predicateValue)) }
            var counts: [DistinctValue: Int] = [:]
            for value in values { counts[value, default: 0] += 1 }
            let most = values.map { counts[$0] ?? 0 }.max()
            let modes = values.map(\.value).distinct.filter { counts[DistinctValue($0)] ?? 0 == most }
            return .array(modes.compactMap(\.predicateValue))
        }
    }

    /// The standard deviation of a population, not of a sample. Throws `emptyCollection`.
    static let standardDeviation: BuiltInFunction = { (arguments) throws(Fault) in
        try withNumbers(arguments, notEmptyFor: "stddev:") { (numbers) in
            let values = numbers.map(\.doubleValue)
            let mean = values.reduce(0, +) / Double(values.count)
            let squares = values.map { ($0 - mean) * ($0 - mean) }
            return .double((squares.reduce(0, +) / Double(values.count)).squareRoot())
        }
    }

    /// Returns the arguments that are not nil; nil if the only argument is nil.
    private static func values(_ arguments: [KeyedValue]) -> [KeyedValue]? {
        guard arguments.count == 1 else { return arguments.filter { !$0.isNull } }
        let argument = arguments.argument(0)
        if argument.isNull { return nil }
        return (argument.elements ?? [argument]).filter { !$0.isNull }
    }

    /// Applies `body` to the numbers of a call; the result is nil if the only argument is nil.
    private static func withNumbers(
        _ arguments: [KeyedValue], notEmptyFor function: String? = nil,
        _ body: ([Number]) throws(Fault) -> PredicateValue
    ) throws(Fault) -> KeyedValue {
        guard let numbers = try numbers(arguments, notEmptyFor: function) else { return .null }
        return .value(try body(numbers))
    }

    /// Returns the numbers of a call; nil if its only argument is nil.
    @inline(never)
    private static func numbers(
        _ arguments: [KeyedValue], notEmptyFor function: String?
    ) throws(Fault) -> [Number]? {
        guard let values = values(arguments) else { return nil }
        if let function, values.isEmpty { throw Fault(.emptyCollection(function: function)) }
        var numbers: [Number] = []
        numbers.reserveCapacity(values.count)
        for value in values { numbers.append(try value.requiredNumber()) }
        return numbers
    }

    @inline(never)
    private static func total(_ numbers: [Number]) throws(EvaluationError) -> NumberTotal {
        var total = NumberTotal()
        for number in numbers { try total.add(number) }
        return total
    }

    private static func extreme(
        _ arguments: [KeyedValue], _ function: String, keeps order: Ordering.Outcomes
    ) throws(Fault) -> KeyedValue {
        guard let values = values(arguments) else { return .null }
        guard var best = values.first else { throw Fault(.emptyCollection(function: function)) }
        for value in values.dropFirst() where try Ordering.compare(value, best, .none) == order { best = value }
        return best
    }
}

// MARK: - Strings

/// Functions of strings: `uppercase(name)`, `length(name)`. nil gives nil; other values throw `argumentKind`.
enum TextFunctions {
    static let uppercase = function("uppercase:") { .string(CaseMapping.upper.map($0)) }
    static let lowercase = function("lowercase:") { .string(CaseMapping.lower.map($0)) }
    /// The number of UTF-16 code units, as the key `length` returns it.
    static let length = function("length:") { .integer(Int64($0.utf16.count)) }

    private static func function(
        _ name: String, _ body: @escaping @Sendable (String) -> PredicateValue
    ) -> BuiltInFunction {
        { (arguments) throws(Fault) in
            let argument = arguments.argument(0)
            if argument.isNull { return .null }
            guard let text = argument.text else {
                throw Fault(.argumentKind(function: name, expected: "a string", found: argument.found), operand: 0)
            }
            return .value(body(text))
        }
    }
}

// MARK: - Locations

/// `distanceToLocation:fromLocation:(here, home) < 1000`: the great-circle distance in metres.
///
/// A location is an object with the keys `latitude` and `longitude`, in degrees, or with a `coordinate` that has
/// these keys, or an array `{latitude, longitude}`. The earth is a sphere of 6,371,008.8 m, its mean radius; the
/// distance on an ellipsoid differs by up to half a percent. nil gives nil; other values throw `argumentKind`.
enum Location {
    static let distance: BuiltInFunction = { (arguments) throws(Fault) in
        let (first, second) = (arguments.argument(0), arguments.argument(1))
        if first.isNull || second.isNull { return .null }
        let (here, there) = (try position(of: first, operand: 0), try position(of: second, operand: 1))
        return .value(.double(distance(here, there)))
    }

    private struct Coordinate {
        var latitude: Double
        var longitude: Double
    }

    private static let radius = 6_371_008.8

    /// The haversine formula, which is accurate for short distances too.
    private static func distance(_ here: Coordinate, _ there: Coordinate) -> Double {
        let latitudes = Foundation.sin(radians(there.latitude - here.latitude) / 2)
        let longitudes = Foundation.sin(radians(there.longitude - here.longitude) / 2)
        let cosines = Foundation.cos(radians(here.latitude)) * Foundation.cos(radians(there.latitude))
        let square = latitudes * latitudes + cosines * longitudes * longitudes
        return 2 * radius * Foundation.asin(min(1, square.squareRoot()))
    }

    private static func radians(_ degrees: Double) -> Double {
        degrees * .pi / 180
    }

    private static func position(of value: KeyedValue, operand: Int) throws(Fault) -> Coordinate {
        if let pair = value.isOrderedCollection ? value.elements : nil, pair.count == 2,
            let latitude = pair[0].number, let longitude = pair[1].number
        {
            return Coordinate(latitude: latitude.doubleValue, longitude: longitude.doubleValue)
        }
        for keys in [[], ["coordinate"]] {
            if let latitude = degrees(value, keys + ["latitude"]), let longitude = degrees(value, keys + ["longitude"])
            {
                return Coordinate(latitude: latitude, longitude: longitude)
            }
        }
        throw Fault(
            .argumentKind(
                function: FunctionExpression.Predefined.distance.rawValue, expected: "a location", found: value.found),
            operand: operand)
    }

    /// Returns the number at the end of a path; nil if there is no such key.
    private static func degrees(_ value: KeyedValue, _ keys: [String]) -> Double? {
        let number = try? ResolvedKeyPath(components: keys).value(from: value).number
        return number?.doubleValue
    }
}
