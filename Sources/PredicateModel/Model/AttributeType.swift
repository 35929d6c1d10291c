/// The type of an attribute's values.
///
/// `AttributeType.integer64.name` is `Integer 64`, as model files say; ``archivedNumber`` is the number of compiled models.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum AttributeType: Hashable, Sendable {
    /// No type: of transient attributes only.
    case undefined
    /// Integers of 16, 32 and 64 bits.
    case integer16, integer32, integer64
    /// Decimal numbers and binary floating-point numbers of 64 and 32 bits.
    case decimal, double, float
    /// The other types of values that a store keeps as they are.
    case string, boolean, date, binaryData, uuid, uri
    /// A value that a value transformer turns into data.
    case transformable
    /// The identity of an object, of attributes that fetches make.
    case objectID
    /// Attributes under one name: ``CompositeDescription``.
    case composite
    /// A type that this version of the library does not know, by its name or its number; it is kept.
    case unknown(String)

    /// All types but ``unknown(_:)``.
    static let known: [AttributeType] = [
        .undefined, .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .date,
        .binaryData,
        .uuid, .uri, .transformable, .objectID, .composite,
    ]

    /// The type by its name in a model file: `Integer 64`
    public init(name: String) {
        self = Self.known.first { $0.name == name } ?? .unknown(name)
    }

    /// The type by its number in a compiled model: `300`
    public init(archivedNumber: Int) {
        self = Self.known.first { $0.archivedNumber == archivedNumber } ?? .unknown("\(archivedNumber)")
    }

    /// The name in model files: `Integer 64`
    public var name: String {
        switch self {
        case .undefined: "Undefined"
        case .integer16: "Integer 16"
        case .integer32: "Integer 32"
        case .integer64: "Integer 64"
        case .decimal: "Decimal"
        case .double: "Double"
        case .float: "Float"
        case .string: "String"
        case .boolean: "Boolean"
        case .date: "Date"
        case .binaryData: "Binary"
        case .uuid: "UUID"
        case .uri: "URI"
        case .transformable: "Transformable"
        case .objectID: "Object ID"
        case .composite: "Composite"
        case .unknown(let name): name
        }
    }

    /// The number in compiled models; nil for an unknown type that a model file names.
    public var archivedNumber: Int? {
        switch self {
        case .undefined: 0
        case .integer16: 100
        case .integer32: 200
        case .integer64: 300
        case .decimal: 400
        case .double: 500
        case .float: 600
        case .string: 700
        case .boolean: 800
        case .date: 900
        case .binaryData: 1000
        case .uuid: 1100
        case .uri: 1200
        case .transformable: 1800
        case .objectID: 2000
        case .composite: 2100
        case .unknown(let name): Int(name)
        }
    }

    /// A Boolean value that indicates whether values are numbers; a Boolean is none of them.
    public var isNumber: Bool {
        switch self {
        case .integer16, .integer32, .integer64, .decimal, .double, .float: true
        case .undefined, .string, .boolean, .date, .binaryData, .uuid, .uri, .transformable, .objectID, .composite,
            .unknown:
            false
        }
    }

    /// True if the type has all integers of another one and more: a store keeps both in columns of one kind.
    package func widens(_ other: AttributeType) -> Bool {
        guard let own = integerRange, let range = other.integerRange else { return false }
        return own.upperBound > range.upperBound
    }

    /// The values of an integer type; nil for other types.
    public var integerRange: ClosedRange<Int64>? {
        switch self {
        case .integer16: Int64(Int16.min)...Int64(Int16.max)
        case .integer32: Int64(Int32.min)...Int64(Int32.max)
        case .integer64: Int64.min...Int64.max
        case .undefined, .decimal, .double, .float, .string, .boolean, .date, .binaryData, .uuid, .uri, .transformable,
            .objectID, .composite, .unknown:
            nil
        }
    }
}
