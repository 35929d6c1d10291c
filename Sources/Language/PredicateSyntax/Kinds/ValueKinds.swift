extension PredicateValue {
    /// The kind of a value, as far as comparisons distinguish kinds.
    ///
    /// `age == "18"` compares a ``number`` with a ``string``, which are never equal; `age > "18"` is an error.
    ///
    /// nil has no kind, since keys of every kind may hold it. Integers and fractional numbers are one kind, as are
    /// arrays and sets. CSV columns, model attributes and database columns have more specific types, each of which
    /// has a kind.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// `21`, `2.5`, `CAST("1.10", "NSDecimalNumber")`
        case number
        /// `YES`
        case boolean
        /// `"jo"`
        case string
        /// `CAST(0, "NSDate")`
        case date
        /// `CAST("aGk=", "NSData")`
        case data
        /// `CAST("137DECC8-B300-4954-A233-F89909F4FD89", "NSUUID")`
        case uuid = "UUID"
        /// `CAST("https://swift.org", "NSURL")`
        case url = "URL"
        /// `{1, 2}`, a set
        case array
        /// A dictionary
        case dictionary
        /// An object of the host, a class, a predicate or an expression
        case object

        /// True for kinds whose values can be equal: the same kind, numbers and Booleans, and objects, which define
        /// their own equality.
        package func canEqual(_ other: Kind) -> Bool {
            if self == other || self == .object || other == .object { return true }
            return (self == .number && other == .boolean) || (self == .boolean && other == .number)
        }

        /// `a number`, `an array`
        package var noun: String {
            switch self {
            case .data: rawValue
            case .array, .object: "an \(rawValue)"
            case .boolean: "a Boolean"
            case .number, .string, .date, .uuid, .url, .dictionary: "a \(rawValue)"
            }
        }

        /// `numbers`, `dictionaries`
        fileprivate var plural: String {
            switch self {
            case .data: rawValue
            case .boolean: "Booleans"
            case .dictionary: "dictionaries"
            case .number, .string, .date, .uuid, .url, .array, .object: rawValue + "s"
            }
        }
    }

    /// The kind of the value; nil for `nil`.
    public var kind: Kind? {
        switch self {
        case .null, .nullObject: nil
        case .bool: .boolean
        case .integer, .double, .decimal: .number
        case .string: .string
        case .date: .date
        case .data: .data
        case .uuid: .uuid
        case .url: .url
        case .array, .set, .orderedSet: .array
        case .dictionary: .dictionary
        case .type, .object, .expression, .predicate: .object
        }
    }

    /// The elements of an array or a set, or the values of a dictionary in the order of its keys; nil for other
    /// values.
    package var elements: [PredicateValue]? {
        switch self {
        case .array(let values), .orderedSet(let values): values
        case .set(let values): Array(values)
        case .dictionary(let members): members.sorted { $0.key < $1.key }.map(\.value)
        case .null, .nullObject, .bool, .integer, .double, .decimal, .string, .date, .data, .uuid, .url, .type,
            .object, .expression, .predicate:
            nil
        }
    }
}

extension Set<PredicateValue.Kind> {
    package func canEqual(_ others: Set<PredicateValue.Kind>) -> Bool {
        contains { kind in others.contains { kind.canEqual($0) } }
    }

    /// `a number`, `a number or a string`
    package var noun: String {
        sorted { $0.rawValue < $1.rawValue }.map(\.noun).joined(separator: " or ")
    }

    /// `numbers`, `numbers or strings`
    package var plural: String {
        sorted { $0.rawValue < $1.rawValue }.map(\.plural).joined(separator: " or ")
    }
}

// MARK: - Results of casts and functions

/// A type that `CAST` can name: `CAST(value, "NSDate")`.
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

    /// The kind of the result.
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
}

/// The kind of a function's result, as far as it is known without the values of the arguments.
package enum FunctionResultKind: Hashable, Sendable {
    /// `uppercase(name)`: a string
    case kind(PredicateValue.Kind)
    /// `a * b`: a number, which is an integer if all operands are
    case arithmetic
    /// `noindex:(name)`: the argument
    case argument
    /// `max:(scores)`: one of the elements
    case element
}

extension FunctionExpression.Predefined {
    package var result: FunctionResultKind {
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

    /// True if the result is always an integer.
    package var isCount: Bool { self == .count || self == .length }
}

extension KeyPathOperator {
    /// The kind of the operator's result when it is applied to the values of the key path after it.
    package var result: FunctionResultKind {
        switch self {
        case .count, .sum, .average: .kind(.number)
        case .minimum, .maximum: .element
        case .distinctUnionOfObjects, .unionOfObjects, .distinctUnionOfArrays, .unionOfArrays, .distinctUnionOfSets,
            .unionOfSets, .allKeys, .allValues:
            .kind(.array)
        }
    }

    /// True for operators that need a key of each element: `friends.@avg.age`
    package var needsKey: Bool {
        switch self {
        case .sum, .average, .minimum, .maximum, .distinctUnionOfObjects, .unionOfObjects, .distinctUnionOfArrays,
            .unionOfArrays, .distinctUnionOfSets, .unionOfSets:
            true
        case .count, .allKeys, .allValues: false
        }
    }
}
