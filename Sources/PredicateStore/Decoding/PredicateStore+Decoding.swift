public import Foundation
public import PredicateConversion
import PredicateSQL
public import PredicateSyntax

/// Objects as values of a `Decodable` type.
///
/// Keys of the type are keys of the entity: attributes, the primary key, and relationships, whose objects are decoded with
/// it. The entity is named like the type, or like it but for case, unless it is given. [NSP-278]
extension PredicateStore {
    /// Returns the objects for which a predicate of Swift holds, as values of a type.
    ///
    /// ```swift
    /// let adults = try store.objects(
    ///     Person.self, where: #Predicate { $0.age >= 18 }, sortedBy: [SortDescriptor(\.name)], limit: 20)
    /// ```
    ///
    /// The predicate becomes SQL: no other row is read.
    ///
    /// Throws a ``StoreError``: `conversion` for what the language lacks, `compilation` for what SQL cannot say exactly,
    /// `undecodable` for a row that is no value of the type, with the key.
    public func objects<Object: Decodable>(
        _ type: Object.Type, where predicate: Predicate<Object>, sortedBy order: [SortDescriptor<Object>] = [],
        limit: Int? = nil, offset: Int? = nil, entity: String? = nil, names: KeyPathNames = [:]
    ) throws(StoreError) -> [Object] {
        let format = try converting { () throws(PredicateConversionError) in
            try FormatPredicate(predicate, names: names)
        }
        return try objects(
            type, where: format, sortedBy: order, limit: limit, offset: offset, entity: entity, names: names)
    }

    /// Returns the objects that match a predicate, or all of them, as values of a type.
    ///
    /// `try store.objects(Person.self, where: FormatPredicate("name LIKE[cd] 'j*'"))`
    public func objects<Object: Decodable>(
        _ type: Object.Type, where predicate: FormatPredicate? = nil, sortedBy order: [SortDescriptor<Object>] = [],
        limit: Int? = nil, offset: Int? = nil, entity: String? = nil, names: KeyPathNames = [:]
    ) throws(StoreError) -> [Object] {
        try objects(type, for: try request(type, predicate, order, limit, offset, entity, names))
    }

    /// Returns the objects that a request selects, as values of a type.
    ///
    /// `try store.objects(Person.self, for: FetchRequest("Person", predicate, prefetching: ["phones"]))`
    public func objects<Object: Decodable>(
        _ type: Object.Type, for request: FetchRequest
    ) throws(StoreError) -> [Object] {
        let found = try fetch(request)
        var objects: [Object] = []
        while let object = try found.next() { objects.append(try StoredDecoder.decode(type, from: object)) }
        return objects
    }

    /// The objects for which a predicate of Swift holds, as an asynchronous sequence of values.
    ///
    /// `for try await person in store.stream(Person.self, where: #Predicate { $0.age > 18 }) { … }`
    ///
    /// As ``stream(_:)``; errors of the conversion and of a row that is no value of the type end the sequence, too.
    public func stream<Object: Decodable & Sendable>(
        _ type: Object.Type, where predicate: Predicate<Object>, sortedBy order: [SortDescriptor<Object>] = [],
        limit: Int? = nil, offset: Int? = nil, entity: String? = nil, names: KeyPathNames = [:]
    ) -> StoreStream<Object> {
        let request = Result { () throws(StoreError) in
            let format = try converting { () throws(PredicateConversionError) in
                try FormatPredicate(predicate, names: names)
            }
            return try self.request(type, format, order, limit, offset, entity, names)
        }
        return stream(type, request)
    }

    /// The objects that a request selects, as an asynchronous sequence of values.
    ///
    /// `for try await person in store.stream(Person.self, for: FetchRequest("Person", predicate)) { … }`
    public func stream<Object: Decodable & Sendable>(
        _ type: Object.Type, for request: FetchRequest
    ) -> StoreStream<Object> {
        stream(type, .success(request))
    }

    private func stream<Object: Decodable & Sendable>(
        _ type: Object.Type, _ request: Result<FetchRequest, StoreError>
    ) -> StoreStream<Object> {
        StoreStream { () throws(StoreError) in
            let objects = try fetch(request.get())
            return { () throws(StoreError) in
                guard let object = try objects.next() else { return nil }
                return try StoredDecoder.decode(Object.self, from: object)
            }
        }
    }

    private func request<Object>(
        _ type: Object.Type, _ predicate: FormatPredicate?, _ order: [SortDescriptor<Object>], _ limit: Int?,
        _ offset: Int?, _ entity: String?, _ names: KeyPathNames
    ) throws(StoreError) -> FetchRequest {
        let sortKeys = try order.map { (descriptor) throws(StoreError) in
            try converting { () throws(PredicateConversionError) in try SortKey(descriptor, names: names) }
        }
        return FetchRequest(
            entity ?? self.entity(of: "\(type)"), predicate, sortKeys: sortKeys, limit: limit, offset: offset)
    }

    /// The entity of a type: its name, else the only one that differs from it in case alone.
    private func entity(of type: String) -> String {
        if schema.entities[type] != nil { return type }
        let others = schema.entities.keys.filter { $0.lowercased() == type.lowercased() }
        return others.count == 1 ? others[0] : type
    }
}

/// Runs the conversion; its errors become errors of the store.
private func converting<Result>(_ work: () throws(PredicateConversionError) -> Result) throws(StoreError) -> Result {
    do throws(PredicateConversionError) {
        return try work()
    } catch {
        throw StoreError(.conversion(error))
    }
}

extension StoredObject {
    /// The primary key, or the objects at the end of a relationship; nil for every other key.
    func content(of key: String) throws(StoreError) -> StoredContent? {
        switch try relationship(key) {
        case .one(let object)?: return object.map { .object($0) } ?? .value(.null)
        case .many(let objects)?: return .objects(objects)
        case nil: return isPrimaryKey(key) ? .value(id.key) : nil
        }
    }
}
