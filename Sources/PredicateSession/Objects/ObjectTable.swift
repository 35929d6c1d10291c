import PredicateEvaluation
import PredicateSyntax

/// The objects that a session asks: as many as fit into memory, by position.
package struct ObjectTable: Sendable {
    let chunks: [RowChunk]
    /// How many objects there are.
    package let count: Int
    /// The keys of the objects, in the order in which the data has them.
    package let columns: [String]

    /// No objects at all.
    package static let empty = ObjectTable(chunks: [], columns: [])

    /// Every chunk but the last one is full.
    init(chunks: [RowChunk], columns: [String]) {
        self.chunks = chunks
        self.columns = columns
        count = chunks.reduce(0) { $0 + $1.count }
    }

    package var isEmpty: Bool { count == 0 }

    /// The object at a position; nil for a position that there is none at.
    package subscript(index: Int) -> KeyedValue {
        guard index >= 0, index < count else { return .null }
        return chunks[index / RowChunk.capacity].value(at: index % RowChunk.capacity)
    }

    /// The positions of so many objects, spread evenly over all of them.
    package func spread(_ number: Int) -> [Int] {
        guard number < count else { return Array(0..<count) }
        return (0..<max(0, number)).map { $0 * count / number }
    }
}

/// Fills a table, one object after another.
struct ObjectTableBuilder {
    /// Keys that objects have, in the order of one dictionary that had them.
    private struct Shape {
        let layout: KeyedRecord.Layout

        var names: [String] { layout.names }

        /// Whether a dictionary has these keys in this order, as those have that a reader made of one template.
        func isInOrder(of members: [String: PredicateValue]) -> Bool {
            members.count == layout.names.count && zip(members.keys, layout.names).allSatisfy { $0 == $1 }
        }
    }

    /// With more sets of keys than these, keys are data, and each object stays a dictionary.
    private static let maximumShapes = 4096
    private static let remembered = 4

    private var chunks: [RowChunk] = []
    private var shapes: [Shape] = []
    private var numbers: [[String]: Int] = [:]
    /// The shapes that were met last, the last one first.
    private var recent: [Int] = []
    private var columns: [String] = []
    private var knownColumns: Set<String> = []

    private var places: [RowChunk.Place] = []
    private var values: [PredicateValue] = []
    /// The shapes of this chunk, by their position in it.
    private var layouts: [KeyedRecord.Layout] = []
    private var positions: [Int: UInt16] = [:]
    /// Where the last object of each shape stands, so that texts that come again are kept once.
    private var lastStarts: [Int: Int] = [:]

    /// How many objects there are so far.
    private(set) var count = 0

    /// Adds an object. `names` gives its keys in the order in which they are written; it is asked where they are new.
    mutating func append(_ value: PredicateValue, names: () -> [String]) {
        count += 1
        if case .dictionary(let members) = value, let shape = shape(of: members, names) {
            append(members, shape)
        } else {
            places.append(RowChunk.Place(layout: nil, start: UInt32(values.count)))
            values.append(value)
        }
        if places.count == RowChunk.capacity { close() }
    }

    mutating func finish() -> ObjectTable {
        if !places.isEmpty { close() }
        return ObjectTable(chunks: chunks, columns: columns)
    }

    private mutating func append(_ members: [String: PredicateValue], _ number: Int) {
        let start = values.count
        let shape = shapes[number]
        let last = lastStarts.updateValue(start, forKey: number)
        if shape.isInOrder(of: members) {
            values.append(contentsOf: members.values)
        } else {
            values.append(contentsOf: shape.names.map { members[$0] ?? .null })
        }
        if let last { share(from: last, to: start, count: shape.names.count) }
        places.append(RowChunk.Place(layout: position(of: number), start: UInt32(start)))
    }

    /// Texts that are those of the object before take its memory.
    private mutating func share(from last: Int, to start: Int, count: Int) {
        for slot in 0..<count {
            guard case .string(let text) = values[start + slot], text.utf8.count > 15,
                case .string(let former) = values[last + slot], former == text
            else { continue }
            values[start + slot] = values[last + slot]
        }
    }

    private mutating func position(of number: Int) -> UInt16 {
        if let position = positions[number] { return position }
        let position = UInt16(layouts.count)
        layouts.append(shapes[number].layout)
        positions[number] = position
        return position
    }

    private mutating func close() {
        chunks.append(RowChunk(layouts: layouts, places: places, values: values))
        places.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
        layouts.removeAll()
        positions.removeAll()
        lastStarts.removeAll()
    }
}

extension ObjectTableBuilder {
    /// The number of the shape that an object has; nil where there are too many.
    private mutating func shape(of members: [String: PredicateValue], _ names: () -> [String]) -> Int? {
        if let number = recent.first(where: { shapes[$0].isInOrder(of: members) }) { return number }
        let sorted = members.keys.sorted()
        let number: Int
        if let known = numbers[sorted] {
            number = known
        } else {
            guard shapes.count < Self.maximumShapes else { return nil }
            number = shapes.count
            shapes.append(Shape(layout: KeyedRecord.Layout(Array(members.keys), toleratesMissingKeys: true)))
            numbers[sorted] = number
            note(columns: names() + sorted)
        }
        recent = [number] + recent.filter { $0 != number }.prefix(Self.remembered - 1)
        return number
    }

    private mutating func note(columns names: [String]) {
        for name in names where knownColumns.insert(name).inserted { columns.append(name) }
    }
}
