import PredicateText

/// One step of a program: a question to an object, and where to go on for either answer.
///
/// A trivial value that is only ever reached by pointer.
struct Instruction: BitwiseCopyable {
    /// What to do: the kinds that stand in most loops have a case of their own, the rest goes by ``Source``.
    enum Opcode: UInt8 {
        /// `age > 21`, of an `Int` in its place
        case integer
        /// `active == YES`, of a `Bool` in its place
        case bool
        /// `score < 1.5`, of a `Double` or a `Date` in its place
        case double
        /// `name BEGINSWITH "jo"`, of a `String` in its place
        case prefix
        /// `name ENDSWITH "jo"`
        case suffix
        /// `name CONTAINS "jo"`
        case contains
        /// `name == "jo"`
        case equal
        /// `name LIKE "j?h*n"`
        case tokens
        /// `name IN {"jo", "al"}`, of few
        case member
        /// `name MATCHES "j.*n"`, where a program matches it itself
        case expression
        /// Every other test of a string in its place
        case text
        /// A test of any other value in its place
        case stored
        /// `score * 2 + 1 > 50`: a `Double` in its place and constants
        case arithmetic
        /// `tags.@count > 2` of `[String]` in its place
        case count
        /// `ANY tags == "swift"`
        case anyEqual
        /// `SUBQUERY(tags, $t, $t BEGINSWITH "s").@count > 1`
        case prefixCount
        /// Every other test of `[String]` in its place
        case strings
        /// A test of a value that is fetched
        case fetched
        /// `score * 2 > limit`
        case numeric
        /// What only a plan can answer
        case plan
    }

    var opcode: Opcode
    var type = StoredType.integer
    var isNegated = false
    /// The next instruction, or one of the ends.
    var whenTrue: Int32 = 0
    var whenFalse: Int32 = 0
    /// Which of the program's plans answers where the instruction cannot.
    var plan: Int32
    /// Where in the object the value is stored.
    var offset = 0
    /// The bits of the range of `integer`, `bool`, `double`, `arithmetic`, `count` and `prefixCount`.
    var low: UInt64 = 0
    var high: UInt64 = 0
    var test: UnsafePointer<LeafTest>
    var source: Unmanaged<Source>?
    var numeric: Unmanaged<NumericQuestion>?
    /// What a sweep asks in the place of `fetched` and `numeric`, where it can.
    var routed: Unmanaged<RoutedQuestion>?
    /// What happens to the value of `arithmetic` before it is compared.
    var links = UnsafeBufferPointer<NumericLink>(start: nil, count: 0)
    /// What `prefix`, `suffix`, `contains`, `equal`, `tokens`, `anyEqual` and `prefixCount` look for.
    var needle: FlatNeedle?

    /// The end of a program whose predicate holds.
    static let accept: Int32 = -1
    /// The end of a program whose predicate does not hold.
    static let reject: Int32 = -2
    /// Where no plan answers for an instruction.
    static let noPlan: Int32 = -1
}

extension Instruction {
    @inline(__always)
    func holdsInteger(_ value: Int64) -> Bool {
        (Int64(bitPattern: low) <= value && value <= Int64(bitPattern: high)) != isNegated
    }

    @inline(__always)
    func holdsDouble(_ value: Double) -> Bool {
        (Double(bitPattern: low) <= value && value <= Double(bitPattern: high)) != isNegated
    }

    @inline(__always)
    func holdsResult(_ value: Double) -> Bool {
        var value = value
        for link in links { value = NumericValue.result(value, link.operation, link.constant) }
        return holdsDouble(value)
    }

    @inline(__always)
    func holdsBool(_ value: Bool) -> Bool {
        (value ? high : low) != 0
    }
}

extension Instruction {
    /// Whether the question has an answer for every value in its place, unless an expression comes to its limits.
    var isCertain: Bool {
        switch opcode {
        case .integer, .bool, .double, .prefix, .suffix, .contains, .equal, .tokens, .member, .expression, .arithmetic,
            .count, .anyEqual, .prefixCount:
            true
        case .text, .stored: type.isCertain(test.pointee)
        case .strings, .fetched, .numeric, .plan: false
        }
    }
}
