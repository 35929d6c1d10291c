import Foundation
import PredicateConversion
import PredicateSQL
import PredicateStore
import PredicateSyntax
import Predicates
import Testing

/// Rows of a store as values of Decodable types, selected by predicates of Swift.
@Suite struct StoreDecodingTests {
    private struct Owner: Codable, Equatable {
        var id: Int
        var name: String
        var nick: String?
        var age: Int
        var small: Int8
        var weight: Double
        var isTame: Bool
        var isSold: Bool?
        var born: Date
        var code: UUID
        var chip: Data?
        var kind: Kind
        var friends: [Companion]
        var best: Companion?
    }

    private struct Companion: Codable, Equatable {
        var id: Int
        var plain: String
        var age: Int
    }

    private let pets: [Pet]
    private let store: ObjectStore

    init() throws {
        var values = PetValues(random: .init(seed: 5))
        pets = (1...40).map { values.pet($0) }
        store = try PetTables.store(of: pets)
    }

    private func owner(_ pet: Pet) -> Owner {
        func companion(_ mate: Mate) -> Companion { Companion(id: mate.id, plain: mate.plain, age: mate.age) }
        return Owner(
            id: pet.id, name: pet.name, nick: pet.nick, age: pet.age, small: pet.small, weight: pet.weight,
            isTame: pet.isTame, isSold: pet.isSold, born: pet.born, code: pet.code, chip: pet.chip, kind: pet.kind,
            friends: pet.friends.map(companion), best: pet.best.map(companion))
    }

    private func sorted(_ owner: Owner) -> Owner {
        var owner = owner
        owner.friends.sort { $0.id < $1.id }
        return owner
    }

    @Test func rowsBecomeValues() throws {
        let found = try store.fetchAll(Owner.self, PredicateFetchRequest("Pet", sortKeys: [SortKey("age")]))
        #expect(found.count == pets.count)
        let expected = Dictionary(uniqueKeysWithValues: pets.map { ($0.id, sorted(owner($0))) })
        for owner in found { #expect(sorted(owner) == expected[owner.id]) }
    }

    @Test func predicatesOfSwiftSelect() throws {
        let found = try store.fetchAll(
            Owner.self,
            PredicateFetchRequest(
                "Pet",
                where: #Predicate<Owner> { $0.age > 0 && $0.friends.contains { $0.age < 2 && $0.plain != "a" } },
                sortedBy: [SortDescriptor(\.age, order: .reverse), SortDescriptor(\.id)], limit: 3, offset: 1))
        let expected = pets.filter { $0.age > 0 && $0.friends.contains { $0.age < 2 && $0.plain != "a" } }
            .sorted { ($1.age, $0.id) < ($0.age, $1.id) }
        #expect(found.map(\.id) == expected.dropFirst().prefix(3).map(\.id))
        #expect(!found.isEmpty)
    }

    @Test func formatsSelectToo() throws {
        let found = try store.fetchAll(
            Owner.self,
            PredicateFetchRequest("Pet", FormatPredicate("name CONTAINS[cd] 'a'"), sortKeys: [SortKey("id")]))
        #expect(
            found.map(\.id) == pets.filter { $0.name.lowercased().contains("a") || "àÅ".contains($0.name) }.map(\.id))
    }

