/// Splits the rest of a command line into words.
///
/// `18 "Jo Ann" [1, 2] 'two words'` has four: spaces inside quotes and brackets do not separate words. Single quotes
/// are removed; a word in double quotes is JSON and keeps them.
enum WordSplitter {
    static func words(of text: String) -> [String] {
        var words: [String] = []
        var word = ""
        var quote: Character?
        var depth = 0
        var isEscaped = false
        func close() {
            if !word.isEmpty { words.append(unquoted(word)) }
            word = ""
        }
        for character in text {
            if let open = quote {
                if character == open, !isEscaped { quote = nil }
                isEscaped = character == "\\" && !isEscaped
            } else if character == "\"" || (character == "'" && word.isEmpty) {
                quote = character
            } else if "[{".contains(character) {
                depth += 1
            } else if "]}".contains(character) {
                depth -= 1
            } else if character.isWhitespace, depth <= 0 {
                close()
                continue
            }
            word.append(character)
        }
        close()
        return words
    }

    private static func unquoted(_ word: String) -> String {
        guard word.count > 1, word.hasPrefix("'"), word.hasSuffix("'") else { return word }
        return "string:" + word.dropFirst().dropLast()
    }
}
