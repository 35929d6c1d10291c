extension PredicateValue {
    /// The class of a value, by the name that predicates use for it: the key `class` gives it, `isKindOfClass:` takes it.
    ///
    /// `self isKindOfClass: %@`, `class == %@`
    public struct ClassName: Hashable, Sendable {
        /// `NSNumber`, `NSString`, … or a name of the host's own.
        public let name: String

        public init(_ name: String) {
            self.name = name
        }

        public static let object = ClassName("NSObject")
        public static let null = ClassName("NSNull")
        public static let number = ClassName("NSNumber")
        public static let decimalNumber = ClassName("NSDecimalNumber")
        public static let string = ClassName("NSString")
        public static let date = ClassName("NSDate")
        public static let data = ClassName("NSData")
        public static let uuid = ClassName("NSUUID")
        public static let url = ClassName("NSURL")
        public static let array = ClassName("NSArray")
        public static let set = ClassName("NSSet")
        public static let orderedSet = ClassName("NSOrderedSet")
        public static let dictionary = ClassName("NSDictionary")
        public static let expression = ClassName("NSExpression")
        public static let predicate = ClassName("NSPredicate")
        public static let type = ClassName("Class")

        /// A Boolean value that indicates whether a value of this class is also one of `other`: every class is a kind of
        /// `NSObject` and of itself.
        public func isKind(of other: ClassName) -> Bool {
            self == other || other == .object || (self == .decimalNumber && other == .number)
        }
    }
}
