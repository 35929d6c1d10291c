import PredicateJSON
import PredicateSyntax

/// Reads the needed values from lines of JSON objects into slots, and checks the rest.
///
/// Objects tend to have the same keys in the same order, so each key is first compared with the key at the same
/// position of the same object in the previous line.
struct LineScanner: SiftingScanner {
    typealias Pointer = UnsafePointer<UInt8>

    private let scan: QuickScan
    private let roots: UnsafeBufferPointer<SoughtKey>
    /// The keys of the previous line, ``SieveMemory/expectedCount`` for each object.
    private let expected: UnsafeMutablePointer<ExpectedKey>
    private let slotCount: Int
    private let slots: UnsafeMutablePointer<FlatValue>
    private let elements: UnsafeMutablePointer<FlatValue>
    private var elementCount = 0
    private let texts: UnsafeMutablePointer<UInt8>
    private var textLength = 0
    private let presence: UnsafeMutablePointer<KeyBits>
    /// The keys of the current line.
    private var lineKeys = KeyBits()

    /// Creates a scanner for lines that end before `end`; it must not outlive the memory.
    init(_ roots: UnsafeBufferPointer<SoughtKey>, _ memory: SieveMemory, end: Pointer) {
        scan = QuickScan(end: end)
        self.roots = roots
        (slots, slotCount) = (memory.slots, memory.slotCount)
        (elements, texts, expected) = (memory.elements, memory.texts, memory.expected)
        presence = memory.presence
    }

    /// Returns the line feed of the line at a pointer, if the line is an object and does not need the full reader.
    @inline(__always)
    mutating func line(_ start: Pointer, _ holdsLineEnds: inout Bool) -> Pointer? {
        for slot in 0..<slotCount { slots[slot] = .null }
        elementCount = 0
        lineKeys = KeyBits()
        let open = start.pastSpaces
        guard open.pointee == Byte.openBrace, let end = members(open + 1, roots, 0, depth: 1)?.pastSpaces
        else { return nil }
        let hasReturn = end.pointee == Byte.carriageReturn && end[1] == Byte.lineFeed
        guard hasReturn || end.pointee == Byte.lineFeed else { return nil }
        presence.pointee.formUnion(lineKeys)
        return hasReturn ? end + 1 : end
    }

    func lineFeed(after start: Pointer) -> Pointer? {
        let rest = UnsafeBufferPointer(start: start, count: scan.end - start)
        return rest.firstIndex(of: Byte.lineFeed, from: 0).map { start + $0 }
    }

    func isSkipped(_ text: UnsafeBufferPointer<UInt8>) -> Bool { text.isBlank }

    /// Reads the members of an object that has needed keys: the whole line, or an object inside it.
    private mutating func members(
        _ start: Pointer, _ keys: UnsafeBufferPointer<SoughtKey>, _ objectNumber: Int, depth: Int
    ) -> Pointer? {
        var pointer = start.pastSpaces
        if pointer.pointee == Byte.closeBrace { return pointer + 1 }
        if depth > QuickScan.maximumDepth { return nil }
        var place = expected + objectNumber * SieveMemory.expectedCount
        let lastPlace = place + (SieveMemory.expectedCount - 1)
        while true {
            if place.pointee.stands(at: pointer) {
                pointer = (pointer + place.pointee.length).pastSpaces
            } else {
                guard let value = Self.expect(at: place, pointer, keys, isRoot: objectNumber == 0, scan) else {
                    return nil
                }
                pointer = value
            }
            let next =
                if let key = place.pointee.key {
                    value(pointer, of: key, depth: depth)
                } else {
                    scan.value(pointer, depth: depth, needsValue: objectNumber != 0)
                }
            guard let end = next?.pastSpaces else { return nil }
            if end.pointee == Byte.closeBrace { return end + 1 }
            guard end.pointee == Byte.comma else { return nil }
            pointer = (end + 1).pastSpaces
            if place < lastPlace { place += 1 }
        }
    }

    /// Reads a key, expects it in the next line too, and returns a pointer to its value; nil for a key that is refused.
    ///
    /// Dictionary keys are equal if they are canonically equivalent, so in nested objects only ASCII keys can be compared by
    /// bytes.
    @inline(never)
    private static func expect(
        at place: UnsafeMutablePointer<ExpectedKey>, _ pointer: Pointer, _ keys: UnsafeBufferPointer<SoughtKey>,
        isRoot: Bool, _ scan: QuickScan
    ) -> Pointer? {
        var traits = QuickScan.Traits()
        guard pointer.pointee == Byte.quote, let quote = scan.closingQuote(pointer + 1, &traits), !traits.hasEscapes,
            isRoot || traits.isASCII, let value = scan.pastColon(quote + 1)
        else { return nil }
        let text = UnsafeBufferPointer(start: pointer + 1, count: quote - pointer - 1)
        let sought = keys.firstIndex { $0.isSpelled(text) }
        if let sought, keys[sought].isRefused { return nil }
        place.pointee = ExpectedKey(pointer, value, sought.flatMap { index in keys.baseAddress.map { $0 + index } })
        return value
    }

