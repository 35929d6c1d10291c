import Foundation

/// A value of a property list that tests write.
indirect enum ListValue {
    case null, bool(Bool), integer(Int), real(Double), string(String), data([UInt8]), uid(Int)
    case array([ListValue]), dictionary([(String, ListValue)])
}

/// A writer of binary property lists, with the type UID.
struct ListWriter {
    private var objects: [[UInt8]] = []

    static func bytes(_ root: ListValue) -> [UInt8] {
        var writer = ListWriter()
        let top = writer.add(root)
        return assemble(writer.objects, top: top)
    }

    /// A property list of objects that are encoded already: what no honest writer makes.
    static func assemble(_ objects: [[UInt8]], top: Int) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets: [Int] = []
        for object in objects {
            offsets.append(bytes.count)
            bytes += object
        }
        let table = bytes.count
        for offset in offsets { bytes += big(offset, 4) }
        bytes += [0, 0, 0, 0, 0, 0, 4, 2] + big(objects.count, 8) + big(top, 8) + big(table, 8)
        return bytes
    }

    static func big(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }

    static func head(_ type: UInt8, _ count: Int) -> [UInt8] {
        count < 15 ? [type << 4 | UInt8(count)] : [type << 4 | 0xF, 0x12] + big(count, 4)
    }

    private mutating func add(_ value: ListValue) -> Int {
        let number = objects.count
        objects.append([])
        let object: [UInt8]
        switch value {
        case .null: object = [0]
        case .bool(let flag): object = [flag ? 9 : 8]
        case .integer(let value): object = [0x13] + Self.big(value, 8)
        case .real(let value): object = [0x23] + Self.big(Int(bitPattern: UInt(value.bitPattern)), 8)
        case .string(let text) where text.utf8.allSatisfy { $0 < 0x80 }:
            object = Self.head(5, text.utf8.count) + Array(text.utf8)
        case .string(let text): object = Self.head(6, text.utf16.count) + text.utf16.flatMap { Self.big(Int($0), 2) }
        case .data(let bytes): object = Self.head(4, bytes.count) + bytes
        case .uid(let value): object = [0x83] + Self.big(value, 4)
        case .array(let values):
            let references = values.map { add($0) }
            object = Self.head(0xA, values.count) + references.flatMap { Self.big($0, 2) }
        case .dictionary(let entries):
            let keys = entries.map { add(.string($0.0)) }, values = entries.map { add($0.1) }
            object = Self.head(0xD, entries.count) + (keys + values).flatMap { Self.big($0, 2) }
        }
        objects[number] = object
        return number
    }
}

/// A keyed archive that tests write: objects in order, named before they are filled, so that they can lead to each other.
struct ArchiveWriter {
    private var objects: [ListValue] = [.string("$null")]
    private var classes: [String: Int] = [:]

    mutating func reserve() -> Int {
        objects.append(.null)
        return objects.count - 1
    }

    mutating func fill(_ number: Int, _ className: String, _ fields: [(String, ListValue)]) {
        objects[number] = .dictionary(fields + [("$class", .uid(classNumber(className)))])
    }

    mutating func object(_ className: String, _ fields: [(String, ListValue)]) -> ListValue {
        let number = reserve()
        fill(number, className, fields)
        return .uid(number)
    }

    mutating func string(_ text: String) -> ListValue {
        let number = reserve()
        objects[number] = .string(text)
        return .uid(number)
    }

    mutating func array(_ values: [ListValue]) -> ListValue { object("NSArray", [("NS.objects", .array(values))]) }

    mutating func dictionary(_ entries: [(String, ListValue)]) -> ListValue {
        let keys = entries.map { string($0.0) }
        return object("NSMutableDictionary", [("NS.keys", .array(keys)), ("NS.objects", .array(entries.map(\.1)))])
    }

    /// A dictionary in the form of the cache of a store.
    mutating func sharedKeyDictionary(_ entries: [(String, ListValue)]) -> ListValue {
        let keys = array(entries.map { string($0.0) }), values = array(entries.map(\.1))
        let mapping = object("NSKnownKeysMappingStrategy1", [("keys", keys), ("length", .integer(entries.count))])
        return object("NSKnownKeysDictionary1", [("searchMapping", mapping), ("values", values)])
    }

    private mutating func classNumber(_ name: String) -> Int {
        if let number = classes[name] { return number }
        let number = reserve()
        let names = ListValue.array([.string(name), .string("NSObject")])
        objects[number] = .dictionary([("$classname", .string(name)), ("$classes", names)])
        classes[name] = number
        return number
    }

    func bytes(root: ListValue) -> [UInt8] {
        ListWriter.bytes(
            .dictionary([
                ("$archiver", .string("NSKeyedArchiver")), ("$version", .integer(100_000)),
                ("$top", .dictionary([("root", root)])), ("$objects", .array(objects)),
            ]))
    }
}
