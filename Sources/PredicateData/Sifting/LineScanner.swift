import PredicateSyntax

/// Reads what is looked for in lines of JSON, each one object, into slots, and checks the rest.
///
/// Objects tend to have the same keys in the same order, so each key is first compared with the one that stood in its
/// place in the line before.
struct LineScanner: SiftingScanner {
    typealias Place = UnsafePointer<UInt8>

    private let scan: QuickScan
    private let roots: UnsafeBufferPointer<SoughtKey>
    private let expected: UnsafeMutablePointer<ExpectedKey>
    private let slotCount: Int
    private let slots: UnsafeMutablePointer<FlatValue>
    private let elements: UnsafeMutablePointer<FlatValue>
    private var elementCount = 0
    private let texts: UnsafeMutablePointer<UInt8>
    private var textLength = 0

    /// A scanner for lines that end before `end`, for as long as the memory is there.
    init(_ roots: UnsafeBufferPointer<SoughtKey>, _ memory: SieveMemory, end: Place) {
        scan = QuickScan(end: end)
        self.roots = roots
        (slots, slotCount) = (memory.slots, memory.slotCount)
        (elements, texts, expected) = (memory.elements, memory.texts, memory.expected)
    }

    /// The line feed of the line that begins here, when it is one object and all of it is understood.
    @inline(__always)
    mutating func line(_ start: Place) -> Place? {
        for slot in 0..<slotCount { slots[slot] = .null }
        (elementCount, textLength) = (0, 0)
        let open = start.pastSpaces
        guard open.pointee == Byte.openBrace, let end = record(open + 1)?.pastSpaces else { return nil }
        if end.pointee == Byte.lineFeed { return end }
        return end.pointee == Byte.carriageReturn && end[1] == Byte.lineFeed ? end + 1 : nil
    }

    func lineFeed(behind start: Place) -> Place? {
        let rest = UnsafeBufferPointer(start: start, count: scan.end - start)
        return rest.firstIndex(of: Byte.lineFeed, from: 0).map { start + $0 }
    }

    func isPassedOver(_ text: UnsafeBufferPointer<UInt8>) -> Bool { text.isBlank }

    var holdsLineEnds: Bool { false }

    /// The members of the object that is the line.
    @inline(__always)
    private mutating func record(_ start: Place) -> Place? {
        var place = start.pastSpaces
        if place.pointee == Byte.closeBrace { return place + 1 }
        var number = 0
        while true {
            let sought: Int
            let expected = expected + min(number, SieveMemory.expectedCount - 1)
            if expected.pointee.stands(at: place) {
                place = (place + expected.pointee.length).pastSpaces
                sought = expected.pointee.sought
            } else {
                guard let key = key(place) else { return nil }
                sought = root(key.text)
                expected.pointee = ExpectedKey(place, key.text.count, sought)
                place = key.value
            }
            let behind =
                sought < 0
                ? scan.value(place, depth: 1, isWanted: false)
                : value(place, of: roots[sought], depth: 1)
            guard let end = behind?.pastSpaces else { return nil }
            if end.pointee == Byte.closeBrace { return end + 1 }
            guard end.pointee == Byte.comma else { return nil }
            place = (end + 1).pastSpaces
            number += 1
        }
    }

    /// A key without escapes, and the place of its value.
    private func key(_ place: Place) -> (text: UnsafeBufferPointer<UInt8>, isASCII: Bool, value: Place)? {
        var traits = QuickScan.Traits()
        guard place.pointee == Byte.quote, let quote = scan.closingQuote(place + 1, &traits), !traits.hasEscapes,
            let value = scan.pastColon(quote + 1)
        else { return nil }
        return (UnsafeBufferPointer(start: place + 1, count: quote - place - 1), traits.isASCII, value)
    }

    private func root(_ key: UnsafeBufferPointer<UInt8>) -> Int {
        for index in 0..<roots.count where roots[index].isSpelled(key) { return index }
        return -1
    }

    /// The value of a key that is looked for, or of which at least the numbers must be such that they can be held.
    private mutating func value(_ place: Place, of key: SoughtKey, depth: Int) -> Place? {
        if place.pointee == Byte.openBrace, !key.children.isEmpty {
            key.open(slots)
            return members(place + 1, key.children, depth: depth + 1)
        }
        var value = FlatValue.opaque
        let end: Place?
        if place.pointee == Byte.openBracket, key.slot >= 0 {
            end = list(place + 1, depth: depth + 1, &value)
        } else {
            end = single(place, depth: depth, &value)
        }
        if key.type != nil, place.pointee == Byte.quote, end != nil {
            guard let converted = Self.converted(value, key.type) else { return nil }
            value = converted
        }
        key.fill(slots, with: value)
        return end
    }

    /// The members of an object some of whose keys are looked for.
    ///
    /// To a dictionary keys are the same when they are canonically equivalent, so only those of ASCII can be told apart.
    private mutating func members(
        _ start: Place, _ keys: UnsafeBufferPointer<SoughtKey>, depth: Int
    ) -> Place? {
        var place = start.pastSpaces
        if place.pointee == Byte.closeBrace { return place + 1 }
        if depth > QuickScan.maximumDepth { return nil }
        while true {
            guard let key = key(place), key.isASCII else { return nil }
            let sought = keys.firstIndex { $0.isSpelled(key.text) }
            let behind =
                if let sought {
                    value(key.value, of: keys[sought], depth: depth)
                } else {
                    scan.value(key.value, depth: depth, isWanted: true)
                }
            guard let end = behind?.pastSpaces else { return nil }
            if end.pointee == Byte.closeBrace { return end + 1 }
            guard end.pointee == Byte.comma else { return nil }
            place = (end + 1).pastSpaces
        }
    }

