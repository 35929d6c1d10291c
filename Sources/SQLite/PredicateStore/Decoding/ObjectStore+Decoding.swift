internal import PredicateSQL
public import PredicateSyntax

/// Objects as values of a `Decodable` type.
///
/// Coding keys are keys of the entity: attributes, the primary key, and relationships, whose objects are decoded along with the
/// object. If no entity is given, it is the one that has the name of the type, ignoring case if there is no exact match.
/// [NSP-278]
extension ObjectStore {
    /// Returns the objects that match a predicate, or all of them, as values of a type.
    ///
    /// `try store.fetchAll(Person.self, where: FormatPredicate("name LIKE[cd] 'j*'"))`
    ///
    /// Throws a ``StoreError``: `compilation` for a predicate that SQL cannot express exactly, `undecodable` for a
    /// row that cannot be decoded as the type, with the key.
    public func fetchAll<Object: Decodable>(
        _ type: Object.Type, where predicate: FormatPredicate? = nil
    ) throws(StoreError) -> [Object] {
        try fetchAll(type, PredicateFetchRequest("\(type)", predicate))
    }

    /// Returns the objects that a request selects, as values of a type.
    ///
    /// ```swift
    /// import PredicateConversion      // makes requests from #Predicate and SortDescriptor
    ///
    /// let adults = try PredicateFetchRequest(
    ///     where: #Predicate<Person> { $0.age >= 18 }, sortedBy: [SortDescriptor(\.name)], limit: 20)
    /// let people = try store.fetchAll(Person.self, adults)
    /// ```
    ///
    /// The predicate becomes SQL: only the matching rows are read.
    ///
    /// Throws a ``StoreError``: `compilation` for a predicate that SQL cannot express exactly, `undecodable` for a
    /// row that cannot be decoded as the type, with the key.
    public func fetchAll<Object: Decodable>(
        _ type: Object.Type, _ request: PredicateFetchRequest
    ) throws(StoreError) -> [Object] {
        let found = try fetchCursor(resolved(request, for: type))
        var objects: [Object] = []
        while let object = try found.next() { objects.append(try StoredDecoder.decode(type, from: object)) }
        return objects
    }

    /// Returns the only object that a request selects, as a value of a type, or nil if it selects none.
    ///
    /// `try store.fetchOne(Person.self, PredicateFetchRequest("Person", predicate))`
    ///
    /// Throws `severalObjects` if it selects several objects.
    public func fetchOne<Object: Decodable>(
        _ type: Object.Type, _ request: PredicateFetchRequest
    ) throws(StoreError) -> Object? {
        guard let object = try fetchOne(resolved(request, for: type)) else { return nil }
        return try StoredDecoder.decode(type, from: object)
    }

    /// The objects that a request selects, as an asynchronous sequence of values.
    ///
    /// `for try await person in store.stream(Person.self, PredicateFetchRequest("Person", predicate)) { … }`
    ///
    /// Works as ``stream(_:)``. A row that cannot be decoded as the type also ends the sequence.
    public func stream<Object: Decodable & Sendable>(
        _ type: Object.Type, _ request: PredicateFetchRequest
    ) -> StoreStream<Object> {
        StoreStream(self) { () throws(StoreError) in
            let objects = try fetchCursor(resolved(request, for: type))
            return { () throws(StoreError) in
                guard let object = try objects.next() else { return nil }
                return try StoredDecoder.decode(Object.self, from: object)
            }
        }
    }

    /// The request with the entity's name in the case that the schema uses, if it names the entity after the type.
    private func resolved<Object>(_ request: PredicateFetchRequest, for type: Object.Type) -> PredicateFetchRequest {
        guard request.entity == "\(type)", schema.entities[request.entity] == nil else { return request }
        let names = schema.entities.keys.filter { $0.lowercased() == request.entity.lowercased() }
        var resolved = request
        if names.count == 1 { resolved.entity = names[0] }
        return resolved
    }
}

extension StoredObject {
    /// The primary key, or the objects of a relationship; nil for every other key.
    func content(of key: String) throws(StoreError) -> StoredContent? {
        switch try relationship(key) {
        case .one(let object)?: return object.map { .object($0) } ?? .value(.null)
        case .many(let objects)?: return .objects(objects)
        case nil: return isPrimaryKey(key) ? .value(id.key) : nil
        }
    }
}

extension StoreError {
    /// The reason why a row cannot be decoded as a type.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum DecodingProblem: Hashable, Sendable {
        /// The entity has no such key
        case noSuchKey(nearMisses: [String])
        /// NULL for a property that is not optional
        case isNil
        /// A string for a property that is a number
        case kind(expected: String, found: String)
        /// 300 for an `Int8`, 2.5 for an `Int`
        case doesNotFit(String, found: String)
        /// Objects that refer to each other in a cycle
        case nestingTooDeep(limit: Int)
        /// An error of the type's own `init(from:)`
        case host(String)

        /// The end of the title, after the key's name.
        var words: String {
            switch self {
            case .noSuchKey: "there is no such key"
            case .isNil: "it is nil, and the property is not optional"
            case .kind(let expected, let found): "expected \(expected), found \(found)"
            case .doesNotFit(let type, let found): "\(found) does not fit in \(type)"
            case .nestingTooDeep(let limit): "the objects are nested more than \(limit) levels deep"
            case .host(let words): words
            }
        }

        var hints: [String] {
            switch self {
            case .noSuchKey(let nearMisses):
                nearMisses.last.map { ["did you mean \($0)?"] }
                    ?? ["leave the property out of CodingKeys and give it a default value"]
            case .isNil: ["declare the property as optional, or exclude these rows by the predicate"]
            case .kind: ["change the property's type, or the attribute's type in the schema"]
            case .doesNotFit, .nestingTooDeep, .host: []
            }
        }
    }
}
