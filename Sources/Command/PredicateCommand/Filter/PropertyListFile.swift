import PredicateData
import PredicateJSON
import PredicateModel

/// A property list, in XML or binary, which is read as JSON: dates become ISO 8601, data base 64.
enum PropertyListFile {
    /// A few bytes of a binary list may stand for many values.
    private static let limits = ModelLimits(fileSize: .max, nesting: JSONReader.maximumDepth, objects: 10_000_000)

    private static let binaryStart = Array("bplist0".utf8)

    /// Returns a file or a pipe; in place of a property list its JSON.
    static func list(in base: any ByteSource) throws(DataError) -> any ByteSource {
        let source = PeekedSource([], base)
        let head = Array(
            try source.peek { head in
                head.first == UInt8(ascii: "<") && head.count < 1024
                    || head.count < binaryStart.count && binaryStart.starts(with: head)
            }.prefix(1024))
        guard isList(head) else { return source }
        guard let value = try? PropertyListDictionary.value(source.all(), limits: limits) else {
            throw DataError(.invalidPropertyList)
        }
        return MemorySource(JSONWriter().text(of: value))
    }

    /// True for the beginning of a binary list, and of XML whose first element, after a declaration and comments, is a list.
    private static func isList(_ head: [UInt8]) -> Bool {
        if head.starts(with: binaryStart) { return true }
        return XMLReader.mayBeXML(head)
            && String(decoding: head, as: UTF8.self).firstMatch(of: /<[A-Za-z]\w*/)?.output == "<plist"
    }
}
