import PredicateSyntax

/// A comparison whose sides have been looked up.
struct ComparedValues {
    struct Side {
        var value: KnownValue
        var node: Int
        var expression: ExpressionNode

        /// The expression as it prints.
        var text: String { expression.expressionFormat }
    }

    enum Operation: Equatable {
        case comparison(ComparisonOperator)
        case text(StringOperator)

        var isEquality: Bool { self == .comparison(.equalTo) || self == .comparison(.notEqualTo) }

        var spelling: String {
            switch self {
            case .comparison(let own): own.spelling
            case .text(let own): own.spelling
            }
        }
    }

    let left: Side
    let right: Side
    let operation: Operation
    let modifier: ComparisonModifier
    let node: Int
    let text: String

    init(
        _ left: Side, _ right: Side, _ operation: Operation, _ modifier: ComparisonModifier, node: Int, text: String
    ) {
        self.left = left
        self.right = right
        self.operation = operation
        self.modifier = modifier
        self.node = node
        self.text = text
    }
}

extension PredicateTyping {
    /// The first that is wrong with a comparison, and texts such as `"nil"`.
    mutating func compare(_ values: ComparedValues) {
        checkQuotedNil(values)
        if checkNumber(values) { checkKinds(values) }
    }

    // MARK: nil in quotes

    private mutating func checkQuotedNil(_ values: ComparedValues) {
        guard values.operation.isEquality else { return }
        for (side, other) in [(values.left, values.right), (values.right, values.left)] {
            guard case .string(let text)? = side.value.constant, other.value.constant == nil,
                ["nil", "null", "<null>", "(null)"].contains(text.lowercased())
            else { continue }
            note(
                .quotedNil, side.node, "in quotes \(text) is a text", hint: "write nil without quotes", isWarning: true)
        }
    }

    // MARK: One value or several

    /// False where a finding makes others pointless.
    private mutating func checkNumber(_ values: ComparedValues) -> Bool {
        let left = values.left.value, right = values.right.value
        if values.modifier != .direct {
            guard !left.isToMany, !left.isOpen else { return true }
            let word = values.modifier.spelling ?? ""
            note(
                .toOneKey, values.node, "\(word) takes several values, but \(values.left.text) is \(left.sort.noun)",
                hint: "leave \(word) out", isWarning: true)
            return true
        }
        if left.isToMany, left.elements == nil, isWrongForSeveral(values) {
            let isNil = right.sort == .null
            note(
                .toManyKey, values.node, "\(values.left.text) stands for several values, which are compared as one",
                hint: isNil
                    ? "write \(values.left.text).@count == 0"
                    : "write ANY \(values.text), or ALL, or compare an aggregate")
            return false
        }
        guard right.isToMany, right.elements == nil, !left.isToMany, isWrongForSeveralOnTheRight(values) else {
            return true
        }
        note(
            .toManyKey, values.node, "\(values.right.text) stands for several values, which are compared as one",
            hint: "write \(values.left.text) IN \(values.right.text)")
        return false
    }

    private func isWrongForSeveral(_ values: ComparedValues) -> Bool {
        let right = values.right.value
        switch values.operation {
        case .text(.contains): return false
        case .text: return true
        case .comparison(.customSelector): return false
        case .comparison(.in), .comparison(.between): return true
        case .comparison: return !(right.isToMany || right.sort == .unknown)
        }
    }

    private func isWrongForSeveralOnTheRight(_ values: ComparedValues) -> Bool {
        switch values.operation {
        case .comparison(.in), .comparison(.between), .comparison(.customSelector), .text(.contains): false
        case .comparison, .text: values.left.value.sort != .unknown
        }
    }

    // MARK: Kinds

    private mutating func checkKinds(_ values: ComparedValues) {
        switch values.operation {
        case .comparison(.customSelector): break
        case .comparison(.in): checkMembership(values)
        case .comparison(.between): checkElements(of: values.right, against: values.left.value.element, values)
        case .comparison: checkPair(values.left.value.element, values.right.value, values)
        case .text(.contains) where values.left.value.isToMany && values.modifier == .direct:
            checkPair(values.left.value.element, values.right.value, values)
        case .text: checkTexts(values)
        }
    }

    private mutating func checkMembership(_ values: ComparedValues) {
        let left = values.left.value.element, right = values.right.value
        if right.elements != nil { return checkElements(of: values.right, against: left, values) }
        if right.isToMany { return checkPair(left, right.element, values) }
        switch right.sort {
        case .unknown, .null, .other, .fetchedProperty, .userInfo, .composite: break
        case .string: checkPair(left, right, values)
        case .number, .boolean, .date, .data, .uuid, .url, .object:
            note(
                .kindMismatch, values.right.node, "IN takes a collection, this is \(right.sort.noun)",
                hint: "write \(values.left.text) == \(values.right.text)")
        }
    }

