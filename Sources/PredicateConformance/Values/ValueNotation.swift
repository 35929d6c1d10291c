import PredicateSyntax

/// The notation of values in JSON.
///
/// JSON values denote themselves; `null` inside an array is the null object, since an array cannot contain nil.
enum ValueNotation: Hashable, Sendable {
    /// Arguments and variables: `{"date": "2024-01-01"}`. A dictionary whose only key is a tag is written with `dict`.
    case argument
    /// Objects that predicates are evaluated with: `{"$date": "2024-01-01"}`; all other members are data.
    case object

    func value(_ json: PredicateValue) throws(DataProblem) -> PredicateValue {
        if let values = json.list { return .array(try elements(values)) }
        guard let members = json.entries else { return json }
        if let tagged = try tagged(members) { return tagged }
        return .dictionary(try entries(members))
    }

    /// A value in a list of substitutions, where `null` is the null object, as on Apple's platforms.
    func substitution(_ json: PredicateValue) throws(DataProblem) -> PredicateValue {
        json.isAbsent ? .nullObject : try value(json)
    }

    func elements(_ values: [PredicateValue]) throws(DataProblem) -> [PredicateValue] {
        var result: [PredicateValue] = []
        for value in values { result.append(value.isAbsent ? .nullObject : try self.value(value)) }
        return result
    }

    func entries(_ members: [String: PredicateValue]) throws(DataProblem) -> [String: PredicateValue] {
        var result: [String: PredicateValue] = [:]
        for (key, member) in members { result[key] = try value(member) }
        return result
    }

    /// The value of a tag; nil if the object is a dictionary.
    private func tagged(_ members: [String: PredicateValue]) throws(DataProblem) -> PredicateValue? {
        if let dollar = members.keys.first(where: { $0.hasPrefix("$") }) {
            return try Self.object.marked(members, dollar)
        }
        guard self == .argument, members.count == 1, let (key, payload) = members.first else { return nil }
        guard let tag = ValueTag(rawValue: key) else { return nil }
        return try tag.value(of: payload, self)
    }

    /// `{"$date": …}`, and `{"$class": "Person", "name": "Lily"}`, an object that is not a dictionary.
    private func marked(_ members: [String: PredicateValue], _ mark: String) throws(DataProblem) -> PredicateValue {
        if let name = members["$class"]?.text, members.count > 1 {
            let properties = try entries(members.filter { $0.key != "$class" })
            return .object(PredicateObject(NamedObject(className: name, properties: properties)))
        }
        guard members.count == 1, let payload = members[mark], let tag = ValueTag(rawValue: String(mark.dropFirst()))
        else { throw DataProblem("unknown tag '\(mark)'") }
        return try tag.value(of: payload, self)
    }
}
