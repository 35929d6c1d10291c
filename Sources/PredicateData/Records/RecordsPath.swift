import PredicateSyntax

/// Paths to the records of a JSON document: keys separated by dots; a dot in a key is escaped.
///
/// `result.items`, `v1\.0.items`
package enum RecordsPath {
    /// Returns the keys of a path.
    package static func keys(_ path: String) -> [String] {
        var keys = [""]
        var isEscaped = false
        for scalar in path.unicodeScalars {
            if isEscaped {
                if scalar != ".", scalar != "\\" { keys[keys.count - 1].unicodeScalars.append("\\") }
                keys[keys.count - 1].unicodeScalars.append(scalar)
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else if scalar == "." {
                keys.append("")
            } else {
                keys[keys.count - 1].unicodeScalars.append(scalar)
            }
        }
        if isEscaped { keys[keys.count - 1].unicodeScalars.append("\\") }
        return keys
    }

    /// Returns the path of some keys.
    package static func text(of keys: [String]) -> String { keys.map(text).joined(separator: ".") }

    /// Returns a key with its dots escaped.
    package static func text(of key: String) -> String {
        var text = String.UnicodeScalarView()
        for scalar in key.unicodeScalars {
            if scalar == "." || scalar == "\\" { text.append("\\") }
            text.append(scalar)
        }
        return String(text)
    }

    /// Returns the keys of an object that hold an array of objects: of a document that was read as one record.
    ///
    /// `{"total": 2, "items": [{"name": "jo"}, {"name": "al"}]}` has `items`.
    package static func candidates(in members: [String: PredicateValue]) -> [String] {
        members.keys.sorted().filter { key in
            guard !key.isEmpty, case .array(let elements)? = members[key], case .dictionary? = elements.first else {
                return false
            }
            return true
        }
    }
}
