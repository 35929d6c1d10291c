import PredicateSyntax
import PredicateText

extension Resolver {
    /// Returns the resolved form of a key path of the selected object, such as a sort key or a result. Errors name the key
    /// path.
    func resolve(key keyPath: String) throws(SQLCompilationError) -> Resolved {
        let keys = KeyPathExpression.keys(of: keyPath)
        return try SQLCompilationError.naming(keyPath) { () throws(CompilationFault) in
            let found = try follow(keys[...], from: .object(root), .root)
            if case .value(let value) = found { try checkAverage(value, .root) }
            // A column of JSON objects can be read, but has no order and no equality.
            if case .value(let value) = found, let member = value.member, !member.isWhole || useOfAnyKind != .whole {
                throw CompilationFault(.mixedKinds(member.name), at: .root)
            }
            return found
        }
    }

    /// Returns the resolved form of a key path.
    func resolve(_ keyPath: KeyPathExpression, _ path: TreePath) throws(CompilationFault) -> Resolved {
        if let name = keyPath.singleKey, !name.isOperator { return try step(name, from: .object(root), path) }
        var found: Resolved = .object(root)
        if let base = keyPath.base { found = try resolve(base, path.child(0)) }
        var keys: [String] = []
        for component in keyPath.components { keys += try self.keys(of: component, path) }
        if keyPath.base == nil, !resultNames.isEmpty { keys = joiningResultName(keys) }
        guard keys.count <= limits.pathKeys else { throw CompilationFault(excess(.pathKeys), at: path) }
        guard keys.count <= limits.nesting || keys.count(where: \.isOperator) <= limits.nesting else {
            throw CompilationFault(.nestingTooDeep(limit: limits.nesting), at: path)
        }
        return try follow(keys[...], from: found, path)
    }

    /// Returns the keys of a component. A variable in a path represents keys.
    private func keys(of component: KeyPathExpression.Component, _ path: TreePath) throws(CompilationFault) -> [String]
    {
        switch component {
        case .key(let name): return [name]
        case .variable(let name):
            guard case .constant(.string(let text)) = try variable(name, path) else {
                throw CompilationFault(.expected(.key, found: .other("the variable $\(name)")), at: path)
            }
            return KeyPathExpression.keys(of: text)
        }
    }

    func follow(_ keys: ArraySlice<String>, from start: Resolved, _ path: TreePath) throws(CompilationFault) -> Resolved
    {
        var found = start
        var rest = keys
        while let key = rest.first {
            if found.isNil { return found }
            if let length = try elementLength(of: rest, in: found, path) {
                found = try step(rest.prefix(length).joined(separator: "."), from: found, path)
                rest = rest.dropFirst(length)
                continue
            }
            rest = rest.dropFirst()
            // A key of an object may begin with `@`, unless it is the name of an operator.
            if key.isOperator {
                let `operator` = KeyPathOperator(rawValue: key)
                if let `operator`, `operator`.hasSQL { return try apply(`operator`, rest, to: found, path) }
                if `operator` != nil || !found.isObject(with: key) {
                    throw CompilationFault(.property(key), at: path)
                }
            }
            found = try step(key, from: found, path)
        }
        return found
    }

    /// Returns the number of keys of the path to an element of a composite attribute, `address.street`, which is one
    /// column; nil if the first key is a key by itself. Throws for a whole composite attribute, and for an unknown
    /// element.
    private func elementLength(
        of keys: ArraySlice<String>, in start: Resolved, _ path: TreePath
    ) throws(CompilationFault) -> Int? {
        guard let reference = start.objectReference, reference.hasElements, let first = keys.first,
            reference.property(first) == nil, reference.entity.isComposite(first)
        else { return nil }
        for length in 1...keys.count {
            let name = keys.prefix(length).joined(separator: ".")
            if reference.property(name) != nil { return length }
            guard reference.entity.isComposite(name) else {
                throw CompilationFault(schema.schema.missingKey(name, of: reference.entity), at: path)
            }
        }
        throw CompilationFault(.property(keys.joined(separator: ".")), at: path)
    }

    private func step(_ key: String, from start: Resolved, _ path: TreePath) throws(CompilationFault) -> Resolved {
        if key == "self" { return start }
        switch start {
        case .object(let object): return try step(key, from: object, path)
        case .value(let value):
            if let member = value.member { return .value(try self.member(key, of: member, path)) }
            return .value(try property(key, of: value, path))
        case .collection(let collection): return try step(key, from: collection, path)
        case .choice(let test, let left, let right):
            return .choice(test, try step(key, from: left, path), try step(key, from: right, path))
        case .constant(.dictionary(let entries)): return .constant(entries[key] ?? .null)
        case .constant(let constant):
            guard let value = value(of: constant) else { throw CompilationFault(.property(key), at: path) }
            return .value(try property(key, of: value, path))
        case .list, .combined: throw CompilationFault(.collectionValue, at: path)
        }
    }