    /// Reads the value of a needed key.
    private mutating func value(_ pointer: Pointer, of key: UnsafePointer<SoughtKey>, depth: Int) -> Pointer? {
        if pointer.pointee == Byte.openBrace, !key.pointee.children.isEmpty {
            return object(pointer, of: key, depth: depth)
        }
        lineKeys.insert(key.pointee.number, isObject: false)
        if let conversion = key.pointee.conversion {
            return converted(pointer, of: key, conversion.pointee, depth: depth)
        }
        var value = FlatValue.opaque
        let isList = pointer.pointee == Byte.openBracket && key.pointee.slot >= 0
        let end =
            isList ? list(pointer + 1, depth: depth + 1, &value) : single(pointer, depth: depth, &value)
        key.pointee.fill(slots, with: value)
        return end
    }

    /// Reads the value of a needed key, and converts it; nil if the line must be read in full.
    @inline(never)
    private mutating func converted(
        _ pointer: Pointer, of key: UnsafePointer<SoughtKey>, _ conversion: SlotConversion, depth: Int
    ) -> Pointer? {
        var value = FlatValue.opaque
        switch conversion {
        case .spelling:
            guard let end = scan.value(pointer, depth: depth, needsValue: true) else { return nil }
            key.pointee.fill(slots, with: .text(UnsafeBufferPointer(start: pointer, count: end - pointer)))
            return end
        case .reading(let reading):
            let isList = pointer.pointee == Byte.openBracket && key.pointee.slot >= 0
            guard !isList, let end = single(pointer, depth: depth, &value),
                let converted = Self.converted(value, at: pointer, reading)
            else { return nil }
            key.pointee.fill(slots, with: converted)
            return end
        }
    }

    /// Reads the object of a needed key that has needed keys itself.
    @inline(__always)
    private mutating func object(_ pointer: Pointer, of key: UnsafePointer<SoughtKey>, depth: Int) -> Pointer? {
        // The last of duplicate keys counts.
        if lineKeys.isPresent(key.pointee.number) { key.pointee.emptyChildren(slots) }
        lineKeys.insert(key.pointee.number, isObject: true)
        if key.pointee.slot >= 0 { slots[key.pointee.slot] = .opaque }
        return members(pointer + 1, key.pointee.children, Int(key.pointee.objectNumber), depth: depth + 1)
    }

    /// Reads the elements of a list, up to the capacity. Lists and objects in it are opaque.
    private mutating func list(_ start: Pointer, depth: Int, _ value: inout FlatValue) -> Pointer? {
        let first = elementCount
        var pointer = start.pastSpaces
        var isWhole = true
        if pointer.pointee == Byte.closeBracket {
            value = .list(UnsafeBufferPointer(start: elements + first, count: 0))
            return pointer + 1
        }
        while true {
            var element = FlatValue.opaque
            guard let end = single(pointer, depth: depth, &element)?.pastSpaces else { return nil }
            isWhole = isWhole && elementCount < SieveMemory.elementCount
            if isWhole {
                elements[elementCount] = element
                elementCount += 1
            }
            if end.pointee == Byte.closeBracket {
                let count = elementCount - first
                if isWhole { value = .list(UnsafeBufferPointer(start: elements + first, count: count)) }
                return end + 1
            }
            guard end.pointee == Byte.comma else { return nil }
            pointer = (end + 1).pastSpaces
        }
    }

    /// Reads a scalar value; skips a list or an object.
    @inline(__always)
    private mutating func single(_ pointer: Pointer, depth: Int, _ value: inout FlatValue) -> Pointer? {
        switch pointer.pointee {
        case Byte.quote:
            var traits = QuickScan.Traits()
            guard let quote = scan.closingQuote(pointer + 1, &traits) else { return nil }
            let text = UnsafeBufferPointer(start: pointer + 1, count: quote - pointer - 1)
            value = traits.hasEscapes ? unescaped(text) : .text(text)
            return quote + 1
        case Byte.minus, Byte.zero...Byte.nine:
            return scan.number(pointer, &value)
        case Byte.openBrace, Byte.openBracket:
            return scan.value(pointer, depth: depth, needsValue: true)
        default:
            guard let word = scan.word(pointer) else { return nil }
            value = word.value
            return word.end
        }
    }

    /// Returns a string with its escapes resolved; opaque if it exceeds the capacity.
    @inline(never)
    private mutating func unescaped(_ text: UnsafeBufferPointer<UInt8>) -> FlatValue {
        let room = SieveMemory.textLength - textLength
        if text.count > room { return .opaque }
        let target = UnsafeMutableBufferPointer(start: texts + textLength, count: room)
        let count = JSONParser.unescape(text, into: target)
        textLength += count
        return .text(UnsafeBufferPointer(rebasing: target[..<count]))
    }

