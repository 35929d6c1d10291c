public import PredicateSyntax

/// A predicate of a model: a format string as a model file has it, or a tree as a compiled model has it.
///
/// `"due < $DATE AND done == NO"`
///
/// The text is kept even where it is no predicate, so that a model with a mistake can be read and checked. Equal are
/// predicates with equal trees, and texts that are no predicates with equal code points.
public struct ModelPredicate: Hashable, Sendable {
    private let text: ParsedText<FormatPredicate>

    /// The text: that of the file, or the tree as it prints.
    public var format: String { text.format }

    /// A predicate in the words of a model file; it has no arguments, and `$name` stays a variable.
    public init(_ format: String) {
        text = ParsedText(format) { (text) throws(PredicateFormatError) in
            try FormatPredicate(format: text, arguments: [])
        }
    }

    /// A predicate that is parsed already, or of nodes.
    public init(_ predicate: FormatPredicate) {
        text = ParsedText(predicate.source?.text ?? predicate.predicateFormat, predicate)
    }

    /// The predicate.
    /// - Throws: `PredicateFormatError` where the text is none.
    public func predicate() throws(PredicateFormatError) -> FormatPredicate { try text.parsed.get() }
}

/// An expression of a model: a format string as a model file has it, or a tree as a compiled model has it.
///
/// `"books.@count"`, `"canonical:(name)"`
///
/// See ``ModelPredicate`` for texts that are no expressions.
public struct ModelExpression: Hashable, Sendable {
    private let text: ParsedText<FormatExpression>

    /// The text: that of the file, or the tree as it prints.
    public var format: String { text.format }

    /// An expression in the words of a model file.
    public init(_ format: String) {
        text = ParsedText(format) { (text) throws(PredicateFormatError) in
            try FormatExpression(format: text, arguments: [])
        }
    }

    /// An expression that is parsed already, or of nodes.
    public init(_ expression: FormatExpression) {
        text = ParsedText(expression.source?.text ?? expression.expressionFormat, expression)
    }

    /// The expression.
    /// - Throws: `PredicateFormatError` where the text is none.
    public func expression() throws(PredicateFormatError) -> FormatExpression { try text.parsed.get() }
}

extension ModelPredicate: ExpressibleByStringLiteral, CustomStringConvertible {
    public init(stringLiteral value: String) { self.init(value) }

    public var description: String { format }
}

extension ModelExpression: ExpressibleByStringLiteral, CustomStringConvertible {
    public init(stringLiteral value: String) { self.init(value) }

    public var description: String { format }
}

/// A text and what was parsed of it, which is compared in its place; a text with an error is compared as it stands.
private struct ParsedText<Parsed: Hashable & Sendable>: Hashable, Sendable {
    let format: String
    let parsed: Result<Parsed, PredicateFormatError>

    init(_ format: String, _ parsed: Parsed) {
        self.format = format
        self.parsed = .success(parsed)
    }

    init(_ format: String, parse: (String) throws(PredicateFormatError) -> Parsed) {
        self.format = format
        do throws(PredicateFormatError) { parsed = .success(try parse(format)) } catch { parsed = .failure(error) }
    }

    static func == (left: Self, right: Self) -> Bool {
        switch (left.parsed, right.parsed) {
        case (.success(let left), .success(let right)): left == right
        case (.failure, .failure): left.format.hasSameCodePoints(as: right.format)
        case (.success, .failure), (.failure, .success): false
        }
    }

    func hash(into hasher: inout Hasher) {
        switch parsed {
        case .success(let parsed): hasher.combine(parsed)
        case .failure: hasher.combine(ExactName(format))
        }
    }
}
