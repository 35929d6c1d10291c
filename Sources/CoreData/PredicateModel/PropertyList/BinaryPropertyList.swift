import Foundation

/// Reads binary property lists, including the type UID of keyed archives.
///
/// The bytes are untrusted. Offsets and counts are checked before use, each object is decoded once, and an object
/// that contains itself is an error. The total number of elements is limited, because collections may share their
/// elements.
struct BinaryPropertyList {
    private let bytes: [UInt8]
    private let limits: ModelLimits
    private let offsetSize: Int
    private let referenceSize: Int
    private let count: Int
    private let top: Int
    private let table: Int
    private var decoded: [PropertyListValue?]
    private var isOpen: [Bool]
    /// The number of elements that may still be read.
    private var budget: Int

    private static let magic = Array("bplist0".utf8)
    private static let trailerSize = 32

    static func isOne(_ bytes: [UInt8]) -> Bool { bytes.starts(with: magic) }

    init(_ bytes: [UInt8], limits: ModelLimits) throws(ModelError) {
        guard Self.isOne(bytes), bytes.count >= 8 + Self.trailerSize + 1 else {
            throw ModelError(.notAPropertyList("the file is too short"))
        }
        let trailer = bytes.count - Self.trailerSize
        guard let count = Self.number(bytes, trailer + 8, 8), let top = Self.number(bytes, trailer + 16, 8),
            let table = Self.number(bytes, trailer + 24, 8)
        else { throw ModelError(.notAPropertyList("the trailer has numbers out of range")) }
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), top < count, count <= trailer,
            table >= 8, table <= trailer, count <= (trailer - table) / offsetSize
        else { throw ModelError(.notAPropertyList("the trailer does not fit the file")) }
        guard count <= limits.objects else { throw ModelError(.exceeds(.objects, limit: limits.objects)) }
        self.bytes = bytes
        self.limits = limits
        self.count = count
        self.top = top
        self.table = table
        decoded = Array(repeating: nil, count: count)
        isOpen = Array(repeating: false, count: count)
        budget = limits.objects
    }

    /// The root object.
    func root() throws(ModelError) -> PropertyListValue {
        var copy = self
        return try copy.object(copy.top, level: 1)
    }

    /// A big-endian number of 1 to 8 bytes; nil past the end, and if it does not fit into an Int.
    private static func number(_ bytes: [UInt8], _ start: Int, _ size: Int) -> Int? {
        guard start >= 0, size <= 8, start <= bytes.count - size else { return nil }
        let value = bytes[start..<start + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(exactly: value)
    }

    private func fail(_ reason: String, _ number: Int) -> ModelError {
        ModelError(.notAPropertyList(reason), at: ModelPlace(object: number))
    }

    private mutating func object(_ number: Int, level: Int) throws(ModelError) -> PropertyListValue {
        guard number < count else { throw fail("a dangling reference", number) }
        if let value = decoded[number] { return value }
        guard !isOpen[number] else { throw fail("a collection contains itself", number) }
        guard level <= limits.nesting else { throw ModelError(.exceeds(.nesting, limit: limits.nesting)) }
        isOpen[number] = true
        let value = try decode(number, level: level)
        isOpen[number] = false
        decoded[number] = value
        return value
    }

    private mutating func decode(_ number: Int, level: Int) throws(ModelError) -> PropertyListValue {
        guard let start = Self.number(bytes, table + number * offsetSize, offsetSize), start >= 8, start < table else {
            throw fail("an object is outside the file", number)
        }
        let marker = bytes[start], low = Int(marker & 0x0F)
        switch marker >> 4 {
        case 0x0: return try simple(marker, number)
        case 0x1: return try integer(start + 1, size: 1 << low, number)
        case 0x2: return try real(start + 1, size: 1 << low, number)
        case 0x3: return try date(start + 1, number)
        case 0x8: return try uid(start + 1, size: low + 1, number)
        case 0x4, 0x5, 0x6, 0x7:
            let (count, body) = try length(low, start + 1, number)
            return try text(marker >> 4, count, body, number)
        case 0xA, 0xB, 0xC:
            let (count, body) = try length(low, start + 1, number)
            return .array(try elements(count, body, level, number))
        case 0xD:
            let (count, body) = try length(low, start + 1, number)
            return try dictionary(count, body, level, number)
        default: throw fail("an object has an unknown type", number)
        }
    }

    private func simple(_ marker: UInt8, _ number: Int) throws(ModelError) -> PropertyListValue {
        switch marker {
        case 0x00: .null
        case 0x08: .bool(false)
        case 0x09: .bool(true)
        default: throw fail("an object has an unknown type", number)
        }
    }

    /// The count after a marker, and the offset of the body.
    private func length(_ low: Int, _ start: Int, _ number: Int) throws(ModelError) -> (count: Int, body: Int) {
        guard low == 0x0F else { return (low, start) }
        guard start < table, bytes[start] >> 4 == 0x1, bytes[start] & 0x0F <= 3 else {
            throw fail("a count is not a number", number)
        }
        let size = 1 << Int(bytes[start] & 0x0F)
        guard start + 1 + size <= table, let count = Self.number(bytes, start + 1, size) else {
            throw fail("a count is out of range", number)
        }
        return (count, start + 1 + size)
    }

    /// The range of a body with `count` units, which must be inside the objects.
    private func range(_ start: Int, _ count: Int, unit: Int, _ number: Int) throws(ModelError) -> Range<Int> {
        guard start <= table, count <= (table - start) / unit else {
            throw fail("an object is longer than the file", number)
        }
        return start..<start + count * unit
    }

    private func integer(_ start: Int, size: Int, _ number: Int) throws(ModelError) -> PropertyListValue {
        guard size <= 16 else { throw fail("an integer is too long", number) }
        let body = bytes[try range(start, size, unit: 1, number)]
        let low = body.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard size >= 8 else { return .integer(Int64(low)) }
        let high = body.dropLast(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        if size == 8 || high == (low >> 63 == 1 ? UInt64.max : 0) { return .integer(Int64(bitPattern: low)) }
        guard high == 0 else { throw fail("an integer is too large", number) }
        return .unsigned(low)
    }

    private func real(_ start: Int, size: Int, _ number: Int) throws(ModelError) -> PropertyListValue {
        let bits = bytes[try range(start, size, unit: 1, number)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        switch size {
        case 4: return .real(Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))))
        case 8: return .real(Double(bitPattern: bits))
        default: throw fail("a number has an unknown size", number)
        }
    }

    private func date(_ start: Int, _ number: Int) throws(ModelError) -> PropertyListValue {
        let bits = bytes[try range(start, 8, unit: 1, number)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: bits)))
    }

    private func uid(_ start: Int, size: Int, _ number: Int) throws(ModelError) -> PropertyListValue {
        let body = bytes[try range(start, size, unit: 1, number)]
        guard body.dropLast(8).allSatisfy({ $0 == 0 }),
            let value = Int(exactly: body.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
        else { throw fail("a UID is out of range", number) }
        return .uid(value)
    }

    /// Data and strings in ASCII, UTF-16 and UTF-8.
    private func text(_ type: UInt8, _ count: Int, _ start: Int, _ number: Int) throws(ModelError) -> PropertyListValue
    {
        let body = bytes[try range(start, count, unit: type == 0x6 ? 2 : 1, number)]
        guard type != 0x4 else { return .data(Data(body)) }
        let text: String? =
            if type == 0x6 {
                Self.utf16(body)
            } else {
                String(validating: body, as: UTF8.self)
            }
        guard let text else { throw fail("a string is not well-formed", number) }
        return .string(text)
    }

    private static func utf16(_ body: ArraySlice<UInt8>) -> String? {
        let units = stride(from: body.startIndex, to: body.endIndex, by: 2).map {
            UInt16(body[$0]) << 8 | UInt16(body[$0 + 1])
        }
        return String(validating: units, as: UTF16.self)
    }

    private mutating func spend(_ count: Int) throws(ModelError) {
        guard count <= budget else { throw ModelError(.exceeds(.objects, limit: limits.objects)) }
        budget -= count
    }

    private func reference(_ start: Int, _ number: Int) throws(ModelError) -> Int {
        guard let value = Self.number(bytes, start, referenceSize) else {
            throw fail("a reference is out of range", number)
        }
        return value
    }

    private mutating func elements(
        _ count: Int, _ start: Int, _ level: Int, _ number: Int
    ) throws(ModelError) -> [PropertyListValue] {
        let body = try range(start, count, unit: referenceSize, number)
        try spend(count)
        var values: [PropertyListValue] = []
        values.reserveCapacity(count)
        for position in stride(from: body.lowerBound, to: body.upperBound, by: referenceSize) {
            values.append(try object(try reference(position, number), level: level + 1))
        }
        return values
    }

    private mutating func dictionary(
        _ count: Int, _ start: Int, _ level: Int, _ number: Int
    ) throws(ModelError) -> PropertyListValue {
        let body = try range(start, count, unit: 2 * referenceSize, number)
        try spend(2 * count)
        var values: [String: PropertyListValue] = [:]
        let middle = body.lowerBound + count * referenceSize
        for index in 0..<count {
            let key = try object(try reference(body.lowerBound + index * referenceSize, number), level: level + 1)
            guard case .string(let name) = key else { throw fail("a key is not a string", number) }
            values[name] = try object(try reference(middle + index * referenceSize, number), level: level + 1)
        }
        return .dictionary(values)
    }
}