    /// Returns the value of an object's key: a column, or other objects.
    func step(_ key: String, from object: ObjectForm, _ path: TreePath) throws(CompilationFault) -> Resolved {
        guard let property = object.reference.property(key) else {
            // SQL has no dictionaries.
            if object.reference.hasElements, object.entity.isComposite(key) {
                throw CompilationFault(.property(key), at: path)
            }
            throw CompilationFault(schema.schema.missingKey(key, of: object.entity), at: path)
        }
        switch property {
        case .attribute(let attribute):
            if let array = attribute.array {
                return .collection(try collection(key, array, in: column(attribute, of: object), path))
            }
            if attribute.type == .json { return .value(try member(column(attribute, of: object), path)) }
            return .value(try value(attribute, of: object, path))
        case .toOne(let name, let column):
            let destination = try entity(name, path)
            let key = ColumnForm(alias: row(of: object), column: column, isNullable: true)
            return .object(ObjectForm(destination, key: key, mayBeNil: true, alias: nil, scope: object.scope))
        case .toMany(let name, _), .manyToMany(let name, _, _, _):
            return .collection(collection(key, property, try entity(name, path), of: object))
        }
    }

    private func value(
        _ attribute: AttributeReference, of object: ObjectForm, _ path: TreePath
    ) throws(CompilationFault) -> TypedValue {
        if attribute.isPrimaryKey, object.alias == nil, attribute.kind == object.reference.primaryKeyKind,
            attribute.guardedAffinity == nil
        {
            return object.keyValue
        }
        if case .any = attribute.kind, !useOfAnyKind.takes(attribute) {
            throw CompilationFault(.mixedKinds(attribute.column.name.text), at: path)
        }
        if let textZone, useOfAnyKind != .whole, isDateInString(attribute.kind) {
            throw CompilationFault(.timeZone(textZone), at: path)
        }
        let column = column(attribute, of: object)
        let isNullable = column.isNullable
        guard let affinity = attribute.guardedAffinity else {
            let form = attribute.conversion.map { ValueForm.cast(.column(column), .type($0)) }
            return TypedValue(form: form ?? .column(column), kind: attribute.kind, mayBeNil: isNullable)
        }
        let name = parameter(.text(attribute.column.name.text), .text)
        let textColumn = ColumnForm(alias: column.alias, column: attribute.textColumn, isNullable: isNullable)
        let guarded = GuardedColumn(
            column: column, kind: attribute.kind, affinity: affinity, name: name, textColumn: textColumn)
        return TypedValue(form: .guarded(guarded), kind: attribute.kind, mayBeNil: isNullable)
    }

    /// True for dates that are stored as strings, as SQLite also stores timestamps.
    private func isDateInString(_ kind: ValueKind) -> Bool {
        guard case .date(let storage) = kind else { return false }
        return storage == .iso8601 || storage == .timestamp && dialect.features.contains(.storageClasses)
    }

    private func column(_ attribute: AttributeReference, of object: ObjectForm) -> ColumnForm {
        ColumnForm(
            alias: row(of: object), column: attribute.column, isNullable: object.mayBeNil || attribute.isNullable)
    }

    /// Returns the alias of an object's row, which is joined by its key if it is not in scope yet.
    private func row(of object: ObjectForm) -> Int {
        if let alias = object.alias { return alias }
        return object.scope.lookUp(object.key, of: object.reference) { newAlias() }
    }
}

extension Resolved {
    /// The entity whose keys may follow; nil for values.
    fileprivate var objectReference: EntityReference? {
        switch self {
        case .object(let object): object.reference
        case .collection(let collection):
            if case .object(let object) = collection.element { object.reference } else { nil }
        case .constant, .value, .list, .choice, .combined: nil
        }
    }

    /// Returns true for an object that has a key.
    fileprivate func isObject(with key: String) -> Bool {
        if case .object(let object) = self { object.reference.property(key) != nil } else { false }
    }
}

extension KeyPathExpression.Component {
    /// `@count`
    var isOperator: Bool {
        switch self {
        case .key(let name): name.isOperator
        case .variable: false
        }
    }
}

extension String {
    /// `@count`
    fileprivate var isOperator: Bool { utf8.first == UInt8(ascii: "@") }
}

