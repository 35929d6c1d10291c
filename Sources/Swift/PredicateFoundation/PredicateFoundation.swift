/// NSPredicate where Foundation lacks it: format strings, expressions, comparisons and sort descriptors for
/// Foundation's classes.
///
/// ```swift
/// import Foundation
/// import PredicateFoundation
///
/// NSPredicate(format: "SELF MATCHES %@", "[^@]+@[^@]+").evaluate(with: "jo@example.org")
/// ```
///
/// On Apple platforms this module re-exports Foundation, so the same source builds everywhere, and converts Apple's
/// objects to values and back: `FormatPredicate(predicate)`, `NSPredicate(value)`. Elsewhere it adds the missing parts to
/// Foundation's `NSPredicate` and `NSSortDescriptor`, and it defines `NSExpression` and `NSComparisonPredicate`. In a file
/// that also imports Foundation, these two names are ambiguous as types, unless the module NSPredicates is imported instead
/// of Foundation. `NSCompoundPredicate` is Foundation's own here; it evaluates but does not print. The one of NSPredicates
/// does both.
@_exported public import Foundation

#if !canImport(Darwin)
    /// Apple's name for ``FoundationExpression``; Foundation's class of this name has no initializers for it.
    public typealias NSExpression = FoundationExpression

    /// Apple's name for ``FoundationComparisonPredicate``; Foundation's class of this name has no initializers for
    /// it.
    public typealias NSComparisonPredicate = FoundationComparisonPredicate
#endif
