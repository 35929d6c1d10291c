import PredicateEvaluation
import PredicateSyntax

/// Some thousand objects in one piece: the values of all of them in one array, and for each object which keys they
/// belong to.
///
/// A dictionary for each object would take several times as much memory. Pieces also keep threads that scan different
/// ones from counting references to the same thing.
final class RowChunk: Sendable {
    /// Where an object's values are.
    struct Place: Sendable {
        /// Which of ``layouts`` its keys are; nil for a value that is no dictionary, such as a number.
        var layout: UInt16?
        var start: UInt32
    }

    static let capacity = 4096

    private let layouts: [KeyedRecord.Layout]
    private let places: [Place]
    private let values: [PredicateValue]

    init(layouts: [KeyedRecord.Layout], places: [Place], values: [PredicateValue]) {
        self.layouts = layouts
        self.places = places
        self.values = values
    }

    var count: Int { places.count }

    /// An object by its position: a row for a dictionary, else the value itself.
    func value(at index: Int) -> KeyedValue {
        let place = places[index]
        return place.layout == nil ? .value(values[Int(place.start)]) : .object(Row(self, index))
    }

    /// Adds all objects to a table of columns.
    func append(to builder: ColumnTableBuilder) {
        for index in places.indices {
            if let layout = places[index].layout {
                builder.append(keys: layouts[Int(layout)].names, values: values(at: index))
            } else {
                builder.append(values[Int(places[index].start)])
            }
        }
    }

    /// The value of a key; nil where the object has no such key.
    fileprivate func value(of key: String, at index: Int) -> PredicateValue? {
        let place = places[index]
        guard let number = place.layout, let slot = layouts[Int(number)].slot(of: key) else { return nil }
        return values[Int(place.start) + slot]
    }

    fileprivate func names(at index: Int) -> [String] {
        places[index].layout.map { layouts[Int($0)].names } ?? []
    }

    fileprivate func values(at index: Int) -> ArraySlice<PredicateValue> {
        let start = Int(places[index].start)
        return values[start..<start + names(at: index).count]
    }
}

/// One object of a chunk. To predicates it is a dictionary.
struct Row: DictionaryCoding, Sendable {
    private let chunk: RowChunk
    private let index: Int

    init(_ chunk: RowChunk, _ index: Int) {
        self.chunk = chunk
        self.index = index
    }

    func value(forKey key: String) -> KeyedValue? {
        chunk.value(of: key, at: index)?.keyedValue
    }

    var allKeys: [String] { chunk.names(at: index) }

    var toleratesMissingKeys: Bool { true }

    var entries: [String: KeyedValue] {
        Dictionary(zip(allKeys, chunk.values(at: index).map(\.keyedValue)), uniquingKeysWith: { first, _ in first })
    }

    var entryCount: Int { allKeys.count }
}
