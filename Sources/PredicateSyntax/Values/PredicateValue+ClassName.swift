extension PredicateValue {
    /// The class of a value, by the name that predicates use for it: the key `class` gives it, `isKindOfClass:` takes it.
    ///
    /// `self isKindOfClass: %@`, `class == %@`
    public struct ClassName: Hashable, Sendable {
        /// `NSNumber`, `NSString`, … or a name of the host's own.
        public let name: String

        /// A class by the name that `CAST` and archives use: `NSDate`
        public init(_ name: String) {
            self.name = name
        }

        package static let object = ClassName("NSObject")
        package static let null = ClassName("NSNull")
        package static let number = ClassName("NSNumber")
        package static let decimalNumber = ClassName("NSDecimalNumber")
        package static let string = ClassName("NSString")
        package static let date = ClassName("NSDate")
        package static let data = ClassName("NSData")
        package static let uuid = ClassName("NSUUID")
        package static let url = ClassName("NSURL")
        package static let array = ClassName("NSArray")
        package static let set = ClassName("NSSet")
        package static let orderedSet = ClassName("NSOrderedSet")
        package static let dictionary = ClassName("NSDictionary")
        package static let expression = ClassName("NSExpression")
        package static let predicate = ClassName("NSPredicate")
        package static let type = ClassName("Class")

        /// A Boolean value that indicates whether a value of this class is also one of `other`: every class is a kind of
        /// `NSObject` and of itself.
        package func isKind(of other: ClassName) -> Bool {
            self == other || other == .object || (self == .decimalNumber && other == .number)
        }
    }
}
