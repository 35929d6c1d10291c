import Foundation
import PredicateEvaluation
import PredicateSyntax
import Testing

private final class Account: KeyPathCoding {
    let owner: Worker?
    let balance: Decimal

    init(_ owner: Worker?, _ balance: Decimal) {
        self.owner = owner
        self.balance = balance
    }

    static let keys: KeyPathTable<Account> = [
        "owner": .key(\.owner), "balance": .key(\.balance), "owner2": .key(\.owner), "owner2": .computed { _ in 2 },
    ]
}

@Suite struct ObjectsTableTests {
    @Test func structs() throws {
        let worker = Worker(name: "jo", age: 30, tags: ["a"])
        #expect(isExactly(try follow("name", in: worker), "jo"))
        #expect(isExactly(try follow("isAdult", in: worker), true))
        #expect(isExactly(try follow("tags", in: worker), .set(["a"])))
        #expect(worker.allKeys == ["name", "age", "tags", "isAdult"])
        #expect(worker.value(forKey: "wings") == nil)
    }

    @Test func classes() throws {
        let account = Account(Worker(name: "jo", age: 3), 5)
        #expect(isExactly(try follow("owner.age", in: account), 3))
        #expect(isExactly(try follow("balance", in: account), .decimal(5)))
        #expect(isExactly(try follow("owner.age", in: Account(nil, 0)), .null))
        #expect(isExactly(try follow("owner2", in: account), 2))
        #expect(Account.keys.names == ["owner", "balance", "owner2"])
    }

    @Test func placesForPlans() throws {
        let age = try #require(Worker.keys["age"])
        #expect(age.offset == MemoryLayout<Worker>.offset(of: \.age))
        #expect(ObjectIdentifier(age.valueType) == ObjectIdentifier(Int.self))
        #expect(age.keyPath == \Worker.age)
        let computed = try #require(Worker.keys["isAdult"])
        #expect(computed.offset == nil)
        #expect(computed.keyPath == nil)
        #expect(ObjectIdentifier(computed.valueType) == ObjectIdentifier(Bool.self))
        #expect(Account.keys["balance"]?.offset == nil)
        #expect(isExactly(age.read(Worker(name: nil, age: 4)), 4))
    }
}

@Suite struct ObjectsRecordTests {
    private let layout = KeyedRecord.Layout(["name", "age", "name"])

    @Test func slots() throws {
        let record = KeyedRecord(layout, ["jo", 30, "x", "surplus"])
        #expect(record.values.count == 3)
        #expect(layout.slot(of: "name") == 0)
        #expect(layout.slot(of: "age") == 1)
        #expect(layout.slot(of: "wings") == nil)
        #expect(isExactly(try follow("age", in: record), 30))
        #expect(record[slot: 1] == 30)
        #expect(record[slot: 99] == .null)
        #expect(record[slot: -1] == .null)
        #expect(record["name"] == "jo")
    }

    @Test func missingValuesAndKeys() throws {
        let record = KeyedRecord(layout, ["jo"])
        #expect(isExactly(try follow("age", in: record), .null))
        #expect(
            errorCode { try follow("agee", in: record) }
                == .undefinedKey("agee", of: "KeyedRecord", nearMisses: ["age"]))
        let tolerant = KeyedRecord(KeyedRecord.Layout(["a"], toleratesMissingKeys: true), ["a": 1, "b": 2])
        #expect(isExactly(try follow("b", in: tolerant), .null))
        #expect(isExactly(try follow("a", in: tolerant), 1))
    }

    @Test func changes() {
        var record = KeyedRecord(layout, ["jo", 1])
        record["age"] = 2
        record["wings"] = 3
        record[slot: 0] = "al"
        record[slot: 7] = "nobody"
        #expect(record == KeyedRecord(KeyedRecord.Layout(["name", "age", "name"]), ["al", 2]))
    }
}
