import PredicateSyntax

/// The loaded objects as what predicates are checked against: the keys that were seen, and the kinds of their values.
///
/// An entity is the path of the dictionaries that have the keys: `dept`, and the empty path for the objects themselves.
struct DataSchema: PredicateSchema {
    let data: KeyStatistics
    /// The keys of the objects, in their order.
    let columns: [String]

    /// The entity of the loaded objects.
    static let root = ""

    var origin: SchemaOrigin { .observed }

    func property(_ key: String, of entity: String) -> SchemaProperty? {
        // Too many keys, or too deep, to have seen them all.
        guard data.isComplete, entity.split(separator: ".").count < KeyStatistics.maximumDepth else {
            return SchemaProperty()
        }
        if let facts = data[Self.path(key, of: entity)] { return facts.property }
        return entity.isEmpty && columns.contains(key) ? SchemaProperty() : nil
    }

    func keys(of entity: String) -> [String] {
        let names = data.keys.map(\.path).filter { path in
            entity.isEmpty
                ? !path.contains(".") : path.hasPrefix(entity + ".") && !path.dropFirst(entity.count + 1).contains(".")
        }
        return names.map { entity.isEmpty ? $0 : String($0.dropFirst(entity.count + 1)) }
    }

    func noun(of entity: String) -> String { "a dictionary" }

    func absence(of key: String, in entity: String) -> SchemaAbsence {
        let holder = entity.isEmpty ? "no object has" : "\(entity) never has"
        let sample =
            data.sampled < data.count ? ", of \(Count.grouped(data.sampled)) objects that were examined" : ""
        return SchemaAbsence("\(holder) the key \(key)\(sample): it is nil", isError: false)
    }

    private static func path(_ key: String, of entity: String) -> String {
        entity.isEmpty ? key : "\(entity).\(key)"
    }
}

extension KeyFacts {
    /// What is known of the values: of the elements, where all values are arrays.
    fileprivate var property: SchemaProperty {
        var property = SchemaProperty()
        let isList = kinds.keys.elementsEqual([.array])
        property.isToMany = isList
        property.kinds = Set(isList ? elementKinds.keys : kinds.keys)
        if kinds[.dictionary] != nil || elementKinds[.dictionary] != nil { property.entity = path }
        if kinds[.number] != nil { property.isWhole = isWhole }
        return property
    }
}
