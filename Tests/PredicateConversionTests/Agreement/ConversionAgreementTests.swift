import Foundation
import PredicateConversion
import PredicateEvaluation
import PredicateGenerators
import PredicateSQL
import PredicateStore
import PredicateSyntax
import Testing

/// Differential test: random predicates of Swift over random objects, by `Predicate.evaluate`, by the evaluator, and by SQLite
/// through the store.
@Suite struct ConversionAgreementTests {
    /// `PREDICATES_CONVERSION_COUNT=1000000 PREDICATES_CONVERSION_SEED=7 swift test -c release --filter ConversionAgreement`
    private static func setting(_ name: String, _ standard: Int) -> Int {
        ProcessInfo.processInfo.environment["PREDICATES_CONVERSION_\(name)"].flatMap(Int.init) ?? standard
    }

    @Test func swiftEvaluatorAndStoreAgree() async throws {
        let seed = Self.setting("SEED", 1)
        var report = ConversionReport()
        for world in 0..<max(1, Self.setting("COUNT", 3000) / PetWorld.predicates) {
            try PetWorld(seed: UInt64(clamping: seed) &* 1_000_003 &+ UInt64(world)).run(&report)
            if report.failures.count > 5 { break }
            await Task.yield()
        }
        Swift.print("conversion, seed \(seed): \(report.summary)")
        for failure in report.failures { Issue.record("\(failure)") }
        #expect(report.predicates > 0)
        // Most rows have an answer in Swift, many predicates tell some rows from others, and a third reach SQL.
        #expect(report.unjudged * 4 < report.rows)
        #expect(report.selective * 3 > report.predicates)
        #expect(report.compiled * 3 > report.predicates)
    }
}

/// What a run has found.
struct ConversionReport {
    var predicates = 0
    var rows = 0
    var unjudged = 0
    var selective = 0
    var compiled = 0
    var failures: [String] = []

    var summary: String {
        "\(predicates) predicates, \(rows) rows, \(unjudged) without an answer in Swift, \(selective) selective, "
            + "\(compiled) in SQL, \(failures.count) differences"
    }
}

/// Some pets, in memory and in a database, and random predicates about them.
struct PetWorld {
    static let predicates = 100
    private static let rows = 30

    let seed: UInt64
    private let pets: [Pet]
    private let store: ObjectStore

    init(seed: UInt64) throws {
        self.seed = seed
        var values = PetValues(random: RandomSource(seed: seed))
        pets = (1...Self.rows).map { values.pet($0) }
        store = try PetTables.store(of: pets)
    }

    func run(_ report: inout ConversionReport) throws {
        var random = RandomSource(seed: seed &* 31)
        for _ in 0..<Self.predicates {
            let source = random.next()
            let predicate = Predicate<Pet> { pet in
                var trees = PetTrees(random: RandomSource(seed: source), pet: pet)
                return trees.condition(3)
            }
            try judge(predicate, &report)
        }
    }

    private func judge(_ predicate: Predicate<Pet>, _ report: inout ConversionReport) throws {
        report.predicates += 1
        let format = try FormatPredicate(predicate)
        let evaluator = try PredicateEvaluator(format)
        let selected = selection(format)
        if selected != nil { report.compiled += 1 }
        var holding = 0
        for pet in pets {
            report.rows += 1
            guard let expected = try? predicate.evaluate(pet) else {
                report.unjudged += 1
                continue
            }
            if expected { holding += 1 }
            let found = Result { try evaluator.evaluate(with: pet) }
            if (try? found.get()) != expected {
                report.failures.append("seed \(seed): \(format) of \(pet): expected \(expected), found \(found)")
                return
            }
            if let selected, selected.contains(pet.id) != expected {
                report.failures.append("seed \(seed): \(format) of \(pet): expected \(expected), the store differs")
                return
            }
        }
        if holding > 0, holding < pets.count { report.selective += 1 }
    }

    /// The pets that the store selects; nil for a predicate that SQL does not say exactly.
    private func selection(_ format: FormatPredicate) -> Set<Int>? {
        guard let objects = try? store.fetchAll("Pet", where: format) else { return nil }
        return Set(objects.compactMap { if case .integer(let id) = $0.id.key { Int(id) } else { nil } })
    }
}

