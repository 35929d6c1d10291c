import PredicateSyntax

/// A number in bytecode: an integer or a double, not a decimal.
struct NumericValue: BitwiseCopyable {
    private let bits: UInt64
    let isDouble: Bool

    @inline(__always)
    init(_ value: Int64) {
        bits = UInt64(bitPattern: value)
        isDouble = false
    }

    @inline(__always)
    init(_ value: Double) {
        bits = value.bitPattern
        isDouble = true
    }

    @inline(__always)
    init(_ value: Bool) {
        self.init(Int64(value ? 1 : 0))
    }

    /// Makes the number of a value; nil for decimals and for other values.
    init?(_ value: PredicateValue) {
        switch value {
        case .integer(let value): self.init(value)
        case .bool(let value): self.init(value)
        case .double(let value): self.init(value)
        case .null, .nullObject, .decimal, .string, .date, .data, .uuid, .url, .type, .array, .set, .orderedSet,
            .dictionary, .object, .expression, .predicate:
            return nil
        }
    }

    @inline(__always)
    var integer: Int64 { Int64(bitPattern: bits) }

    @inline(__always)
    var double: Double { isDouble ? Double(bitPattern: bits) : Double(integer) }

    var predicateValue: PredicateValue { isDouble ? .double(double) : .integer(integer) }

    /// Returns the result of an operation; nil if it is an error.
    @inline(__always)
    func combined(_ operation: ArithmeticOperator, _ other: NumericValue) -> NumericValue? {
        if isDouble || other.isDouble { return NumericValue(operation.result(double, other.double)) }
        let result: (partialValue: Int64, overflow: Bool)
        switch operation {
        case .add: result = integer.addingReportingOverflow(other.integer)
        case .subtract: result = integer.subtractingReportingOverflow(other.integer)
        case .multiply: result = integer.multipliedReportingOverflow(by: other.integer)
        case .divide: result = integer.dividedReportingOverflow(by: other.integer)
        }
        return result.overflow ? nil : NumericValue(result.partialValue)
    }

    /// Returns the outcome of comparing two numbers.
    @inline(__always)
    func order(to other: NumericValue) -> Ordering.Outcomes {
        if isDouble || other.isDouble {
            let (left, right) = (double, other.double)
            if left < right { return .less }
            return left == right ? .equal : left > right ? .greater : Ordering.Outcomes(.withoutNumber(left, right))
        }
        return integer < other.integer ? .less : integer == other.integer ? .equal : .greater
    }
}

extension ArithmeticOperator {
    /// Returns the result for two doubles.
    @inline(__always)
    func result(_ left: Double, _ right: Double) -> Double {
        switch self {
        case .add: left + right
        case .subtract: left - right
        case .multiply: left * right
        case .divide: left / right
        }
    }
}

/// A step of arithmetic on the preceding double: `* 2`.
struct NumericLink: BitwiseCopyable {
    let operation: ArithmeticOperator
    let constant: Double

    /// Returns the constants that are applied to one double in sequence: `score * 2 + 1`; nil for other steps.
    static func chain(_ steps: UnsafeBufferPointer<NumericStep>) -> [NumericLink]? {
        guard let first = steps.first, first.kind != .constant, first.type == .double, steps.count % 2 == 1 else {
            return nil
        }
        var links: [NumericLink] = []
        for index in stride(from: 1, to: steps.count, by: 2) {
            guard steps[index].kind == .constant, steps[index + 1].kind == .operation else { return nil }
            links.append(NumericLink(operation: steps[index + 1].operation, constant: steps[index].constant.double))
        }
        return links
    }
}

/// A step of arithmetic on a stack, in postfix order.
struct NumericStep: BitwiseCopyable {
    enum Kind: UInt8 {
        /// `2`
        case constant
        /// `score`, a stored number
        case stored
        /// `score` of a dictionary
        case fetched
        /// `a + b`, of the top two entries
        case operation
    }

    var kind: Kind
    var constant = NumericValue(Int64(0))
    /// The type of a stored number; for a fetched number, the common type if there is one.
    var type: StoredType? = .integer
    var offset = 0
    var source: Unmanaged<Source>?
    var operation = ArithmeticOperator.add

