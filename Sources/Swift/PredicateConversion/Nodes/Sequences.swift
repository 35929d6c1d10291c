import Foundation
import PredicateEvaluation
import PredicateSyntax

/// `$0.tags.contains("a")`, `$0.name.contains(letter)`
extension PredicateExpressions.SequenceContains: ConvertibleNode {
    var operands: [any PredicateExpression] { [sequence, element] }

    func converted(by walk: Walk, _ scope: ConversionScope) throws(ConversionRefusal) -> Converted {
        if let range = try RangeBounds(sequence, walk, scope) {
            return .condition(range.contains(try walk.value(element, at: 1, scope)))
        }
        let whole = try walk.value(sequence, at: 0, scope)
        let member = try walk.value(element, at: 1, scope)
        if ValueType.isText(LHS.Output.self) { return .condition(.matching(whole, .contains, member)) }
        try walk.requireCollection(LHS.Output.self, "SequenceContains")
        guard LHS.Output.Element.self is any OptionalValue.Type else {
            return .condition(.comparing(member, .in, whole))
        }
        // In the language a collection never contains nil; in Swift nil may be an element.
        if case .constantValue(.array(let elements)) = whole, elements.count <= Walk.listedCount {
            return .condition(
                .any(elements.map { EqualityConversion.predicate(.value(member), .value(.constantValue($0.optional))) })
            )
        }
        let inner = scope.entering(PredicateExpressions.Variable<LHS.Output.Element>().key)
        let test = EqualityConversion.predicate(.value(.variable(inner.name)), .value(member))
        return .condition(.exists(whole, inner.name, test))
    }

    func print(to printer: inout SourcePrinter) { printer.call("contains", self) }
}

/// `$0.friends.contains { $0.age > 18 && $0.name == "Jo" }`
extension PredicateExpressions.SequenceContainsWhere: ConvertibleNode {
    var operands: [any PredicateExpression] { [sequence, test] }
    var parameter: PredicateExpressions.VariableID? { variable.key }

    func converted(by walk: Walk, _ scope: ConversionScope) throws(ConversionRefusal) -> Converted {
        if let tests = try walk.tests(sequence, test, variable.key, scope) { return .condition(.any(tests)) }
        try walk.requireCollection(LHS.Output.self, "SequenceContainsWhere")
        let whole = try walk.value(sequence, at: 0, scope)
        let inner = scope.entering(variable.key)
        let test = try walk.convert(test, at: 1, inner.scope).predicate
        return .condition(.exists(whole, inner.name, test))
    }

    func print(to printer: inout SourcePrinter) { printer.closureCall("contains", self) }
}

/// `$0.friends.allSatisfy { $0.age > 18 }`
extension PredicateExpressions.SequenceAllSatisfy: ConvertibleNode {
    var operands: [any PredicateExpression] { [sequence, test] }
    var parameter: PredicateExpressions.VariableID? { variable.key }

    func converted(by walk: Walk, _ scope: ConversionScope) throws(ConversionRefusal) -> Converted {
        if let tests = try walk.tests(sequence, test, variable.key, scope) { return .condition(.all(tests)) }
        try walk.requireCollection(LHS.Output.self, "SequenceAllSatisfy")
        let whole = try walk.value(sequence, at: 0, scope)
        let inner = scope.entering(variable.key)
        let test = try walk.convert(test, at: 1, inner.scope).predicate
        let others = ExpressionNode.subquery(SubqueryExpression(whole, variable: inner.name, predicate: test.negated))
        return .condition(.comparing(others.appending(["@count"]), .equalTo, .constantValue(.integer(0))))
    }

    func print(to printer: inout SourcePrinter) { printer.closureCall("allSatisfy", self) }
}

/// `$0.friends.filter { $0.age > 18 }`
extension PredicateExpressions.Filter: ConvertibleNode {
    var operands: [any PredicateExpression] { [sequence, filter] }
    var parameter: PredicateExpressions.VariableID? { variable.key }

    func converted(by walk: Walk, _ scope: ConversionScope) throws(ConversionRefusal) -> Converted {
        try walk.requireCollection(LHS.Output.self, "Filter")
        let whole = try walk.value(sequence, at: 0, scope)
        let inner = scope.entering(variable.key)
        let test = try walk.convert(filter, at: 1, inner.scope).predicate
        return .value(.subquery(SubqueryExpression(whole, variable: inner.name, predicate: test)))
    }

    func print(to printer: inout SourcePrinter) { printer.closureCall("filter", self) }
}

