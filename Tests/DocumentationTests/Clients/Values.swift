import Foundation
import Predicates

// Types that several examples share.

struct FoundPerson: Codable, Hashable, Sendable {
    var name: String
    var age: Int
}

/// What clients may ask.
enum PeoplePolicy {
    static let schema = SQLSchema(table: "people", columns: ["name": .string, "age": .integer])

    static let policy: PredicatePolicy = {
        var policy = PredicatePolicy.untrusted.checking(against: schema, entity: "people")
        policy.keys = .only(["name", "age"])
        return policy
    }()

    static func compiler(_ dialect: any SQLDialect) -> SQLCompiler {
        return SQLCompiler(schema: schema, dialect: dialect, limits: policy.limits)
    }
}

#if !canImport(NIOCore)
    /// SwiftNIO's buffer.
    struct ByteBuffer: Hashable, Sendable {
        var bytes: [UInt8]
        init(bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }
        var readableBytesView: [UInt8] { bytes }
    }
#endif