    /// Returns the greatest stack depth that steps need.
    static func height(of steps: [NumericStep]) -> Int {
        var (height, most) = (0, 0)
        for step in steps {
            height += step.kind == .operation ? -1 : 1
            most = max(most, height)
        }
        return most
    }
}

/// `score * 2 + 1 > 50`, `spent > budget`: numbers computed on a stack and compared.
final class ArithmeticComparison {
    /// The maximum stack depth of an expression.
    static let depth = 8

    private let left: UnsafeBufferPointer<NumericStep>
    /// The right side if it is not a constant, and the outcomes that satisfy the comparison.
    private let right: (steps: UnsafeBufferPointer<NumericStep>, outcomes: Ordering.Outcomes)?

    /// Makes a computed number that a test compares with a constant.
    init(_ left: UnsafeBufferPointer<NumericStep>) {
        self.left = left
        right = nil
    }

    /// Makes a comparison of two numbers.
    init(
        _ left: UnsafeBufferPointer<NumericStep>, _ outcomes: Ordering.Outcomes,
        _ right: UnsafeBufferPointer<NumericStep>
    ) {
        self.left = left
        self.right = (right, outcomes)
    }

    /// True if any number is fetched.
    var isFetching: Bool { (Array(left) + Array(right?.steps ?? left)).contains { $0.kind == .fetched } }

    func result(for object: UnsafeRawPointer, _ test: UnsafePointer<LeafTest>) -> LeafResult {
        guard let leftValue = Self.value(of: left, object) else { return .unknown }
        guard let right else {
            return leftValue.isDouble
                ? test.pointee.result(double: leftValue.double) : test.pointee.result(integer: leftValue.integer)
        }
        guard let rightValue = Self.value(of: right.steps, object) else { return .unknown }
        return LeafResult(right.outcomes.contains(leftValue.order(to: rightValue)))
    }

    /// Returns the number of the left side; nil if only the plan finds it.
    func number(of object: UnsafeRawPointer) -> NumericValue? { Self.value(of: left, object) }

    @inline(never)
    private static func value(
        of steps: UnsafeBufferPointer<NumericStep>, _ object: UnsafeRawPointer
    ) -> NumericValue? {
        withUnsafeTemporaryAllocation(of: NumericValue.self, capacity: depth) { stack in
            var height = 0
            for step in steps {
                let value: NumericValue?
                switch step.kind {
                case .constant: value = step.constant
                case .stored: value = step.type?.number(at: object + step.offset)
                case .fetched: value = step.source?._withUnsafeGuaranteedRef { $0.number(of: object) }
                case .operation:
                    height &-= 2
                    value = stack[height].combined(step.operation, stack[height &+ 1])
                }
                guard let value else { return nil }
                stack[height] = value
                height &+= 1
            }
            return stack[0]
        }
    }
}

extension StoredType {
    /// Returns the number stored at an address; nil if it is nil or of another type.
    @inline(__always)
    func number(at address: UnsafeRawPointer) -> NumericValue? {
        switch self {
        case .integer: NumericValue(address.load(as: Int64.self))
        case .double: NumericValue(address.load(as: Double.self))
        case .integer32: NumericValue(Int64(address.load(as: Int32.self)))
        case .integer16: NumericValue(Int64(address.load(as: Int16.self)))
        case .integer8: NumericValue(Int64(address.load(as: Int8.self)))
        case .unsigned: Int64(exactly: address.load(as: UInt64.self)).map { NumericValue($0) }
        case .unsigned32: NumericValue(Int64(address.load(as: UInt32.self)))
        case .unsigned16: NumericValue(Int64(address.load(as: UInt16.self)))
        case .unsigned8: NumericValue(Int64(address.load(as: UInt8.self)))
        case .bool: NumericValue(address.load(as: Bool.self))
        case .float: NumericValue(Double(address.load(as: Float.self)))
        case .optionalInteger: address.load(as: Int64?.self).map { NumericValue($0) }
        case .optionalInteger32: address.load(as: Int32?.self).map { NumericValue(Int64($0)) }
        case .optionalBool: address.load(as: Bool?.self).map { NumericValue($0) }
        case .optionalDouble: address.load(as: Double?.self).map { NumericValue($0) }
        case .date, .string, .optionalDate, .optionalString, .strings, .integers, .doubles: nil
        }
    }
}
