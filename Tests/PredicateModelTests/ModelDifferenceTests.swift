import PredicateModel
import PredicateSyntax
import Testing

/// Differences between versions, and the verdict: the rules that are documented for lightweight migrations. [NSP-371]
@Suite struct ModelDifferenceTests {
    private static let base = EntityDescription(
        "Item",
        attributes: [
            .init("name", .string), .init("count", .integer32, isOptional: false, defaultValue: 0),
            .init("note", .string, isOptional: false),
        ],
        relationships: [
            .toOne("category", "Category", inverse: "items"), .toMany("tags", "Category", inverse: "tagged"),
        ])
    private static let category = EntityDescription(
        "Category", attributes: [.init("title", .string)],
        relationships: [.toMany("items", "Item", inverse: "category"), .toMany("tagged", "Item", inverse: "tags")])

    private func difference(_ change: (inout EntityDescription) -> Void) -> ModelDifference {
        var item = Self.base
        change(&item)
        return ModelDifference(
            from: ManagedObjectModel([Self.base, Self.category]), to: ManagedObjectModel([item, Self.category]))
    }

    private func expect(
        _ kind: ModelChange.Kind, _ level: MigrationEffect.Level, _ change: (inout EntityDescription) -> Void,
        _ location: SourceLocation = #_sourceLocation
    ) {
        let found = difference(change)
        #expect(found.changes.map(\.kind) == [kind], sourceLocation: location)
        #expect(found.verdict == level, sourceLocation: location)
    }

    @Test func nothing() {
        expect(.classChanged, .nothing) { $0.managedObjectClassName = "Item" }
        expect(.userInfoChanged, .nothing) { $0.userInfo = ["a": "b"] }
        expect(.indexesChanged, .nothing) { $0.indexes = [.init("byName", [.init("name")])] }
        expect(.defaultChanged, .nothing) { $0.attributes[0].defaultValue = "x" }
        expect(.validationChanged, .nothing) { $0.attributes[0].maximumLength = 5 }
        #expect(difference { _ in }.changes.isEmpty)
        #expect(difference { $0.attributes.reverse() }.changes.isEmpty)
        #expect(difference { $0.editorAttributes["syncable"] = "YES" }.changes.isEmpty)
    }

    @Test func inferableChangesOfAttributes() {
        expect(.attributeAdded, .inferable) { $0.attributes.append(.init("new", .date)) }
        expect(.attributeAdded, .inferable) {
            $0.attributes.append(.init("new", .integer16, isOptional: false, defaultValue: 5))
        }
        expect(.attributeRemoved, .inferable) { $0.attributes.remove(at: 0) }
        expect(.madeOptional, .inferable) { $0.attributes[2].isOptional = true }
        let mandatory = difference {
            $0.attributes[0].isOptional = false
            $0.attributes[0].defaultValue = "x"
        }
        #expect(mandatory.changes.map(\.kind) == [.madeMandatory, .defaultChanged] && mandatory.verdict == .inferable)
        expect(.propertyRenamed, .inferable) {
            $0.attributes[0].renamingIdentifier = "name"
            $0.attributes[0].name = "label"
        }
        expect(.hashModifierChanged, .inferable) { $0.versionHashModifier = "2" }
    }

