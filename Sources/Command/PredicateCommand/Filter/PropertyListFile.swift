import PredicateData
import PredicateJSON
import PredicateModel

/// A property list, in XML or binary, which is read as JSON: dates become ISO 8601, data base 64.
enum PropertyListFile {
    /// A few bytes of a binary list may stand for many values.
    private static let limits = ModelLimits(fileSize: .max, nesting: JSONReader.maximumDepth, objects: 10_000_000)

    /// Opens a file; a property list is its JSON.
    static func source(_ path: String) throws(DataError) -> any ByteSource {
        let source = try FileSource(path: path)
        guard source.canRestart else { return source }
        var head = [UInt8](repeating: 0, count: 1024)
        let count = try source.read(into: &head)
        try source.restart()
        guard isList(Array(head.prefix(count))) else { return source }
        guard let value = try? PropertyListDictionary.value(source.all(), limits: limits) else {
            throw DataError(.invalidPropertyList)
        }
        return MemorySource(JSONWriter().text(of: value))
    }

    /// True for the beginning of a binary list, and of XML whose first element, after a declaration and comments, is a list.
    private static func isList(_ head: [UInt8]) -> Bool {
        if head.starts(with: "bplist0".utf8) { return true }
        return XMLReader.mayBeXML(head)
            && String(decoding: head, as: UTF8.self).firstMatch(of: /<[A-Za-z]\w*/)?.output == "<plist"
    }
}
