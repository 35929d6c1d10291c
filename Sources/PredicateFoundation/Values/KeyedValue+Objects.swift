#if !canImport(Darwin)
    import Foundation
    import PredicateEvaluation
    import PredicateSyntax

    extension KeyedValue {
        /// The value as programs get it from `expressionValue(with:context:)`: numbers as NSNumber, `<null>` as NSNull, all else as
        /// Swift's own type, which casts to Foundation's; nil for nil.
        var foundationObject: Any? {
            switch self {
            case .value(let value): value.foundationObject
            case .object: hostObject
            case .collection(let collection):
                collection.elements.map(\.foundationElement).foundationCollection(collection.kind)
            }
        }

        /// The value as an element of a collection, where nil has an object.
        fileprivate var foundationElement: Any { foundationObject ?? NSNull() }
    }

    extension PredicateValue {
        fileprivate var foundationObject: Any? {
            switch self {
            case .null: nil
            case .nullObject: NSNull()
            case .bool(let value): NSNumber(value: value)
            case .integer(let value): NSNumber(value: value)
            case .double(let value): NSNumber(value: value)
            case .decimal(let value): NSDecimalNumber(decimal: value)
            case .string(let value): value
            case .date(let value): value
            case .data(let value): value
            case .uuid(let value): value
            case .url(let value): value
            case .type(let name): name
            case .array(let values): values.foundationElements.foundationCollection(.array)
            case .set(let values): Array(values).foundationElements.foundationCollection(.set)
            case .orderedSet(let values): values.foundationElements.foundationCollection(.orderedSet)
            case .dictionary(let values): values.mapValues { $0.foundationObject ?? NSNull() }
            case .object: keyedValue.hostObject
            case .expression(let node): FoundationExpression.object(of: FormatExpression(node))
            case .predicate(let node): FoundationPredicate.object(of: FormatPredicate(node))
            }
        }

        /// The value that a program passes for `%@`, a constant or a variable: an object of its own is kept as that object.
        init(argument value: Any?) {
            self = KeyedValue(bridging: value).argument
        }
    }

    extension [PredicateValue] {
        fileprivate var foundationElements: [Any] { map { $0.foundationObject ?? NSNull() } }
    }

    extension [Any] {
        fileprivate func foundationCollection(_ kind: KeyedCollection.Kind) -> Any {
            switch kind {
            case .array: self
            case .set: NSSet(array: self)
            case .orderedSet: NSOrderedSet(array: self)
            }
        }
    }
#endif
