import PredicateEvaluation
import PredicateModel
import PredicateStore
import PredicateSyntax

extension KeyedValue {
    /// The value as an attribute of a type keeps it: 1 of a Boolean is true, whole numbers are integers.
    func storedValue(as type: AttributeType?) -> PredicateValue {
        switch self {
        case .value(let value): value.converted(to: type)
        case .object(let object): Self.identity(object)
        case .collection(let collection): .array(collection.elements.map { $0.storedValue(as: nil) })
        }
    }

    private static func identity(_ object: any KeyValueCoding) -> PredicateValue {
        (object as? StoredObject)?.predicateValue ?? .null
    }
}

extension PredicateValue {
    /// The value in the kind of a type, where that keeps it.
    func converted(to type: AttributeType?) -> PredicateValue {
        switch (self, type) {
        case (.integer(let number), .boolean?) where number == 0 || number == 1: .bool(number == 1)
        case (.bool(let flag), .integer16?), (.bool(let flag), .integer32?), (.bool(let flag), .integer64?):
            .integer(flag ? 1 : 0)
        case (.double(let number), .integer16?), (.double(let number), .integer32?), (.double(let number), .integer64?):
            Int64(exactly: number).map(PredicateValue.integer) ?? self
        default: self
        }
    }
}
