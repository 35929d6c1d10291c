import Foundation
import PredicateGenerators

/// A type of random values, of which random types are made.
protocol Arbitrary {
    /// A value; objects nest no deeper than `depth`.
    static func random(_ source: inout RandomSource, _ depth: Int) -> Self
    /// Keys that lead on, with the types that they lead to.
    static var parts: [(String, any Arbitrary.Type)] { get }
}

extension Arbitrary {
    static var parts: [(String, any Arbitrary.Type)] { [] }
}

// MARK: - Values

extension Arbitrary where Self: FixedWidthInteger {
    static func random(_ source: inout RandomSource, _ depth: Int) -> Self {
        source.oneIn(8) ? source.pick(.min, .max) : Self(source.below(5))
    }
}

extension Int: Arbitrary {}
extension Int8: Arbitrary {}
extension Int16: Arbitrary {}
extension UInt32: Arbitrary {}
extension UInt64: Arbitrary {}

extension Bool: Arbitrary {
    static func random(_ source: inout RandomSource, _ depth: Int) -> Bool { source.oneIn(2) }
}

extension Double: Arbitrary {
    static func random(_ source: inout RandomSource, _ depth: Int) -> Double {
        source.pick(0, 1, 1.5, -2, .infinity, 3)
    }
}

extension Float: Arbitrary {
    static func random(_ source: inout RandomSource, _ depth: Int) -> Float { source.pick(0, 1, 1.5, 3) }
}

extension Date: Arbitrary {
    static func random(_ source: inout RandomSource, _ depth: Int) -> Date {
        Date(timeIntervalSinceReferenceDate: Double(source.below(4)))
    }
}

extension Decimal: Arbitrary {
    static func random(_ source: inout RandomSource, _ depth: Int) -> Decimal { Decimal(source.below(4)) }
}

extension UUID: Arbitrary {
    static func random(_ source: inout RandomSource, _ depth: Int) -> UUID { UUID() }
}

extension String: Arbitrary {
    static func random(_ source: inout RandomSource, _ depth: Int) -> String {
        source.pick("", "a", "s", "Ann", "small", "a longer text that is on the heap", "Zoë", "1")
    }
}

extension Optional: Arbitrary where Wrapped: Arbitrary {
    static func random(_ source: inout RandomSource, _ depth: Int) -> Wrapped? {
        source.oneIn(3) ? nil : Wrapped.random(&source, depth)
    }
    static var parts: [(String, any Arbitrary.Type)] { Wrapped.parts }
}

extension Array: Arbitrary where Element: Arbitrary {
    static func random(_ source: inout RandomSource, _ depth: Int) -> [Element] {
        (0..<source.below(depth > 0 ? 4 : 1)).map { _ in Element.random(&source, depth - 1) }
    }
    static var parts: [(String, any Arbitrary.Type)] { Element.parts }
}

extension Dictionary: Arbitrary where Key == String, Value: Arbitrary {
    static func random(_ source: inout RandomSource, _ depth: Int) -> [String: Value] {
        source.oneIn(3) ? [:] : ["alpha": Value.random(&source, depth - 1)]
    }
    static var parts: [(String, any Arbitrary.Type)] { [("alpha", Value.self)] }
}

// MARK: - Enums

enum Feeling: String, CaseIterable, Arbitrary {
    case small, ann = "Ann", one = "1"
    static func random(_ source: inout RandomSource, _ depth: Int) -> Feeling { source.one(of: allCases) }
}

enum Level: Int16, CaseIterable, Arbitrary {
    case low, high = 3
    static func random(_ source: inout RandomSource, _ depth: Int) -> Level { source.one(of: allCases) }
}

enum Payload: Arbitrary {
    case none, number(Int), text(alpha: String)
    static func random(_ source: inout RandomSource, _ depth: Int) -> Payload {
        source.pick(.none, .number(1), .text(alpha: "a"))
    }
    static var parts: [(String, any Arbitrary.Type)] { [("number", Int.self), ("text", String.self)] }
}

struct Flags: OptionSet, Arbitrary {
    let rawValue: UInt32
    static func random(_ source: inout RandomSource, _ depth: Int) -> Flags { Flags(rawValue: UInt32(source.below(4))) }
}

// MARK: - Structs

struct Pair<First: Arbitrary, Second: Arbitrary>: Arbitrary {
    var alpha: First
    let beta: Second
    static func random(_ source: inout RandomSource, _ depth: Int) -> Pair {
        Pair(alpha: .random(&source, depth), beta: .random(&source, depth))
    }
    static var parts: [(String, any Arbitrary.Type)] { [("alpha", First.self), ("beta", Second.self)] }
}

/// Storage of every other kind: a wrapper, lazy, behind `_`, an existential, a tuple, a computed property.
struct Odd<First: Arbitrary, Second: Arbitrary>: Arbitrary {
    @Kept var alpha: First
    var _beta: Second
    lazy var gamma: First = alpha
    var anything: Any
    var pair: (alpha: First, Second)
    var beta: Second { _beta }