/// `$0.scores.max()`
extension PredicateExpressions.SequenceMaximum: ConvertibleNode {
    var operands: [any PredicateExpression] { [elements] }

    func converted(by walk: Walk, _ scope: ConversionScope) throws(ConversionRefusal) -> Converted {
        .value(try walk.extreme("@max", "SequenceMaximum", elements, scope))
    }

    func print(to printer: inout SourcePrinter) { printer.call("max", self) }
}

/// `$0.scores.min()`
extension PredicateExpressions.SequenceMinimum: ConvertibleNode {
    var operands: [any PredicateExpression] { [elements] }

    func converted(by walk: Walk, _ scope: ConversionScope) throws(ConversionRefusal) -> Converted {
        .value(try walk.extreme("@min", "SequenceMinimum", elements, scope))
    }

    func print(to printer: inout SourcePrinter) { printer.call("min", self) }
}

extension Walk {
    fileprivate func requireCollection(_ type: Any.Type, _ node: String) throws(ConversionRefusal) {
        guard ValueType.isCollection(type) else {
            throw ConversionRefusal(.unsupported(node: node, .elements(type: "\(type)")))
        }
    }

    /// `scores.@max.self`
    fileprivate func extreme<Elements: PredicateExpression>(
        _ name: String, _ node: String, _ elements: Elements, _ scope: ConversionScope
    ) throws(ConversionRefusal) -> ExpressionNode where Elements.Output: Sequence {
        try requireCollection(Elements.Output.self, node)
        guard ValueType.isOrdered(Elements.Output.Element.self) else {
            throw ConversionRefusal(.unsupported(node: node, .order(type: "\(Elements.Output.Element.self)")))
        }
        return try value(elements, at: 0, scope).appending([name, "self"])
    }

    /// The maximum size of a captured collection for which a test of each element is written out.
    fileprivate static var listedCount: Int { 64 }

    /// Returns a test for each element of a captured collection; nil for a collection of the object, and for a long
    /// one.
    fileprivate func tests<Elements: PredicateExpression>(
        _ sequence: Elements, _ test: any PredicateExpression, _ variable: PredicateExpressions.VariableID,
        _ scope: ConversionScope
    ) throws(ConversionRefusal) -> [PredicateNode]? where Elements.Output: Sequence {
        guard let node = sequence as? any ConvertibleNode, FreeVariables.none(in: node),
            case .none = Traps.found(in: node), let elements = try? sequence.evaluate(PredicateBindings())
        else { return nil }
        var tests: [PredicateNode] = []
        for element in elements {
            guard tests.count < Self.listedCount else { return nil }
            let value = Converted.captured(element)
            tests.append(try convert(test, at: 1, scope.binding(variable, to: value)).predicate)
        }
        return tests
    }
}

extension PredicateNode {
    /// `ANY friends.age > 18`, or `SUBQUERY(friends, $v1, …).@count > 0` for more than one comparison.
    fileprivate static func exists(_ collection: ExpressionNode, _ variable: String, _ test: PredicateNode)
        -> PredicateNode
    {
        if let test = test.quantified(over: collection, variable) { return test }
        let found = ExpressionNode.subquery(SubqueryExpression(collection, variable: variable, predicate: test))
        return .comparing(found.appending(["@count"]), .greaterThan, .constantValue(.integer(0)))
    }

    /// Returns the comparison of a plain key of the element with a constant other than nil.
    private func quantified(over collection: ExpressionNode, _ variable: String) -> PredicateNode? {
        switch self {
        case .comparison(var node):
            switch node.operator {
            case .equalTo, .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo: break
            case .notEqualTo, .between, .in, .customSelector: return nil
            }
            guard let path = node.path(from: variable, over: collection) else { return nil }
            node.leftExpression = path
            node.modifier = .any
            return .comparison(node)
        case .string(var node):
            guard let path = node.path(from: variable, over: collection) else { return nil }
            node.leftExpression = path
            node.modifier = .any
            return .string(node)
        case .constant, .compound, .block: return nil
        }
    }
}

