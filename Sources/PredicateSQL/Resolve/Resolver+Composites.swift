import PredicateSyntax

extension Resolver {
    /// `address == nil` of a composite attribute, which is nil where all its elements are: `address.street == nil AND …`
    ///
    /// nil for every other comparison.
    func comparisonWithNil(
        _ left: ExpressionNode, _ relation: Relation, _ right: ExpressionNode, _ paths: ComparisonPaths
    ) throws(Fault) -> ConditionForm? {
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

    /// The paths of the elements of a composite attribute of the object, or of one that to-one relationships lead to.
    private func elements(of path: KeyPathExpression) -> [[String]]? {
        guard path.base == nil else { return nil }
        var keys: [String] = []
        for component in path.components {
            guard case .key(let key) = component else { return nil }
            keys.append(key)
        }
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
