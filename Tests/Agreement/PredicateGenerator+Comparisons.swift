import PredicateSQL
import PredicateSyntax

/// Comparisons of every kind.
extension PredicateGenerator {
    package mutating func comparison(depth: Int) -> PredicateNode {
        let choices: KeyValuePairs<String, Int> = [
            "number": 24, "string": 16, "text": 20, "date": 8, "identity": 5, "boolean": 4, "nil": 7, "list": 9,
            "between": 6,
            "quantified": 14, "object": 9, "mixed": 3, "container": 3, "member": 8,
        ]
        switch random.weighted(choices) {
        case "number": return .comparison(.init(number(depth), relation(), number(depth)))
        case "string": return .comparison(.init(string(depth), relation(), string(depth), options: options()))
        case "text": return text(depth)
        case "date": return .comparison(.init(date(depth), relation(), date(depth)))
        case "identity": return identity()
        case "boolean": return .comparison(.init(boolean(), random.percent(70) ? equality() : relation(), boolean()))
        case "nil": return nilComparison(depth)
        case "list": return membership(depth)
        case "between": return between(depth)
        case "quantified": return quantified(depth)
        case "object": return object(depth)
        case "member": return member(depth) ?? nilComparison(depth)
        case "mixed": return mixed(depth)
        default: return container(depth)
        }
    }

    /// `== != < <= > >=`
    package mutating func relation() -> ComparisonOperator {
        random.pick(.equalTo, .notEqualTo, .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo)
    }

    package mutating func equality() -> ComparisonOperator {
        random.pick(.equalTo, .notEqualTo)
    }

    /// None in two of three.
    package mutating func options() -> ComparisonOptions {
        guard random.percent(35) else { return [] }
        return random.pick(
            .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
            [.caseInsensitive, .diacriticInsensitive], .normalized, [.caseInsensitive, .normalized], .localeSensitive)
    }

    /// `s3 BEGINSWITH[cd] "jo"`, `s3 LIKE "j*n"`
    private mutating func text(_ depth: Int) -> PredicateNode {
        let (left, options) = (string(depth), options())
        switch random.weighted(["begins": 20, "ends": 18, "contains": 20, "like": 22, "matches": 12, "in": 8]) {
        case "begins": return .string(.init(left, .beginsWith, piece(depth), options: options))
        case "ends": return .string(.init(left, .endsWith, piece(depth), options: options))
        case "contains": return .string(.init(left, .contains, piece(depth), options: options))
        case "like": return .string(.init(left, .like, pattern(SampleValues.likePatterns), options: options))
        case "matches": return .string(.init(left, .matches, pattern(SampleValues.expressions), options: options))
        default: return .comparison(.init(piece(depth), .in, left, options: options))
        }
    }

    /// A text that is often part of others.
    private mutating func piece(_ depth: Int) -> ExpressionNode {
        guard random.percent(70) else { return string(depth) }
        let whole = random.any(of: SampleValues.strings) ?? ""
        let scalars = whole.unicodeScalars
        var part = String.UnicodeScalarView()
        part.append(contentsOf: scalars.dropFirst(random.below(min(3, scalars.count + 1))).prefix(1 + random.below(3)))
        return .constantValue(.string(random.percent(85) ? String(part) : whole))
    }

    private mutating func pattern(_ patterns: [String]) -> ExpressionNode {
        if random.percent(5), let path = attribute({ $0 == .string }) { return path }
        return .constantValue(.string(random.any(of: patterns) ?? "*"))
    }

    /// `u1 == %@`, `y2 IN {…}`
    private mutating func identity() -> PredicateNode {
        let isUUID = random.percent(50)
        let fits: (SQLType) -> Bool = { isUUID ? $0.isUUID : $0 == .data }
        guard let left = attribute(fits) else { return nilComparison(0) }
        if random.percent(25) {
            let values = (0..<random.below(4)).map { _ in isUUID ? uuid() : data() }
            return .comparison(.init(left, .in, .constantValue(.array(values))))
        }
        let right = random.percent(40) ? attribute(fits) : nil
        return .comparison(.init(left, equality(), right ?? .constantValue(isUUID ? uuid() : data())))
    }

    private mutating func uuid() -> PredicateValue {
        random.any(of: SampleValues.uuids).map(PredicateValue.uuid) ?? .null
    }

    private mutating func data() -> PredicateValue {
        random.any(of: SampleValues.datas).map(PredicateValue.data) ?? .null
    }

    /// `s3 == nil`, `NOT n1 < nil`, `nil == nil`
    private mutating func nilComparison(_ depth: Int) -> PredicateNode {
        let nothing = ExpressionNode.constantValue(random.percent(80) ? .null : .nullObject)
        let other = random.percent(95) ? any(depth) : nothing
        let relation = random.percent(70) ? equality() : relation()
        return random.percent(80)
            ? .comparison(.init(other, relation, nothing)) : .comparison(.init(nothing, relation, other))
    }

    /// A comparison of kinds that do not fit: `s3 == 5`.
    private mutating func mixed(_ depth: Int) -> PredicateNode {
        let (left, right) = (any(depth), any(depth))
        switch random.below(6) {
        case 0: return .comparison(.init(left, relation(), right))
        case 1: return .comparison(.init(left, .in, .constantValue(.array([anyConstant(), anyConstant()]))))
        case 2: return .string(.init(left, .contains, right))
        default: return .comparison(.init(left, equality(), right, options: options()))
        }
    }

    /// `n1 BETWEEN {1, 5}`, `5 BETWEEN {n1, n2}`
    private mutating func between(_ depth: Int) -> PredicateNode {
        let operands: [ExpressionNode]
        switch random.below(4) {
        case 0: operands = [string(depth), string(depth), string(depth)]
        case 1: operands = [date(depth), date(depth), date(depth)]
        default: operands = [number(depth), number(depth), number(depth)]
        }
        var bounds = Array(operands.dropFirst())
        if random.percent(8) { bounds[random.below(2)] = .constantValue(.null) }
        return .comparison(.init(operands[0], .between, list(bounds), options: options()))
    }

    /// Constants stand in one value, other expressions in braces.
    package func list(_ elements: [ExpressionNode]) -> ExpressionNode {
        let values = elements.compactMap { element -> PredicateValue? in
            if case .constantValue(let value) = element { value } else { nil }
        }
        return values.count == elements.count ? .constantValue(.array(values)) : .aggregate(elements)
    }
}

extension SQLType {
    package var isUUID: Bool {
        switch self {
        case .uuid: true
        case .integer, .double, .single, .decimal, .boolean, .string, .paddedString, .date, .data, .array, .any, .json:
            false
        }
    }

    package var isDate: Bool {
        switch self {
        case .date: true
        case .integer, .double, .single, .decimal, .boolean, .string, .paddedString, .uuid, .data, .array, .any, .json:
            false
        }
    }

    package var isNumber: Bool {
        switch self {
        case .integer, .double, .single, .decimal, .boolean: true
        case .date, .string, .paddedString, .uuid, .data, .array, .any, .json:
            false
        }
    }
}
