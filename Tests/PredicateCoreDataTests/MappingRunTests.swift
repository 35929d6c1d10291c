import Foundation
import PredicateCoreData
import PredicateEvaluation
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax
import Testing

/// Migrations by a mapping model: expressions, look-ups, filters, policies, and what stops them.
@Suite struct MappingRunTests {
    private let folder: ScratchFolder
    private let path: String

    init() throws {
        folder = try ScratchFolder()
        path = folder["one.sqlite"]
        try Self.fill(path)
    }

    // MARK: - Models

    /// Songs of a band, in lists with an order of their own.
    private static let first = ManagedObjectModel([
        EntityDescription(
            "Piece", isAbstract: true,
            attributes: [
                AttributeDescription("name", .string), AttributeDescription("seconds", .integer64),
                AttributeDescription("cover", .binaryData, allowsExternalBinaryDataStorage: true),
            ],
            relationships: [
                .toOne("band", "Band", inverse: "pieces"), .toMany("lists", "List", inverse: "pieces"),
            ]),
        EntityDescription("Song", superentity: "Piece", attributes: [AttributeDescription("isLoud", .boolean)]),
        EntityDescription("Hymn", superentity: "Piece"),
        EntityDescription(
            "Band", attributes: [AttributeDescription("name", .string), AttributeDescription("country", .string)],
            relationships: [.toMany("pieces", "Piece", inverse: "band", isOrdered: true)]),
        EntityDescription(
            "List", attributes: [AttributeDescription("name", .string)],
            relationships: [.toMany("pieces", "Piece", inverse: "lists", isOrdered: true)]),
    ])

    /// Long and short tracks without a common entity, minutes for seconds, and the country of the band in every track.
    private static let second: ManagedObjectModel = {
        let attributes = [
            AttributeDescription("title", .string, isOptional: false), AttributeDescription("minutes", .double),
            AttributeDescription("country", .string), AttributeDescription("remark", .string),
            AttributeDescription("cover", .binaryData),
        ]
        func track(_ name: String) -> EntityDescription {
            EntityDescription(
                name, attributes: attributes,
                relationships: [.toOne("group", "Group", inverse: "\(name.lowercased())s")])
        }
        return ManagedObjectModel(
            [
                track("Long"), track("Short"), track("Hymn"),
                EntityDescription(
                    "Group", attributes: [AttributeDescription("name", .string)],
                    relationships: [
                        .toMany("longs", "Long", inverse: "group", isOrdered: true),
                        .toMany("shorts", "Short", inverse: "group", isOrdered: true),
                        .toMany("hymns", "Hymn", inverse: "group"),
                    ]),
            ], versionIdentifiers: ["2"])
    }()

    private static func fill(_ path: String) throws {
        let store = try CoreDataStore.create(path, model: first)
        let bands = try [("Ämter", "DE"), ("B-Side", nil)].map {
            try store.insert("Band", ["name": $0, "country": $1])
        }
        var songs: [SQLObjectID] = []
        for (index, seconds) in [90, 600, 61, 540, 30].enumerated() {
            songs.append(
                try store.insert(
                    "Song",
                    [
                        "name": "s\(index)", "seconds": seconds, "isLoud": index % 2 == 0, "band": bands[index % 2],
                        "cover": Data([2, UInt8(index), 0]),
                    ]))
        }
        let hymn = try store.insert("Hymn", ["name": "h", "seconds": 120, "band": bands[0]])
        try store.insert("List", ["name": "backwards", "pieces": [hymn] + songs.reversed()])
        try store.update(bands[0], ["pieces": [songs[4], hymn, songs[0], songs[2]]])
    }

