import Foundation
public import PredicateSyntax

/// An error in converting a Swift predicate: a code, the printed predicate, and the range of the offending node in
/// it.
///
///     error: \Person.<computed (Bool)> of Person has no name in predicates
///       $0.isAdult && $0.age > 18
///       ^~~~~~~~~~
///     hint: list it in the keys of a KeyPathCoding type, or name it: names: [\Person.…: "…"]
///
/// The predicate is printed as source code; `$0` is the object, `v1` is the variable of the first closure.
public struct PredicateConversionError: PredicateDiagnostic {
    public var code: Code
    /// The predicate as source code, or the regular expression that the error is about.
    public var text: String
    /// The offending range of ``text`` as UTF-8 offsets.
    public var range: Range<Int>

    /// Makes an error with the printed predicate and its offending range.
    package init(_ code: Code, text: String = "", range: Range<Int> = 0..<0) {
        self.code = code
        self.text = text
        self.range = range
    }

    /// The kind of error. Above each case is the shortest predicate that triggers it.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Code: Hashable, Sendable {
        /// `$0.tags[1..<3] == more`: a node that the language cannot express, with the reason
        case unsupported(node: String, Reason)
        /// A node of another module
        case unknownNode(String)
        /// `$0.isAdult`, a computed property of a type without keys, or any property of a class with subclasses
        case unnamedKeyPath(String, of: String, isClass: Bool)
        /// `$0.name.contains(regex)` with `/\bjo/`: a part that ICU interprets differently or does not support
        case pattern(String)
        /// `$0.age > Int.max + 1` with captured integers
        case overflow
        /// `$0.age > limits[3]` with a captured array of two elements: the message of the error that evaluating it
        /// throws
        case failing(String)
        /// `$0 > 1`, nested too deeply
        case nestingTooDeep(limit: Int)
        /// A predicate whose tree exceeds the limits
        case exceedsLimits
    }

    /// The reason why the language cannot express a node.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Reason: Hashable, Sendable {
        /// `$0.id < other`: values of a type that only Swift can order
        case order(type: String)
        /// `$0.ratio * 2` of type `Float`: the language computes with higher precision
        case arithmetic(type: String)
        /// `$0.scores.contains { … }` where `scores` is a dictionary or a string
        case elements(type: String)
        /// `$0.name[0]`: a position in anything but an array
        case positions(type: String)
        /// `$0.tags.starts(with: more)` for anything but strings
        case sequenceSearch(type: String)
        /// `$0.tags[1..<3]`
        case slices
        /// `$0.pet as? Cat`
        case cast(from: String, to: String)
        /// `$0.values["a"] == nil` where the values are optional
        case nestedOptional(type: String)
        /// A range that is not the receiver of `contains`
        case range
        /// `$0.name.contains($0.pattern)`: a regular expression that depends on the object
        case variablePattern
        /// An expression that depends on the object
        case variableExpression
        /// `SortDescriptor(\.name, comparator: .localizedStandard)`
        case locale
    }
}

extension PredicateConversionError.Code {
    /// Returns the code for a key path without a name.
    package static func unnamed(_ keyPath: AnyKeyPath) -> Self {
        let root = type(of: keyPath).rootType
        return .unnamedKeyPath(keyPath.text, of: "\(root)", isClass: root is AnyClass)
    }
}

extension AnyKeyPath {
    /// The key path as source code, `\Person.name`; a part without a name has its type, `\Person.<computed (Bool)>`.
    var text: String { debugDescription.replacing(/\ 0x[0-9a-f]+/, with: "") }
}

extension PredicateConversionError {
    /// Locates a refusal in the printed tree.
    init(_ refusal: ConversionRefusal, in root: any PredicateExpression, _ inputs: [PredicateExpressions.VariableID]) {
        if let excerpt = refusal.excerpt {
            self.init(refusal.code, text: excerpt.text, range: excerpt.range)
        } else {
            var printer = SourcePrinter(target: refusal.path, inputs: inputs)
            printer.print(root)
            self.init(refusal.code, text: printer.text, range: printer.range ?? 0..<printer.text.utf8.count)
        }
    }
}
