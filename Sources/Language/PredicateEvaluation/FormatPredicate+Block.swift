public import PredicateSyntax

extension FormatPredicate {
    /// A condition written in Swift: takes the object and the variables of the evaluation, and returns true if it
    /// holds.
    ///
    /// `KeyedValue.hostObject` gives the object of the host's own type. A block is the host's code, so it may throw
    /// any error; see ``EvaluationError/Code/host(_:)``.
    public typealias Block = @Sendable (_ object: KeyedValue, _ variables: PredicateVariables) throws -> Bool

    /// Makes a predicate from a closure; it can be combined with other predicates. [NSP-178]
    ///
    /// ```swift
    /// let adult = FormatPredicate(name: "adult") { person, _ in (person.hostObject as? Person)?.isAdult == true }
    /// try people.filtered(using: adult && FormatPredicate("name BEGINSWITH 'j'"))
    /// ```
    ///
    /// It prints as `BLOCKPREDICATE(<"adult">)`, which no format string parses. SQL and archives reject it; with
    /// `SQLCompiler.Mode.residual` it is evaluated in memory. Each closure equals only itself. The variables include variables
    /// set by an assignment or an enclosing `SUBQUERY`. An error of the closure becomes ``EvaluationError/Code/host(_:)``; an
    /// ``EvaluationError`` keeps its code. The closure may be called from several threads.
    ///
    /// - Parameters:
    ///   - name: The name that prints and errors show.
    ///   - block: The condition.
    public init(name: String, block: @escaping Block) {
        self.init(.block(BlockPredicate(BlockBody(name: name, block))))
    }
}

extension FormatExpression {
    /// An expression written in Swift: takes the object, the values of the arguments and the variables of the
    /// evaluation, and returns a value.
    ///
    /// A block is the host's code, so it may throw any error; see ``EvaluationError/Code/host(_:)``.
    public typealias Block = @Sendable (KeyedValue, [KeyedValue], PredicateVariables) throws -> KeyedValue

    /// Makes an expression from a closure and from the expressions whose values it receives. [NSP-178]
    ///
    /// ```swift
    /// let price = try FormatExpression("price")
    /// let tax = FormatExpression(name: "tax", arguments: [price]) { _, values, _ in … }
    /// let costly = FormatPredicate(.comparison(ComparisonPredicate(tax.node, .greaterThan, .constantValue(10))))
    /// ```
    ///
    /// It prints as `BLOCK(<"tax">, price)`; everything else is as for ``FormatPredicate/init(name:block:)``.
    public init(name: String, arguments: [FormatExpression] = [], block: @escaping Block) {
        self.init(.block(BlockExpression(BlockBody(name: name, block), arguments.map(\.node))))
    }
}

extension BlockPredicate {
    /// The closure; nil if it is of another type, which never happens.
    package var block: FormatPredicate.Block? { body.closure as? FormatPredicate.Block }
}

extension BlockExpression {
    /// The closure; nil if it is of another type, which never happens.
    package var block: FormatExpression.Block? { body.closure as? FormatExpression.Block }
}
