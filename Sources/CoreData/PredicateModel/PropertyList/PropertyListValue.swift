import Foundation
package import PredicateSyntax

/// A value of a property list, which may be in binary, XML, or the old form with braces.
enum PropertyListValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// An integer above the range of ``integer(_:)``.
    case unsigned(UInt64)
    case real(Double)
    case date(Date)
    case data(Data)
    case string(String)
    /// The number of an object in a keyed archive.
    case uid(Int)
    case array([PropertyListValue])
    case dictionary([String: PropertyListValue])

    /// Reads a property list of any form.
    init(_ bytes: [UInt8], limits: ModelLimits) throws(ModelError) {
        guard bytes.count <= limits.fileSize else {
            throw ModelError(.exceeds(.fileSize, limit: limits.fileSize))
        }
        if BinaryPropertyList.isOne(bytes) {
            self = try BinaryPropertyList(bytes, limits: limits).root()
        } else if XMLReader.mayBeXML(bytes) {
            self = try XMLPropertyList.read(try XMLReader.read(bytes, limits: limits))
        } else {
            self = try BracePropertyList.read(bytes, limits: limits)
        }
    }

    var string: String? { if case .string(let text) = self { text } else { nil } }
    var data: Data? { if case .data(let data) = self { data } else { nil } }
    var uid: Int? { if case .uid(let number) = self { number } else { nil } }
    var array: [PropertyListValue]? { if case .array(let values) = self { values } else { nil } }
    var dictionary: [String: PropertyListValue]? { if case .dictionary(let values) = self { values } else { nil } }

    var integer: Int64? {
        switch self {
        case .integer(let value): value
        case .bool(let value): value ? 1 : 0
        case .null, .unsigned, .real, .date, .data, .string, .uid, .array, .dictionary: nil
        }
    }

    var bool: Bool? {
        switch self {
        case .bool(let value): value
        case .integer(let value): value != 0
        case .null, .unsigned, .real, .date, .data, .string, .uid, .array, .dictionary: nil
        }
    }
}

/// A property list, or its entries, as values of the language, read within limits.
///
/// Collections may share their elements, so a few bytes may represent many values. Values are counted as they are
/// created.
package enum PropertyListDictionary {
    /// The value of a property list of any form; nil for null.
    package static func value(_ bytes: [UInt8], limits: ModelLimits) throws(ModelError) -> PredicateValue? {
        let list = try PropertyListValue(bytes, limits: limits)
        var conversion = ArchiveConversion(nil, limits, isTree: false)
        let value = try conversion.value(list)
        return value == .null ? nil : value
    }

    /// The entries of a property list of any form, except those for which the language has no value.
    package static func values(_ bytes: [UInt8], limits: ModelLimits) throws(ModelError) -> [String: PredicateValue] {
        try values(try PropertyListValue(bytes, limits: limits), limits)
    }

    /// The entries of a property list that is an element of an XML document: `<plist version="1.0">`
    package static func values(
        _ element: XMLElementNode, limits: ModelLimits
    ) throws(ModelError) -> [String: PredicateValue] {
        try values(try XMLPropertyList.read(element), limits)
    }

    private static func values(
        _ list: PropertyListValue, _ limits: ModelLimits
    ) throws(ModelError) -> [String: PredicateValue] {
        var conversion = ArchiveConversion(nil, limits, isTree: false)
        guard list.dictionary != nil, case .dictionary(let entries) = try conversion.value(list) else {
            throw ModelError(.notAPropertyList("expected a dictionary"))
        }
        return entries
    }
}
