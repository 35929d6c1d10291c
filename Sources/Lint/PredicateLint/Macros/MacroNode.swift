/// An expression in `#Predicate { … }`, as far as its checks need it.
indirect enum MacroNode {
    /// `trip`, `$0`, `Kind`
    case name(Range<Int>)
    /// `trip.name`, `trip?.name`, or `.open`, which has no base
    case member(MacroNode?, name: Range<Int>, isOptional: Bool)
    /// `names.contains(name)`; the range is that of the function's name
    case call(MacroNode, [MacroNode])
    /// `{ item in item.price > 5 }`
    case closure(MacroClosure)
    /// `nil`, `true`, `5`, `"jo"`
    case literal(Range<Int>)
    /// `a == b`; the range is that of the operator
    case infix(MacroNode, Range<Int>, MacroNode)
    /// `!a`, `(a)`, `[a, b]`: parts that are checked by themselves
    case group([MacroNode])
    /// `a[b]`
    case element(MacroNode, [MacroNode])
    /// `a as? B`, `a is B`; the range is that of the type
    case cast(MacroNode, Range<Int>)
    /// `a ? b : c`; the range is that of the question mark
    case choice([MacroNode], Range<Int>)
    /// `a!`
    case forced(MacroNode)
    /// `if let a = b { c } else { d }`; the range is that of the word
    case branch([MacroCondition], [MacroNode], Range<Int>)
    /// `let a = b`, `if a { b }`: a part that the macro refuses wherever it occurs
    case refused(MacroFailure, Range<Int>)
    case unknown

    /// The name of a member or variable.
    var lastName: Range<Int>? {
        switch self {
        case .name(let range), .member(_, let range, _): range
        case .forced(let node): node.lastName
        case .call, .closure, .literal, .infix, .group, .element, .cast, .choice, .branch, .refused, .unknown: nil
        }
    }

    /// The expression on which a member or forced value is based.
    var base: MacroNode? {
        switch self {
        case .member(let base, _, _): base
        case .forced(let node): node
        case .call(let function, _): function
        case .name, .closure, .literal, .infix, .group, .element, .cast, .choice, .branch, .refused, .unknown: nil
        }
    }
}

/// `{ item in item.price > 5 }`
struct MacroClosure {
    /// The parameters, each with its type where one is written; `$0` if none are named.
    var parameters: [(name: String, type: String?)] = []
    var body: [MacroNode] = []
}

/// A condition of `if`: `let name = value`, or an expression.
struct MacroCondition {
    /// The name that the condition binds.
    var name: Range<Int>?
    var value: MacroNode
}

/// A `#Predicate` of a source.
struct PredicateMacro {
    /// The name, and the whole with its closure.
    var name: Range<Int>
    var range: Range<Int>
    /// The types of the objects, as far as the source shows them.
    var types: [String]
    var closure: MacroClosure
    /// The index of the name among the tokens.
    var index: Int
}