    private static func track(
        _ name: String, from source: String, _ filter: String?, policy: String? = nil,
        _ changed: [PropertyMapping] = []
    ) -> EntityMapping {
        var attributes = [
            PropertyMapping("title", ModelExpression("$source.name")),
            PropertyMapping("minutes", ModelExpression("$source.seconds / 60.0")),
            PropertyMapping("country", ModelExpression("$source.band.country")),
            PropertyMapping("cover", ModelExpression("$source.cover")),
            PropertyMapping("remark", ModelExpression("$entityMapping.name")),
        ]
        for property in changed {
            attributes.removeAll { $0.name == property.name }
            attributes.append(property)
        }
        return EntityMapping(
            "\(source)To\(name)", source: source, destination: name, sourceFilter: filter.map { ModelPredicate($0) },
            attributeMappings: attributes,
            relationshipMappings: [
                PropertyMapping(
                    "group",
                    ModelExpression(
                        "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', "
                            + "'BandToGroup', $source.band)"))
            ], migrationPolicyClassName: policy)
    }

    private static let groups = EntityMapping(
        "BandToGroup", source: "Band", destination: "Group",
        attributeMappings: [PropertyMapping("name", ModelExpression("uppercase($source.name)"))],
        relationshipMappings: [
            PropertyMapping(
                "longs",
                ModelExpression(
                    "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', 'SongToLong', "
                        + "$source.pieces)")),
            PropertyMapping(
                "shorts",
                ModelExpression(
                    "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', 'SongToShort', "
                        + "$source.pieces)")),
        ])

    /// Mappings of tracks and, after them, of groups, which look up those of the tracks that are there.
    private static func mapping(_ given: [EntityMapping]? = nil) -> MappingModel {
        let tracks =
            given ?? [
                track("Long", from: "Song", "seconds >= 300"), track("Short", from: "Song", "seconds < 300"),
                track("Hymn", from: "Hymn", nil),
            ]
        var groups = groups
        groups.relationshipMappings.removeAll { property in
            !tracks.contains { property.valueExpression?.format.contains("'\($0.name)'") ?? false }
        }
        return MappingModel(tracks + [groups])
    }

    // MARK: - Running

    private func migrate(
        _ mapping: MappingModel = MappingRunTests.mapping(), _ policies: MigrationPolicies = MigrationPolicies(),
        rules: String = "", to model: ManagedObjectModel = MappingRunTests.second
    ) throws(CoreDataError) -> CoreDataStore {
        try StoreMigration(of: path, to: model, mapping: mapping, policies: policies, rules: MigrationRules(rules))
            .run(into: folder["two.sqlite"])
    }

    private func values(_ store: CoreDataStore, _ entity: String, _ key: String) throws -> [PredicateValue] {
        try store.objects.fetchAll(PredicateFetchRequest(entity, sortKeys: [SortKey("title")])).map { $0[key] ?? .null }
    }

    /// [NSP-360]
    @Test func anEntityIsSplitByFilters() throws {
        let store = try migrate()
        #expect(try values(store, "Long", "title") == ["s1", "s3"])
        #expect(try values(store, "Short", "title") == ["s0", "s2", "s4"])
        #expect(try values(store, "Hymn", "title") == ["h"])
        #expect(try values(store, "Long", "minutes") == [.double(10), .double(9)])
        #expect(try values(store, "Short", "country") == ["DE", "DE", "DE"])
        #expect(try values(store, "Long", "country") == [.null, .null])
        #expect(try values(store, "Hymn", "remark") == ["HymnToHymn"])
        #expect(try values(store, "Short", "cover")[1] == .data(Data([2, 2, 0])))
        #expect(try store.objects.fetchAll("Group").map { $0["name"] } == ["ÄMTER", "B-SIDE"])
        #expect(folder.names == ["one.sqlite", "two.sqlite"])
    }

    /// Objects of an entity that both models have would be lost without a word if no mapping takes them.
    @Test func objectsThatNoMappingTakesAreLosses() throws {
        let losses = { (mappings: [EntityMapping]) in
            try StoreMigration(of: path, to: Self.second, mapping: Self.mapping(mappings)).losses()
        }
        let (long, hymn) = (Self.track("Long", from: "Song", nil), Self.track("Hymn", from: "Hymn", nil))
        #expect(try losses([long, hymn]).isEmpty)
        let lost = try losses([long])
        #expect(lost == [.objects(entity: "Hymn", count: 1, links: 1)])
        // One that only creates the entity takes none of its objects; one that removes them decides about them.
        #expect(try losses([long, EntityMapping("New", source: nil, destination: "Hymn")]) == lost)
        #expect(try losses([long, EntityMapping("Gone", source: "Hymn", destination: nil)]).isEmpty)
    }

