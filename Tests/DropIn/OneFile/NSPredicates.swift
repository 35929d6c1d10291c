// All that a target needs whose other files stay as they are.
@_exported import class NSPredicates.NSComparisonPredicate
@_exported import class NSPredicates.NSCompoundPredicate
@_exported import class NSPredicates.NSExpression
@_exported import class NSPredicates.NSPredicate
@_exported import class NSPredicates.NSSortDescriptor
@_exported import struct NSPredicates.Selector
