import PredicateData
import PredicateEvaluation
import PredicateSyntax

/// Objects in memory: all objects of a session, or a sample of them.
package struct ObjectTable: Sendable {
    fileprivate let rows: [PredicateValue]
    /// The keys of the objects, in the order of the data.
    package let columns: [String]
    /// The positions of the objects in their file, if some records cannot be read; empty if each position equals the row.
    fileprivate let positions: [Int]

    /// A table without objects.
    package static let empty = ObjectTable(rows: [], columns: [], positions: [])

    package var count: Int { rows.count }

    package var isEmpty: Bool { count == 0 }

    /// The object in a row; nil for an index out of bounds.
    package subscript(row: Int) -> KeyedValue { rows.indices.contains(row) ? .value(rows[row]) : .null }

    /// Returns the number of records before the object in a row, including unreadable ones. An object's number is one more.
    func position(of row: Int) -> Int { positions.isEmpty ? row : positions[row] }

    /// Returns the object at a position; nil if there is none.
    func object(at position: Int) -> KeyedValue? {
        let row = positions.isEmpty ? position : positions.partitioningIndex { $0 >= position }
        return row < count && self.position(of: row) == position ? self[row] : nil
    }

    /// The number of records before the last object.
    var lastPosition: Int { count == 0 ? 0 : position(of: count - 1) }

    /// Returns the indices of at most `limit` rows, spread evenly over the table.
    package func spread(_ limit: Int) -> [Int] {
        guard limit < count else { return Array(0..<count) }
        return (0..<max(0, limit)).map { $0 * count / limit }
    }
}

extension ObjectTable {
    /// The number of rows between two reports of the progress.
    private static let step = 4096

    /// Passes over the rows. Returns false if the user has cancelled.
    func run(_ pass: ObjectPass, _ environment: SessionEnvironment, _ task: String) -> Bool {
        defer { environment.finishProgress() }
        for row in rows.indices {
            if row.isMultiple(of: Self.step) {
                if environment.isCancelled() { return false }
                environment.progress(TaskProgress(task: task, done: row, total: count, objects: row))
            }
            pass.see(rows[row], position(of: row))
        }
        return true
    }
}

/// Builds a table, one object after another.
struct ObjectTableBuilder {
    private var rows: [PredicateValue] = []
    private var columns: [String] = []
    private var knownColumns: Set<String> = []
    /// The keys of the last dictionary. Most objects have the same keys in the same order.
    private var lastKeys: [String] = []
    private var positions: [Int] = []

    /// The number of objects so far.
    var count: Int { rows.count }

    /// Adds an object at a position in a file. `names` returns all of its keys in source order, even those that were not read;
    /// it is called for the first object and whenever there are new keys.
    mutating func append(_ value: PredicateValue, at position: Int? = nil, names: () -> [String]) {
        if let position {
            if positions.isEmpty, position != count { positions = Array(0..<count) }
            if !positions.isEmpty || position != count { positions.append(position) }
        }
        rows.append(value)
        let isFirst = count == 1
        guard case .dictionary(let members) = value, isFirst || !members.keys.elementsEqual(lastKeys) else { return }
        lastKeys = Array(members.keys)
        guard isFirst || !knownColumns.isSuperset(of: lastKeys) else { return }
        for name in names() + lastKeys.sorted() where knownColumns.insert(name).inserted { columns.append(name) }
    }

    /// Returns the table of all objects so far.
    func table() -> ObjectTable {
        ObjectTable(rows: rows, columns: columns, positions: positions)
    }
}

package struct TaskProgress: Sendable {
    /// The name of the task: `loading log.jsonl`
    package var task: String
    /// The number of bytes or objects that have been processed, and their total if it is known.
    package var done: Int
    package var total: Int?
    /// The number of objects so far, and the noun for them.
    package var objects: Int
    package var noun = "object"

    package init(task: String, done: Int, total: Int? = nil, objects: Int, noun: String = "object") {
        (self.task, self.done, self.total, self.objects, self.noun) = (task, done, total, objects, noun)
    }
}
