import Foundation
import PredicateSyntax

/// Writes binary property lists, including the type UID of keyed archives.
struct BinaryPropertyListWriter {
    /// A value without the numbers of the values that it contains.
    private struct Object {
        let head: [UInt8]
        var references: [Int] = []
    }

    private var objects: [Object] = []
    /// The numbers of strings and UIDs, which are written once.
    private var strings: [ExactName: Int] = [:]
    private var uids: [Int: Int] = [:]

    static func bytes(of root: PropertyListValue) -> [UInt8] {
        var writer = BinaryPropertyListWriter()
        let top = writer.add(root)
        return writer.bytes(top: top)
    }

    private func bytes(top: Int) -> [UInt8] {
        let size = Self.size(of: objects.count)
        var bytes = Array("bplist00".utf8)
        var offsets: [Int] = []
        for object in objects {
            offsets.append(bytes.count)
            bytes += object.head
            for reference in object.references { bytes += Self.bigEndian(reference, size) }
        }
        let table = bytes.count
        let offsetSize = Self.size(of: table)
        for offset in offsets { bytes += Self.bigEndian(offset, offsetSize) }
        bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(size)]
        return bytes + [objects.count, top, table].flatMap { Self.bigEndian($0, 8) }
    }

    // MARK: Objects

    /// Adds a value and returns its number.
    private mutating func add(_ value: PropertyListValue) -> Int {
        switch value {
        case .null: return append(Object(head: [0x00]))
        case .bool(let flag): return append(Object(head: [flag ? 0x09 : 0x08]))
        case .integer(let number): return append(Object(head: Self.integer(number)))
        case .unsigned(let number):
            return append(Object(head: [0x14] + Array(repeating: 0, count: 8) + Self.bigEndian(number)))
        case .real(let number): return append(Object(head: [0x23] + Self.bigEndian(number.bitPattern)))
        case .date(let date):
            return append(Object(head: [0x33] + Self.bigEndian(date.timeIntervalSinceReferenceDate.bitPattern)))
        case .data(let data): return append(Object(head: Self.head(0x4, data.count) + Array(data)))
        case .string(let text): return add(text)
        case .uid(let number): return add(uid: number)
        case .array(let values):
            return append(Object(head: Self.head(0xA, values.count), references: values.map { add($0) }))
        case .dictionary(let fields):
            let entries = fields.sorted { $0.key < $1.key }
            let references = entries.map { add($0.key) } + entries.map { add($0.value) }
            return append(Object(head: Self.head(0xD, entries.count), references: references))
        }
    }

    private mutating func append(_ object: Object) -> Int {
        objects.append(object)
        return objects.count - 1
    }

    private mutating func add(_ text: String) -> Int {
        if let known = strings[ExactName(text)] { return known }
        let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
        let units = text.utf16.flatMap { Self.bigEndian(Int($0), 2) }
        let head =
            isASCII ? Self.head(0x5, text.utf8.count) + Array(text.utf8) : Self.head(0x6, text.utf16.count) + units
        let number = append(Object(head: head))
        strings[ExactName(text)] = number
        return number
    }

    private mutating func add(uid value: Int) -> Int {
        if let known = uids[value] { return known }
        let size = Self.size(of: value)
        let number = append(Object(head: [0x80 | UInt8(size - 1)] + Self.bigEndian(value, size)))
        uids[value] = number
        return number
    }

    // MARK: Bytes

    /// The marker of a type, with a count that may follow it as an integer.
    private static func head(_ type: UInt8, _ count: Int) -> [UInt8] {
        count < 15 ? [type << 4 | UInt8(count)] : [type << 4 | 0xF] + integer(Int64(count))
    }

    /// An integer of 1, 2, 4 or 8 bytes, of which only the last may be negative.
    private static func integer(_ value: Int64) -> [UInt8] {
        let size = value < 0 ? 8 : size(of: Int(value))
        return [0x10 | UInt8(size.trailingZeroBitCount)] + bigEndian(Int(value), size)
    }

    /// The least power of two of bytes that contain a number that is not negative.
    private static func size(of number: Int) -> Int {
        switch number {
        case ..<0x100: 1
        case ..<0x1_0000: 2
        case ..<0x1_0000_0000: 4
        default: 8
        }
    }

    private static func bigEndian(_ value: UInt64) -> [UInt8] { bigEndian(Int(bitPattern: UInt(value)), 8) }

    private static func bigEndian(_ value: Int, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * (size - 1 - $0))) }
    }
}
