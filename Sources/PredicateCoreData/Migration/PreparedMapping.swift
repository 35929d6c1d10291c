import PredicateEvaluation
import PredicateModel
import PredicateSyntax

/// The mapping of an entity with its expressions ready to be evaluated.
struct PreparedMapping {
    /// The value of one property.
    struct Property {
        let name: String
        /// The type of an attribute; nil for a relationship.
        let type: AttributeType?
        let evaluator: ExpressionEvaluator
        /// The expression as it is written.
        let format: String
    }

    let name: String
    let source: String?
    let destination: String?
    /// The class of the policy; nil for none.
    let policy: String?
    let filter: FormatPredicate?
    /// Those with an expression: the others are left as a new object has them.
    let attributes: [Property]
    let relationships: [(property: Property, description: RelationshipDescription)]
    /// `$entityMapping`
    let entityMapping: PredicateValue

    /// Throws `invalidMapping` for a property that the model does not have, and for a source filter that is no predicate,
    /// `expression` for a value that cannot be evaluated.
    init(
        _ mapping: EntityMapping, _ model: ManagedObjectModel, _ registry: EvaluationRegistry
    ) throws(CoreDataError) {
        (name, source, destination) = (mapping.name, mapping.sourceEntityName, mapping.destinationEntityName)
        policy = mapping.migrationPolicyClassName
        filter = try Self.filter(mapping)
        attributes = try Self.attributes(of: mapping, model, registry)
        relationships = try Self.relationships(of: mapping, model, registry)
        entityMapping = [
            "name": .string(mapping.name), "userInfo": .dictionary(mapping.userInfo),
            "sourceEntityName": source.map(PredicateValue.string) ?? .null,
            "destinationEntityName": destination.map(PredicateValue.string) ?? .null,
        ]
    }

    private static func attributes(
        of mapping: EntityMapping, _ model: ManagedObjectModel, _ registry: EvaluationRegistry
    ) throws(CoreDataError) -> [Property] {
        let known = mapping.destinationEntityName.map(model.attributes) ?? []
        var found: [Property] = []
        for property in mapping.attributeMappings {
            guard let attribute = known.first(where: { $0.name == property.name }) else {
                throw unknown("attribute", property, mapping, known.map(\.name))
            }
            guard let value = property.valueExpression else { continue }
            found.append(try Self.property(property, value, attribute.type, mapping, registry))
        }
        return found
    }

    private static func relationships(
        of mapping: EntityMapping, _ model: ManagedObjectModel, _ registry: EvaluationRegistry
    ) throws(CoreDataError) -> [(property: Property, description: RelationshipDescription)] {
        let known = mapping.destinationEntityName.map(model.relationships) ?? []
        var found: [(property: Property, description: RelationshipDescription)] = []
        for property in mapping.relationshipMappings {
            guard let relationship = known.first(where: { $0.name == property.name }) else {
                throw unknown("relationship", property, mapping, known.map(\.name))
            }
            guard let value = property.valueExpression else { continue }
            found.append((try Self.property(property, value, nil, mapping, registry), relationship))
        }
        return found
    }

    private static func filter(_ mapping: EntityMapping) throws(CoreDataError) -> FormatPredicate? {
        do throws(PredicateFormatError) {
            return try mapping.sourceFilter?.predicate()
        } catch {
            throw CoreDataError(.invalidMapping(mapping.name, reason: "the source filter: \(error.title)"))
        }
    }

    private static func unknown(
        _ kind: String, _ property: PropertyMapping, _ mapping: EntityMapping, _ names: [String]
    ) -> CoreDataError {
        let near = NearMiss.candidates(for: property.name, among: names).map { "'\($0)'" }
        let question = near.isEmpty ? "" : ", did you mean \(near.joined(separator: " or "))?"
        let entity = mapping.destinationEntityName ?? ""
        return CoreDataError(
            .invalidMapping(mapping.name, reason: "\(entity) has no \(kind) '\(property.name)'\(question)"))
    }

    private static func property(
        _ property: PropertyMapping, _ value: ModelExpression, _ type: AttributeType?, _ mapping: EntityMapping,
        _ registry: EvaluationRegistry
    ) throws(CoreDataError) -> Property {
        let reason: String
        do {
            let expression = try value.expression()
            let evaluator = try ExpressionEvaluator(expression, registry: registry)
            return Property(
                name: property.name, type: type, evaluator: evaluator, format: expression.expressionFormat)
        } catch let error as PredicateFormatError {
            reason = error.title
        } catch let error as EvaluationError {
            reason = error.title
        } catch {
            reason = "\(error)"
        }
        throw CoreDataError(.expression("\(mapping.name), \(property.name)", reason: reason))
    }
}