    /// An attribute without an expression has the default of the model, as one that no mapping names. [NSP-373]
    @Test func whatHasNoExpressionKeepsTheDefault() throws {
        var model = Self.second
        model["Group"]?.attributes += [
            AttributeDescription("stars", .integer16, isOptional: false, defaultValue: 3),
            AttributeDescription("colour", .string, defaultValue: "red"),
            AttributeDescription("shade", .string, defaultValue: "dark"),
        ]
        var groups = Self.groups
        groups.attributeMappings += [
            PropertyMapping("stars"), PropertyMapping("colour"), PropertyMapping("shade", ModelExpression("nil")),
        ]
        groups.relationshipMappings = []
        let store = try migrate(MappingModel([groups]), to: model)
        #expect(try store.objects.fetchAll("Group").map { $0["stars"] } == [.integer(3), .integer(3)])
        #expect(try store.objects.fetchAll("Group").map { $0["colour"] } == ["red", "red"])
        #expect(try store.objects.fetchAll("Group").map { $0["shade"] } == [.null, .null])
    }

    /// What Xcode generates for a relationship whose objects become objects of two entities. [NSP-373]
    @Test func aLookUpByRelationshipFindsWhatTheRelationshipLeadsTo() throws {
        let call = { (key: String, objects: String) in
            ModelExpression(
                "FUNCTION($manager, 'destinationInstancesForSourceRelationshipNamed:sourceInstances:', '\(key)', \(objects))"
            )
        }
        var groups = Self.groups
        groups.relationshipMappings = [PropertyMapping("shorts", call("pieces", "$source.pieces"))]
        let tracks = [Self.track("Long", from: "Song", nil), Self.track("Short", from: "Song", nil)]
        let store = try migrate(MappingModel(tracks + [groups]))
        #expect(try store.objects.fetchCount(PredicateFetchRequest("Long")) == 5)
        let group = try #require(try store.objects.fetchOne("Group", where: FormatPredicate("name == 'ÄMTER'")))
        #expect(try group.related("shorts").map { $0["title"] } == ["s4", "s0", "s2"])
    }

