import Foundation
import PredicateModel
import PredicateStore

/// The type of a store's file, as Core Data names it: `NSSQLiteStoreType`, `NSXMLStoreType` and `NSBinaryStoreType`.
///
/// `StoreType(file: "ToDo.xml")`
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum StoreType: String, Hashable, Sendable, CaseIterable {
    /// A SQLite database.
    case sqlite
    /// An XML document, which is read and written as a whole.
    case xml
    /// An archive that only Core Data can read. It is recognized, but not supported.
    case binary

    /// The type of an existing file according to its first bytes; nil for a file of another kind.
    public init?(file path: String) {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        guard let head = try? file.read(upToCount: Self.headLength) else { return nil }
        self.init(head: Array(head))
    }

    /// The number of bytes at the beginning of a file that are enough to identify its type.
    package static let headLength = 1024

    /// The type of a file that begins with these bytes.
    package init?(head: [UInt8]) {
        let head = XMLReader.utf8(head)
        if SQLiteHeader.begins(head) {
            self = .sqlite
        } else if head.starts(with: Array("bplist".utf8)) {
            self = .binary
        } else if XMLReader.mayBeXML(head), Self.isDatabase(String(decoding: head, as: UTF8.self)) {
            self = .xml
        } else {
            return nil
        }
    }

    private static func isDatabase(_ text: String) -> Bool {
        text.contains("DTDs/CoreData.dtd") || text.contains("<database>")
    }

    /// The type of a new file according to its name: XML for `.xml`, otherwise SQLite.
    public init(newFile path: String) {
        self = URL(fileURLWithPath: path).pathExtension.lowercased() == "xml" ? .xml : .sqlite
    }

    /// The value of `NSStoreType` in the metadata: `SQLite`, `XML`, `Binary`
    public var name: String {
        switch self {
        case .sqlite: "SQLite"
        case .xml: "XML"
        case .binary: "Binary"
        }
    }
}
