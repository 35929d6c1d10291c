#if !canImport(Darwin)
    /// Apple's name for ``FoundationExpression``, which Foundation's class of that name has no initializers for.
    public typealias NSExpression = FoundationExpression

    /// Apple's name for ``FoundationComparisonPredicate``, which Foundation's class of that name has no initializers for.
    public typealias NSComparisonPredicate = FoundationComparisonPredicate
#endif
