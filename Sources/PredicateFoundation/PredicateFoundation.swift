/// NSPredicate where Foundation has none: format strings, expressions, comparisons and sort descriptors for Foundation's classes.
///
/// ```swift
/// import Foundation
/// import PredicateFoundation
///
/// NSPredicate(format: "SELF MATCHES %@", "[^@]+@[^@]+").evaluate(with: "jo@example.org")
/// ```
///
/// On Apple platforms this module is Foundation and nothing else, so that one source builds everywhere. Elsewhere it adds to
/// Foundation's `NSPredicate` and `NSSortDescriptor` what they lack, and brings `NSExpression` and `NSComparisonPredicate`. A file
/// that also imports Foundation finds two classes under these two names: as types they are ambiguous there, unless the module
/// NSPredicates is imported instead of Foundation. `NSCompoundPredicate` is Foundation's own here, which evaluates and does not
/// print; that of NSPredicates does.
@_exported public import Foundation
