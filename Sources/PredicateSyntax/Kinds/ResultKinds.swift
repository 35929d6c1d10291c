/// A type that `CAST(value, "NSDate")` can name.
package enum CastType: String, CaseIterable, Hashable, Sendable {
    case string = "NSString"
    case number = "NSNumber"
    case decimalNumber = "NSDecimalNumber"
    case date = "NSDate"
    case data = "NSData"
    case uuid = "NSUUID"
    case url = "NSURL"
    case array = "NSArray"
    case set = "NSSet"
    case orderedSet = "NSOrderedSet"
    case dictionary = "NSDictionary"
    case type = "Class"

    /// The kind of the values that the cast gives.
    package var kind: PredicateValue.Kind {
        switch self {
        case .string: .string
        case .number, .decimalNumber: .number
        case .date: .date
        case .data: .data
        case .uuid: .uuid
        case .url: .url
        case .array, .set, .orderedSet: .array
        case .dictionary: .dictionary
        case .type: .object
        }
    }

    /// The type that gives values of a kind; nil for a kind that no cast gives.
    package init?(giving kind: PredicateValue.Kind) {
        switch kind {
        case .string: self = .string
        case .number: self = .number
        case .date: self = .date
        case .data: self = .data
        case .uuid: self = .uuid
        case .url: self = .url
        case .array: self = .array
        case .dictionary: self = .dictionary
        case .boolean, .object: return nil
        }
    }
}

/// What is known about the result of a function without its arguments' values.
package enum ResultKind: Hashable, Sendable {
    /// `uppercase(name)`: a string
    case kind(PredicateValue.Kind)
    /// `a * b`: a number, and a whole one if all operands are
    case arithmetic
    /// `noindex:(name)`: the argument
    case argument
    /// `max:(scores)`: one of the elements
    case element
}

extension FunctionExpression.Predefined {
    /// What kind of value the function gives.
    package var result: ResultKind {
        switch self {
        case .add, .subtract, .multiply, .divide, .modulus, .negate, .abs, .bitwiseAnd, .bitwiseOr, .bitwiseXor,
            .leftShift, .rightShift, .onesComplement:
            .arithmetic
        case .sum, .count, .average, .median, .stddev, .sqrt, .log, .ln, .power, .exp, .floor, .ceiling, .trunc,
            .random, .randomn, .length, .distance:
            .kind(.number)
        case .uppercase, .lowercase: .kind(.string)
        case .now: .kind(.date)
        case .mode: .kind(.array)
        case .min, .max: .element
        case .noindex: .argument
        }
    }

    /// True if the result is an integer whatever the arguments are.
    package var isCount: Bool { self == .count || self == .length }
}

extension CollectionOperator {
    /// What kind of value the operator gives for the values of the key path after it.
    package var result: ResultKind {
        switch self {
        case .count, .sum, .average: .kind(.number)
        case .minimum, .maximum: .element
        case .distinctUnionOfObjects, .unionOfObjects, .distinctUnionOfArrays, .unionOfArrays, .distinctUnionOfSets,
            .unionOfSets, .allKeys, .allValues:
            .kind(.array)
        }
    }

    /// True for operators of a value of each element: `friends.@avg.age`
    package var needsKey: Bool {
        switch self {
        case .sum, .average, .minimum, .maximum, .distinctUnionOfObjects, .unionOfObjects, .distinctUnionOfArrays,
            .unionOfArrays, .distinctUnionOfSets, .unionOfSets:
            true
        case .count, .allKeys, .allValues: false
        }
    }
}
