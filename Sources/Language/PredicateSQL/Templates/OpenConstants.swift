import PredicateSyntax
import PredicateText

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The constants of a predicate that affect only bindings: `21` in `age > 21`, `"jo"` in `name BEGINSWITH "jo"`.
///
/// A constant is open if it is compared with a column, a count or arithmetic on a column, by an operator that binds
/// it unchanged, and has a ``ConstantClass``. All other constants are part of the predicate's shape.
enum OpenConstants {
    /// The maximum number of elements of a list with open values.
    private static let longestList = 16

    /// Replaces every open constant by the result of `replace`, in the order of the tree.
    static func map(
        _ node: PredicateNode, _ replace: (PredicateValue, ConstantClass) -> PredicateValue
    ) -> PredicateNode {
        switch node {
        case .constant, .block: return node
        case .comparison(let comparison): return .comparison(map(comparison, comparison.operator.binding, replace))
        case .string(let comparison): return .string(map(comparison, comparison.operator.binding, replace))
        case .compound(let compound):
            return .compound(CompoundPredicate(compound.type, compound.subpredicates.map { map($0, replace) }))
        }
    }

    private static func map<Operator>(
        _ comparison: OperatorComparison<Operator>, _ binding: OperandBinding?,
        _ replace: (PredicateValue, ConstantClass) -> PredicateValue
    ) -> OperatorComparison<Operator> {
        var comparison = comparison
        if let value = comparison.rightExpression.open(beside: comparison.leftExpression, binding) {
            comparison.rightExpression = .constantValue(map(value, replace))
        } else if let value = comparison.leftExpression.open(beside: comparison.rightExpression, binding) {
            comparison.leftExpression = .constantValue(map(value, replace))
        }
        return comparison
    }

    private static func map(
        _ value: PredicateValue, _ replace: (PredicateValue, ConstantClass) -> PredicateValue
    ) -> PredicateValue {
        if let constantClass = ConstantClass(value) { return replace(value, constantClass) }
        guard case .array(let elements) = value else { return value }
        return .array(elements.map { element in ConstantClass(element).map { replace(element, $0) } ?? element })
    }

    /// Returns the open operands of every comparison, in the order of the tree.
    static func sides(of node: PredicateNode) -> [OpenSide] {
        switch node {
        case .constant, .block: []
        case .comparison(let comparison): [side(of: comparison, comparison.operator.binding)]
        case .string(let comparison): [side(of: comparison, comparison.operator.binding)]
        case .compound(let compound): compound.subpredicates.flatMap(sides)
        }
    }

    private static func side<Operator>(
        of comparison: OperatorComparison<Operator>, _ binding: OperandBinding?
    ) -> OpenSide {
        let (left, right) = (comparison.leftExpression, comparison.rightExpression)
        if right.open(beside: left, binding) != nil { return .right }
        return left.open(beside: right, binding) == nil ? .neither : .left
    }

    /// Returns the common class of all elements of a list, if the list is open. The bounds of a range must also be in
    /// order.
    static func commonClass(_ elements: [PredicateValue], _ binding: OperandBinding?) -> ConstantClass? {
        guard let first = elements.first, elements.count <= longestList, let common = ConstantClass(first) else {
            return nil
        }
        for element in elements.dropFirst() where ConstantClass(element) != common { return nil }
        switch binding {
        case .value, nil: return nil
        case .list: return common
        case .range: return elements.count == 2 && elements[0].isBelow(elements[1]) ? common : nil
        }
    }
}

/// The open operand of a comparison.
enum OpenSide {
    case neither, left, right
}

/// The constants that an operator binds unchanged.
enum OperandBinding {
    /// `age > 21`
    case value
    /// `age IN {18, 21}`
    case list
    /// `age BETWEEN {18, 65}`
    case range
}

extension ComparisonOperator {
    /// The constants that the operator binds unchanged; nil for an operator that SQL lacks.
    var binding: OperandBinding? {
        switch self {
        case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .equalTo, .notEqualTo: .value
        case .in: .list
        case .between: .range
        case .customSelector: nil
        }
    }
}

