import PredicateModel
import PredicateSyntax

/// A hash of what makes a version of an entity, of this library: it is not the one of Core Data, which has no public algorithm.
///
/// Names, kinds, optionality and inheritance count; class names, user info, indexes and validation do not.
enum VersionHash {
    static func text(of entity: EntityDescription, in model: ManagedObjectModel) -> String {
        var parts = [
            entity.name, entity.superentityName ?? "", "\(entity.isAbstract)", entity.versionHashModifier ?? "",
        ]
        for attribute in model.attributes(of: entity.name).sorted(by: { $0.name < $1.name }) {
            parts += [
                "a", attribute.name, attribute.type.name, "\(attribute.isOptional)", "\(attribute.isTransient)",
                attribute.versionHashModifier ?? "",
            ]
            guard attribute.type == .composite else { continue }
            for element in model.elements(of: attribute) { parts += ["e", element.name, element.type.name] }
        }
        for relationship in model.relationships(of: entity.name).sorted(by: { $0.name < $1.name }) {
            parts += [
                "r", relationship.name, relationship.destinationEntityName ?? "", relationship.inverseName ?? "",
                "\(relationship.isToMany)", "\(relationship.isOrdered)", "\(relationship.isOptional)",
                "\(relationship.minimumCount)", "\(relationship.maximumCount)", "\(relationship.isTransient)",
                relationship.versionHashModifier ?? "",
            ]
        }
        let hash = parts.joined(separator: "\u{1F}").utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { hash, byte in
            (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