    @Test func aMandatoryAttributeNeedsADefault() {
        expect(.attributeAdded, .needsMapping) { $0.attributes.append(.init("new", .date, isOptional: false)) }
        expect(.madeMandatory, .needsMapping) { $0.attributes[0].isOptional = false }
        expect(.typeChanged, .needsMapping) { $0.attributes[0].type = .integer64 }
        let found = difference { $0.attributes[1].type = .integer16 }.changes
        #expect(
            found.first?.effect
                == .needsMapping(
                    errorNumber: 134190, reason: "count of Item was Integer 32 and is Integer 16"))
        expect(.integerWidened, .inferable) { $0.attributes[1].type = .integer64 }
        expect(.typeChanged, .needsMapping) { $0.attributes[1].type = .double }
    }

    @Test func relationships() {
        expect(.relationshipAdded, .inferable) { $0.relationships.append(.toOne("other", "Category")) }
        expect(.relationshipAdded, .dataMayRefuse) {
            $0.relationships.append(.toOne("other", "Category", isOptional: false))
        }
        expect(.relationshipAdded, .inferable) {
            $0.relationships.append(.toMany("others", "Category", isOptional: false))
        }
        expect(.relationshipRemoved, .inferable) { $0.relationships.removeLast() }
        expect(.madeMandatory, .dataMayRefuse) { $0.relationships[0].isOptional = false }
        expect(.madeMandatory, .inferable) { $0.relationships[1].isOptional = false }
        let counted = difference {
            $0.relationships[1].isOptional = false
            $0.relationships[1].minimumCount = 1
        }
        #expect(counted.verdict == .dataMayRefuse)
        expect(.orderedChanged, .inferable) { $0.relationships[1].isOrdered = true }
        expect(.deleteRuleChanged, .inferable) { $0.relationships[1].deleteRule = .cascade }
        expect(.inverseChanged, .inferable) { $0.relationships[1].inverseName = nil }
        expect(.cardinalityChanged, .inferable) {
            $0.relationships[0].isToMany = true
            $0.relationships[0].maximumCount = 0
        }
        expect(.cardinalityChanged, .needsMapping) {
            $0.relationships[1].isToMany = false
            $0.relationships[1].maximumCount = 1
        }
        expect(.destinationChanged, .needsMapping) { $0.relationships[0].destinationEntityName = "Item" }
        expect(.countsChanged, .dataMayRefuse) { $0.relationships[1].maximumCount = 3 }
        expect(.propertyKindChanged, .needsMapping) {
            $0.relationships.removeFirst()
            $0.attributes.append(.init("category", .string))
        }
    }

    /// [NSP-371]
    @Test func questionsToTheDataArePredicates() throws {
        let found = difference { $0.relationships[0].isOptional = false }.changes[0]
        guard case .dataMayRefuse(let question) = found.effect else { throw ModelError(.noVersions) }
        #expect(question.predicate == "category == nil" && question.entity == "Item")
        expect(.uniquenessAdded, .dataMayRefuse) { $0.uniquenessConstraints = [["name"]] }
    }

    /// [NSP-370]
    @Test func entities() {
        let old = ManagedObjectModel([Self.base, Self.category])
        var renamed = Self.base
        renamed.name = "Task"
        renamed.renamingIdentifier = "Item"
        var category = Self.category
        for index in category.relationships.indices { category.relationships[index].destinationEntityName = "Task" }
        let difference = ModelDifference(from: old, to: ManagedObjectModel([renamed, category]))
        #expect(difference.changes.map(\.kind) == [.entityRenamed])
        // The next version keeps the identifier, or drops it.
        var kept = renamed
        kept.name = "Job"
        var keptCategory = category
        for index in keptCategory.relationships.indices {
            keptCategory.relationships[index].destinationEntityName = "Job"
        }
        let next = ModelDifference(
            from: ManagedObjectModel([renamed, category]), to: ManagedObjectModel([kept, keptCategory]))
        #expect(next.changes.map(\.kind) == [.entityRenamed])
        #expect(ModelDifference(from: old, to: ManagedObjectModel([kept, keptCategory])).verdict == .inferable)
        let gone = ModelDifference(from: old, to: ManagedObjectModel([]))
        #expect(gone.changes.map(\.kind) == [.entityRemoved, .entityRemoved] && gone.verdict == .inferable)
    }

    /// [NSP-370]
    @Test func aNameThatPassesToAnotherEntityIsNotARenaming() {
        let old = ManagedObjectModel([
            EntityDescription("A", attributes: [.init("x", .string)]), EntityDescription("B"),
        ])
        let new = ManagedObjectModel([
            EntityDescription("B", attributes: [.init("x", .string)], renamingIdentifier: "A")
        ])
        let found = ModelDifference(from: old, to: new).changes
        #expect(found.map(\.kind) == [.entityRemoved, .entityRenamed])
        #expect(found[0].entity == "B")
    }

    @Test func hierarchies() {
        let x = AttributeDescription("x", .string)
        let old = ManagedObjectModel([
            EntityDescription("A", attributes: [x]), EntityDescription("B"), EntityDescription("C", superentity: "A"),
        ])
        let up = ManagedObjectModel([
            EntityDescription("P", isAbstract: true, attributes: [x]), EntityDescription("A", superentity: "P"),
            EntityDescription("B"), EntityDescription("C", superentity: "A"),
        ])
        #expect(ModelDifference(from: old, to: up).verdict == .inferable)
        #expect(
            ModelDifference(from: old, to: up).changes.map(\.kind) == [.entityAdded, .superentityChanged])
        let merged = ManagedObjectModel([
            EntityDescription("P", isAbstract: true), EntityDescription("A", superentity: "P", attributes: [x]),
            EntityDescription("B", superentity: "P"), EntityDescription("C", superentity: "A"),
        ])
        #expect(ModelDifference(from: old, to: merged).verdict == .needsMapping)
        let down = ManagedObjectModel([
            EntityDescription("A"), EntityDescription("B"), EntityDescription("C", superentity: "A", attributes: [x]),
        ])
        #expect(ModelDifference(from: old, to: down).changes.map(\.kind) == [.propertyMoved])
        let abstract = ManagedObjectModel([
            EntityDescription("A", isAbstract: true, attributes: [x]), EntityDescription("B"),
            EntityDescription("C", superentity: "A"),
        ])
        #expect(ModelDifference(from: old, to: abstract).verdict == .dataMayRefuse)
    }
}
