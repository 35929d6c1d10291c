import Foundation
import PredicateEvaluation
import PredicateSyntax

/// Functions by name, those that operators stand for too.
extension ReferenceEvaluator {
    func hostFunction(_ name: String) -> EvaluationRegistry.Function? {
        registry.functions[name.last == ":" ? String(name.dropLast()) : name]
    }

    mutating func value(_ call: FunctionExpression) throws(ReferenceError) -> ReferenceValue {
        switch call.function {
        case .predefined(let function):
            if [.add, .subtract, .multiply, .divide].contains(function) {
                return .number(try arithmetic(function, call.arguments[0], call.arguments[1]))
            }
            let result = try Self.result(of: function, values(call.arguments))
            if let text = result.text, text.utf8.count > limits.resultSize { throw ReferenceError(.resultTooLarge) }
            return result
        case .custom(let name):
            guard let body = hostFunction(name) else { throw ReferenceError(.unknownFunction) }
            let arguments = try values(call.arguments)
            return ReferenceValue(try hosted { try body(arguments.map(\.keyedValue)) })
        }
    }

    mutating func values(_ nodes: [ExpressionNode]) throws(ReferenceError) -> [ReferenceValue] {
        var values: [ReferenceValue] = []
        for node in nodes {
            values.append(try value(node))
            try spend(1 + values[values.count - 1].weight)
        }
        return values
    }

    /// `+ - * /`: the left side has to be a number before the right side is looked at. [NSP-133]
    private mutating func arithmetic(
        _ function: FunctionExpression.Predefined, _ left: ExpressionNode, _ right: ExpressionNode
    ) throws(ReferenceError) -> ReferenceNumber {
        let left = try Self.number(value(left))
        let right = try Self.number(value(right))
        switch function {
        case .add: return try left.plus(right)
        case .subtract: return try left.minus(right)
        case .multiply: return try left.times(right)
        default: return try left.over(right)
        }
    }

    private static func number(_ value: ReferenceValue) throws(ReferenceError) -> ReferenceNumber {
        guard let number = value.number else { throw ReferenceError(.notANumber) }
        return number
    }

    private static func integer(_ value: ReferenceValue) throws(ReferenceError) -> Int64 {
        guard let integer = try number(value).asInteger else { throw ReferenceError(.notAnInteger) }
        return integer
    }

    private static func result(
        of function: FunctionExpression.Predefined, _ arguments: [ReferenceValue]
    ) throws(ReferenceError) -> ReferenceValue {
        switch function {
        case .sum, .count, .min, .max, .average, .median, .mode, .stddev:
            return try statistic(function, of: arguments)
        case .add, .subtract, .multiply, .divide, .modulus, .power:
            return .number(try binary(function, number(arguments[0]), number(arguments[1])))
        case .sqrt, .log, .ln, .exp, .floor, .ceiling, .trunc, .abs, .negate:
            return .number(try unary(function, number(arguments[0])))
        case .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift, .rightShift:
            return .number(try bits(function, pattern(arguments[0]), arguments[1]))
        case .onesComplement:
            let (bits, unsigned) = try pattern(arguments[0])
            return .number(number(~bits, unsigned))
        case .uppercase, .lowercase, .length: return try textual(function, arguments[0])
        case .now: return .date(Date())
        case .random: return .number(.double(Double.random(in: 0..<1)))
        case .randomn:
            let bound = try integer(arguments[0])
            guard bound > 0 else { throw ReferenceError(.argumentKind) }
            return .number(.integer(Int64.random(in: 0..<bound)))
        case .noindex: return arguments[0]
        case .distance: return try distance(arguments[0], arguments[1])
        }
    }

    private static func binary(
        _ function: FunctionExpression.Predefined, _ left: ReferenceNumber, _ right: ReferenceNumber
    ) throws(ReferenceError) -> ReferenceNumber {
        switch function {
        case .add: try left.plus(right)
        case .subtract: try left.minus(right)
        case .multiply: try left.times(right)
        case .divide: try left.over(right)
        case .modulus: try left.remainder(right)
        default: left.power(right)
        }
    }

