import Foundation
import PredicateEvaluation
public import PredicateSQL

extension SQLSchema {
    /// Makes the schema of a table for the values of a type. The entity has the name of the type.
    ///
    /// ```swift
    /// let schema = try SQLSchema(Person.self, table: "people")
    /// let compiler = SQLCompiler(schema: schema)
    /// let policy = PredicatePolicy.untrusted.checking(against: schema, entity: "Person")
    /// let statements = try schema.declarations(for: .postgresql)
    /// ```
    ///
    /// Each stored key of the type has a column of the same name: the properties in its table of key paths or, except on
    /// Apple's platforms, all stored properties. An optional may be NULL, an enum is its raw value, and an array of plain
    /// values is JSON. The keys of a nested struct are columns of the same table: `address.city` is `address_city`. Other
    /// properties, such as URLs and arrays of objects, have no column: add attributes and relationships.
    ///
    /// - Parameters:
    ///   - type: The type of the objects.
    ///   - table: The name of the table, by default that of the type.
    ///   - primaryKey: The column of the primary key. It has the type of that property; if there is none, it is an integer.
    ///   - dates: The storage of dates.
    /// - Throws: ``/PredicateSQL/SQLSchemaError`` for a type whose keys are not known.
    public init<Root>(
        _ type: Root.Type, table: String? = nil, primaryKey: String = "id", dates: SQLType.DateStorage = .since2001
    ) throws(SQLSchemaError) {
        var columns = TypeColumns(dates: dates)
        columns.add(TypeKey.all(of: type) ?? [], after: "", isNullable: false)
        var attributes = columns.attributes
        let key = attributes.removeValue(forKey: primaryKey)
        guard key != nil || !attributes.isEmpty else { throw SQLSchemaError(unknownKeysOf: "\(type)") }
        self.init([
            SQLEntity(
                "\(type)", table: table, primaryKey: primaryKey, primaryKeyType: key?.type ?? .integer,
                attributes: attributes)
        ])
    }
}

/// The columns for the keys of a type.
private struct TypeColumns {
    let dates: SQLType.DateStorage
    private(set) var attributes: [String: SQLAttribute] = [:]

    mutating func add(_ keys: [TypeKey], after path: String, isNullable: Bool) {
        for key in keys where key.isStored { add(key.type, path + key.name, isNullable: isNullable) }
    }

    private mutating func add(_ type: any Any.Type, _ path: String, isNullable: Bool) {
        if let optional = type as? any OptionalValue.Type { return add(optional.wrapped, path, isNullable: true) }
        if let column = column(type) {
            let name = path.contains(".") ? path.replacing(".", with: "_") : nil
            attributes[path] = SQLAttribute(column, column: name, isNullable: isNullable)
        } else if TypeKey.elements(of: type) == nil, TypeKey.objects(in: type) != nil, !(type is AnyClass) {
            add(TypeKey.all(of: type) ?? [], after: path + ".", isNullable: isNullable)
        }
    }

    /// Returns the type of a column; nil for values that no single column holds.
    private func column(_ type: any Any.Type) -> SQLType? {
        switch type {
        case is Bool.Type: .boolean
        case is Double.Type: .double
        case is Float.Type: .single
        case is Decimal.Type, is Int128.Type, is UInt128.Type: .decimal
        case is String.Type, is Substring.Type, is Character.Type: .string
        case is Date.Type: .date(dates)
        case is UUID.Type: .uuid
        case is Data.Type: .data
        case is any FixedWidthInteger.Type: .integer
        case is any BinaryFloatingPoint.Type: .double
        default: TypeKey.rawValue(of: type).flatMap(column) ?? TypeKey.elements(of: type).flatMap(array)
        }
    }

    private func array(of type: any Any.Type) -> SQLType? {
        switch column((type as? any OptionalValue.Type)?.wrapped ?? type) {
        case .string?: .array(.string, .json)
        case .integer?: .array(.integer, .json)
        case .double?, .single?: .array(.double, .json)
        case .boolean?: .array(.boolean, .json)
        default: nil
        }
    }
}
