import PredicateSyntax

extension AttributeDescription {
    /// The only values that the validation of the attribute allows, without duplicates; nil if it does not list them.
    package var closedValues: [PredicateValue]? { ClosedValues.values(of: self) }
}

/// The values of an attribute whose validation allows only listed ones, which can be the cases of an enum.
///
/// `SELF IN {"draft", "sent"}`, `SELF == 1 OR SELF == 2`, the regular expression `draft|sent|paid`
enum ClosedValues {
    /// The maximum number of cases.
    private static let mostCases = 200

    /// The allowed values, each once and in the order of the model; nil if the model does not list them.
    ///
    /// Only strings and integers can be raw values. Values that other validations or the type exclude are left out.
    static func values(of attribute: AttributeDescription) -> [PredicateValue]? {
        let lists = attribute.validations.compactMap { list((try? $0.predicate.predicate())?.node, attribute.type) }
        let pattern = attribute.type == .string ? attribute.regularExpression.flatMap(alternatives) : nil
        guard let first = lists.first ?? pattern else { return nil }
        let all = lists.dropFirst() + (lists.isEmpty ? [] : [pattern].compactMap(\.self))
        let common = first.filter { value in all.allSatisfy { $0.contains(value) } && attribute.allows(value) }
        var seen: Set<PredicateValue> = []
        let values = common.filter { seen.insert($0).inserted }
        // Swift compares raw values by canonical equivalence.
        let texts = Set(values.compactMap { if case .string(let text) = $0 { text } else { nil } })
        guard texts.isEmpty || texts.count == values.count else { return nil }
        guard !values.isEmpty, values.count <= mostCases, attribute.hasDefault(among: values) else { return nil }
        return values
    }

    // MARK: Conditions

    private static func list(_ node: PredicateNode?, _ type: AttributeType) -> [PredicateValue]? {
        switch node {
        case .comparison(let comparison)?:
            guard comparison.modifier == .direct, comparison.options.isEmpty,
                case .evaluatedObject = comparison.leftExpression,
                let constant = comparison.rightExpression.constant
            else { return nil }
            switch comparison.operator {
            case .equalTo: return values([constant], type)
            case .in: return constant.elements.flatMap { values($0, type) }
            default: return nil
            }
        case .compound(let compound)? where compound.type == .or:
            var found: [PredicateValue] = []
            for part in compound.subpredicates {
                guard let list = list(part, type) else { return nil }
                found += list
            }
            return found
        case .constant?, .string?, .compound?, .block?, nil: return nil
        }
    }

    private static func values(_ constants: [PredicateValue], _ type: AttributeType) -> [PredicateValue]? {
        let values = constants.map(type.normalized)
        let fit = values.allSatisfy { value in
            switch (type, value) {
            case (.string, .string), (.integer16, .integer), (.integer32, .integer), (.integer64, .integer): true
            default: false
            }
        }
        return fit ? values : nil
    }

    // MARK: Regular expressions

    /// The alternatives of a pattern that is only a choice of words; nil for any other pattern.
    private static func alternatives(_ pattern: String) -> [PredicateValue]? {
        var text = pattern[...]
        if text.hasPrefix("^"), text.hasSuffix("$") { text = text.dropFirst().dropLast() }
        for open in ["(?:", "("] where text.hasPrefix(open) && text.hasSuffix(")") {
            text = text.dropFirst(open.count).dropLast()
            break
        }
        let words = text.split(separator: "|", omittingEmptySubsequences: false)
        guard words.count > 1, words.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isLiteral) }) else { return nil }
        return words.map { .string(String($0)) }
    }

    private static func isLiteral(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || " _-".contains(character)
    }
}

extension AttributeDescription {
    /// True if the bounds allow a value.
    fileprivate func allows(_ value: PredicateValue) -> Bool {
        switch value {
        case .integer(let number):
            if let range = type.integerRange, !range.contains(number) { return false }
            if case .integer(let minimum)? = minimumValue, number < minimum { return false }
            if case .integer(let maximum)? = maximumValue, number > maximum { return false }
            return true
        case .string(let text):
            let length = text.utf16.count
            return length >= minimumLength ?? 0 && length <= maximumLength ?? .max
        default: return false
        }
    }

    /// False for a default that is not among the values, which shows that other values are valid, too.
    fileprivate func hasDefault(among values: [PredicateValue]) -> Bool {
        defaultValue.map(values.contains) ?? true
    }
}

extension PredicateValue {
    /// The elements of a collection in an order that does not change from run to run; nil for any other value.
    fileprivate var elements: [PredicateValue]? {
        switch self {
        case .array(let values), .orderedSet(let values): values
        case .set(let values): values.sorted { $0.printed < $1.printed }
        default: nil
        }
    }
}