    /// The elements of a list, as far as there is room for them; those that are lists or objects are opaque.
    private mutating func list(_ start: Place, depth: Int, _ value: inout FlatValue) -> Place? {
        let first = elementCount
        var place = start.pastSpaces
        var isWhole = true
        if place.pointee == Byte.closeBracket {
            value = .list(UnsafeBufferPointer(start: elements + first, count: 0))
            return place + 1
        }
        while true {
            var element = FlatValue.opaque
            guard let end = single(place, depth: depth, &element)?.pastSpaces else { return nil }
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
            place = (end + 1).pastSpaces
        }
    }

    /// A value that is neither list nor object, or one of those unseen.
    @inline(__always)
    private mutating func single(_ place: Place, depth: Int, _ value: inout FlatValue) -> Place? {
        switch place.pointee {
        case Byte.quote:
            var traits = QuickScan.Traits()
            guard let quote = scan.closingQuote(place + 1, &traits) else { return nil }
            let text = UnsafeBufferPointer(start: place + 1, count: quote - place - 1)
            value = traits.hasEscapes ? unescaped(text) : .text(text)
            return quote + 1
        case Byte.minus, Byte.zero...Byte.nine:
            return scan.number(place, &value)
        case Byte.openBrace, Byte.openBracket:
            return scan.value(place, depth: depth, isWanted: true)
        default:
            guard let word = scan.word(place) else { return nil }
            value = word.value
            return word.end
        }
    }

    /// A text with its escapes resolved, where there is room for it.
    @inline(never)
    private mutating func unescaped(_ text: UnsafeBufferPointer<UInt8>) -> FlatValue {
        let room = SieveMemory.textLength - textLength
        if text.count > room { return .opaque }
        let target = UnsafeMutableBufferPointer(start: texts + textLength, count: room)
        let count = JSONParser.unescape(text, into: target)
        textLength += count
        return .text(UnsafeBufferPointer(rebasing: target[..<count]))
    }

    /// What a string becomes by its declaration; nil where it does not, or is too long.
    @inline(never)
    private static func converted(_ value: FlatValue, _ type: ColumnType?) -> FlatValue? {
        guard case .text(let bytes) = value, let type else { return nil }
        return type.value(of: bytes, isQuoted: true).map { FlatValue($0) }
    }
}

/// A key as it stood in the line before, its quotes and colon with it, and which of the sought keys it is.
struct ExpectedKey {
    private var low: UInt64 = 0
    private var high: UInt64 = 0
    private var lowMask: UInt64 = .max
    private var highMask: UInt64 = .max
    private(set) var length = 0
    private(set) var sought = -1

    init() {}

    /// The key whose opening quote stands here; one that is long or stands away from its colon is not remembered.
    init(_ place: UnsafePointer<UInt8>, _ count: Int, _ sought: Int) {
        guard count <= 13, place[count + 2] == Byte.colon else { return }
        (length, self.sought) = (count + 3, sought)
        lowMask = length < 8 ? (1 &<< UInt64(length * 8)) &- 1 : .max
        highMask = length <= 8 ? 0 : length < 16 ? (1 &<< UInt64(length * 8 - 64)) &- 1 : .max
        (low, high) = (place.word & lowMask, (place + 8).word & highMask)
    }

    /// Whether the same stands here.
    @inline(__always)
    func stands(at place: UnsafePointer<UInt8>) -> Bool {
        (place.word ^ low) & lowMask | ((place + 8).word ^ high) & highMask == 0
    }
}

/// What a scanner writes to, kept from line to line.
final class SieveMemory {
    /// How many elements the lists of one record may have together; longer ones are opaque.
    static let elementCount = 4096
    /// How many bytes its texts with escapes may have together; longer ones are opaque.
    static let textLength = 16 << 10
    /// How many keys of a record are expected; those behind share the last place.
    static let expectedCount = 64

    let slotCount: Int
    let slots: UnsafeMutablePointer<FlatValue>
    let elements: UnsafeMutablePointer<FlatValue>
    let texts: UnsafeMutablePointer<UInt8>
    let expected: UnsafeMutablePointer<ExpectedKey>

    init(slotCount: Int) {
        self.slotCount = slotCount
        slots = .allocate(capacity: max(slotCount, 1))
        elements = .allocate(capacity: Self.elementCount)
        texts = .allocate(capacity: Self.textLength)
        expected = .allocate(capacity: Self.expectedCount)
        slots.initialize(repeating: .null, count: slotCount)
        elements.initialize(repeating: .null, count: Self.elementCount)
        expected.initialize(repeating: ExpectedKey(), count: Self.expectedCount)
    }

    deinit {
        slots.deallocate()
        elements.deallocate()
        texts.deallocate()
        expected.deallocate()
    }
}