extension Resolver {
    /// `address == nil` for a composite attribute, which is nil if all its elements are: `address.street == nil AND
    /// …`
    ///
    /// Returns nil for any other comparison.
    func comparisonWithNil(
        _ left: ExpressionNode, _ relation: ComparisonRelation, _ right: ExpressionNode, _ paths: ComparisonPaths
    ) throws(CompilationFault) -> ConditionForm? {
        guard case .relation(let relation) = relation, !relation.isOrdering else { return nil }
        let side: (path: KeyPathExpression, place: TreePath)
        switch (left, right) {
        case (.keyPath(let path), .constantValue(let value)) where value.isNil: side = (path, paths.left)
        case (.constantValue(let value), .keyPath(let path)) where value.isNil: side = (path, paths.right)
        default: return nil
        }
        guard let elements = elements(of: side.path) else { return nil }
        var conditions: [ConditionForm] = []
        for element in elements {
            let value = try follow(element[...], from: .object(root), side.place)
            conditions.append(try equality(value, .constant(.null), .none, paths))
        }
        return relation == .equal ? .all(conditions) : ConditionForm.all(conditions).negated
    }

    /// Returns the paths of a composite attribute's elements, of the object or of a related object through to-one
    /// relationships.
    private func elements(of path: KeyPathExpression) -> [[String]]? {
        guard path.base == nil, let keys = path.keys else { return nil }
        var reference = root.reference
        for (index, key) in keys.enumerated() {
            switch reference.property(key) {
            case .toOne(let name, _)?:
                guard let next = schema.entity(name) else { return nil }
                reference = next
            case .attribute?, .toMany?, .manyToMany?: return nil
            case nil:
                guard reference.hasElements else { return nil }
                let elements = reference.entity.elements(of: keys[index...].joined(separator: "."))
                return elements.isEmpty ? nil : elements.map { Array(keys[..<index]) + [$0] }
            }
        }
        return nil
    }
}

/// A comparison with `ANYKEY` on one side.
struct AnyKeyComparison {
    let left: ExpressionNode
    let relation: ComparisonRelation
    let right: ExpressionNode
    let modifier: ComparisonModifier
    let mode: FoldMode

    /// Returns nil for a comparison without `ANYKEY`.
    init?(
        _ left: ExpressionNode, _ relation: ComparisonRelation, _ right: ExpressionNode, _ modifier: ComparisonModifier,
        _ mode: FoldMode
    ) {
        guard left.isAnyKey || right.isAnyKey else { return nil }
        self.left = left
        self.relation = relation
        self.right = right
        self.modifier = modifier
        self.mode = mode
    }

    /// Returns the operands with an attribute in place of `ANYKEY`.
    func sides(_ key: String) -> (left: ExpressionNode, right: ExpressionNode) {
        let attribute = ExpressionNode.keyPath(KeyPathExpression([.key(key)]))
        return left.isAnyKey ? (attribute, right) : (left, attribute)
    }

    /// Returns true for the error of an attribute whose type the operator does not accept. The evaluator leaves it
    /// out as well.
    func leavesOut(_ code: SQLCompilationError.Code) -> Bool {
        if case .incomparable = code { return true }
        guard case .expected(let expectation, _) = code else { return false }
        return expectation == .string || expectation == .stringOrCollection && isContainer
    }

    /// True for `ANYKEY CONTAINS 1` and `1 IN ANYKEY`.
    private var isContainer: Bool {
        guard case .membership(let isMirrored) = relation else { return false }
        return isMirrored == left.isAnyKey
    }
}

extension Resolver {
    /// `ANYKEY == "jo"`: the comparisons with all attributes of the entity, joined by OR. [NSP-179]
    func condition(_ comparison: AnyKeyComparison, _ paths: ComparisonPaths) throws(CompilationFault) -> ConditionForm {
        guard comparison.modifier == .direct, !comparison.left.isAnyKey || !comparison.right.isAnyKey else {
            throw CompilationFault(.construct("ANYKEY"), at: comparison.right.isAnyKey ? paths.right : paths.left)
        }
        var conditions: [ConditionForm] = []
        for key in root.entity.attributeKeys {
            let (left, right) = comparison.sides(key)
            do throws(CompilationFault) {
                conditions.append(try compare(left, comparison.relation, right, .direct, comparison.mode, paths))
            } catch {
                guard comparison.leavesOut(error.code) else { throw error }
            }
        }
        return .any(conditions)
    }
}

extension SQLEntity {
    /// The keys of the attributes in a fixed order, so that equal predicates have equal SQL.
    fileprivate var attributeKeys: [String] { attributes.keys.map(\.self).inOrder() }
}
