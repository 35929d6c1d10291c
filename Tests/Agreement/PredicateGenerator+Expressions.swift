import Foundation
import PredicateSQL
import PredicateSyntax

/// Expressions by kind.
extension PredicateGenerator {
    // MARK: - Numbers

    package mutating func number(_ depth: Int) -> ExpressionNode {
        if depth <= 0 || random.percent(70) { return plainNumber() }
        let choices: KeyValuePairs<String, Int> = [
            "sum": 26, "quotient": 8, "remainder": 6, "bits": 8, "function": 14, "aggregate": 20, "length": 8,
            "choice": 7,
            "power": 3, "money": 14,
        ]
        if makesDateFunctions, random.percent(6) { return datePart(depth) }
        switch random.weighted(choices) {
        case "sum":
            return .call(random.pick(.add, .subtract, .multiply), number(depth - 1), number(depth - 1))
        case "quotient": return .call(.divide, number(depth - 1), number(depth - 1))
        case "remainder": return .call(.modulus, number(depth - 1), number(depth - 1))
        case "bits": return bits()
        case "function": return function(depth)
        case "aggregate": return aggregate(depth) ?? plainNumber()
        case "length": return length(depth)
        case "money": return money(depth) ?? plainNumber()
        case "choice":
            let test = comparison(depth: depth - 1)
            return .conditional(.init(test, true: number(depth - 1), false: number(depth - 1)))
        default: return .call(.power, number(depth - 1), .constantValue(.integer(Int64(random.below(4)))))
        }
    }

    private mutating func plainNumber() -> ExpressionNode {
        if random.percent(62), let path = attribute(\.isNumber) { return path }
        return .constantValue(numberConstant())
    }

    /// Often a value that stands in a row, else one at a border.
    package mutating func numberConstant() -> PredicateValue {
        switch random.below(10) {
        case 0...3: return storedValue(\.isNumber) ?? .integer(Int64(random.below(12)) - 3)
        case 4, 5: return .integer(Int64(random.below(12)) - 3)
        case 6: return .integer(random.any(of: SampleValues.integers) ?? 0)
        case 7: return .double(Double(random.below(20)) / 2 - 3)
        case 8: return .double(random.percent(5) ? .nan : random.any(of: SampleValues.doubles) ?? 0)
        default:
            if random.percent(50) { return .bool(random.percent(50)) }
            return .decimal(Decimal(string: random.any(of: SampleValues.decimals) ?? "0") ?? 0)
        }
    }

    /// Arithmetic on a decimal: `price * qty`, `-price`, `price * qty - total`, `many.@sum.price`
    private mutating func money(_ depth: Int) -> ExpressionNode? {
        if random.percent(30), let (collection, entity) = toMany(),
            let (key, _) = random.any(of: entity.sortedAttributes.filter { $0.value.type == .decimal })
        {
            return collection.appending(random.pick("@sum", "@sum", "@avg", "@min", "@max"), key)
        }
        guard let price = attribute({ $0 == .decimal }) else { return nil }
        switch random.below(8) {
        case 0: return .call(random.pick(.negate, .abs), price)
        case 1: return .call(random.pick(.negate, .abs), .call(.subtract, price, exactNumber()))
        case 2, 3: return .call(.multiply, price, exactNumber())
        case 4: return .call(random.pick(.add, .subtract), .call(.multiply, price, exactNumber()), exactNumber())
        case 5: return .call(.multiply, exactNumber(), .call(random.pick(.add, .subtract), price, exactNumber()))
        case 6: return .call(random.pick(.divide, .multiply), price, number(depth - 1))
        default: return .call(random.pick(.add, .subtract), price, exactNumber())
        }
    }

    /// A decimal or an integer: of a column, or a constant.
    private mutating func exactNumber() -> ExpressionNode {
        if random.percent(55), let path = attribute({ $0 == .decimal || $0 == .integer }) { return path }
        switch random.below(4) {
        case 0: return .constantValue(.integer(Int64(random.below(12)) - 3))
        case 1: return .constantValue(.integer(random.any(of: SampleValues.integers) ?? 0))
        case 2: return .constantValue(storedValue { $0 == .decimal } ?? .integer(2))
        default: return .constantValue(.decimal(Decimal(string: random.any(of: SampleValues.decimals) ?? "0") ?? 0))
        }
    }

    private mutating func function(_ depth: Int) -> ExpressionNode {
        let inner = number(depth - 1)
        let function: FunctionExpression.Predefined = random.pick(
            .abs, .floor, .ceiling, .trunc, .sqrt, .ln, .log, .exp, .negate, .noindex)
        return .call(function, inner)
    }

    /// Small whole operands, so that few rows end in an error.
    private mutating func bits() -> ExpressionNode {
        let left = attribute { $0 == .integer } ?? .constantValue(.integer(6))
        let right = random.percent(40) ? attribute { $0 == .integer } : nil
        let function: FunctionExpression.Predefined = random.pick(
            .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift, .rightShift)
        if random.percent(15) { return .call(.onesComplement, left) }
        return .call(function, left, right ?? .constantValue(.integer(Int64(random.below(66)))))
    }

    private mutating func length(_ depth: Int) -> ExpressionNode {
        let text = string(depth - 1)
        return random.percent(50) ? .call(.length, text) : text.appending("length")
    }

