import PredicateText

/// The selection vectors of a vectorized batch: for each instruction the indices of the objects that come to it.
///
/// `age > 21 AND name BEGINSWITH "jo"`: first the ages of all, then the names of those that are old enough.
///
/// Jumps only lead forward, so one walk over the instructions empties all vectors.
final class SelectionVectors {
    private let program: Program
    /// For each instruction the list of its objects, then those of the two ends, then room for one result.
    private let lists: UnsafeMutablePointer<UInt16>
    private let counts: UnsafeMutablePointer<Int>
    private let listCount: Int
    /// True if some list is filled by several instructions, and so out of order.
    private let isMixed: Bool

    /// The most instructions: longer programs are not worth the memory of their vectors.
    private static let most = 64

    /// Nil for a program that is better run object by object.
    init?(_ program: Program) {
        guard program.code.count <= Self.most else { return nil }
        self.program = program
        listCount = program.code.count + 3
        isMixed = Self.isMixed(program)
        lists = .allocate(capacity: listCount * Sweep.width)
        counts = .allocate(capacity: listCount)
        counts.initialize(repeating: 0, count: listCount)
    }

    deinit {
        lists.deallocate()
        counts.deallocate()
    }

    /// The number of objects for which the predicate holds, once ``run(_:_:)`` has been true.
    var acceptedCount: Int { counts[acceptList] }

    /// The objects for which the predicate holds, in their order, once ``run(_:_:)`` has been true.
    var accepted: UnsafeBufferPointer<UInt16> {
        if isMixed { putInOrder() }
        return UnsafeBufferPointer(start: list(acceptList), count: counts[acceptList])
    }

    /// Sorts the accepted indices, which are distinct.
    private func putInOrder() {
        let accepted = list(acceptList)
        let marks = list(spareList)
        marks.update(repeating: 0, count: Sweep.width)
        for index in 0..<counts[acceptList] { marks[Int(accepted[index])] = 1 }
        var end = accepted
        for number in 0..<Sweep.width where marks[number] != 0 {
            end.pointee = UInt16(truncatingIfNeeded: number)
            end += 1
        }
    }

    private static func isMixed(_ program: Program) -> Bool {
        var seen: Set<Int32> = []
        for instruction in program.code {
            for target in [instruction.whenTrue, instruction.whenFalse] where target != Instruction.reject {
                if !seen.insert(target).inserted { return true }
            }
        }
        return false
    }

    private var acceptList: Int { listCount &- 3 }
    private var rejectList: Int { listCount &- 2 }
    private var spareList: Int { listCount &- 1 }

    private func list(_ number: Int) -> UnsafeMutablePointer<UInt16> {
        lists + number &* Sweep.width
    }

    private func listNumber(_ target: Int32) -> Int {
        target >= 0 ? Int(target) : target == Instruction.accept ? acceptList : rejectList
    }

    /// Lets `execute` split the list of each instruction; false as soon as it reports an error. The first instruction is
    /// executed together with as many others as are `fused` with it.
    @inline(__always)
    func run(
        _ count: Int, fused: Int, _ execute: (Int, UnsafePointer<Instruction>, inout SelectionSplit) -> Bool
    ) -> Bool {
        counts.update(repeating: 0, count: listCount)
        guard let code = program.code.baseAddress else { return false }
        for number in 0..<program.code.count {
            let own = number > 0 ? list(number) : nil
            let length = number > 0 ? counts[number] : count
            if length == 0 { continue }
            let step = code + number
            let last = number > 0 ? step : step + fused
            let whenTrue = listNumber(last.pointee.whenTrue)
            var whenFalse = listNumber(last.pointee.whenFalse)
            if whenTrue == whenFalse { whenFalse = spareList }
            var split = SelectionSplit(
                selection: UnsafePointer(own), count: length, whenTrue: list(whenTrue) + counts[whenTrue],
                whenFalse: list(whenFalse) + counts[whenFalse])
            guard execute(number, step, &split) else { return false }
            setCounts(split, whenTrue, whenFalse)
        }
        return true
    }

    /// Stores the new lengths of the lists; both results may lead to one list.
    private func setCounts(_ split: SelectionSplit, _ whenTrue: Int, _ whenFalse: Int) {
        counts[whenTrue] = split.whenTrue - list(whenTrue)
        guard whenFalse == spareList else {
            counts[whenFalse] = split.whenFalse - list(whenFalse)
            return
        }
        let spare = list(spareList)
        let more = split.whenFalse - spare
        split.whenTrue.update(from: spare, count: more)
        counts[whenTrue] &+= more
    }
}

/// A selection vector that one test splits into two.
struct SelectionSplit {
    /// The indices of the objects; nil for the first `count`.
    let selection: UnsafePointer<UInt16>?
    let count: Int
    /// The ends of the vectors for either result.
    var whenTrue: UnsafeMutablePointer<UInt16>
    var whenFalse: UnsafeMutablePointer<UInt16>

    /// The objects numbered by their position in the selection.
    var dense: SelectionSplit {
        SelectionSplit(selection: nil, count: count, whenTrue: whenTrue, whenFalse: whenFalse)
    }

    /// Takes over the results of ``dense``.
    mutating func take(_ dense: SelectionSplit) {
        if let selection {
            for index in whenTrue..<dense.whenTrue { index.pointee = selection[Int(index.pointee)] }
            for index in whenFalse..<dense.whenFalse { index.pointee = selection[Int(index.pointee)] }
        }
        (whenTrue, whenFalse) = (dense.whenTrue, dense.whenFalse)
    }

    /// Appends an index to the vector of its result: writes it to both and advances one, so that there is no branch to
    /// be mispredicted.
    @inline(__always)
    mutating func add(_ index: UInt16, _ result: Bool) {
        whenTrue.pointee = index
        whenFalse.pointee = index
        whenTrue += result ? 1 : 0
        whenFalse += result ? 0 : 1
    }

    /// Tests each index.
    @inline(__always)
    mutating func forEachRow(_ holds: (Int) -> Bool) {
        var split = self
        if let selection {
            for index in 0..<count { split.add(selection[index], holds(Int(selection[index]))) }
        } else {
            for index in 0..<count { split.add(UInt16(truncatingIfNeeded: index), holds(index)) }
        }
        self = split
    }
}
