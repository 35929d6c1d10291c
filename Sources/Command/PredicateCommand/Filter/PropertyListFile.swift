import Foundation
import PredicateData
import PredicateJSON
import PredicateSyntax

/// A property list, in XML or binary, which is read as JSON: dates become ISO 8601, data base 64.
struct PropertyListFile {
    /// The number of values that may still be written: a few bytes of a binary list may stand for many.
    private var budget = 10_000_000

    /// Opens a file; a property list is its JSON.
    static func source(_ path: String) throws(DataError) -> any ByteSource {
        let source = try FileSource(path: path)
        guard FileAccess.size(of: path) != nil else { return source }
        var head = [UInt8](repeating: 0, count: 1024)
        let count = try source.read(into: &head)
        let text = String(decoding: head.prefix(count), as: UTF8.self)
        // The first element follows a declaration and comments.
        let isList = text.hasPrefix("bplist0") || text.firstMatch(of: /<[A-Za-z]\w*/)?.output == "<plist"
        try source.restart()
        guard isList else { return source }
        var file = PropertyListFile()
        guard let list = try? PropertyListSerialization.propertyList(from: Data(source.all()), format: nil),
            let value = file.value(list)
        else { throw DataError(.invalidPropertyList) }
        return MemorySource(JSONWriter().text(of: value))
    }

    /// Returns the value of an item; nil if there are too many.
    private mutating func value(_ item: Any) -> PredicateValue? {
        guard budget > 0 else { return nil }
        budget -= 1
        switch item {
        case let text as String: return .string(text)
        case let date as Date: return .date(date)
        case let data as Data: return .data(data)
        case let items as [Any]:
            let values = items.compactMap { value($0) }
            return values.count == items.count ? .array(values) : nil
        case let items as [String: Any]:
            let values = items.compactMapValues { value($0) }
            return values.count == items.count ? .dictionary(values) : nil
        case let number as NSNumber: return Self.value(number)
        default: return .string(String(describing: item))
        }
    }

    private static func value(_ number: NSNumber) -> PredicateValue {
        switch String(cString: number.objCType) {
        case "c": .bool(number.boolValue)
        case "d", "f": .double(number.doubleValue)
        default: Int64(number.stringValue).map(PredicateValue.integer) ?? .decimal(number.decimalValue)
        }
    }
}
