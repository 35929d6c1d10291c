import PredicateAgreement
import PredicateSQL

/// The engines behind the bridge, with what the harness has to know about each.
package enum EngineKind: String, CaseIterable, Sendable {
    case postgresql, mariadb, mysql, duckdb, spark

    var engine: SQLEngine {
        switch self {
        case .postgresql: .postgresql
        case .mariadb: .mariadb
        case .mysql: .mysql
        case .duckdb: .duckdb
        case .spark: .spark
        }
    }

    package var dialect: any SQLDialect { engine.dialect }

    /// The number of attempts in which a difference is made small: few where each takes long.
    var patience: Int {
        switch self {
        case .postgresql, .mariadb, .mysql, .duckdb: 2000
        case .spark: 150
        }
    }

    /// The number of rows of conformance records that at least pass.
    var recordFloor: Int {
        switch self {
        case .postgresql: 1_500
        case .mariadb, .mysql, .duckdb, .spark: 0
        }
    }

    var traits: EngineTraits {
        switch self {
        case .postgresql: .postgresql
        case .mariadb: .mariadb
        case .mysql: .mysql
        case .duckdb: .duckdb
        case .spark: .spark
        }
    }
}

extension EngineTraits {
    fileprivate static let postgresql: EngineTraits = {
        var traits = EngineTraits { type, role in
            let name =
                switch type {
                // A whole number of any width is one.
                case .integer where role == .optional: "numeric(20)"
                case .integer: "bigint"
                case .double, .date(.since2001), .date(.since1970): "double precision"
                case .single: "real"
                case .paddedString: "char(7)"
                case .array(.string, .native): "text[]"
                case .array(_, .native): "bigint[]"
                case .array, .json: "jsonb"
                case .boolean: "boolean"
                case .decimal: "numeric"
                case .string, .date(.iso8601), .uuid(.text), .uuid(.lowercaseText): "text"
                case .date(.timestamp): "timestamptz"
                case .uuid(.blob): "uuid"
                case .data, .any: "bytea"
                }
            return name + role.constraint
        }
        traits.types += [.array(.string, .native), .array(.integer, .native), .json]
        (traits.holdsNUL, traits.holdsNULInArrays) = (false, false)
        traits.limitedTypes = [
            .integer("smallint", "32767", "-32768"), .integer("integer", "2147483647", "-2147483648"),
            .decimal("numeric(10,2)", "99999999.99", "-99999999.99", "-12.34"),
        ]
        // numeric_value_out_of_range
        traits.rowErrors = ["22003"]
        return traits
    }()

    fileprivate static let mariadb: EngineTraits = {
        var traits = mySQLFamily("utf8mb4_nopad_bin", uuid: "uuid")
        traits.keepsSignOfZero = false
        return traits
    }()

    fileprivate static let mysql: EngineTraits = {
        var traits = mySQLFamily("utf8mb4_0900_bin", uuid: "binary(16)")
        // ER_REGEXP_STACK_OVERFLOW, ER_REGEXP_TIME_OUT
        traits.rowErrors.formUnion(["3698", "3699"])
        return traits
    }()

    /// MariaDB and MySQL, with the collation that compares code points.
    private static func mySQLFamily(_ collation: String, uuid: String) -> EngineTraits {
        var traits = EngineTraits { type, role in
            let name =
                switch type {
                case .integer: "bigint"
                case .double, .date(.since2001), .date(.since1970): "double"
                case .single: "float"
                case .paddedString: "char(7)"
                case .array, .json: "longtext"
                case .boolean: "boolean"
                case .decimal: "decimal(65, 30)"
                // A text of no length is no key. Collations differ: of the server, without case, of code points.
                case .string where role == .key || role == .link: "varchar(100)"
                case .string where role == .optional: "text collate utf8mb4_unicode_ci"
                case .string: "text collate \(collation)"
                case .date(.iso8601), .uuid(.text), .uuid(.lowercaseText): "text"
                case .date(.timestamp): "datetime(6)"
                case .uuid(.blob): role == .required ? uuid : "binary(16)"
                case .data, .any: "blob"
                }
            return name + role.constraint
        }
        traits.types += [.json]
        traits.holdsInfinity = false
        traits.holdsNaN = false
        traits.decimalDigits = (65, 30)
        traits.limitedTypes = [
            .integer("tinyint", "127", "-128"), .integer("int", "2147483647", "-2147483648"),
            .integer("int unsigned", "4294967295", "65536"), .integer("smallint unsigned", "65535"),
            .decimal("decimal(10,2)", "99999999.99", "-99999999.99", "-12.34"),
            .decimal("decimal(30,15)", "999999999999999.999999999999999", "-999999999999999.999999999999999"),
        ]
        // ER_DATA_OUT_OF_RANGE, ER_WARN_DATA_OUT_OF_RANGE
        traits.rowErrors = ["1690", "1264"]
        return traits
    }

    fileprivate static let duckdb: EngineTraits = {
        var traits = EngineTraits { type, role in
            let name =
                switch type {
                case .integer: "BIGINT"
                case .double, .date(.since2001), .date(.since1970): "DOUBLE"
                case .single: "FLOAT"
                case .array(.string, .native): "VARCHAR[]"
                case .array(_, .native): "BIGINT[]"
                case .boolean: "BOOLEAN"
                case .decimal: "DECIMAL(38, 18)"
                case .string, .paddedString, .array, .json, .date(.iso8601), .uuid(.text), .uuid(.lowercaseText):
                    "VARCHAR"
                case .date(.timestamp): "TIMESTAMPTZ"
                case .uuid(.blob): "UUID"
                case .data, .any: "BLOB"
                }
            return name + role.constraint
        }
        traits.types += [.array(.string, .native), .array(.integer, .native), .json]
        traits.limitedTypes = [
            .integer("TINYINT", "127", "-128"), .integer("INTEGER", "2147483647", "-2147483648"),
            .integer("UINTEGER", "4294967295"), .decimal("DECIMAL(10,2)", "99999999.99", "-99999999.99", "-12.34"),
            .decimal("DECIMAL(18,9)", "999999999.999999999", "-999999999.999999999"),
            .decimal("DECIMAL(4,3)", "9.999", "-9.999"), .decimal("DECIMAL(18,1)", "99999999999999999.9"),
        ]
        // A sum of rows stays below 10^19.
        traits.decimalDigits = (36, 18)
        return traits
    }()

    /// Columns of views, which have a type only.
    fileprivate static let spark: EngineTraits = {
        var traits = EngineTraits { _, _ in "" }
        traits.types += [.array(.string, .native), .array(.integer, .native)]
        traits.changesRows = false
        traits.decimalDigits = (36, 18)
        traits.rowErrors = ["ARITHMETIC_OVERFLOW"]
        return traits
    }()
}

extension WorldTable.Role {
    /// ` NOT NULL`
    fileprivate var constraint: String {
        switch self {
        case .key: " PRIMARY KEY NOT NULL"
        case .required: " NOT NULL"
        case .optional, .link: ""
        }
    }
}
