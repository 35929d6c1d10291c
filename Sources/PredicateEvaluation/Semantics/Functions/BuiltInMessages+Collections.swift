import PredicateSyntax

/// Messages to arrays, sets and dictionaries.
extension BuiltInMessages {
    static let collections: [String: Message] = [
        "objectAtIndex:": { (receiver, arguments, _) throws(Fault) in
            guard receiver.isOrderedCollection else { return nil }
            let index = try index(arguments.argument(0), count: receiver.elementCount ?? 0, isEndAllowed: false)
            return receiver.element(atOffset: index) ?? .null
        },
        "objectForKey:": { (receiver, arguments, _) throws(Fault) in
            guard receiver.isDictionary else { return nil }
            return try receiver.element(at: arguments.argument(0))
        },
        "indexOfObject:": { (receiver, arguments, _) throws(Fault) in
            guard receiver.isOrderedCollection, let elements = receiver.elements else { return nil }
            let element = arguments.argument(0)
            // NSNotFound, as Foundation has it on 64-bit systems.
            return .value(.integer(elements.firstIndex { isEqual($0, element) }.map(Int64.init) ?? Int64.max))
        },
        "containsObject:": { (receiver, arguments, _) throws(Fault) in
            guard receiver.collectionKind != nil, let elements = receiver.elements else { return nil }
            let element = arguments.argument(0)
            return .value(.bool(elements.contains { isEqual($0, element) }))
        },
        "componentsJoinedByString:": { (receiver, arguments, limits) throws(Fault) in
            guard receiver.isOrderedCollection, let elements = receiver.elements else { return nil }
            let separator = try arguments.argument(0).requiredText(operand: 1)
            if elements.contains(where: \.isCompound) { try ResultLimit.check(descriptionOf: receiver, limits) }
            return .value(.string(try joined(elements.map(\.descriptionText), separator, limits)))
        },
        "isEqualToArray:": equality { $0.collectionKind == .array },
        "isEqualToSet:": equality { $0.collectionKind == .set },
        "isEqualToOrderedSet:": equality { $0.collectionKind == .orderedSet },
        "isEqualToDictionary:": equality { $0.isDictionary },
        "isEqualToNumber:": equality { $0.number != nil },
        "arrayByAddingObject:": { (receiver, arguments, _) throws(Fault) in
            guard receiver.collectionKind == .array, let elements = receiver.elements else { return nil }
            return KeyedValue(elements: elements + arguments, kind: .array)
        },
        "isSubsetOfSet:": sets { (own, others) in own.allSatisfy { others.contains(DistinctValue($0)) } },
        "intersectsSet:": sets { (own, others) in own.contains { others.contains(DistinctValue($0)) } },
    ]

    /// A message that compares, understood by one kind of receiver.
    private static func equality(_ isUnderstood: @escaping @Sendable (KeyedValue) -> Bool) -> Message {
        { (receiver, arguments, _) throws(Fault) in
            isUnderstood(receiver) ? .value(.bool(isEqual(receiver, arguments.argument(0)))) : nil
        }
    }

    /// A message that relates two sets.
    private static func sets(
        _ body: @escaping @Sendable ([KeyedValue], Set<DistinctValue>) -> Bool
    ) -> Message {
        { (receiver, arguments, _) throws(Fault) in
            guard let (own, others) = try operands(receiver, arguments) else { return nil }
            return .value(.bool(body(own, others)))
        }
    }

    @inline(never)
    private static func operands(
        _ receiver: KeyedValue, _ arguments: [KeyedValue]
    ) throws(Fault) -> ([KeyedValue], Set<DistinctValue>)? {
        guard receiver.collectionKind == .set, let own = receiver.elements else { return nil }
        let argument = arguments.argument(0)
        guard let others = argument.elements else {
            throw Fault(.notACollection(found: argument.found), operand: 1)
        }
        return (own, Set(others.map(DistinctValue.init)))
    }
}