/// The tables of pets and their friends.
enum PetTables {
    static let schema = SQLSchema([
        SQLEntity(
            "Pet", table: "pet",
            attributes: [
                "id": .init(.integer, isNullable: false), "plain": .init(.string, isNullable: false),
                "name": .init(.string, isNullable: false),
                "nick": .init(.string),
                "age": .init(.integer, isNullable: false), "bonus": .init(.integer), "large": .init(.integer),
                "small": .init(.integer), "weight": .init(.double), "ratio": .init(.double), "isTame": .init(.boolean),
                "isSold": .init(.boolean), "born": .init(.date), "died": .init(.date), "code": .init(.uuid),
                "chip": .init(.data), "kind": .init(.string), "adult": .init(.boolean),
            ],
            relationships: [
                "friends": .toMany("Mate", inverseColumn: "pet"), "best": .toOne("Mate", column: "best"),
            ]),
        SQLEntity(
            "Mate", table: "mate",
            attributes: [
                "id": .init(.integer, isNullable: false), "plain": .init(.string), "nick": .init(.string),
                "age": .init(.integer), "bonus": .init(.integer),
                "isTame": .init(.boolean),
            ]),
    ])

    static func store(of pets: [Pet]) throws -> ObjectStore {
        let connection = try StoreConnection.inMemory()
        try connection.execute(
            """
            CREATE TABLE mate (id INTEGER PRIMARY KEY, plain TEXT, nick TEXT, age INTEGER, bonus INTEGER, isTame INTEGER,
                pet INTEGER);
            CREATE TABLE pet (id INTEGER PRIMARY KEY, plain TEXT NOT NULL, name TEXT NOT NULL, nick TEXT,
                age INTEGER NOT NULL, bonus INTEGER, large INTEGER, small INTEGER, weight REAL, ratio REAL, isTame INTEGER,
                isSold INTEGER, born REAL, died REAL, code BLOB, chip BLOB, kind TEXT, adult INTEGER, best INTEGER);
            """)
        for pet in pets {
            for mate in pet.friends { try insert(mate, of: pet.id, connection) }
            if let best = pet.best { try insert(best, of: nil, connection) }
            try insert(pet, connection)
        }
        return try ObjectStore(connection, schema: schema)
    }

    private static func insert(_ mate: Mate, of pet: Int?, _ connection: StoreConnection) throws {
        let values: [SQLBinding] = [
            integer(mate.id), .text(mate.plain), text(mate.nick), integer(mate.age), integer(mate.bonus),
            .integer(mate.isTame ? 1 : 0), integer(pet),
        ]
        try insert("mate", values, connection)
    }

    private static func insert(_ pet: Pet, _ connection: StoreConnection) throws {
        let code = withUnsafeBytes(of: pet.code.uuid) { Data($0) }
        let values: [SQLBinding] = [
            integer(pet.id), .text(pet.plain), .text(pet.name), text(pet.nick), integer(pet.age), integer(pet.bonus),
            integer(pet.large), integer(Int(pet.small)), .double(pet.weight), real(pet.ratio),
            .integer(pet.isTame ? 1 : 0), integer(pet.isSold.map { $0 ? 1 : 0 }),
            .double(pet.born.timeIntervalSinceReferenceDate), real(pet.died?.timeIntervalSinceReferenceDate),
            .blob(code), pet.chip.map(SQLBinding.blob) ?? .null, .text(pet.kind.rawValue),
            .integer(pet.isAdult ? 1 : 0), integer(pet.best?.id),
        ]
        try insert("pet", values, connection)
    }

    private static func insert(_ table: String, _ values: [SQLBinding], _ connection: StoreConnection) throws {
        let places = values.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        _ = try connection.run(SQLFragment(verbatim: "INSERT INTO \(table) VALUES (\(places))", bindings: values))
    }

    private static func integer(_ value: Int?) -> SQLBinding { value.map { .integer(Int64($0)) } ?? .null }
    private static func real(_ value: Double?) -> SQLBinding { value.map(SQLBinding.double) ?? .null }
    private static func text(_ value: String?) -> SQLBinding { value.map(SQLBinding.text) ?? .null }
}