    /// [NSP-159]
    private static func unary(
        _ function: FunctionExpression.Predefined, _ number: ReferenceNumber
    ) throws(ReferenceError) -> ReferenceNumber {
        switch function {
        case .sqrt: .double(number.asDouble.squareRoot())
        case .log: .double(log10(number.asDouble))
        case .ln: .double(log(number.asDouble))
        case .exp: .double(exp(number.asDouble))
        case .floor: number.rounded(.down)
        case .ceiling: number.rounded(.up)
        case .trunc: number.rounded(.towardZero)
        case .abs: try number.absolute()
        default: try number.negated()
        }
    }

    /// The 64 bits of an integer, and whether they are those of one without a sign. [NSP-177]
    private static func pattern(_ value: ReferenceValue) throws(ReferenceError) -> (bits: UInt64, unsigned: Bool) {
        if case .number(.decimal(let decimal)) = value, decimal > Decimal(Int64.max), let bits = UInt64("\(decimal)") {
            return (bits, true)
        }
        return (UInt64(bitPattern: try integer(value)), false)
    }

    private static func number(_ bits: UInt64, _ unsigned: Bool) -> ReferenceNumber {
        unsigned && bits > Int64.max ? .decimal(Decimal(bits)) : .integer(Int64(bitPattern: bits))
    }

    /// [NSP-134] [NSP-177]
    private static func bits(
        _ function: FunctionExpression.Predefined, _ left: (bits: UInt64, unsigned: Bool), _ right: ReferenceValue
    ) throws(ReferenceError) -> ReferenceNumber {
        if function == .leftShift || function == .rightShift {
            let count = try integer(right)
            guard count >= 0 else { throw ReferenceError(.argumentKind) }
            let fill: UInt64 = left.unsigned || left.bits >> 63 == 0 ? 0 : .max
            var bits = left.bits
            for _ in 0..<min(count, 64) {
                bits = function == .leftShift ? bits << 1 : bits >> 1 | fill << 63
            }
            return number(bits, left.unsigned)
        }
        let (other, unsigned) = try pattern(right)
        let bits =
            switch function {
            case .bitwiseAnd: left.bits & other
            case .bitwiseOr: left.bits | other
            default: left.bits ^ other
            }
        return number(bits, left.unsigned || unsigned)
    }

    /// [NSP-160] [NSP-340]
    private static func textual(
        _ function: FunctionExpression.Predefined, _ value: ReferenceValue
    ) throws(ReferenceError) -> ReferenceValue {
        if value.isNull { return .null }
        guard let text = value.text else { throw ReferenceError(.argumentKind) }
        switch function {
        case .uppercase: return .text(SlowCase.uppercase(text))
        case .lowercase: return .text(SlowCase.lowercase(text))
        default: return .number(.integer(Int64(text.utf16.count)))
        }
    }
}

/// Functions of many values. [NSP-127] [NSP-128] [NSP-129]
extension ReferenceEvaluator {
    private static func statistic(
        _ function: FunctionExpression.Predefined, of arguments: [ReferenceValue]
    ) throws(ReferenceError) -> ReferenceValue {
        let isOne = arguments.count == 1
        if isOne, arguments[0].isNull { return .null }
        let all = isOne ? arguments[0].elements ?? arguments : arguments
        if function == .count { return .number(.integer(Int64(all.count))) }
        let values = all.filter { !$0.isNull }
        if values.isEmpty, function != .sum, function != .mode { throw ReferenceError(.emptyCollection) }
        if function == .min || function == .max { return try extreme(function, of: values) }
        var numbers: [ReferenceNumber] = []
        for value in values { numbers.append(try number(value)) }
        switch function {
        case .sum: return .number(try sum(of: numbers))
        case .average:
            return .number(try mean(of: numbers, over: numbers.count))
        case .median: return .number(median(of: numbers))
        case .mode:
            let counts = values.map { value in values.count { value.equals($0) } }
            let modes = zip(values, counts).filter { $0.1 == counts.max() }.map(\.0)
            return .list(modes.distinct, .array)
        default:
            let mean = numbers.reduce(0) { $0 + $1.asDouble } / Double(numbers.count)
            let squares = numbers.reduce(0) { $0 + ($1.asDouble - mean) * ($1.asDouble - mean) }
            return .number(.double((squares / Double(numbers.count)).squareRoot()))
        }
    }

