/// Foundation with all of NSPredicate. Import this module instead of Foundation.
///
/// ```swift
/// import NSPredicates
///
/// let both = NSCompoundPredicate(andPredicateWithSubpredicates: [isAdult, isMember])
/// both.predicateFormat  // age >= 18 AND member == 1
/// ```
///
/// On Apple platforms it re-exports Foundation. Elsewhere it gives five classes Apple's names. If the files of a
/// target import Foundation and must stay unchanged, add one file with these lines to the target:
///
/// ```swift
/// @_exported import class NSPredicates.NSPredicate
/// @_exported import class NSPredicates.NSCompoundPredicate
/// @_exported import class NSPredicates.NSComparisonPredicate
/// @_exported import class NSPredicates.NSExpression
/// @_exported import class NSPredicates.NSSortDescriptor
/// @_exported import struct NSPredicates.Selector
/// ```
@_exported import Foundation
@_exported import PredicateFoundation

#if !canImport(Darwin)
    /// Apple's name for ``FoundationPredicate``.
    public typealias NSPredicate = FoundationPredicate

    /// Apple's name for ``FoundationCompoundPredicate``.
    public typealias NSCompoundPredicate = FoundationCompoundPredicate

    /// Apple's name for ``FoundationComparisonPredicate``.
    public typealias NSComparisonPredicate = FoundationComparisonPredicate

    /// Apple's name for ``FoundationExpression``.
    public typealias NSExpression = FoundationExpression

    /// Apple's name for ``FoundationSortDescriptor``.
    public typealias NSSortDescriptor = FoundationSortDescriptor
#endif
