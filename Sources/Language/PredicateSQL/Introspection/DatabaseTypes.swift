extension SQLEngine {
    /// Returns the type of a column; nil for a type that compares differently from every type of a schema, such as
    /// `interval`. The key of a table, and a column that references one, are references.
    ///
    /// - Parameters:
    ///   - name: The name of the type, without its length and its domain.
    ///   - declared: The type as the table declares it.
    func type(_ name: String, declared: String, isReference: Bool) -> SQLType? {
        switch self {
        case .postgresql: Self.postgresqlType(name)
        case .mariadb, .mysql: Self.mysqlType(name, declared: declared.lowercased(), isReference: isReference)
        case .duckdb: Self.duckdbType(name)
        case .sqlite, .spark: nil
        }
    }

    /// `varchar`, `int8`; `enum` for an enumeration of any name.
    private static let postgresqlTypes: [String: SQLType] = [
        "int2": .integer, "int4": .integer, "int8": .integer, "float8": .double, "float4": .single,
        "numeric": .decimal, "bool": .boolean, "text": .string, "varchar": .string, "citext": .string,
        "enum": .string, "bpchar": .paddedString,
        "timestamp": .date(.timestamp), "timestamptz": .date(.timestamp), "date": .date(.timestamp),
        "uuid": .uuid(.blob), "bytea": .data, "json": .json, "jsonb": .json,
    ]

    /// `_text` is the name of the array type `text[]`.
    private static func postgresqlType(_ name: String) -> SQLType? {
        guard name.hasPrefix("_") else { return postgresqlTypes[name] }
        // Arrays of dates without a time are not arrays of timestamps.
        return name == "_date" ? nil : postgresqlTypes[String(name.dropFirst())]?.asElementOfArray
    }

    private static let mysqlTypes: [String: SQLType] = [
        "tinyint": .integer, "smallint": .integer, "mediumint": .integer, "int": .integer, "bigint": .integer,
        "double": .double, "float": .single, "decimal": .decimal, "char": .string, "varchar": .string,
        "tinytext": .string,
        "text": .string, "mediumtext": .string, "longtext": .string, "enum": .string,
        "datetime": .date(.timestamp), "timestamp": .date(.timestamp), "date": .date(.timestamp),
        "uuid": .uuid(.blob), "binary": .data, "varbinary": .data, "tinyblob": .data, "blob": .data,
        "mediumblob": .data, "longblob": .data,
    ]

    /// An unsigned `bigint` is a decimal number, since it may hold integers of 2^63 and more, unless it numbers rows.
    private static func mysqlType(_ name: String, declared: String, isReference: Bool) -> SQLType? {
        if declared == "tinyint(1)" { return .boolean }
        if name == "bigint", declared.contains("unsigned"), !isReference { return .decimal }
        return mysqlTypes[name.lowercased()]
    }

    private static let duckdbTypes: [String: SQLType] = [
        "TINYINT": .integer, "SMALLINT": .integer, "INTEGER": .integer, "BIGINT": .integer, "UTINYINT": .integer,
        "USMALLINT": .integer, "UINTEGER": .integer, "DOUBLE": .double, "FLOAT": .single, "BOOLEAN": .boolean,
        "VARCHAR": .string,
        "TIMESTAMP": .date(.timestamp), "TIMESTAMP WITH TIME ZONE": .date(.timestamp), "DATE": .date(.timestamp),
        "TIMESTAMP_S": .date(.timestamp), "TIMESTAMP_MS": .date(.timestamp), "UUID": .uuid(.blob), "BLOB": .data,
    ]

    /// `DECIMAL(10,2)` is a decimal, `DECIMAL(10,2)[]` an array of decimals.
    private static func duckdbType(_ name: String) -> SQLType? {
        if name.hasSuffix("[]") {
            return name.hasPrefix("DATE[") ? nil : duckdbType(String(name.dropLast(2)))?.asElementOfArray
        }
        if name.hasPrefix("DECIMAL("), name.hasSuffix(")") { return .decimal }
        return duckdbTypes[name]
    }
}

extension SQLType {
    /// The database's own array type with elements of this type; nil if schemas have no such arrays.
    fileprivate var asElementOfArray: SQLType? {
        switch self {
        case .integer, .double, .decimal, .boolean, .string, .date, .uuid, .data: .array(self, .native)
        case .single, .paddedString, .array, .any, .json: nil
        }
    }
}
