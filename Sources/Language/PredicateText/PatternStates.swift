import Synchronization

/// The states of a pattern, each made when a string first needs it.
///
/// A table has one row for each state: for every class of code points, the row of the next state; then the result of a
/// string that ends in the state, and the loop of the state.
///
/// Several threads may read the table while one of them adds to it, so a match takes no lock if its states exist. The
/// table grows by being copied, and is bounded.
///
/// `@unchecked`: the entries of tables are atomic, and a lock protects everything else.
final class PatternStates: @unchecked Sendable {
    typealias Entry = UInt32
    typealias Table = UnsafeMutablePointer<Atomic<Entry>>

    /// An entry that is not known yet, and the results of a string that fails or matches. All other entries are rows:
    /// indices in the table.
    static let unknown: Entry = 0
    static let fails: Entry = 1
    static let matches: Entry = 2
    /// Added to the row of the same state if the state has a loop.
    static let loops: Entry = 1 << 31
    static let firstRow: Entry = 3

    /// The column for the end of the string.
    let endColumn: Int
    /// The row of the state before the first code point.
    private(set) var start = fails
    private let contents: Mutex<Contents>
    private let current: Atomic<UnsafeMutableRawPointer>
    private let width: Int

    /// What the lock protects.
    private struct Contents: @unchecked Sendable {
        var positions: PatternPositions
        var tables: [(start: Table, rows: Int)]
        var states: [PatternState] = []
        var numbers: [PatternState: Int] = [:]
        var positionCount = 0
        let mostRows: Int
        let mostPositions: Int
    }

    private static let firstRows = 8

    /// Makes the first state. `most` is the maximum number of entries of the table, and of positions in all states.
    init(_ program: PatternProgram, _ alphabet: PatternAlphabet, atMost most: Int) {
        endColumn = alphabet.count
        width = endColumn + 1 + PatternLoop.entryCount
        let table = Self.table(Int(Self.firstRow) + Self.firstRows * width)
        let contents = Contents(
            positions: PatternPositions(program, alphabet), tables: [(table, Self.firstRows)],
            mostRows: max(most / width, 4), mostPositions: max(most, 16 * program.steps.count))
        self.contents = Mutex(contents)
        current = Atomic(UnsafeMutableRawPointer(table))
        start = self.contents.withLock { row(of: $0.positions.first(), &$0) ?? Self.fails }
    }

    deinit {
        contents.withLock { for table in $0.tables { table.start.deallocate() } }
    }

    private static func table(_ count: Int) -> Table {
        let table = Table.allocate(capacity: count)
        for index in 0..<count { (table + index).initialize(to: Atomic(unknown)) }
        return table
    }

    /// The table as it is now; it may lack the rows of later states.
    @inline(__always)
    var table: Table { current.load(ordering: .acquiring).assumingMemoryBound(to: Atomic<Entry>.self) }

    /// Returns the entry of a row in the column of a class or of the end; nil if there is no room for a new state. Adds
    /// the number of visited positions to `work`.
    func entry(_ row: Entry, _ column: Int, _ work: inout Int) -> Entry? {
        contents.withLock { contents in
            let known = table[Int(row) + column].load(ordering: .relaxed)
            if known != Self.unknown { return known }
            let visited = contents.positions.visited
            defer { work += contents.positions.visited - visited }
            guard var entry = next(contents.states[index(row)], column, &contents) else { return nil }
            if entry == row, let loop = contents.positions.loop(of: contents.states[index(row)]) {
                loop.store(in: table + loopPlace(row))
                entry |= Self.loops
            }
            table[Int(row) + column].store(entry, ordering: .releasing)
            return entry
        }
    }

    /// Returns the loop of a row, given that one of its entries has ``loops``.
    func loop(of row: Entry, in table: Table) -> PatternLoop {
        atomicMemoryFence(ordering: .acquiring)
        return PatternLoop(table + loopPlace(row))
    }

    private func loopPlace(_ row: Entry) -> Int { Int(row) + endColumn + 1 }

    private func next(_ state: PatternState, _ column: Int, _ contents: inout Contents) -> Entry? {
        if column == endColumn { return contents.positions.isEnd(state) ? Self.matches : Self.fails }
        guard let next = contents.positions.next(state, class: column) else { return Self.fails }
        return row(of: next, &contents)
    }

    func state(_ row: Entry) -> PatternState { contents.withLock { $0.states[index(row)] } }

    /// Removes all states, adds one, and returns its row. No other thread may use the states.
    func restart(with state: PatternState) -> Entry {
        contents.withLock { contents in
            (contents.states, contents.numbers, contents.positionCount) = ([], [:], 0)
            let (table, rows) = contents.tables[contents.tables.count - 1]
            for index in 0..<Int(Self.firstRow) + rows * width { table[index].store(Self.unknown, ordering: .relaxed) }
            return row(of: state, &contents) ?? Self.fails
        }
    }

    private func index(_ row: Entry) -> Int { (Int(row) - Int(Self.firstRow)) / width }

    private func row(of state: PatternState, _ contents: inout Contents) -> Entry? {
        let known = contents.numbers[state]
        let number = known ?? contents.states.count
        if known == nil {
            let positionCount = contents.positionCount + state.positions.count
            guard number == 0 || number < contents.mostRows && positionCount <= contents.mostPositions else {
                return nil
            }
            if number == contents.tables[contents.tables.count - 1].rows { grow(&contents) }
            contents.numbers[state] = number
            contents.states.append(state)
            contents.positionCount = positionCount
        }
        return Entry(truncatingIfNeeded: Int(Self.firstRow) + number * width)
    }

    /// Replaces the table by a larger one. Other threads may still read the old one.
    private func grow(_ contents: inout Contents) {
        let (old, rows) = contents.tables[contents.tables.count - 1]
        let new = Self.table(Int(Self.firstRow) + 4 * rows * width)
        for index in 0..<Int(Self.firstRow) + rows * width {
            new[index].store(old[index].load(ordering: .relaxed), ordering: .relaxed)
        }
        contents.tables.append((new, 4 * rows))
        current.store(UnsafeMutableRawPointer(new), ordering: .releasing)
    }
}
