import PredicateModel

/// Finds the predicates of a compiled model, which keeps them as trees, and so without a place in the file.
enum CompiledModelScanner {
    static func texts(in model: ManagedObjectModel) -> [StoredText] {
        model.fetchRequestTemplates.compactMap { text(of: $0, owner: nil) }
            + model.entities.flatMap { entity in
                entity.fetchedProperties.compactMap { property in
                    property.fetchRequest.flatMap { text(of: $0, owner: entity.name) }
                }
            }
    }

    private static func text(of request: FetchRequestTemplate, owner: String?) -> StoredText? {
        request.predicate.map { predicate in
            var text = FormatText()
            text.appendEscape(predicate.format.utf8, source: 0..<0)
            return StoredText(text: text, kind: .stored, name: 0..<0, entity: request.entityName, owner: owner)
        }
    }
}