    @Test func theEntityIsNamedLikeTheType() throws {
        #expect(
            try store.fetchAll(Mate.self).count == pets.reduce(0) { $0 + $1.friends.count + ($1.best == nil ? 0 : 1) })
    }

    @Test func streams() async throws {
        var ids: [Int] = []
        let request = try PredicateFetchRequest(
            where: #Predicate<Mate> { $0.plain != "" }, sortedBy: [SortDescriptor(\.id)], limit: 100)
        let stream = store.stream(Mate.self, request)
        for try await mate in stream { ids.append(mate.id) }
        #expect(ids == ids.sorted() && !ids.isEmpty)
        let all = store.stream(Mate.self, PredicateFetchRequest("Mate", limit: 2))
        #expect(try await all.reduce(0) { count, _ in count + 1 } == 2)
    }

    // MARK: Errors

    private func title(_ work: () throws -> Void) -> String {
        do {
            try work()
            return "no error"
        } catch {
            return (error as? StoreError)?.title ?? "\(error)"
        }
    }

    private struct Misspelt: Codable { var nmae: String? }
    private struct Strict: Codable { var nick: String }
    private struct Other: Codable { var name: Int }
    private struct Narrow: Codable { var large: Int8 }
    private struct Nested: Codable {
        var best: Inner?
        struct Inner: Codable { var age: String }
    }
    private struct Number: Codable { var friends: Int }
    private struct Dates: Codable { var friends: [Date] }
    private struct Own: Codable {
        init(from decoder: any Decoder) throws { throw CocoaError(.coderInvalidValue) }
        func encode(to encoder: any Encoder) throws {}
    }

    @Test func errorsNameTheKey() throws {
        func decode<Value: Decodable>(_ type: Value.Type) -> String {
            title { _ = try store.fetchAll(type, PredicateFetchRequest("Pet")) }
        }
        #expect(
            decode(Misspelt.self) == "cannot decode 'nmae' of Pet: there is no such key")
        #expect(
            decode(Strict.self)
                == "cannot decode 'nick' of Pet: it is nil, and the property is not optional")
        #expect(
            decode(Other.self) == "cannot decode 'name' of Pet: expected an integer, found a string")
        #expect(decode(Narrow.self).hasSuffix("does not fit in Int8"))
        #expect(
            decode(Nested.self)
                == "cannot decode 'best.age' of Pet: expected a string, found an integer")
        #expect(
            decode(Number.self)
                == "cannot decode 'friends' of Pet: expected a value, found a to-many relationship")
        #expect(
            decode(Dates.self)
                == "cannot decode 'friends.0' of Pet: expected a value, found an object")
        #expect(decode(Own.self).hasPrefix("cannot decode Pet: "))
        #expect(
            title { _ = try store.fetchAll(Strict.self) }.hasPrefix("expected an entity"))
    }

    private struct Computed: Codable {
        var age: Int
        var isAdult: Bool { age > 17 }
    }

    @Test func namesOfKeyPathsSelect() throws {
        #expect(throws: PredicateConversionError.self) {
            try PredicateFetchRequest(where: #Predicate<Computed> { $0.isAdult })
        }
        let named = try store.fetchAll(
            Computed.self,
            PredicateFetchRequest(
                "Pet", where: #Predicate<Computed> { $0.isAdult }, names: [\Computed.isAdult: "adult"]))
        #expect(named.count == pets.count { $0.age > 17 })
    }

    @Test func theCompilerTakesPredicatesOfSwift() throws {
        let compiler = SQLCompiler(schema: PetTables.schema)
        let query = try compiler.compile(#Predicate<Pet> { $0.age >= 18 && $0.best?.plain == "a" }, entity: "Pet")
        #expect(query.where.text.hasPrefix(#"t0."age" >= ?1 AND "#))
        #expect(throws: PredicateConversionError.self) {
            try compiler.compile(#Predicate<Computed> { $0.isAdult }, entity: "Pet")
        }
        #expect(throws: SQLCompilationError.self) {
            try compiler.compile(#Predicate<Pet> { $0.tags.contains("a") }, entity: "Pet")
        }
    }

    private struct Page: Sendable {
        var link: URL
    }

    @Test func urlsAreTextsInADatabase() throws {
        let url = try #require(URL(string: "https://swift.org"))
        let schema = SQLSchema([SQLEntity("Page", table: "page", attributes: ["link": .init(.string)])])
        let compiler = SQLCompiler(schema: schema)
        let (same, one) = (#Predicate<Page> { $0.link == url }, #Predicate<Page> { [url].contains($0.link) })
        for predicate in [same, one] {
            #expect(try compiler.compile(predicate, entity: "Page").where.bindings == [.text("https://swift.org")])
        }
        #expect(try PredicateFetchRequest(where: same).predicate == FormatPredicate("link == 'https://swift.org'"))
        for format in ["link == %@", "link != %@", "%@ == link", "link IN {%@}"] {
            let error = SQLCompilationError.thrown {
                try compiler.compile(FormatPredicate(format, url), entity: "Page")
            }
            #expect(error?.code == .notExpressible(.value("a URL")), "\(format)")
            #expect(error?.hints == ["pass the text of the URL as the argument: url.absoluteString"])
        }
    }
}
