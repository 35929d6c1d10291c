import PredicateModel
import PredicateSyntax

/// The names of tables of pairs and of their columns.
///
/// `Album.assets` and its inverse `Asset.albums`, where the entities have the numbers 28 and 3: the table is `Z_28ASSETS` or
/// `Z_3ALBUMS`, the column that leads to albums is `Z_28ALBUMS`, the one that leads to assets `Z_3ASSETS`. Each column has the
/// name of the key that leads to its objects.
struct JoinNames {
    private let model: ManagedObjectModel
    private let numbers: [String: Int64]
    /// The column that leads to an entity's own objects in the table of each of its relationships, by entity and key.
    private var ownColumns: [String: [String: String]] = [:]

    init(_ model: ManagedObjectModel, _ numbers: [String: Int64]) {
        (self.model, self.numbers) = (model, numbers)
        for entity in model.entitiesInPreorder { ownColumns[entity.name] = columns(of: entity) }
    }

    /// The columns in the order of the keys; a name that occurs again gets a number.
    ///
    /// In a file Core Data may have numbered them in another order: `FileTables.layout(of:)` goes by the file.
    private func columns(of entity: EntityDescription) -> [String: String] {
        guard let number = numbers[entity.name] else { return [:] }
        var columns: [String: String] = [:]
        var counts: [String: Int] = [:]
        for relationship in entity.relationships.sorted(by: { $0.name < $1.name }) where relationship.isToMany {
            guard let inverse = model.inverse(of: relationship)?.relationship, inverse.isToMany else { continue }
            let name = "Z_\(number)\(inverse.name.uppercased())"
            let count = counts[name, default: 0]
            columns[relationship.name] = count == 0 ? name : "\(name)\(count)"
            counts[name] = count + 1
        }
        return columns
    }

    func table(
        of relationship: RelationshipDescription, of entity: String,
        _ inverse: (relationship: RelationshipDescription, declaringEntity: EntityDescription)
    ) -> JoinTable? {
        let other = inverse.declaringEntity.name
        guard let number = numbers[entity], let otherNumber = numbers[other],
            let own = ownColumns[entity]?[relationship.name],
            let target = ownColumns[other]?[inverse.relationship.name]
        else { return nil }
        let name = "Z_\(number)\(relationship.name.uppercased())"
        let otherName = "Z_\(otherNumber)\(inverse.relationship.name.uppercased())"
        if name == otherName {
            // Its own inverse: both columns would have one name.
            return JoinTable(
                names: [name], sourceColumn: "REFLEXIVE", targetColumn: target,
                orderColumn: relationship.isOrdered ? Self.order(target) : nil)
        }
        let isFirst = (number, relationship.name) <= (otherNumber, inverse.relationship.name)
        return JoinTable(
            names: isFirst ? [name, otherName] : [otherName, name], sourceColumn: own, targetColumn: target,
            orderColumn: relationship.isOrdered ? Self.order(target) : nil,
            inverseOrderColumn: inverse.relationship.isOrdered ? Self.order(own) : nil)
    }

    /// `Z_FOK_3ASSETS` for `Z_3ASSETS`
    static func order(_ column: String) -> String { "Z_FOK_" + column.dropFirst(2) }
}
