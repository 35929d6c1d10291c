import PredicateSyntax

/// A number in a program: an integer or a double.
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

    /// The number that a value is; nil for decimals and everything else.
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

    /// What an operation gives; nil where it is an error.
    @inline(__always)
    func combined(_ operation: ArithmeticPlan.Operation, _ other: NumericValue) -> NumericValue? {
        if isDouble || other.isDouble { return NumericValue(Self.result(double, operation, other.double)) }
        let result: (partialValue: Int64, overflow: Bool)
        switch operation {
        case .add: result = integer.addingReportingOverflow(other.integer)
        case .subtract: result = integer.subtractingReportingOverflow(other.integer)
        case .multiply: result = integer.multipliedReportingOverflow(by: other.integer)
        case .divide: result = integer.dividedReportingOverflow(by: other.integer)
        }
        return result.overflow ? nil : NumericValue(result.partialValue)
    }

    @inline(__always)
    static func result(_ left: Double, _ operation: ArithmeticPlan.Operation, _ right: Double) -> Double {
        switch operation {
        case .add: left + right
        case .subtract: left - right
        case .multiply: left * right
        case .divide: left / right
        }
    }

    /// How the number stands to another: one outcome, or none where one is not a number.
    @inline(__always)
    func order(to other: NumericValue) -> Ordering.Outcomes {
        if isDouble || other.isDouble {
            let (left, right) = (double, other.double)
            return left < right ? .less : left == right ? .equal : left > right ? .greater : []
        }
        return integer < other.integer ? .less : integer == other.integer ? .equal : .greater
    }
}

/// One step of arithmetic on a double that came before: `* 2`.
struct NumericLink: BitwiseCopyable {
    let operation: ArithmeticPlan.Operation
    let constant: Double

    /// What a double meets one after another: `score * 2 + 1`; nil for all else.
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

/// One step of arithmetic on a stack.
struct NumericStep: BitwiseCopyable {
    enum Kind: UInt8 {
        /// `2`
        case constant
        /// `score`, a number in its place
        case stored
        /// `score` of a dictionary
        case fetched
        /// `a + b`, of the two uppermost
        case operation
    }

    var kind: Kind
    var constant = NumericValue(Int64(0))
    /// The type of a number in its place; of a fetched one where all have the same.
    var type: StoredType? = .integer
    var offset = 0
    var source: Unmanaged<Source>?
    var operation = ArithmeticPlan.Operation.add
}

/// `score * 2 + 1 > 50`, `spent > budget`: numbers worked out and compared.
final class NumericQuestion {
    /// The deepest stack that an expression may need.
    static let depth = 8

    let left: UnsafeBufferPointer<NumericStep>
    /// The right side where it is not known beforehand, and which outcomes satisfy.
    let right: UnsafeBufferPointer<NumericStep>?
    let outcomes: Ordering.Outcomes
    let isNegated: Bool

    /// What a test asks of the result of the steps.
    init(_ left: UnsafeBufferPointer<NumericStep>) {
        self.left = left
        self.right = nil
        self.outcomes = []
        self.isNegated = false
    }

    /// Whether the result of the left steps stands to that of the right ones as the outcomes say.
    init(
        _ left: UnsafeBufferPointer<NumericStep>, _ outcomes: Ordering.Outcomes,
        _ right: UnsafeBufferPointer<NumericStep>, isNegated: Bool
    ) {
        self.left = left
        self.right = right
        self.outcomes = outcomes
        self.isNegated = isNegated
    }

    /// Whether any of the numbers is fetched.
    var isFetching: Bool { (Array(left) + Array(right ?? left)).contains { $0.kind == .fetched } }

    func answer(_ object: UnsafeRawPointer, _ test: UnsafePointer<LeafTest>) -> Answer {
        guard let leftValue = Self.value(left, object) else { return .unknown }
        guard let right else {
            return leftValue.isDouble ? test.pointee.answer(leftValue.double) : test.pointee.answer(leftValue.integer)
        }
        guard let rightValue = Self.value(right, object) else { return .unknown }
        return Answer(!outcomes.isDisjoint(with: leftValue.order(to: rightValue)) != isNegated)
    }

    /// The value in doubles where a double in its place meets constants one after another: `score * 2 + 1`.
    @inline(__always)
    private static func value(_ steps: UnsafeBufferPointer<NumericStep>, _ object: UnsafeRawPointer) -> NumericValue? {
        guard let first = steps.first, first.kind == .stored, first.type == .double, steps.count > 2 else {
            return stacked(steps, object)
        }
        var value = (object + first.offset).load(as: Double.self)
        var index = 1
        while index &+ 1 < steps.count {
            guard steps[index].kind == .constant, steps[index &+ 1].kind == .operation else {
                return stacked(steps, object)
            }
            value = NumericValue.result(value, steps[index &+ 1].operation, steps[index].constant.double)
            index &+= 2
        }
        return NumericValue(value)
    }

    @inline(never)
    private static func stacked(
        _ steps: UnsafeBufferPointer<NumericStep>, _ object: UnsafeRawPointer
    ) -> NumericValue? {
        withUnsafeTemporaryAllocation(of: NumericValue.self, capacity: depth) { stack in
            var height = 0
            for step in steps {
                let value: NumericValue?
                switch step.kind {
                case .constant: value = step.constant
                case .stored: value = step.type?.number(at: object + step.offset)
                case .fetched: value = step.source?._withUnsafeGuaranteedRef { $0.number(object) }
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
    /// The number stored at a place; nil for nil and what is none.
    @inline(__always)
    func number(at place: UnsafeRawPointer) -> NumericValue? {
        switch self {
        case .integer: NumericValue(place.load(as: Int64.self))
        case .double: NumericValue(place.load(as: Double.self))
        case .integer32: NumericValue(Int64(place.load(as: Int32.self)))
        case .integer16: NumericValue(Int64(place.load(as: Int16.self)))
        case .integer8: NumericValue(Int64(place.load(as: Int8.self)))
        case .unsigned: Int64(exactly: place.load(as: UInt64.self)).map { NumericValue($0) }
        case .unsigned32: NumericValue(Int64(place.load(as: UInt32.self)))
        case .unsigned16: NumericValue(Int64(place.load(as: UInt16.self)))
        case .unsigned8: NumericValue(Int64(place.load(as: UInt8.self)))
        case .bool: NumericValue(place.load(as: Bool.self))
        case .float: NumericValue(Double(place.load(as: Float.self)))
        case .optionalInteger: place.load(as: Int64?.self).map { NumericValue($0) }
        case .optionalInteger32: place.load(as: Int32?.self).map { NumericValue(Int64($0)) }
        case .optionalBool: place.load(as: Bool?.self).map { NumericValue($0) }
        case .optionalDouble: place.load(as: Double?.self).map { NumericValue($0) }
        case .date, .string, .optionalDate, .optionalString, .strings, .integers, .doubles: nil
        }
    }
}