    // MARK: - Strings

    package mutating func string(_ depth: Int) -> ExpressionNode {
        switch random.below(depth <= 0 ? 80 : 100) {
        case 0..<52: return attribute { $0 == .string } ?? .constantValue(stringConstant())
        case 52..<84: return .constantValue(stringConstant())
        case 84..<91: return .call(random.pick(.uppercase, .lowercase), string(depth - 1))
        case 91..<95:
            let test = comparison(depth: depth - 1)
            return .conditional(.init(test, true: string(depth - 1), false: string(depth - 1)))
        case 95..<97:
            return .cast(CastExpression(attribute { $0 == .integer } ?? string(depth - 1), type: "NSString"))
        default:
            guard let (collection, entity) = toMany(),
                let (key, _) = random.any(of: entity.sortedAttributes.filter { $0.value.type == .string })
            else { return .constantValue(stringConstant()) }
            return collection.appending(random.pick("@min", "@max"), key)
        }
    }

    /// Often a value that stands in a row, sometimes in other letters.
    package mutating func stringConstant() -> PredicateValue {
        let value = storedValue { $0 == .string } ?? .string("")
        guard random.percent(50), case .string(let text) = value else {
            return .string(SampleValues.text(&random))
        }
        switch random.below(8) {
        case 0: return .string(text.uppercased())
        case 1: return .string(text.lowercased())
        case 2: return .string(text.decomposedStringWithCanonicalMapping)
        case 3: return .string(text.precomposedStringWithCanonicalMapping)
        default: return value
        }
    }

    // MARK: - Dates

    /// `month:(born)`
    private mutating func datePart(_ depth: Int) -> ExpressionNode {
        let name = random.pick(
            "year", "quarter", "month", "weekOfYear", "yearForWeekOfYear", "day", "dayOfYear", "weekday", "hour",
            "minute", "second")
        return .function(FunctionExpression(.custom("\(name):"), [date(depth - 1)]))
    }

    /// `date:truncatedTo:(born, "month")`, `dateByAddingUnit:value:toDate:("day", 3, born)`
    private mutating func movedDate(_ depth: Int) -> ExpressionNode {
        let unit = PredicateValue.string(
            random.pick("year", "quarter", "months", "week", "day", "hours", "minute", "second"))
        if random.percent(65) {
            return .function(FunctionExpression(.custom("date:truncatedTo:"), [date(depth - 1), .constantValue(unit)]))
        }
        let count = PredicateValue.integer(Int64(random.below(40)) - 20)
        return .function(
            FunctionExpression(
                .custom("dateByAddingUnit:value:toDate:"),
                [.constantValue(unit), .constantValue(count), date(depth - 1)]))
    }

    // MARK: - Others

    package mutating func date(_ depth: Int) -> ExpressionNode {
        if makesDateFunctions, depth > 0, random.percent(4) { return movedDate(depth) }
        switch random.below(depth <= 0 ? 90 : 100) {
        case 0..<60: return attribute(\.isDate) ?? .constantValue(dateConstant())
        case 60..<92: return .constantValue(dateConstant())
        case 92..<96:
            let test = comparison(depth: depth - 1)
            return .conditional(.init(test, true: date(depth - 1), false: date(depth - 1)))
        default:
            guard let (collection, entity) = toMany(),
                let (key, _) = random.any(of: entity.sortedAttributes.filter { $0.value.type.isDate })
            else { return .constantValue(dateConstant()) }
            return collection.appending(random.pick("@min", "@max"), key)
        }
    }

    package mutating func dateConstant() -> PredicateValue {
        switch random.below(4) {
        case 0: return .date(seconds: SampleValues.seconds(&random))
        case 1: return .date(text: random.any(of: SampleValues.dateTexts) ?? "")
        default: return storedValue(\.isDate) ?? .date(seconds: 0)
        }
    }

    package mutating func boolean() -> ExpressionNode {
        if random.percent(60), let path = attribute({ $0 == .boolean }) { return path }
        return .constantValue(random.percent(80) ? .bool(random.percent(50)) : .integer(Int64(random.below(3))))
    }

    /// An expression of any kind.
    package mutating func any(_ depth: Int) -> ExpressionNode {
        switch random.below(8) {
        case 0: return number(depth)
        case 1: return string(depth)
        case 2: return date(depth)
        case 3: return attribute { _ in true } ?? number(depth)
        case 4: return boolean()
        case 5: return objectExpression()
        case 6: return aggregate(depth) ?? string(depth)
        default: return random.percent(50) ? .constantValue(anyConstant()) : number(depth)
        }
    }

    package mutating func anyConstant() -> PredicateValue {
        switch random.below(7) {
        case 0: return numberConstant()
        case 1: return stringConstant()
        case 2: return dateConstant()
        case 3: return .null
        default: return storedValue { _ in true } ?? .null
        }
    }

    /// A value of a kind out of the rows.
    package mutating func storedValue(_ fits: (SQLType) -> Bool) -> PredicateValue? {
        let entity = world.entity(random.any(of: world.entityNames) ?? "")
        guard let (key, _) = random.any(of: entity.sortedAttributes.filter { fits($0.value.type) }) else { return nil }
        let value = random.any(of: world.rows[entity.name] ?? [])?.cells[key]?.value
        return value == .null ? nil : value
    }
}