    /// The sum of integers is past 64 bits or not, whatever their order.
    static func sum(of numbers: [ReferenceNumber]) throws(ReferenceError) -> ReferenceNumber {
        let (integers, rest) = split(numbers)
        if rest.isEmpty, Int64(exactly: integers) == nil { throw ReferenceError(.integerOverflow) }
        return try total(integers, rest)
    }

    static func mean(of numbers: [ReferenceNumber], over count: Int) throws(ReferenceError) -> ReferenceNumber {
        let (integers, rest) = split(numbers)
        let total = try total(integers, rest)
        if case .decimal = total { return try total.over(.integer(Int64(count))) }
        return .double(total.asDouble / Double(count))
    }

    /// The sum of the integers before the first other number, and all numbers from that on.
    private static func split(_ numbers: [ReferenceNumber]) -> (Int128, [ReferenceNumber]) {
        var rest = numbers[...]
        var integers: Int128 = 0
        while case .integer(let integer)? = rest.first {
            integers += Int128(integer)
            rest.removeFirst()
        }
        return (integers, Array(rest))
    }

    private static func total(
        _ integers: Int128, _ rest: [ReferenceNumber]
    ) throws(ReferenceError) -> ReferenceNumber {
        var total: ReferenceNumber = Int64(exactly: integers).map { .integer($0) } ?? .double(Double(integers))
        for number in rest { total = try total.plus(number) }
        return total
    }

    private static func median(of numbers: [ReferenceNumber]) -> ReferenceNumber {
        let sorted = numbers.sorted { $0.order($1) == -1 }
        let middle = sorted.count / 2
        if sorted.count % 2 == 1 { return sorted[middle] }
        return .double(sorted[middle - 1].asDouble / 2 + sorted[middle].asDouble / 2)
    }

    private static func extreme(
        _ function: FunctionExpression.Predefined, of values: [ReferenceValue]
    ) throws(ReferenceError) -> ReferenceValue {
        var best = values[0]
        for value in values.dropFirst() where try order(value, best, .none) == (function == .min ? -1 : 1) {
            best = value
        }
        return best
    }
}

/// Places on the earth, taken for a sphere. [NSP-164]
extension ReferenceEvaluator {
    private static func distance(
        _ first: ReferenceValue, _ second: ReferenceValue
    ) throws(ReferenceError) -> ReferenceValue {
        if first.isNull || second.isNull { return .null }
        let (here, there) = (try place(first), try place(second))
        let across = sin((there.longitude - here.longitude) / 2)
        let up = sin((there.latitude - here.latitude) / 2)
        let square = up * up + cos(here.latitude) * cos(there.latitude) * across * across
        return .number(.double(2 * 6_371_008.8 * asin(min(1, square.squareRoot()))))
    }

    /// Latitude and longitude in radians.
    private static func place(
        _ value: ReferenceValue
    ) throws(ReferenceError) -> (latitude: Double, longitude: Double) {
        if let pair = value.orderedList, pair.count == 2, let latitude = pair[0].number, let longitude = pair[1].number
        {
            return (latitude.asDouble * .pi / 180, longitude.asDouble * .pi / 180)
        }
        for path in [[], ["coordinate"]] {
            var walker = ReferenceEvaluator(standing: value)
            let latitude = try? walker.follow((path + ["latitude"])[...], from: value)
            let longitude = try? walker.follow((path + ["longitude"])[...], from: value)
            if let latitude = latitude?.number, let longitude = longitude?.number {
                return (latitude.asDouble * .pi / 180, longitude.asDouble * .pi / 180)
            }
        }
        throw ReferenceError(.argumentKind)
    }
}
