public import PredicateSyntax

/// A predicate of a model: a format string as a model file has it, or a tree as a compiled model has it.
///
/// `"due < $DATE AND done == NO"`
///
/// The text is kept even where it is no predicate, so that a model with a mistake can be read and checked. Equal are
/// predicates with equal trees, and texts that are no predicates with equal code points.
public struct ModelPredicate: Sendable {
    /// The text: that of the file, or the tree as it prints.
    public let format: String
    private let parsed: Result<FormatPredicate, PredicateFormatError>

    /// A predicate in the words of a model file; it has no arguments, and `$name` stays a variable.
    public init(_ format: String) {
        self.format = format
        do throws(PredicateFormatError) {
            parsed = .success(try FormatPredicate(format: format, arguments: []))
        } catch {
            parsed = .failure(error)
        }
    }

    /// A predicate that is parsed already, or of nodes.
    public init(_ predicate: FormatPredicate) {
        format = predicate.source?.text ?? predicate.predicateFormat
        parsed = .success(predicate)
    }

    /// The predicate.
    /// - Throws: `PredicateFormatError` where the text is none.
    public func predicate() throws(PredicateFormatError) -> FormatPredicate { try parsed.get() }
}

/// An expression of a model: a format string as a model file has it, or a tree as a compiled model has it.
///
/// `"books.@count"`, `"canonical:(name)"`
///
/// See ``ModelPredicate`` for texts that are no expressions.
public struct ModelExpression: Sendable {
    /// The text: that of the file, or the tree as it prints.
    public let format: String
    private let parsed: Result<FormatExpression, PredicateFormatError>

    /// An expression in the words of a model file.
    public init(_ format: String) {
        self.format = format
        do throws(PredicateFormatError) {
            parsed = .success(try FormatExpression(format: format, arguments: []))
        } catch {
            parsed = .failure(error)
        }
    }

    /// An expression that is parsed already, or of nodes.
    public init(_ expression: FormatExpression) {
        format = expression.source?.text ?? expression.expressionFormat
        parsed = .success(expression)
    }

    /// The expression.
    /// - Throws: `PredicateFormatError` where the text is none.
    public func expression() throws(PredicateFormatError) -> FormatExpression { try parsed.get() }
}

extension ModelPredicate: Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    public init(stringLiteral value: String) { self.init(value) }

    public var description: String { format }

    public static func == (left: ModelPredicate, right: ModelPredicate) -> Bool {
        switch (left.parsed, right.parsed) {
        case (.success(let left), .success(let right)): left == right
        case (.failure, .failure): left.format.hasSameCodePoints(as: right.format)
        case (.success, .failure), (.failure, .success): false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch parsed {
        case .success(let predicate): hasher.combine(predicate)
        case .failure: hasher.combine(ExactName(format))
        }
    }
}

extension ModelExpression: Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    public init(stringLiteral value: String) { self.init(value) }

    public var description: String { format }

    public static func == (left: ModelExpression, right: ModelExpression) -> Bool {
        switch (left.parsed, right.parsed) {
        case (.success(let left), .success(let right)): left == right
        case (.failure, .failure): left.format.hasSameCodePoints(as: right.format)
        case (.success, .failure), (.failure, .success): false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch parsed {
        case .success(let expression): hasher.combine(expression)
        case .failure: hasher.combine(ExactName(format))
        }
    }
}