    /// [NSP-361]
    @Test func lookUpsLeadToWhatMappingsMade() throws {
        let store = try migrate()
        let reversed = MappingModel(Self.mapping().entityMappings.reversed())
        let other = try StoreMigration(of: path, to: Self.second, mapping: reversed).run(into: folder["three.sqlite"])
        for store in [store, other] {
            let group = try #require(try store.objects.fetchOne("Group", where: FormatPredicate("name == 'ÄMTER'")))
            // The order of the relationship, whichever end was written last.
            #expect(try group.related("shorts").map { $0["title"] } == ["s4", "s0", "s2"])
            #expect(try group.related("longs").isEmpty)
            #expect(try group.related("hymns").map { $0["title"] } == ["h"])
            #expect(
                try store.objects.fetchCount(PredicateFetchRequest("Long", FormatPredicate("group.name == 'B-SIDE'")))
                    == 2)
        }
        let next = try store.insert("Short", ["title": "next"])
        #expect(next.key == .integer(4))
    }

    @Test func lookUpsWorkBothWaysAndByRelationship() throws {
        let back =
            "FUNCTION($manager, 'sourceInstancesForEntityMappingNamed:destinationInstances:', 'HymnToHymn', $destination)"
        let others =
            "FUNCTION($manager, 'destinationInstancesForSourceRelationshipNamed:sourceInstances:', 'band', $source.band)"
        var hymn = Self.track("Hymn", from: "Hymn", nil)
        hymn.relationshipMappings = [
            PropertyMapping("group", ModelExpression("TERNARY(\(back)[0].name == 'h', \(others), nil)"))
        ]
        let store = try migrate(Self.mapping([hymn]))
        #expect(
            try store.objects.fetchCount(PredicateFetchRequest("Hymn", FormatPredicate("group.name == 'ÄMTER'"))) == 1)
    }

    @Test func expressionsFetchFromTheOldStore() throws {
        let fetch =
            "FETCH(FUNCTION($manager, 'fetchRequestForSourceEntityNamed:predicateString:', 'Song', 'isLoud == YES'), "
            + "$manager.sourceContext, NO).@count"
        let hymn = Self.track(
            "Hymn", from: "Hymn", nil, [PropertyMapping("minutes", ModelExpression("1.5 * \(fetch)"))])
        #expect(try values(migrate(Self.mapping([hymn])), "Hymn", "minutes") == [.double(4.5)])
    }

    // MARK: - Policies

    /// [NSP-362]
    @Test func policiesSeeBothObjectsAndMayMakeOthers() throws {
        let name = "Loudness"
        let policies = MigrationPolicies([
            name: { object, changes in
                #expect(object.mapping?.name == "SongToShort")
                #expect(object.source?["name"] == object["title"])
                #expect(try object.destination.related("group").count == 1)
                guard object.source?["isLoud"] == .bool(true) else { return }
                changes["remark"] = "loud"
                if object["title"] == "s4" { changes["group"] = try object.store.insert("Group", ["name": "new"]) }
            }
        ])
        let store = try migrate(
            Self.mapping([
                Self.track("Short", from: "Song", "seconds < 300", policy: name),
                Self.track("Long", from: "Song", "seconds > 300"),
            ]), policies)
        #expect(try values(store, "Short", "remark") == ["loud", "loud", "loud"])
        #expect(try values(store, "Long", "remark") == ["SongToLong", "SongToLong"])
        #expect(
            try store.objects.fetchCount(PredicateFetchRequest("Short", FormatPredicate("group.name == 'new'"))) == 1)
    }

    @Test func expressionsCallTheHost() throws {
        var policies = MigrationPolicies()
        policies.registry.registerMessage("shout:") { _, arguments in
            guard case .value(.string(let text))? = arguments.first else { return .null }
            return .value(.string(text + "!"))
        }
        let shout = [PropertyMapping("title", ModelExpression("FUNCTION($entityPolicy, 'shout:', $source.name)"))]
        let mapping = Self.mapping([Self.track("Hymn", from: "Hymn", nil, shout)])
        #expect(try values(migrate(mapping, policies), "Hymn", "title") == ["h!"])
    }

    @Test func aPolicyWithoutCodeIsNamedOrReplacedByRules() throws {
        let mapping = Self.mapping([Self.track("Hymn", from: "Hymn", nil, policy: "App.HymnPolicy")])
        let missing = CoreDataError(.missingPolicy(className: "App.HymnPolicy", mapping: "HymnToHymn"))
        #expect(throws: missing) { try migrate(mapping) }
        #expect(missing.number == 134_170)
        #expect(folder.names == ["one.sqlite"])
        let store = try migrate(mapping, rules: "Hymn, minutes == 2, remark = $source.band.name")
        #expect(try values(store, "Hymn", "remark") == ["Ämter"])
    }

    /// The expression gives a string for a number, as for a type that only the policy converts.
    @Test func aPolicyOrARuleReplacesWhatDoesNotFit() throws {
        let text = [PropertyMapping("minutes", ModelExpression("$source.name"))]
        let mapping = Self.mapping([Self.track("Hymn", from: "Hymn", nil, policy: "P", text)])
        let policies = MigrationPolicies(["P": { _, changes in changes["minutes"] = 2.5 }])
        #expect(try values(migrate(mapping, policies), "Hymn", "minutes") == [.double(2.5)])
        try FileManager.default.removeItem(atPath: folder["two.sqlite"])
        let error = CoreDataError.thrown { try migrate(mapping, MigrationPolicies(["P": { _, _ in }])) }
        #expect(error?.title.contains("Hymn.minutes") ?? false)
        let rule = "Hymn, TRUEPREDICATE, minutes = $source.seconds / 60.0"
        #expect(try values(migrate(mapping, rules: rule), "Hymn", "minutes") == [.double(2)])
        try FileManager.default.removeItem(atPath: folder["two.sqlite"])
        #expect(throws: CoreDataError.self) { try migrate(mapping, rules: "Hymn, TRUEPREDICATE, remark = 'x'") }
    }

    /// As a policy whose `createDestinationInstances` creates nothing for some objects, or several.
    @Test func aPolicyLeavesOutItsObjectOrMakesSeveral() throws {
        let mapping = Self.mapping([Self.track("Hymn", from: "Hymn", nil, policy: "P")])
        let none = MigrationPolicies([
            "P": { object, _ in try object.store.delete("Hymn", where: FormatPredicate("SELF == %@", object.id)) }
        ])
        #expect(try values(migrate(mapping, none), "Hymn", "title") == [])
        try FileManager.default.removeItem(atPath: folder["two.sqlite"])
        let two = MigrationPolicies(["P": { object, _ in try object.store.insert("Hymn", ["title": "second"]) }])
        #expect(try values(migrate(mapping, two), "Hymn", "title") == ["h", "second"])
    }

    @Test func aPolicyGivesWhatIsMandatory() throws {
        let nothing = [PropertyMapping("title", ModelExpression("nil"))]
        let mapping = Self.mapping([Self.track("Hymn", from: "Hymn", nil, policy: "P", nothing)])
        #expect(throws: CoreDataError(.missingValue(key: "title", entity: "Hymn", count: 1))) {
            try migrate(mapping, MigrationPolicies(["P": { _, _ in }]))
        }
        let policies = MigrationPolicies(["P": { object, changes in changes["title"] = object.source?["name"] }])
        #expect(try values(migrate(mapping, policies), "Hymn", "title") == ["h"])
    }

    // MARK: - What stops a migration

    /// [NSP-363]
    @Test func duplicatesAreReportedByTheirConstraint() throws {
        var model = Self.second
        model["Short"]?.uniquenessConstraints = [["country"]]
        let error = CoreDataError(.notUnique(keys: ["country"], entity: "Short"))
        #expect(throws: error) { try migrate(to: model) }
        #expect(error.number == 134_111)
        #expect(folder.names == ["one.sqlite"])
    }

    @Test func mappingsThatDoNotFitAreErrors() throws {
        func stopped(_ properties: [PropertyMapping], _ filter: String? = nil) -> CoreDataError.Code? {
            do throws(CoreDataError) {
                _ = try migrate(Self.mapping([Self.track("Hymn", from: "Hymn", filter, properties)]))
                return nil
            } catch {
                return error.code
            }
        }
        let cases: [(String, CoreDataError.Code?)] = [
            ("titel", stopped([PropertyMapping("titel", ModelExpression("1"))])),
            ("the source filter", stopped([], "seconds ==")),
            ("HymnToHymn, remark", stopped([PropertyMapping("remark", ModelExpression("$source.absent"))])),
            (
                "HymnToHymn, remark",
                stopped([PropertyMapping("remark", ModelExpression("FUNCTION($manager, 'none:', 1)"))])
            ),
            ("minutes", stopped([PropertyMapping("minutes", ModelExpression("$source.name"))])),
        ]
        for (part, code) in cases {
            let error = try #require(code.map { CoreDataError($0) }, "\(part)")
            #expect(error.description.contains(part), "\(error)")
        }
        #expect(folder.names == ["one.sqlite"])
    }

    @Test func aMappingThatIsNotThereIsNamed() throws {
        var hymn = Self.track("Hymn", from: "Hymn", nil)
        hymn.relationshipMappings[0].valueExpression = ModelExpression(
            "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', 'Bands', $source.band)")
        do throws(CoreDataError) {
            _ = try migrate(Self.mapping([hymn]))
            Issue.record("expected an error")
        } catch {
            #expect(error.description.contains("HymnToHymn, group"), "\(error)")
            #expect(error.description.contains("no entity mapping"), "\(error)")
        }
    }
}
