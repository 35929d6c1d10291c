/// Finds the entity that the words of an expression name: the entity of a fetch, or a host.
struct EntityName {
    private let words: [String]
    /// The enclosing type, which `Self` and a call of `fetchRequest()` refer to.
    private let own: String?
    private let hosts: HostTable

    init(_ words: [String], own: String?, _ hosts: HostTable) {
        self.words = words
        self.own = own
        self.hosts = hosts
    }

    /// The first entity that the words name.
    var entity: String? {
        for index in words.indices {
            if let found = entity(at: index) { return found }
        }
        return nil
    }

    private func entity(at index: Int) -> String? {
        switch words[index] {
        case "NSFetchRequest", "FetchRequest", "FetchedResults", "NSFetchedResultsController", "Results":
            word(index + 1) == "<" ? type(word(index + 2)) : nil
        case "SectionedFetchRequest", "SectionedFetchResults": word(index + 1) == "<" ? type(word(index + 4)) : nil
        case "entityName", "fetchRequestWithEntityName", "initWithEntityName", "forEntityName", "entityForName",
            "insertNewObjectForEntityForName":
            word(index + 1) == ":" ? named(from: index + 2) : nil
        case "entity": description(at: index)
        case "context": word(index - 1) == "(" && word(index + 1) == ":" ? type(word(index - 2)) : nil
        case "fetchRequest": request(at: index)
        case "objects": objects(at: index)
        case "objectsWhere", "objectsInRealm": Self.type(word(index - 1))
        default: hosts.host(marked: words[index])
        }
    }

    private func word(_ index: Int) -> String { words.indices.contains(index) ? words[index] : "" }

    /// `"Person"`, `String(describing: Person.self)`, `NSStringFromClass([Person class])`, `Person.entityName`
    private func named(from index: Int) -> String? {
        if let text = Self.text(word(index)) { return text }
        switch word(index) {
        case "String": return word(index + 2) == "describing" ? type(word(index + 4)) : nil
        case "NSStringFromClass": return type(word(index + 2) == "[" ? word(index + 3) : word(index + 2))
        default: return word(index + 1) == "." ? type(word(index)) : nil
        }
    }

    /// `entity: Person.entity()`, `Person.entity()`, `[Person entity]`
    private func description(at index: Int) -> String? {
        if word(index + 1) == ":" {
            return word(index + 3) == "." && word(index + 4) == "entity" ? type(word(index + 2)) : nil
        }
        if word(index - 1) == ".", word(index + 1) == "(", word(index + 2) == ")" { return type(word(index - 2)) }
        return word(index + 1) == "]" ? type(word(index - 1)) : nil
    }

    /// `Person.fetchRequest()`, `[Person fetchRequest]`, `fetchRequest()` and `Self.fetchRequest()` in `Person`
    private func request(at index: Int) -> String? {
        let before = word(index - 1)
        if before == "." {
            let receiver = word(index - 2)
            return receiver == "self" && word(index + 1) == "(" ? own : type(receiver)
        }
        if before == "self", word(index + 1) == "]" { return own }
        if let type = type(before) { return type }
        return word(index + 1) == "(" && word(index + 2) == ")" && before != "func" ? own : nil
    }

    /// `objects(Person.self)`
    private func objects(at index: Int) -> String? {
        word(index + 1) == "(" && word(index + 3) == "." && word(index + 4) == "self" ? type(word(index + 2)) : nil
    }

    private func type(_ word: String) -> String? { word == "Self" ? own : Self.type(word) }

    /// The word if it is the name of a type, else nil.
    static func type(_ word: String) -> String? {
        guard let first = word.first, first.isUppercase, !general.contains(word) else { return nil }
        return word
    }

    private static let general: Set<String> = [
        "Self", "NSManagedObject", "NSFetchRequestResult", "NSFetchRequest", "NSEntityDescription", "NSDictionary",
        "NSManagedObjectID", "NSNumber",
    ]

    private static func text(_ literal: String) -> String? {
        let name = literal.drop { $0 == "@" || $0 == "\"" }.prefix { $0 != "\"" }
        return literal.contains("\"") && !name.isEmpty ? String(name) : nil
    }
}
