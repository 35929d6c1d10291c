/// Operators, elements, casts and comparisons in a `#Predicate`.
extension MacroChecker {
    // MARK: Operators

    /// `$0.flags & mask`, which the macro refuses; `$0.id < other`, which this library refuses.
    mutating func visitOperator(_ left: CodeExpression, _ operation: Range<Int>, _ right: CodeExpression) {
        let spelling = text(operation)
        if MacroFailure.operators.contains(spelling) { return report(.operation, spelling, operation) }
        guard host == .library, let (value, type) = typed(left) ?? typed(right) else { return }
        if Self.orders.contains(spelling), !type.isOptional,
            types[type.name] != nil || Self.unordered.contains(type.name)
        {
            report(.unordered, type.name, value)
        } else if Self.arithmetic.contains(spelling), type.name == "Float" {
            report(.singlePrecision, text(value), value)
        }
    }

    /// The last name of a value of the object, such as `age` in `$0.age`, with its type.
    func typed(_ node: CodeExpression) -> (Range<Int>, TypeName)? {
        guard isOfObject(node), let name = node.lastName, let type = type(of: node), !type.isCollection else {
            return nil
        }
        return (name, type)
    }

    private static let orders: Set<String> = ["<", "<=", ">", ">="]
    private static let arithmetic: Set<String> = ["+", "-", "*", "/"]
    static let ordered: Set<String> = [
        "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Double", "Float",
        "CGFloat", "Decimal", "Date", "String", "Character",
    ]
    static let unordered: Set<String> = ["UUID", "URL", "Data", "Bool"]

    /// `$0.tags[0]`; this library refuses `$0.tags[1..<3]` and `$0.name[0]`.
    mutating func visitElement(_ base: CodeExpression, _ places: [CodeExpression]) {
        if host == .library, case .infix(_, let operation, _)? = places.first, text(operation).hasPrefix("..") {
            report(.slice, text(operation), operation)
        }
        visit(base)
        for place in places { visit(place) }
    }

    /// `$0.age as? Double`; this library accepts only a cast that changes nothing.
    mutating func visitCast(_ value: CodeExpression, _ target: Range<Int>) {
        visit(value)
        let name = text(target).split(separator: ".").last.map { $0.filter { $0 != "?" } }
        guard host == .library, let type = type(of: value), !type.isCollection, let name, name != type.name else {
            return
        }
        report(.cast, text(target), target)
    }

    // MARK: Comparisons

    mutating func visitComparison(_ left: CodeExpression, _ operation: String, _ right: CodeExpression) {
        guard operation == "==" || operation == "!=" else { return }
        visitPair(left, right)
        visitPair(right, left)
        guard host == .swiftData, let first = model(left), let second = model(right), let name = left.lastName,
            first || second
        else { return }
        report(.wholeObjects, text(name), name)
    }

    /// True for an object of the predicate, false for another model object, and nil for anything else.
    func model(_ node: CodeExpression) -> Bool? {
        guard let type = type(of: node) ?? declaredType(node), !type.isCollection, types[type.name]?.form == .model
        else { return nil }
        return isOfObject(node)
    }

    mutating func visitPair(_ value: CodeExpression, _ other: CodeExpression) {
        if case .member(nil, let name, _) = other, isOfObject(value) {
            report(.enumCase, ".\(text(name))", name.lowerBound - 1..<name.upperBound)
        }
        guard host == .swiftData, isOfObject(value) else { return }
        if case .call(.member(_, let name, _), let arguments, _) = value, case .literal(let constant) = other,
            text(name) == "contains", case .closure? = arguments.last?.value
        {
            report(.containsWithBoolean, text(constant.range), constant.range)
        }
        guard let name = value.lastName else { return }
        if case .literal(let constant) = other {
            visitConstant(value, name, text(constant.range))
        } else if let type = type(of: value), types[type.name]?.form == .enumeration, isOfModel(value), !isCase(other) {
            report(.enumValue, text(name), name)
        }
    }

    func isCase(_ node: CodeExpression) -> Bool {
        if case .member(nil, _, _) = node { return true }
        guard case .member(.name(let base)?, _, _) = node else { return false }
        return types[text(base)]?.form == .enumeration
    }

    mutating func visitConstant(_ value: CodeExpression, _ name: Range<Int>, _ constant: String) {
        let type = type(of: value)
        if constant == "nil", let type, type.isOptional, !type.isCollection, types[type.name]?.form == .model {
            report(.relationshipWithNil, text(name), name)
        }
        guard text(name) == "isEmpty", constant == "true" || constant == "false", let base = value.base else { return }
        // `$0.pets?.isEmpty == true` is not reported, because it compiles only with the comparison.
        if !isOptional(value), self.type(of: base).map(\.isCollection) ?? true {
            report(.emptyWithBoolean, constant, name)
        }
    }

    /// True for a chain that contains `?.`.
    private func isOptional(_ node: CodeExpression) -> Bool {
        guard case .member(let base, _, let isOptional) = node else { return false }
        return isOptional || base.map(self.isOptional) ?? false
    }
}