    /// Returns the value at a pointer, converted to the type of its key; nil if the line must be read in full.
    private static func converted(_ value: FlatValue, at pointer: Pointer, _ reading: ColumnReading) -> FlatValue? {
        if pointer.pointee == Byte.quote { return converted(value, reading) }
        let isNegative = pointer.pointee == Byte.minus
        guard reading.convertsNumbers, pointer.pointee.isDigit || isNegative else { return value }
        return double(value, reading.type, isNegative: isNegative)
    }

    /// Returns a number as a double; nil if its digits are needed, as for negative zero and decimal numbers.
    private static func double(_ value: FlatValue, _ type: ColumnType, isNegative: Bool) -> FlatValue? {
        guard type == .double else { return nil }
        switch value {
        case .double: return value
        case .integer(let number): return number == 0 && isNegative ? nil : .double(Double(number))
        case .null, .bool, .date, .text, .list, .opaque: return nil
        }
    }

    /// Returns a string converted to its declared type; nil if that is impossible, or if the string is too long.
    private static func converted(_ value: FlatValue, _ reading: ColumnReading) -> FlatValue? {
        guard case .text(let bytes) = value else { return nil }
        return reading.value(of: bytes, isQuoted: true).map { FlatValue($0) }
    }
}

/// A key as written in the previous line, with quotes, colon and following space, and the needed key that it is.
struct ExpectedKey {
    /// The first sixteen bytes, a mask of the bits that count, and the last sixteen bytes of a longer key.
    private var head = SIMD16<UInt8>()
    private var headMask = SIMD16<UInt8>(repeating: .max)
    private var tail = SIMD16<UInt8>()
    private(set) var length = 0
    private(set) var key: UnsafePointer<SoughtKey>?

    init() {}

    /// Creates the key between an opening quote and a value. A key longer than 32 bytes is not recognized in the next line.
    init(_ start: UnsafePointer<UInt8>, _ value: UnsafePointer<UInt8>, _ key: UnsafePointer<SoughtKey>?) {
        self.key = key
        guard value - start <= 32 else { return }
        length = value - start
        for index in 0..<16 where index >= length { headMask[index] = 0 }
        head = start.sixteenBytes & headMask
        if length > 16 { tail = (value - 16).sixteenBytes }
    }

    /// Returns true if the key is at a pointer.
    @inline(__always)
    func stands(at pointer: UnsafePointer<UInt8>) -> Bool {
        ((pointer.sixteenBytes ^ head) & headMask).isZero
            && (length <= 16 || ((pointer + (length - 16)).sixteenBytes ^ tail).isZero)
    }
}

/// For each of the first 63 needed keys, whether it occurred and whether its value was an object. Other keys count as
/// present.
struct KeyBits {
    /// The bits of keys that occurred, and of keys whose values were objects; one vector, so that both are read and written at
    /// once.
    private var bits = SIMD2<UInt64>()

    @inline(__always)
    mutating func insert(_ number: Int, isObject: Bool) {
        let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: min(number, 63))
        bits |= SIMD2(bit, isObject ? bit : 0)
    }

    mutating func formUnion(_ other: KeyBits) { bits |= other.bits }

    func isPresent(_ number: Int) -> Bool { number > 62 || bits.x &>> UInt64(number) & 1 == 1 }

    func isObject(_ number: Int) -> Bool { number <= 62 && bits.y &>> UInt64(number) & 1 == 1 }
}

/// The memory that a scanner writes to, reused from line to line.
final class SieveMemory {
    /// The maximum number of list elements in one record; longer lists are opaque.
    static let elementCount = 4096
    /// The maximum number of bytes of unescaped strings, which a scanner keeps until its last line; further strings are opaque.
    /// Unescaping makes strings shorter, so the length of the sifted lines suffices.
    static let textLength = RecordReader.siftedLength
    /// The number of keys of an object that are expected in order; further keys share the last element.
    static let expectedCount = 64

    let slotCount: Int
    let slots: UnsafeMutablePointer<FlatValue>
    let elements: UnsafeMutablePointer<FlatValue>
    let texts: UnsafeMutablePointer<UInt8>
    let expected: UnsafeMutablePointer<ExpectedKey>
    /// The keys that occurred in some line.
    let presence: UnsafeMutablePointer<KeyBits>

    init(slotCount: Int, objectCount: Int) {
        self.slotCount = slotCount
        slots = .allocate(capacity: max(slotCount, 1))
        elements = .allocate(capacity: Self.elementCount)
        texts = .allocate(capacity: Self.textLength)
        let expectedCount = objectCount * Self.expectedCount
        expected = .allocate(capacity: expectedCount)
        presence = .allocate(capacity: 1)
        presence.initialize(to: KeyBits())
        slots.initialize(repeating: .null, count: slotCount)
        elements.initialize(repeating: .null, count: Self.elementCount)
        expected.initialize(repeating: ExpectedKey(), count: expectedCount)
    }

    deinit {
        slots.deallocate()
        elements.deallocate()
        texts.deallocate()
        expected.deallocate()
        presence.deallocate()
    }
}
