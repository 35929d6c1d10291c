import PredicateJSON
import PredicateSyntax

/// Finds the values at some key paths in one JSON record after another, and writes them one by one.
///
/// `{"price": 1.10, "dept": {"name": "Sales"}}` has `1.10` at `price` and `"Sales"` at `dept.name`. A member whose name is the
/// whole path, `{"dept.name": "Sales"}`, comes first.
package final class JSONFields {
    /// The paths that were given, then the names that whole paths may be.
    private let paths: [[String]]
    /// The index of the name among the paths, for each path of several keys that was given.
    private let names: [Int?]
    /// The slot of each path; equal paths share one.
    private let slots: [Int]
    /// The keys on the paths; nil if they cannot be compared by bytes.
    private let keys: SoughtKeys?
    private lazy var memory = SieveMemory(slotCount: paths.count, objectCount: keys?.objectCount ?? 0)
    private let copy = LineCopy()
    private var record = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    /// True if the slots contain the JSON of the values.
    private var isRead = false
    /// The members of an object that the slots do not contain: finding each one by itself would take too long.
    private var members: [ExactName: [UInt8]]?

    package init(_ given: [[String]]) {
        var (paths, names): ([[String]], [Int?]) = (given, [])
        for path in given {
            names.append(path.count > 1 ? paths.count : nil)
            if path.count > 1 { paths.append([path.joined(separator: ".")]) }
        }
        var (known, numbers): ([[String]], [[String]: Int]) = ([], [:])
        for path in paths where numbers[path] == nil {
            numbers[path] = known.count
            known.append(path)
        }
        (self.paths, self.names) = (paths, names)
        slots = paths.map { numbers[$0] ?? 0 }
        let isWide = known.count > SieveMemory.expectedCount
        keys = isWide ? nil : SoughtKeys(known, RecordOptions(keys: Set(known.compactMap(\.first))), spelled: true)
    }

    /// Finds the values of a record.
    package func read(_ record: [UInt8]) { read(sifted: copy.bytes(of: record)) }

    /// Finds the values of a record without its line end, which must follow in memory, with ``ByteWindow/margin`` bytes after
    /// it. The record must stay in memory while its values are written.
    package func read(sifted record: UnsafeBufferPointer<UInt8>) {
        self.record = record
        isRead = fillSlots()
        guard !isRead else { return }
        members = JSONScanner.members(of: Array(record)).map { members in
            Dictionary(members.map { (ExactName($0.key), $0.text) }) { $1 }
        }
    }

    private func fillSlots() -> Bool {
        guard let keys, let start = record.baseAddress else { return false }
        var scanner = LineScanner(keys.roots, memory, end: start + record.count + 1)
        var holdsLineEnds = false
        guard let lineFeed = scanner.line(start, &holdsLineEnds) else { return false }
        return lineFeed - start - record.count <= 1
    }

    /// Appends the value at the path with an index, in a format, if it is a number or a string without escapes; returns false
    /// for any other value.
    package func write(plain index: Int, _ format: RowCell.Format, to bytes: inout [UInt8]) -> Bool {
        guard isRead, case .text(let json) = memory.slots[slots[place(of: index)]], let first = json.first else {
            return false
        }
        let isText = first == Byte.quote
        guard isText || first.isDigit || first == Byte.minus else { return false }
        guard isText, case .field(let fields) = format else {
            bytes.append(contentsOf: json)
            return true
        }
        let text = json.slice(1..<json.count - 1)
        if text.firstIndex(of: Byte.backslash, from: 0) != nil { return false }
        fields.write(text, to: &bytes)
        return true
    }

    /// Appends the value at the path with an index, or `null` if there is none. Returns false if no value was found, and nil if
    /// the path leads only to empty arrays.
    package func append(_ index: Int, to bytes: inout [UInt8]) throws(JSONError) -> Bool? {
        let index = place(of: index)
        guard isRead else { return try append(paths[index], to: &bytes) }
        switch memory.slots[slots[index]] {
        case .text(let json): bytes.append(contentsOf: json)
        case .null:
            bytes.append(contentsOf: "null".utf8)
            return false
        case .bool, .integer, .double, .date, .list, .opaque:
            return try JSONScanner.append(paths[index], in: record, to: &bytes)
        }
        return true
    }

    /// Appends the value at a path of a record whose values are not in the slots.
    private func append(_ path: [String], to bytes: inout [UInt8]) throws(JSONError) -> Bool? {
        guard let members, let key = path.first else { return try JSONScanner.append(path, in: record, to: &bytes) }
        guard let text = members[ExactName(key)] else {
            bytes.append(contentsOf: "null".utf8)
            return false
        }
        return try text.withUnsafeBufferPointer { text in
            Result { () throws(JSONError) in try JSONScanner.append(Array(path.dropFirst()), in: text, to: &bytes) }
        }.get()
    }

    /// Returns the index of the path at which a value is read: that of the member that has the whole path as its name, if it is
    /// not nil.
    private func place(of index: Int) -> Int {
        guard let name = names[index], hasValue(at: name) else { return index }
        return name
    }

    private func hasValue(at index: Int) -> Bool {
        guard isRead else {
            return members?[ExactName(paths[index][0])].map { !$0.elementsEqual("null".utf8) } ?? false
        }
        return switch memory.slots[slots[index]] {
        case .text(let json): !json.elementsEqual("null".utf8)
        case .null: false
        case .bool, .integer, .double, .date, .list, .opaque: true
        }
    }
}

/// Memory for a copy of one line after another, each with a line end and ``ByteWindow/margin`` bytes after it.
final class LineCopy {
    private var bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 0)

    deinit { bytes.deallocate() }

    /// Returns a copy of a line, which is valid until the next one.
    func bytes(of line: [UInt8]) -> UnsafeBufferPointer<UInt8> {
        let length = line.count + 1 + ByteWindow.margin
        if bytes.count < length {
            bytes.deallocate()
            bytes = .allocate(capacity: 2 * length)
            bytes.initialize(repeating: 0)
        }
        _ = bytes.update(fromContentsOf: line)
        bytes[line.count] = Byte.lineFeed
        return UnsafeBufferPointer(rebasing: bytes[..<line.count])
    }
}