    private mutating func checkElements(
        of side: ComparedValues.Side, against left: KnownValue, _ values: ComparedValues
    ) {
        guard let elements = side.value.elements, !elements.isEmpty, !left.isOpen else { return }
        guard let wrong = elements.first(where: { mismatch(left, $0) != nil }), let reason = mismatch(left, wrong)
        else {
            return
        }
        if values.operation == .comparison(.in), elements.contains(where: { mismatch(left, $0) == nil }) { return }
        note(reason.code, values.node, reason.message, hint: reason.hint)
    }

    private mutating func checkPair(_ left: KnownValue, _ right: KnownValue, _ values: ComparedValues) {
        guard !right.isToMany, let reason = mismatch(left, right) ?? mismatch(right, left) else { return }
        note(reason.code, values.node, reason.message, hint: reason.hint)
    }

    private mutating func checkTexts(_ values: ComparedValues) {
        let left = values.left.value.element, right = values.right.value
        let spelling = values.operation.spelling
        if !left.isOpen, left.sort != .string {
            note(
                .kindMismatch, values.left.node,
                "\(spelling) takes a text, but \(values.left.text) is \(left.sort.noun)",
                hint: left.sort == .url ? "write \(values.left.text).absoluteString" : nil)
        }
        if !right.isOpen, right.sort != .string, !right.isToMany {
            note(
                .kindMismatch, values.right.node, "\(spelling) takes a text, this is \(right.sort.noun)",
                hint: right.constant.map { "put it in quotes: \"\($0.printed)\"" })
        }
    }

    private typealias Mismatch = (code: ModelFinding.Code, message: String, hint: String?)

    /// Why two values are never equal and have no order.
    private func mismatch(_ left: KnownValue, _ right: KnownValue) -> Mismatch? {
        guard !left.isOpen, !right.isOpen else { return nil }
        switch (left.sort, right.sort) {
        case (.number, .number): return outOfRange(left, right)
        case (.boolean, .number): return neverBoolean(right)
        case (.number, .boolean), (.boolean, .boolean): return nil
        case (.object(let one), .object(let other)):
            let model = scope.model
            if model.isEntity(one, kindOf: other) || model.isEntity(other, kindOf: one) { return nil }
            return (.kindMismatch, "an object of \(one) is never one of \(other)", nil)
        case (.fetchedProperty, _), (_, .fetchedProperty), (.userInfo, _), (_, .userInfo): return nil
        default:
            if left.sort == right.sort { return nil }
            return (.kindMismatch, "\(left.sort.noun) and \(right.sort.noun) are never equal", cure(left, right))
        }
    }

    /// `isRead == 2`
    private func neverBoolean(_ right: KnownValue) -> Mismatch? {
        guard let constant = right.constant, constant != .integer(0), constant != .integer(1), constant != .double(0),
            constant != .double(1)
        else { return nil }
        return (.kindMismatch, "a Boolean is never \(constant.printed)", "write YES or NO")
    }

    private func outOfRange(_ left: KnownValue, _ right: KnownValue) -> Mismatch? {
        guard let attribute = left.attribute, let range = attribute.type.integerRange,
            case .integer(let number)? = right.constant, !range.contains(number)
        else { return nil }
        return (
            .outOfRange,
            "\(attribute.name) is an \(attribute.type.name): it holds \(range.lowerBound) to"
                + " \(range.upperBound)", nil
        )
    }

    private func cure(_ left: KnownValue, _ right: KnownValue) -> String? {
        guard let constant = right.constant else { return nil }
        switch (left.sort, constant) {
        case (.number, .string(let text)) where Double(text) != nil: return "leave out the quotes: \(text)"
        case (.boolean, .string): return "write YES or NO without quotes"
        case (.string, .integer), (.string, .double), (.string, .decimal), (.string, .bool):
            return "put it in quotes: \"\(constant.printed)\""
        case (.date, .string(let text)): return "write CAST(\"\(text)\", \"NSDate\")"
        case (.date, .integer), (.date, .double): return "write CAST(\(constant.printed), \"NSDate\")"
        case (.uuid, .string(let text)): return "write CAST(\"\(text)\", \"NSUUID\")"
        case (.url, .string(let text)): return "write CAST(\"\(text)\", \"NSURL\")"
        default: return nil
        }
    }
}
