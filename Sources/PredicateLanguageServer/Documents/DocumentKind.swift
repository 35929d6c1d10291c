import PredicateLint

/// What a document holds.
enum DocumentKind: Hashable {
    /// Source code or another file in which calls and strings are looked for.
    case source(SourceKind)
    /// One predicate after another: files `.predicate`, `.predicates` and `.nspredicate`.
    case predicates

    /// The kind that an editor's name for the language tells, or else the path; nil for a document without predicates.
    init?(language: String, path: String) {
        switch language {
        case "swift": self = .source(.swift)
        case "objective-c", "objective-cpp", "objc", "objcpp": self = .source(.objectiveC)
        case "predicate", "predicates", "nspredicate": self = .predicates
        case "shellscript", "sh": self = .source(.script)
        default:
            let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
            if ["predicate", "predicates", "nspredicate"].contains(ending) {
                self = .predicates
            } else if let kind = SourceKind(path: path) {
                self = .source(kind)
            } else {
                return nil
            }
        }
    }
}
