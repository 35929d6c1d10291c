/// Operators of other languages with their equivalents.
///
/// `name STARTSWITH "jo"`, `age IS NULL`
enum ForeignOperator {
    /// A hint for a word, whatever its case; nil for a word that is no operator elsewhere.
    static func meaning(of word: String) -> String? {
        switch word.lowercased() {
        case "is", "isnt": "write key == nil or key != nil for NULL; == and != otherwise"
        case "equals", "equal", "eq": "write =="
        case "ne", "neq": "write !="
        case "gt": "write >"
        case "gte", "ge": "write >="
        case "lt": "write <"
        case "lte", "le": "write <="
        case "startswith", "starts", "hasprefix": "write BEGINSWITH"
        case "ends", "hassuffix": "write ENDSWITH"
        case "includes", "has": "write CONTAINS"
        case "ilike": "write LIKE[c], with * and ? for wildcards"
        case "regexp", "rlike", "regex", "similar", "match", "matching":
            "write MATCHES, which takes an expression for the whole text"
        case "mod": "write modulus:by:(a, b)"
        case "div": "write /"
        case "xor": "write (a OR b) AND NOT (a AND b)"
        default: nil
        }
    }
}
