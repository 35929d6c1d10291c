public import PredicateSyntax

extension FormatPredicate {
    /// A condition in Swift: the object, and the variables of the evaluation; true if it holds.
    ///
    /// Of an object of the host's own type ``KeyedValue/hostObject`` is the object itself.
    public typealias Block = @Sendable (_ object: KeyedValue, _ variables: PredicateVariables) throws -> Bool

    /// Makes a predicate of a closure, which combines with other predicates. [NSP-178]
    ///
    /// ```swift
    /// let adult = FormatPredicate(name: "adult") { person, _ in (person.hostObject as? Person)?.isAdult == true }
    /// try people.filtered(using: adult && FormatPredicate("name BEGINSWITH 'j'"))
    /// ```
    ///
    /// It prints as `BLOCKPREDICATE(<"adult">)`, which no format parses. SQL and archives refuse it; with
    /// `SQLCompiler.Mode.residual` it is evaluated in memory. Each closure is equal to itself alone. The variables include
    /// those that an assignment or a `SUBQUERY` around it has set. What the closure throws becomes
    /// ``EvaluationError/Code/host(_:)``; of an ``EvaluationError`` the code is kept. It may be called from several threads.
    ///
    /// - Parameters:
    ///   - name: The name that prints, errors and `PredicateReferences.blocks` show.
    ///   - block: The condition.
    public init(name: String, block: @escaping Block) {
        self.init(.block(BlockPredicate(BlockBody(name: name, block))))
    }
}

extension FormatExpression {
    /// A value worked out in Swift from the object, the values of the arguments, and the variables of the evaluation.
    public typealias Block = @Sendable (KeyedValue, [KeyedValue], PredicateVariables) throws -> KeyedValue

    /// Makes an expression of a closure and of the expressions whose values it is given. [NSP-178]
    ///
    /// ```swift
    /// let price = try FormatExpression("price")
    /// let tax = FormatExpression(name: "tax", arguments: [price]) { _, values, _ in … }
    /// let costly = FormatPredicate(.comparison(ComparisonPredicate(tax.node, .greaterThan, .constantValue(10))))
    /// ```
    ///
    /// It prints as `BLOCK(<"tax">, price)`; all else is as for ``FormatPredicate/init(name:block:)``.
    public init(name: String, arguments: [FormatExpression] = [], block: @escaping Block) {
        self.init(.block(BlockExpression(BlockBody(name: name, block), arguments.map(\.node))))
    }
}

extension BlockPredicate {
    /// The closure; nil for one that is no condition, which nothing makes.
    package var block: FormatPredicate.Block? { body.closure as? FormatPredicate.Block }
}

extension BlockExpression {
    /// The closure; nil for one that gives no value, which nothing makes.
    package var block: FormatExpression.Block? { body.closure as? FormatExpression.Block }
}
