/// The class of a value, by the name that predicates use for it: what `class` and `isKindOfClass:` speak of.
///
/// `self isKindOfClass: %@`, `class == %@`
public struct ValueClass: Hashable, Sendable {
    /// `NSNumber`, `NSString`, … or a name of the host's own.
    public let name: String

    public init(_ name: String) {
        self.name = name
    }

    public static let object = ValueClass("NSObject")
    public static let null = ValueClass("NSNull")
    public static let number = ValueClass("NSNumber")
    public static let decimalNumber = ValueClass("NSDecimalNumber")
    public static let string = ValueClass("NSString")
    public static let date = ValueClass("NSDate")
    public static let data = ValueClass("NSData")
    public static let uuid = ValueClass("NSUUID")
    public static let url = ValueClass("NSURL")
    public static let array = ValueClass("NSArray")
    public static let set = ValueClass("NSSet")
    public static let orderedSet = ValueClass("NSOrderedSet")
    public static let dictionary = ValueClass("NSDictionary")
    public static let expression = ValueClass("NSExpression")
    public static let predicate = ValueClass("NSPredicate")
    public static let type = ValueClass("Class")

    /// Whether a value of this class is also one of `other`: every class is a kind of `NSObject` and of itself.
    public func isKind(of other: ValueClass) -> Bool {
        self == other || other == .object || (self == .decimalNumber && other == .number)
    }
}
