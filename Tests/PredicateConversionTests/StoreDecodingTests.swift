import Foundation
import PredicateConversion
import PredicateSQL
import PredicateStore
import PredicateSyntax
import PredicateTestSupport
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
    private let store: PredicateStore

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
        let found = try store.objects(Owner.self, for: FetchRequest("Pet", sortKeys: [SortKey("age")]))
        #expect(found.count == pets.count)
        let expected = Dictionary(uniqueKeysWithValues: pets.map { ($0.id, sorted(owner($0))) })
        for owner in found { #expect(sorted(owner) == expected[owner.id]) }
    }

    @Test func predicatesOfSwiftSelect() throws {
        let found = try store.objects(
            Owner.self, where: #Predicate { $0.age > 0 && $0.friends.contains { $0.age < 2 && $0.plain != "a" } },
            sortedBy: [SortDescriptor(\.age, order: .reverse), SortDescriptor(\.id)], limit: 3, offset: 1, entity: "Pet"
        )
        let expected = pets.filter { $0.age > 0 && $0.friends.contains { $0.age < 2 && $0.plain != "a" } }
            .sorted { ($1.age, $0.id) < ($0.age, $1.id) }
        #expect(found.map(\.id) == expected.dropFirst().prefix(3).map(\.id))
        #expect(!found.isEmpty)
    }

    @Test func formatsSelectToo() throws {
        let found = try store.objects(
            Owner.self, where: FormatPredicate("name CONTAINS[cd] 'a'"), sortedBy: [SortDescriptor(\.id)], entity: "Pet"
        )
        #expect(
            found.map(\.id) == pets.filter { $0.name.lowercased().contains("a") || "àÅ".contains($0.name) }.map(\.id))
    }

    @Test func theEntityIsNamedLikeTheType() throws {
        #expect(
            try store.objects(Mate.self).count == pets.reduce(0) { $0 + $1.friends.count + ($1.best == nil ? 0 : 1) })
    }

    @Test func streams() async throws {
        var ids: [Int] = []
        let stream = store.stream(
            Mate.self, where: #Predicate { $0.plain != "" }, sortedBy: [SortDescriptor(\.id)], limit: 100)
        for try await mate in stream { ids.append(mate.id) }
        #expect(ids == ids.sorted() && !ids.isEmpty)
        let all = store.stream(Mate.self, for: FetchRequest("Mate", limit: 2))
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
    private struct Own: Codable {
        init(from decoder: any Decoder) throws { throw CocoaError(.coderInvalidValue) }
        func encode(to encoder: any Encoder) throws {}
    }

    @Test func errorsNameTheKey() throws {
        func decode<Value: Decodable>(_ type: Value.Type) -> String {
            title { _ = try store.objects(type, entity: "Pet") }
        }
        #expect(
            decode(Misspelt.self) == "expected a value of the type for 'nmae' of Pet: there is no such key")
        #expect(
            decode(Strict.self)
                == "expected a value of the type for 'nick' of Pet: it is nil, and the property is not optional")
        #expect(
            decode(Other.self) == "expected a value of the type for 'name' of Pet: expected an integer, found a string")
        #expect(decode(Narrow.self).hasSuffix("does not fit Int8"))
        #expect(
            decode(Nested.self)
                == "expected a value of the type for 'best.age' of Pet: expected a string, found an integer")
        #expect(decode(Own.self).hasPrefix("expected a value of the type for Pet: "))
        #expect(
            title { _ = try store.objects(Strict.self) }.hasPrefix("expected an entity"))
    }

    private struct Computed: Codable {
        var age: Int
        var isAdult: Bool { age > 17 }
    }

    @Test func conversionErrorsAreErrorsOfTheStore() throws {
        let error = StoreError.thrown {
            try store.objects(Computed.self, where: #Predicate { $0.isAdult }, entity: "Pet")
        }
        guard case .conversion(let inner)? = error?.code else { throw try #require(error) }
        #expect(error?.description == inner.description)
        let named = try store.objects(
            Computed.self, where: #Predicate { $0.isAdult }, entity: "Pet", names: [\Computed.isAdult: "adult"])
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
}
