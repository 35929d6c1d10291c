import PredicateText

/// An instruction of a bytecode program: a test of the object, and a jump for each result.
///
/// It is a trivial value that is only accessed by pointer.
struct Instruction: BitwiseCopyable {
    /// The operation. The most frequent tests have an opcode of their own; the others dispatch on the type or on ``Source``.
    enum Opcode: UInt8 {
        /// `age > 21`, for a stored `Int`
        case integer
        /// `active == YES`, for a stored `Bool`
        case bool
        /// `score < 1.5`, for a stored `Double` or `Date`
        case double
        /// `score * 2 + 1 > 50`: a stored `Double` and constants
        case arithmetic
        /// `name BEGINSWITH "jo"`, `name == "jo"`, for a stored `String`: see ``Instruction/match``
        case text
        /// `name IN {"jo", "al"}`, with few members
        case member
        /// `name MATCHES "j.*n"`, by an automaton
        case pattern
        /// Every other test of a stored `String`
        case otherText
        /// `tags.@count > 2`, for a stored `[String]`
        case count
        /// `ANY tags == "swift"`
        case anyEqual
        /// `SUBQUERY(tags, $t, $t BEGINSWITH "s").@count > 1`
        case matchCount
        /// Every other test of a stored `[String]`
        case otherList
        /// A test of any other stored value
        case stored
        /// A test of a fetched value
        case fetched
        /// `score * 2 > limit`
        case numeric
        /// A predicate that only its plan evaluates
        case plan
    }

    var opcode: Opcode
    var type = StoredType.integer
    /// The text operation of `text` and `matchCount`.
    var match = TextMatch.equal
    var isNegated = false
    /// The index of the next instruction, or one of the two ends.
    var whenTrue: Int32 = 0
    var whenFalse: Int32 = 0
    /// The index of the plan that is evaluated if the instruction does not decide.
    var plan: Int32
    /// The offset of the stored value in the object.
    var offset = 0
    /// The bits of the range with which numbers and counts are compared.
    var low: UInt64 = 0
    var high: UInt64 = 0
    var test: UnsafePointer<LeafTest>
    var source: Unmanaged<Source>?
    var numeric: Unmanaged<ArithmeticComparison>?
    /// The vectorized form of `fetched` and `numeric`, if there is one.
    var routed: Unmanaged<RoutedInstruction>?
    /// The steps of `arithmetic` before its value is compared.
    var links = UnsafeBufferPointer<NumericLink>(start: nil, count: 0)
    /// The needle of tests that have one.
    var needle: FlatNeedle?

    /// The end at which the predicate holds.
    static let accept: Int32 = -1
    /// The end at which the predicate does not hold.
    static let reject: Int32 = -2
    /// The index that denotes no plan.
    static let noPlan: Int32 = -1
}

extension Instruction {
    @inline(__always)
    func holds(integer value: Int64) -> Bool {
        (Int64(bitPattern: low) <= value && value <= Int64(bitPattern: high)) != isNegated
    }

    @inline(__always)
    func holds(double value: Double) -> Bool {
        (Double(bitPattern: low) <= value && value <= Double(bitPattern: high)) != isNegated
    }

    @inline(__always)
    func holds(arithmeticOn value: Double) -> Bool {
        var value = value
        for link in links { value = link.operation.result(value, link.constant) }
        return holds(double: value)
    }

    @inline(__always)
    func holds(bool value: Bool) -> Bool {
        (value ? high : low) != 0
    }

    /// True for a program that consists of this instruction.
    var decidesAll: Bool { whenTrue == Self.accept && whenFalse == Self.reject }

    /// True if every value is decided, except by regular expressions that exceed their limits.
    var isTotal: Bool {
        switch opcode {
        case .integer, .bool, .double, .arithmetic, .text, .member, .pattern, .count, .anyEqual, .matchCount: true
        case .otherText, .stored: type.isTotal(test.pointee)
        case .otherList, .fetched, .numeric, .plan: false
        }
    }

    init(_ opcode: Opcode, _ test: UnsafePointer<LeafTest> = LeafTest.undecided) {
        self.init(opcode: opcode, plan: 0, test: test)
    }

    /// Makes a test of a stored value; the most frequent types have an opcode of their own.
    init(_ test: UnsafePointer<LeafTest>, _ offset: Int, _ type: StoredType) {
        self.init(Opcode(test.pointee, type), test)
        self.offset = offset
        self.type = type
        let test = test.pointee
        switch opcode {
        case .integer: setRange(test.integers)
        case .bool: (low, high) = (test.integers.holds(0) ? 1 : 0, test.integers.holds(1) ? 1 : 0)
        case .double: setRange(type == .date ? test.dates : test.doubles)
        case .text, .member, .pattern, .otherText:
            (isNegated, needle) = (test.texts.isNegated, test.texts.needles.first)
            match = test.texts.match
        case .count, .anyEqual, .matchCount:
            setRange(test.lists.counts)
            needle = test.lists.equalNeedle ?? test.lists.countedMatch?.needle
            match = test.lists.countedMatch?.match ?? .equal
        case .arithmetic, .stored, .otherList, .fetched, .numeric, .plan: break
        }
    }

    private mutating func setRange(_ range: IntegerTest) {
        (low, high) = (UInt64(bitPattern: range.low), UInt64(bitPattern: range.high))
        isNegated = range.isNegated
    }

    mutating func setRange(_ range: DoubleTest) {
        (low, high) = (range.low.bitPattern, range.high.bitPattern)
        isNegated = range.isNegated
    }
}

extension Instruction.Opcode {
    /// Makes the opcode for a test of a stored value.
    fileprivate init(_ test: LeafTest, _ type: StoredType) {
        switch type {
        case .integer: self = test.decidesNumbers && test.integers.members.isEmpty ? .integer : .stored
        case .bool: self = test.decidesNumbers ? .bool : .stored
        case .double: self = test.decidesNumbers ? Self(test.doubles) : .stored
        case .date: self = test.decidesDates ? Self(test.dates) : .stored
        case .string: self.init(test.texts)
        case .strings: self.init(test.lists)
        case .integer32, .integer16, .integer8, .unsigned, .unsigned32, .unsigned16, .unsigned8, .float,
            .optionalInteger, .optionalInteger32, .optionalBool, .optionalDouble, .optionalDate, .optionalString,
            .integers, .doubles:
            self = .stored
        }
    }

    private init(_ test: DoubleTest) {
        switch test.form {
        case .range: self = .double
        case .rangeAroundZero, .members: self = .stored
        }
    }

    private init(_ test: TextTest) {
        switch test.operation {
        case .matches: self = .text
        case .member: self = test.index == nil ? .member : .otherText
        case .pattern: self = test.expression?.pointee.isQuick == true ? .pattern : .otherText
        case .unknown, .constant, .compared: self = .otherText
        }
    }

    private init(_ test: ListTest) {
        guard test.counts.members.isEmpty else {
            self = .otherList
            return
        }
        switch test.mode {
        case .count: self = .count
        case .any: self = test.equalNeedle == nil ? .otherList : .anyEqual
        case .filteredCount: self = test.countedMatch == nil ? .otherList : .matchCount
        case .unknown, .all: self = .otherList
        }
    }
}
