/// Splits the rest of a command line into words.
///
/// `18 "Jo Ann" [1, 2] 'two words'` has four: spaces inside quotes and brackets do not separate words. Single quotes
/// are removed; a word in double quotes is JSON and keeps them. A mark after a quote or a space does not hide it.
enum WordSplitter {
    static func words(of text: String) -> [String] {
        var words: [String] = []
        var word = ""
        var quote: Unicode.Scalar?
        var depth = 0
        var isEscaped = false
        func close() {
            if !word.isEmpty { words.append(unquoted(word)) }
            word = ""
        }
        for character in text.unicodeScalars {
            if let open = quote {
                if character == open, !isEscaped { quote = nil }
                isEscaped = character == "\\" && !isEscaped
            } else if character == "\"" || (character == "'" && word.isEmpty) {
                quote = character
            } else if "[{".unicodeScalars.contains(character) {
                depth += 1
            } else if "]}".unicodeScalars.contains(character) {
                depth -= 1
            } else if character.properties.isWhitespace, depth <= 0 {
                close()
                continue
            }
            word.unicodeScalars.append(character)
        }
        close()
        return words
    }

    /// The text between two quotes; nil for a word without them.
    static func content(of word: String, between quote: Unicode.Scalar) -> String? {
        let scalars = word.unicodeScalars
        guard scalars.count > 1, scalars.first == quote, scalars.last == quote else { return nil }
        return String(scalars.dropFirst().dropLast())
    }

    private static func unquoted(_ word: String) -> String {
        content(of: word, between: "'").map { "string:" + $0 } ?? word
    }
}
