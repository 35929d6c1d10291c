/// A row as text: the object, and what is expected of it.
///
/// `{"age": 21} true`
struct RowParts {
    enum Expectation {
        case truth(Bool)
        /// The text in the parentheses of `error(…)`.
        case error(Substring)
        /// JSON
        case value(Substring)
    }

    /// JSON
    let object: Substring
    let expectation: Expectation

    init?(_ text: Substring) {
        if let equals = text.firstEqualsOutsideStrings {
            object = text[..<equals]
            expectation = .value(text[text.index(after: equals)...])
            return
        }
        guard let blank = text.lastIndex(where: \.isWhitespace) else { return nil }
        object = text[..<blank]
        switch text[text.index(after: blank)...] {
        case "true": expectation = .truth(true)
        case "false": expectation = .truth(false)
        case let word where word.hasPrefix("error(") && word.hasSuffix(")"):
            expectation = .error(word.dropFirst("error(".count).dropLast())
        default: return nil
        }
    }
}

extension Substring {
    /// The first `=` that is no part of a JSON string.
    fileprivate var firstEqualsOutsideStrings: Index? {
        var isInString = false
        var isEscaped = false
        for (index, scalar) in zip(unicodeScalars.indices, unicodeScalars) {
            switch scalar {
            case _ where isEscaped: isEscaped = false
            case "\\": isEscaped = isInString
            case "\"": isInString.toggle()
            case "=" where !isInString: return index
            default: break
            }
        }
        return nil
    }
}
