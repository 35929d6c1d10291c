import PredicateGenerators
import PredicateSQL

/// The engines behind the bridge, with what the harness has to know about each.
package enum EngineKind: String, CaseIterable, Sendable {
    case postgresql

    package var dialect: any SQLDialect {
        switch self {
        case .postgresql: PostgreSQLDialect()
        }
    }

    /// The number of attempts in which a difference is made small.
    var patience: Int {
        switch self {
        case .postgresql: 2000
        }
    }

    var traits: EngineTraits {
        switch self {
        case .postgresql: .postgresql
        }
    }
}

extension EngineTraits {
    fileprivate static let postgresql: EngineTraits = {
        var traits = EngineTraits { type, role in
            let name =
                switch type {
                case .integer: "bigint"
                case .double, .date(.since2001), .date(.since1970): "double precision"
                case .boolean: "boolean"
                case .decimal: "numeric"
                case .string, .date(.iso8601), .uuid(.text): "text"
                case .date(.timestamp): "timestamptz"
                case .uuid(.blob): "uuid"
                case .data, .any: "bytea"
                }
            return name + role.constraint
        }
        traits.holdsNUL = false
        traits.rowErrors = ["22003"]
        return traits
    }()
}

extension WorldTable.Role {
    /// ` NOT NULL`
    fileprivate var constraint: String {
        switch self {
        case .key: " PRIMARY KEY"
        case .required: " NOT NULL"
        case .optional, .link: ""
        }
    }
}