extension StringOperator {
    /// The constants that the operator binds unchanged; nil if the pattern determines the SQL.
    var binding: OperandBinding? {
        switch rightSide {
        case .needle: .value
        case .likePattern, .regularExpression, .typeIdentifier: nil
        }
    }
}

extension ExpressionNode {
    /// Returns the open constants of this operand; nil for any other operand.
    fileprivate func open(beside other: ExpressionNode, _ binding: OperandBinding?) -> PredicateValue? {
        guard let binding, case .constantValue(let value) = self, other.isColumn else { return nil }
        if case .array(let elements) = value {
            return OpenConstants.commonClass(elements, binding) == nil ? nil : value
        }
        return binding == .range || ConstantClass(value) == nil ? nil : value
    }

    private static let arithmetic: Set<FunctionExpression.Predefined> = [.add, .subtract, .multiply, .divide]

    /// True for a path of keys, and for arithmetic with one: constants compared with it are never folded.
    private var isColumn: Bool {
        switch self {
        case .keyPath(let path):
            switch path.steps {
            case .key, .keys, .components: return true
            case .basedKey, .based: return false
            }
        case .function(let call):
            guard case .predefined(let function) = call.function, Self.arithmetic.contains(function) else {
                return false
            }
            var hasColumn = false
            for index in 0..<call.count {
                if call[index].isColumn {
                    hasColumn = true
                } else if case .constantValue = call[index] {
                    continue
                } else {
                    return false
                }
            }
            return hasColumn
        case .constantValue, .evaluatedObject, .variable, .member, .message, .cast, .aggregate, .index, .symbol,
            .subquery, .conditional, .set, .assignment, .anyKey, .block, .fetch:
            return false
        }
    }
}

extension PredicateValue {
    /// Returns true if both are numbers of one kind or dates, and this one is less.
    fileprivate func isBelow(_ other: PredicateValue) -> Bool {
        switch (self, other) {
        case (.integer(let left), .integer(let right)): left < right
        case (.double(let left), .double(let right)): left < right
        case (.date(let left), .date(let right)): left < right
        default: false
        }
    }
}

/// A class of constants for which a comparison with a column has the same SQL, whatever the value.
///
/// `age > 21` and `age > 65` differ only in a binding. `age > 0` is in no class, because for a count it is a test for
/// existence. Constants near zero, beyond 32 bits or without a stable string are compared by value.
enum ConstantClass: UInt8 {
    case positive, negative, wholeDouble, positiveFraction, negativeFraction, text, date, earlyDate, uuid

    /// Returns nil for a constant that is compared by value.
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
        // Beyond that, integers in a column of seconds compare differently than doubles.
        case .date(let date) where date.timeIntervalSinceReferenceDate.magnitude < 0x1p52:
            self = date.timeIntervalSinceReferenceDate < 0 ? .earlyDate : .date
        case .uuid: self = .uuid
        case .null, .nullObject, .bool, .integer, .double, .decimal, .string, .date, .data, .url, .type, .array, .set,
            .orderedSet, .dictionary, .object, .expression, .predicate:
            return nil
        }
    }

    /// Returns true for a string without U+0000 that has an ASCII character, which folding never removes, and that is
    /// not a UUID.
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

    /// Returns a value of the class. Values for different numbers remain distinct after every conversion.
    func sentinel(_ number: Int) -> PredicateValue {
        let value = 1_000_003 + 7 * number
        switch self {
        case .positive: return .integer(Int64(value))
        case .negative: return .integer(Int64(-value))
        case .wholeDouble: return .double(Double(value))
        case .positiveFraction: return .double(Double(value) + 0.25)
        case .negativeFraction: return .double(-Double(value) - 0.25)
        // It begins with an ASCII character, because a LIKE pattern is made from the ASCII prefix.
        case .text: return .string("Z\(value)é1")
        case .date: return .date(Date(timeIntervalSinceReferenceDate: Self.seconds(number)))
        case .earlyDate: return .date(Date(timeIntervalSinceReferenceDate: -Self.seconds(number)))
        case .uuid:
            let bytes = UInt8(truncatingIfNeeded: number)
            return .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, UInt8(number >> 8 & 255), bytes)))
        }
    }

    /// Seconds of dates eight days apart, so that the days around them differ.
    private static func seconds(_ number: Int) -> Double { Double(1_000_003 + 700_003 * number) + 0.125 }
}

