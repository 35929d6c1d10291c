import Foundation
import PredicateModel
import PredicateSyntax

/// The parts of an XML store, read one object at a time.
///
///     <database>
///         <databaseInfo>
///             <UUID>…</UUID> <nextObjectID>102</nextObjectID> <metadata><plist version="1.0">…</plist></metadata>
///         </databaseInfo>
///         <object type="ITEM" id="z102"> … </object>
///     </database>
struct XMLStoreDocument {
    private let bytes: [UInt8]
    private let path: String

    /// The limits of a document: 512 MiB. SQLite limits the database in memory to 1 GiB.
    static let limits = ModelLimits(fileSize: 1 << 29, nesting: 40, objects: 100_000_000)

    init(_ bytes: [UInt8], _ path: String) {
        (self.bytes, self.path) = (bytes, path)
    }

    /// The information about a store in its document.
    struct Header {
        var uuid = ""
        /// The last number in use for the ID of an object.
        var lastID: Int64 = 0
        var values: [String: PredicateValue] = [:]
    }

    /// Reads the header and calls a function with each object. It stops when the function returns false.
    @discardableResult
    func read(_ object: (XMLStoreObject) throws(CoreDataError) -> Bool) throws(CoreDataError) -> Header {
        var header = Header()
        var reader = try reading { () throws(ModelError) in try XMLReader(children: bytes, limits: Self.limits) }
        while let child = try reading({ () throws(ModelError) in try reader.nextChild() }) {
            try check(reader.rootName, is: "database", at: child)
            switch child.name {
            case "databaseInfo": header = try self.header(child)
            case "object":
                let next = try reading { () throws(ModelError) in try XMLStoreObject(child) }
                guard try object(next) else { return header }
            default: try check(child.name, is: "object", at: child)
            }
        }
        guard reader.rootName == "database" else {
            throw problem(.unreadable(ModelError(.unexpectedElement(reader.rootName ?? "", expected: "database"))))
        }
        return header
    }

    private func check(_ found: String?, is expected: String, at node: XMLElementNode) throws(CoreDataError) {
        guard found != expected else { return }
        throw problem(
            .unreadable(ModelError(.unexpectedElement(found ?? "", expected: expected), at: node.place)))
    }

    func problem(_ problem: CoreDataError.FileProblem) -> CoreDataError {
        CoreDataError(.unreadableFile(path, problem))
    }

    private func reading<Result>(_ work: () throws(ModelError) -> Result) throws(CoreDataError) -> Result {
        do throws(ModelError) {
            return try work()
        } catch {
            throw problem(.unreadable(error))
        }
    }

    private func header(_ node: XMLElementNode) throws(CoreDataError) -> Header {
        var header = Header()
        for child in node.children {
            let text = child.text.trimmingCharacters(in: .whitespacesAndNewlines)
            switch child.name {
            case "UUID": header.uuid = text
            case "nextObjectID": header.lastID = Int64(text) ?? 0
            case "metadata": header.values = try reading { () throws(ModelError) in try Self.metadata(child) }
            default: continue
            }
        }
        header.values["NSStoreType"] = .string(StoreType.xml.name)
        return header
    }

    /// The metadata: a property list as an element or, in files of other frameworks, as text.
    private static func metadata(_ node: XMLElementNode) throws(ModelError) -> [String: PredicateValue] {
        if let list = node.children.first { return try PropertyListDictionary.values(list, limits: limits) }
        guard node.text.contains("<") else { return [:] }
        return try PropertyListDictionary.values(Array(node.text.utf8), limits: limits)
    }
}

/// An object in the document of an XML store.
struct XMLStoreObject {
    /// `ITEM`, the name of the entity in capital letters
    let type: String
    /// `z102`
    let id: String
    private(set) var attributes: [(name: String, text: String)] = []
    private(set) var relationships: [(name: String, ids: [Substring])] = []
    /// The element with its attributes and relationships.
    let node: XMLElementNode
    var line: Int { node.line }

    init(_ node: XMLElementNode) throws(ModelError) {
        (type, id, self.node) = (try node.required("type"), try node.required("id"), node)
        for child in node.children {
            let name = try child.required("name")
            switch child.name {
            case "attribute":
                if let inner = child.children.first {
                    throw ModelError(.unexpectedElement(inner.name, expected: "/attribute"), at: inner.place)
                }
                attributes.append((name, child.text))
            case "relationship":
                relationships.append((name, (child["idrefs"] ?? "").split(separator: " ")))
            default: throw ModelError(.unexpectedElement(child.name, expected: "attribute"), at: child.place)
            }
        }
    }
}
