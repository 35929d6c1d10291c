import PredicateText

/// The lists of a sweep: leaf by leaf, each instruction has the numbers of the objects that it is to be asked about.
///
/// `age > 21 AND name BEGINSWITH "jo"`: first the ages of all, then the names of those that are old enough.
///
/// Jumps only lead forward, so one walk over the instructions empties all lists.
final class SweepLists {
    private let program: Program
    /// For each instruction the list of its objects, then those of the two ends, then room for one answer.
    private let lists: UnsafeMutablePointer<UInt16>
    private let counts: UnsafeMutablePointer<Int>
    private let listCount: Int
    /// Whether some list is filled from several places, and so out of order.
    private let isMixed: Bool

    /// Longer programs are not worth the room for their lists.
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

    /// For how many objects the predicate holds, once ``run(_:_:)`` has been true.
    var acceptedCount: Int { counts[acceptList] }

    /// The objects for which the predicate holds, in their order, once ``run(_:_:)`` has been true.
    var accepted: UnsafeBufferPointer<UInt16> {
        if isMixed { putInOrder() }
        return UnsafeBufferPointer(start: list(acceptList), count: counts[acceptList])
    }

    /// Sorts the accepted numbers, each of which stands there once.
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

    /// Lets `ask` split the list of each instruction; false where it once says that there was an error. The first is asked
    /// together with as many others as `joined` says, and what the last of them leads to is the answer of all.
    @inline(__always)
    func run(
        _ count: Int, joined: Int, _ ask: (Int, UnsafePointer<Instruction>, inout Split) -> Bool
    ) -> Bool {
        counts.update(repeating: 0, count: listCount)
        guard let code = program.code.baseAddress else { return false }
        for number in 0..<program.code.count {
            let own = number > 0 ? list(number) : nil
            let length = number > 0 ? counts[number] : count
            if length == 0 { continue }
            let step = code + number
            let last = number > 0 ? step : step + joined
            let whenTrue = listNumber(last.pointee.whenTrue)
            var whenFalse = listNumber(last.pointee.whenFalse)
            if whenTrue == whenFalse { whenFalse = spareList }
            var split = Split(
                list: UnsafePointer(own), count: length, whenTrue: list(whenTrue) + counts[whenTrue],
                whenFalse: list(whenFalse) + counts[whenFalse])
            guard ask(number, step, &split) else { return false }
            note(split, whenTrue, whenFalse)
        }
        return true
    }

    /// Notes how long the lists have become; both answers may lead to one list.
    private func note(_ split: Split, _ whenTrue: Int, _ whenFalse: Int) {
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

/// A list of objects that one question splits into two.
struct Split {
    /// The numbers of the objects; nil for all.
    let list: UnsafePointer<UInt16>?
    let count: Int
    /// Where the next number goes for either answer.
    var whenTrue: UnsafeMutablePointer<UInt16>
    var whenFalse: UnsafeMutablePointer<UInt16>

    /// The same objects numbered one after another.
    var renumbered: Split { Split(list: nil, count: count, whenTrue: whenTrue, whenFalse: whenFalse) }

    /// Takes over the answers of the renumbered objects.
    mutating func take(_ answers: Split) {
        if let list {
            for place in whenTrue..<answers.whenTrue { place.pointee = list[Int(place.pointee)] }
            for place in whenFalse..<answers.whenFalse { place.pointee = list[Int(place.pointee)] }
        }
        (whenTrue, whenFalse) = (answers.whenTrue, answers.whenFalse)
    }

    /// Adds the next number to the list of its answer: writes it to both, and lets that stay where it belongs, so that
    /// there is no branch to be guessed wrong.
    @inline(__always)
    mutating func add(_ number: UInt16, _ answer: Bool) {
        whenTrue.pointee = number
        whenFalse.pointee = number
        whenTrue += answer ? 1 : 0
        whenFalse += answer ? 0 : 1
    }

    /// Asks about each number.
    @inline(__always)
    mutating func runNumbers(_ holds: (Int) -> Bool) {
        var split = self
        if let list {
            for index in 0..<count { split.add(list[index], holds(Int(list[index]))) }
        } else {
            for number in 0..<count { split.add(UInt16(truncatingIfNeeded: number), holds(number)) }
        }
        self = split
    }
}