extension OperatorComparison {
    /// Returns the path over the collection that corresponds to a path from the variable: `friends.age` for
    /// `$v1.age`.
    fileprivate func path(from variable: String, over collection: ExpressionNode) -> ExpressionNode? {
        guard modifier == .direct, case .constantValue(let constant) = rightExpression, constant.isSingle,
            case .keyPath(let path) = collection
        else { return nil }
        switch leftExpression {
        case .variable(variable): return collection
        case .keyPath(let inner):
            guard inner.base == .variable(variable), inner.components.allSatisfy(\.isPlainKey) else { return nil }
            return .keyPath(KeyPathExpression(base: path.base, path.components + inner.components))
        case .constantValue, .evaluatedObject, .variable, .member, .function, .message, .cast, .aggregate, .index,
            .symbol, .subquery, .conditional, .set, .assignment, .anyKey, .block, .fetch:
            return nil
        }
    }
}

extension KeyPathExpression.Component {
    fileprivate var isPlainKey: Bool {
        switch self {
        case .key(let name): name.utf8.first != UInt8(ascii: "@")
        case .variable: false
        }
    }
}

extension PredicateValue {
    /// The element of a collection as a value of its own: the null object becomes nil.
    fileprivate var optional: PredicateValue {
        if case .nullObject = self { .null } else { self }
    }

    /// True for a single value: not nil, not a collection, and not an object.
    fileprivate var isSingle: Bool {
        switch self {
        case .bool, .integer, .double, .decimal, .string, .date, .data, .uuid, .url: true
        case .null, .nullObject, .type, .array, .set, .orderedSet, .dictionary, .object, .expression, .predicate: false
        }
    }
}

/// `$0.tags[0]`
extension PredicateExpressions.CollectionIndexSubscript: ConvertibleNode {
    var operands: [any PredicateExpression] { [wrapped, index] }

    func converted(by walk: Walk, _ scope: ConversionScope) throws(ConversionRefusal) -> Converted {
        guard ValueType.isArray(Wrapped.Output.self) else {
            let reason = PredicateConversionError.Reason.positions(type: "\(Wrapped.Output.self)")
            throw ConversionRefusal(.unsupported(node: "CollectionIndexSubscript", reason))
        }
        let base = try walk.value(wrapped, at: 0, scope)
        return .value(.index(IndexExpression(base: base, index: try walk.value(index, at: 1, scope))))
    }

    func print(to printer: inout SourcePrinter) { printer.subscripts(self) }
}

/// `$0.tags[1..<3]`
extension PredicateExpressions.CollectionRangeSubscript: ConvertibleNode {
    var operands: [any PredicateExpression] { [wrapped, range] }

    func converted(by walk: Walk, _ scope: ConversionScope) throws(ConversionRefusal) -> Converted {
        throw ConversionRefusal(.unsupported(node: "CollectionRangeSubscript", .slices))
    }

    func print(to printer: inout SourcePrinter) { printer.subscripts(self) }
}

/// `$0.scores["math"]`
extension PredicateExpressions.DictionaryKeySubscript: ConvertibleNode {
    var operands: [any PredicateExpression] { [wrapped, key] }

    func converted(by walk: Walk, _ scope: ConversionScope) throws(ConversionRefusal) -> Converted {
        try ValueType.refuseNestedOptional(Output.self, "DictionaryKeySubscript")
        let base = try walk.value(wrapped, at: 0, scope)
        return .value(.index(IndexExpression(base: base, index: try walk.value(key, at: 1, scope))))
    }

    func print(to printer: inout SourcePrinter) { printer.subscripts(self) }
}

/// `$0.scores["math", default: 0]`
extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: ConvertibleNode {
    var operands: [any PredicateExpression] { [wrapped, key, `default`] }

    func converted(by walk: Walk, _ scope: ConversionScope) throws(ConversionRefusal) -> Converted {
        guard !(Output.self is any OptionalValue.Type) else {
            let reason = PredicateConversionError.Reason.nestedOptional(type: "\(Output.self)?")
            throw ConversionRefusal(.unsupported(node: "DictionaryKeyDefaultValueSubscript", reason))
        }
        let base = try walk.value(wrapped, at: 0, scope)
        let entry = Converted.value(
            .index(IndexExpression(base: base, index: try walk.value(key, at: 1, scope))))
        let fallback = try walk.value(`default`, at: 2, scope)
        return .value(.choice(entry.isPresent, entry.expression, fallback))
    }

    func print(to printer: inout SourcePrinter) {
        printer.operand(0, of: self)
        printer.write("[")
        printer.argument(1, of: self)
        printer.write(", default: ")
        printer.argument(2, of: self)
        printer.write("]")
    }
}

extension SourcePrinter {
    /// `a[b]`
    fileprivate mutating func subscripts(_ node: any ConvertibleNode) {
        operand(0, of: node)
        write("[")
        argument(1, of: node)
        write("]")
    }
}
