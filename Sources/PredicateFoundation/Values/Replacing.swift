#if !canImport(Darwin)
    import Foundation

    /// A class whose convenience initializers may return an object that exists.
    ///
    /// `NSPredicate(format: "a == 1")` is a comparison, an object of a subclass: an initializer of a class cannot assign `self`, one
    /// of a protocol can.
    protocol Replaceable {}

    extension Replaceable {
        init(replacing object: Self) { self = object }
    }

    extension Foundation.NSPredicate: Replaceable {}
    extension Foundation.NSSortDescriptor: Replaceable {}
#endif
