import PredicateSyntax

extension KeyedRecord {
    /// The names of a record's values, shared by all records of one kind.
    ///
    /// `KeyedRecord.Layout(["name", "age"])`
    public final class Layout: Sendable {
        /// The names, by slot.
        package let names: [String]
        /// True if a missing key is nil, as in a dictionary, instead of an error.
        package let toleratesMissingKeys: Bool
        private let slots: [String: Int]

        /// Makes a layout. A name that occurs twice refers to its first slot.
        public init(_ names: [String], toleratesMissingKeys: Bool = false) {
            self.names = names
            self.toleratesMissingKeys = toleratesMissingKeys
            self.slots = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
        }

        /// Returns the slot with this name; nil if the layout has no such name. Resolve a name once and read the slot often.
        package func slot(of name: String) -> Int? {
            slots[exactly: name]
        }
    }
}

extension KeyedRecord.Layout: Hashable {
    public static func == (left: KeyedRecord.Layout, right: KeyedRecord.Layout) -> Bool {
        left === right || (left.names == right.names && left.toleratesMissingKeys == right.toleratesMissingKeys)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(names)
    }
}

/// An object of plain values in the slots of a shared layout, like a row of a table.
///
/// `age >= 21` on `KeyedRecord(layout, ["jo", 30])`
///
/// A record has as many values as its layout has names: missing values are nil, surplus values are ignored.
public struct KeyedRecord: KeyValueCoding, Hashable, Sendable {
    /// The names of the values.
    package let layout: KeyedRecord.Layout
    /// The values, by slot.
    package private(set) var values: [PredicateValue]

    /// Makes a record from values in the order of the names.
    public init(_ layout: KeyedRecord.Layout, _ values: [PredicateValue]) {
        self.layout = layout
        self.values = values.count > layout.names.count ? Array(values.prefix(layout.names.count)) : values
        let missing = layout.names.count - self.values.count
        if missing > 0 { self.values += Array(repeating: .null, count: missing) }
    }

    /// Makes a record from values by name; names that the layout does not have are ignored.
    package init(_ layout: KeyedRecord.Layout, _ values: [String: PredicateValue]) {
        self.init(layout, layout.names.map { values[$0] ?? .null })
    }

    /// The value in a slot. For a slot that does not exist, the value is `.null` and setting has no effect.
    package subscript(slot slot: Int) -> PredicateValue {
        get { values.indices.contains(slot) ? values[slot] : .null }
        set { if values.indices.contains(slot) { values[slot] = newValue } }
    }

    /// The value in the slot with this name. For a name that does not exist, the value is `.null` and setting has no effect.
    public subscript(name: String) -> PredicateValue {
        get { layout.slot(of: name).map { values[$0] } ?? .null }
        set { layout.slot(of: name).map { values[$0] = newValue } }
    }

    public func value(forKey key: String) -> KeyedValue? {
        layout.slot(of: key).map { values[$0].keyedValue }
    }

    public var allKeys: [String] { layout.names }

    public var toleratesMissingKeys: Bool { layout.toleratesMissingKeys }
}
