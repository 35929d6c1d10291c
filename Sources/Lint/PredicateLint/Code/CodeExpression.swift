/// An expression of Swift or Objective-C, in as much detail as lint needs.
indirect enum CodeExpression {
    /// `trip`, `$0`, `Kind`
    case name(Range<Int>)
    /// `trip.name`, `trip?.name`, or `.open`, which has no base
    case member(CodeExpression?, name: Range<Int>, isOptional: Bool)
    /// `names.contains(name)`, `[names containsObject:name]`; the range is that of the whole call
    case call(CodeExpression, [CodeArgument], Range<Int>)
    /// `{ item in item.price > 5 }`
    case closure(CodeClosure)
    /// `nil`, `true`, `5`, `"jo"`
    case literal(CodeToken)
    /// `a == b`; the range is that of the operator. Strings of C that are joined, `@"a" @"b"`, have an empty operator.
    case infix(CodeExpression, Range<Int>, CodeExpression)
    /// `!a`, `(a)`, `[a, b]`, `@[a, b]`, `@5`: the whole range, and the parts
    case group(Range<Int>, [CodeArgument])
    /// `a[b]`; the range is that of the whole
    case element(CodeExpression, [CodeArgument], Range<Int>)
    /// `a as? B`, `a is B`, `(B *)a`; the range is that of the type, with its parentheses
    case cast(CodeExpression, Range<Int>)
    /// `a ? b : c`; the range is that of the question mark
    case choice([CodeExpression], Range<Int>)
    /// `a!`
    case forced(CodeExpression)
    /// `if let a = b { c } else { d }`; the range is that of the word
    case branch([CodeCondition], [CodeExpression], Range<Int>)
    /// `let a = b`, `if a { b }`: a part that `#Predicate` always refuses
    case refused(MacroFailure, Range<Int>)
    case unknown(Range<Int>)

    /// The name of a member or variable.
    var lastName: Range<Int>? {
        switch self {
        case .name(let range), .member(_, let range, _): range
        case .forced(let node): node.lastName
        case .call, .closure, .literal, .infix, .group, .element, .cast, .choice, .branch, .refused, .unknown: nil
        }
    }

    /// The expression on which a member or forced value is based.
    var base: CodeExpression? {
        switch self {
        case .member(let base, _, _): base
        case .forced(let node): node
        case .call(let function, _, _): function
        case .name, .closure, .literal, .infix, .group, .element, .cast, .choice, .branch, .refused, .unknown: nil
        }
    }

    /// The names of `a.b.c`; nil for any other expression.
    var names: [Range<Int>]? {
        if case .name(let range) = self { return [range] }
        guard case .member(let base?, let name, isOptional: false) = self else { return nil }
        return base.names.map { $0 + [name] }
    }

    /// The range in the source.
    var range: Range<Int> {
        switch self {
        case .name(let own), .call(_, _, let own), .group(let own, _), .element(_, _, let own), .branch(_, _, let own),
            .refused(_, let own), .unknown(let own):
            own
        case .literal(let token): token.range
        case .closure(let closure): closure.range
        case .member(let base, let name, _): (base?.range.lowerBound ?? name.lowerBound - 1)..<name.upperBound
        case .infix(let left, let own, let right): own.joined(left.range).joined(right.range)
        case .cast(let value, let type): type.joined(value.range)
        case .choice(let nodes, let mark): nodes.reduce(mark) { $0.joined($1.range) }
        case .forced(let inner): inner.range.lowerBound..<inner.range.upperBound + 1
        }
    }
}

extension Range<Int> {
    fileprivate func joined(_ other: Range<Int>) -> Range<Int> {
        Swift.min(lowerBound, other.lowerBound)..<Swift.max(upperBound, other.upperBound)
    }
}

/// An argument of a call, or a part of brackets.
struct CodeArgument {
    /// `name` of `name: value`, or the colon in `[key: value]`
    var label: Range<Int>?
    var value: CodeExpression
}

/// `{ item in item.price > 5 }`
struct CodeClosure {
    /// The parameters, each with its type where one is written; `$0` if none are named.
    var parameters: [(name: String, type: String?)] = []
    var body: [CodeExpression] = []
    var range: Range<Int>
}

/// A condition of `if`: `let name = value`, or an expression.
struct CodeCondition {
    /// The name that the condition binds.
    var name: Range<Int>?
    var value: CodeExpression
}