/// A conversion of a constant to its binding.
enum BindingConversion: CaseIterable {
    case integer, double, decimal, date, uuidText, uuidLowercaseText, uuidBytes
    case text, textWithoutCase, textWithoutDiacritics, textWithoutBoth
    case bytes
    /// The days with which strings of a date may begin.
    case firstDay, endDay
    /// The least string above all strings with this prefix, folded.
    case successor, successorWithoutCase, successorWithoutDiacritics, successorWithoutBoth
    /// The LIKE pattern for strings that begin with the ASCII prefix of the constant.
    case beginning
    /// The LIKE pattern for strings that end with the constant, or contain it.
    case ending, containing

    /// Returns the binding; nil for a constant that the conversion does not accept.
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
        case .ending: .text(LikePattern.ending(text))
        case .containing: .text(LikePattern.containing(text))
        case .integer, .double, .decimal, .date, .firstDay, .endDay, .uuidText, .uuidLowercaseText, .uuidBytes: nil
        }
    }

    private func successor(of text: String, _ mode: FoldMode) -> SQLBinding? {
        Folding.fold(text, mode).codePointSuccessor.map(SQLBinding.text)
    }
}

/// A comparison of a predicate with the shape of a template. It collects the open constants.
///
/// `age > 65` has the shape of `age > 21`, and 65 is collected.
struct ShapeMatch {
    /// The open operands of the shape, for every comparison.
    private let sides: [OpenSide]
    /// The classes of the shape's open constants.
    private let classes: [ConstantClass]
    /// The open constants of the predicate, in the order of the tree.
    private(set) var values: [PredicateValue] = []
    /// The number of comparisons that were visited.
    private var count = 0

    init(_ sides: [OpenSide], _ classes: [ConstantClass]) {
        self.sides = sides
        self.classes = classes
        values.reserveCapacity(classes.count)
    }

    /// Returns true if the predicate has the shape; its open constants are then in ``values``.
    mutating func fits(_ node: PredicateNode, _ shape: PredicateNode) -> Bool {
        switch (node, shape) {
        case (.constant(let left), .constant(let right)): return left == right
        case (.comparison(let left), .comparison(let right)): return fits(left, right, left.operator.binding)
        case (.string(let left), .string(let right)): return fits(left, right, left.operator.binding)
        case (.compound(let left), .compound(let right)):
            guard left.type == right.type, left.count == right.count else { return false }
            for index in 0..<left.count where !fits(left[index], right[index]) { return false }
            return true
        case (.constant, _), (.comparison, _), (.string, _), (.compound, _), (.block, _): return false
        }
    }

    private mutating func fits<Operator>(
        _ node: OperatorComparison<Operator>, _ shape: OperatorComparison<Operator>, _ binding: OperandBinding?
    ) -> Bool {
        defer { count += 1 }
        guard node.operator == shape.operator, node.modifier == shape.modifier, node.options == shape.options else {
            return false
        }
        switch sides[count] {
        case .neither:
            return node.leftExpression == shape.leftExpression && node.rightExpression == shape.rightExpression
        case .right:
            return node.leftExpression == shape.leftExpression
                && fits(node.rightExpression, shape.rightExpression, binding)
        case .left:
            return node.rightExpression == shape.rightExpression
                && fits(node.leftExpression, shape.leftExpression, binding)
        }
    }

    /// Collects an open operand if its constants have the same classes as the shape's.
    private mutating func fits(_ node: ExpressionNode, _ shape: ExpressionNode, _ binding: OperandBinding?) -> Bool {
        guard case .constantValue(let value) = node, case .constantValue(let shape) = shape else { return false }
        switch (value, shape) {
        case (.array(let elements), .array(let shapes)):
            guard elements.count == shapes.count, values.count + shapes.count <= classes.count,
                let common = OpenConstants.commonClass(elements, binding),
                common == classes[values.count]
            else { return false }
            values += elements
            return true
        case (.array, _), (_, .array): return false
        default:
            guard values.count < classes.count, ConstantClass(value) == classes[values.count] else { return false }
            values.append(value)
            return true
        }
    }
}