    static func random(_ source: inout RandomSource, _ depth: Int) -> Odd {
        var odd = Odd(
            alpha: .random(&source, depth), _beta: .random(&source, depth), anything: First.random(&source, depth),
            pair: (.random(&source, depth), .random(&source, depth)))
        if source.oneIn(2) { _ = odd.gamma }
        return odd
    }
    static var parts: [(String, any Arbitrary.Type)] {
        [
            ("alpha", First.self), ("beta", Second.self), ("_beta", Second.self), ("gamma", First.self),
            ("anything", First.self), ("pair", First.self), ("_alpha", First.self),
        ]
    }
}

@propertyWrapper struct Kept<Value> {
    private var padding: UInt8 = 1
    private var value: Value
    var wrappedValue: Value {
        get { value }
        set { value = newValue }
    }

    init(wrappedValue: Value) {
        value = wrappedValue
    }
}

struct OwnMirror<First: Arbitrary>: Arbitrary, CustomReflectable {
    var alpha: First
    var customMirror: Mirror { Mirror(self, children: ["beta": alpha]) }
    static func random(_ source: inout RandomSource, _ depth: Int) -> OwnMirror {
        OwnMirror(alpha: .random(&source, depth))
    }
    static var parts: [(String, any Arbitrary.Type)] { [("alpha", First.self), ("beta", First.self)] }
}

// MARK: - Classes

class Ancestor<First: Arbitrary, Second: Arbitrary>: Arbitrary {
    var alpha: First
    let beta: Second
    var next: Ancestor?
    weak var weakNext: Ancestor?
    unowned var owner: AnyObject = NSNull.shared

    required init(_ source: inout RandomSource, _ depth: Int) {
        alpha = .random(&source, depth)
        beta = .random(&source, depth)
        if depth > 0, source.oneIn(2) { next = Self.random(&source, depth - 1) }
        weakNext = next
    }

    /// An instance of the class or of its subclass.
    static func random(_ source: inout RandomSource, _ depth: Int) -> Self {
        if source.oneIn(3), let derived = Descendant<First, Second>(&source, depth) as? Self { return derived }
        return Self(&source, depth)
    }
    static var parts: [(String, any Arbitrary.Type)] {
        [("alpha", First.self), ("beta", Second.self), ("next", Ancestor.self), ("weakNext", Ancestor.self)]
    }
}

extension NSNull {
    /// An object that outlives the references to it.
    fileprivate static let shared = NSNull()
}

class Descendant<First: Arbitrary, Second: Arbitrary>: Ancestor<First, Second> {
    @Kept var gamma: Int = 0
    private lazy var cost = 1

    required init(_ source: inout RandomSource, _ depth: Int) {
        gamma = source.below(3)
        super.init(&source, depth)
        if source.oneIn(2) { _ = cost }
    }
}

// MARK: - Random types

enum RandomType {
    private static var leaves: [any Arbitrary.Type] {
        [
            Int.self, Int8.self, Int16.self, UInt32.self, UInt64.self, Bool.self, Double.self, Float.self, Date.self,
            Decimal.self, UUID.self, String.self, String.self, Feeling.self, Level.self, Payload.self, Flags.self,
        ]
    }

    static func any(_ source: inout RandomSource, _ depth: Int) -> any Arbitrary.Type {
        if depth == 0 || source.oneIn(6) { return source.one(of: leaves) }
        let (alpha, beta) = (any(&source, depth - 1), any(&source, depth - 1))
        switch source.below(8) {
        case 0: return optional(alpha)
        case 1: return array(alpha)
        case 2: return dictionary(alpha)
        case 3: return ownMirror(alpha)
        case 4: return odd(alpha, beta)
        case 5, 6: return base(alpha, beta)
        default: return pair(alpha, beta)
        }
    }

    private static func optional<A: Arbitrary>(_ a: A.Type) -> any Arbitrary.Type { A?.self }
    private static func array<A: Arbitrary>(_ a: A.Type) -> any Arbitrary.Type { [A].self }
    private static func dictionary<A: Arbitrary>(_ a: A.Type) -> any Arbitrary.Type { [String: A].self }
    private static func ownMirror<A: Arbitrary>(_ a: A.Type) -> any Arbitrary.Type { OwnMirror<A>.self }
    private static func pair<A: Arbitrary, B: Arbitrary>(_ a: A.Type, _ b: B.Type) -> any Arbitrary.Type {
        Pair<A, B>.self
    }
    private static func odd<A: Arbitrary, B: Arbitrary>(_ a: A.Type, _ b: B.Type) -> any Arbitrary.Type {
        Odd<A, B>.self
    }
    private static func base<A: Arbitrary, B: Arbitrary>(_ a: A.Type, _ b: B.Type) -> any Arbitrary.Type {
        Ancestor<A, B>.self
    }
}
