/// Operators of other languages, and what stands for them here.
///
/// `name STARTSWITH "jo"`, `age IS NULL`
enum ForeignOperator {
    /// What to write instead of a word, whatever its case; nil for one that no other language has.
    static func meaning(of word: String) -> String? {
        switch word.lowercased() {
        case "is", "isnt": "write key == nil or key != nil for NULL; == and != for all else"
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
