/// Options of other tools, and what they are called here.
///
/// `--limit 3`, `--select name,age`, `--head`
enum ForeignOption {
    /// A hint for an option that other tools have; nil for others, and for a command without its counterpart.
    static func hint(_ option: String, among names: [String]) -> String? {
        if let digit = option.dropFirst().first, digit.isNumber, names.contains("--first") {
            return "--first \(option.dropFirst()) stops after so many matches"
        }
        let word = option.dropFirst(2).lowercased().filter { $0 != "-" && $0 != "_" }
        if ["where", "filter", "condition", "predicate", "query", "expr", "expression"].contains(word) {
            return "the predicate stands by itself, before the files: 'age >= 21' people.csv"
        }
        guard let name = counterparts[word], names.contains("--" + name) else { return nil }
        return "write --\(name)"
    }

    private static let counterparts: [String: String] = {
        let words = [
            "first": "limit head max maxcount top take rows n count1 nmatches num",
            "keys": "select columns fields only cols column field key cut project output-keys show",
            "sort": "order orderby sortby sorted",
            "group-by": "group groupby by",
            "count-by": "countby histogram frequency valuecounts",
            "avg": "average mean",
            "sum": "total",
            "invert": "not invertmatch exclude reject",
            "quiet": "silent",
            "count": "total-count length",
            "output": "to outputformat out json jsonl csv tsv table",
            "format": "from inputformat input type",
            "types": "type schema-types dtype dtypes coltypes columntypes",
            "delimiter": "delim separator sep fs ifs",
            "encoding": "charset",
            "skip": "skiplines skiprows",
            "arg": "argument args param parameter bind value",
            "set": "variable var define",
            "path": "jsonpath root pointer records",
            "with-filename": "filename",
            "line-number": "linenumber linenumbers",
            "table": "from-table tablename",
            "color": "colour",
        ]
        var names: [String: String] = [:]
        for (name, others) in words.sorted(by: { $0.key < $1.key }) {
            for word in others.split(separator: " ") { names[String(word.filter { $0 != "-" }), default: name] = name }
        }
        return names
    }()
}
