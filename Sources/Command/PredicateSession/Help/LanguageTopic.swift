import PredicateSyntax

/// A page about the language for a terminal: `predicate help strings`, `:help strings`.
///
/// Tests run the examples on `Tests/Demo/people.csv`, which has the columns name, age, city and joined, or on the record that
/// the page shows. Commands are run with the files in `Tests/Demo`.
package struct LanguageTopic: Sendable {
    /// `strings`
    package let name: String
    /// One line for the list of topics.
    package let summary: String
    package let paragraphs: [String]
    /// Predicates and what they mean.
    package let examples: [(format: String, meaning: String)]
    /// The JSON record of the examples; nil for people.csv.
    package let record: String?
    /// Whole commands and what they do.
    package let commands: [(command: String, meaning: String)]
    /// Rows that are not predicates.
    package let rows: [(String, String)]

    private init(
        _ name: String, _ summary: String, _ paragraphs: [String], examples: [(format: String, meaning: String)] = [],
        record: String? = nil, commands: [(command: String, meaning: String)] = [], rows: [(String, String)] = []
    ) {
        (self.name, self.summary, self.paragraphs) = (name, summary, paragraphs)
        (self.examples, self.record, self.commands, self.rows) = (examples, record, commands, rows)
    }

    /// All examples: predicates, commands and other rows. An empty one is a blank line.
    package var lines: [(example: String, meaning: String)] {
        examples.map { ($0.format, $0.meaning) } + commands.map { ($0.command, $0.meaning) } + rows
    }

    /// Returns the topic with this name, or a topic about a word such as `regex`, ignoring case; nil if there is none.
    package static func named(_ name: String) -> LanguageTopic? {
        let word = name.lowercased()
        return all.first { $0.name == word } ?? all.first { subjects[$0.name]?.contains(word) ?? false }
    }

    /// Words that lead to a topic.
    private static let subjects: [String: Set<String>] = [
        "language": ["predicate", "syntax", "grammar", "format", "topics", "keys"],
        "operators": [
            "operator", "comparison", "comparisons", "arithmetic", "precedence", "in", "between", "and", "or",
        ],
        "strings": ["string", "text", "regex", "regexp", "like", "matches", "contains", "patterns", "case"],
        "collections": ["collection", "lists", "list", "arrays", "array", "any", "all", "none", "subquery"],
        "dates": ["date", "time", "times", "zone", "timezone", "now", "year", "month"],
        "functions": ["function", "math", "cast", "ternary", "if"],
        "quoting": ["quotes", "quote", "arguments", "variables", "shell"],
        "nil": ["null", "missing", "none"],
        "files": ["file", "formats", "csv", "tsv", "json", "jsonl", "log", "logs", "sqlite", "join", "lookup"],
        "where": ["select", "group", "order", "limit"],
    ]

    package static let all = [language] + topics

    private static let topics = [operators, strings, collections, dates, functions, quoting, missing, files, sqlWords]

    /// The page, at most `width` columns wide.
    package func text(width: Int) -> String {
        var lines: [String] = []
        for paragraph in paragraphs { lines += Paragraph.lines(of: paragraph, width: width) + [""] }
        if let record { lines += ["The record of the examples:", "  " + record, ""] }
        lines += Paragraph.rows(self.lines, widest: Self.widestExample, width: width)
        while lines.last == "" { lines.removeLast() }
        return lines.joined(separator: "\n")
    }

    private static let widestExample = 36
}

extension LanguageTopic {
    private static let language = LanguageTopic(
        "language", "What a predicate is made of, and the other topics",
        [
            "A predicate is a condition about one record. A comparison has a key, an operator and a value; AND, OR, NOT"
                + " and parentheses combine comparisons. A word without quotes is a key, a string has quotes.",
            "A key is a column of CSV or SQLite, or a member of a JSON object. Dots lead to keys of the value:"
                + " owner.name. A key that a record does not have is nil.",
        ],
        examples: [
            ("age >= 21", "a key, an operator and a number"),
            ("name == \"Ann Taylor\"", "a string, in double or single quotes"),
            ("city == \"Rome\" OR age > 40", "either holds"),
            ("NOT (city == \"Rome\" OR age > 40)", "neither holds"),
            ("city IN {\"Rome\", \"Lyon\"} AND age < 40", "AND binds tighter than OR"),
            ("TRUEPREDICATE", "every record"),
        ],
        rows: [("", ""), ("Topics", "predicate help TOPIC, or :help TOPIC in a session")]
            + topics.map { ($0.name, $0.summary) })

    private static let operators = LanguageTopic(
        "operators", "Comparisons, arithmetic and their precedence",
        [
            "Comparisons: == != < <= > >= BETWEEN IN, and the operators of strings. = is ==, <> is !=. They cannot be"
                + " chained: write 20 < age AND age < 40, or BETWEEN, which includes both ends.",
            "Combining, the loosest first: OR (||), AND (&&), NOT (!). NOT applies to the next comparison.",
            "Arithmetic, the loosest first: | ^ & (bits), << >>, + -, * /, ** (power). The quotient of two integers is"
                + " an integer: 7 / 2 is 3, 7 / 2.0 is 3.5. Arithmetic with nil is an error for that record.",
        ],
        examples: [
            ("age BETWEEN {20, 40}", "20 <= age AND age <= 40"),
            ("city IN {\"Rome\", \"Lyon\"}", "one of these"),
            ("NOT city IN {\"Rome\", \"Lyon\"}", "none of these"),
            ("age != nil AND age / 10 == 3", "30 to 39, by integer division"),
            ("age != nil AND age / 10.0 > 4.5", "a fraction"),
            ("age != nil AND age * 2 + 1 > 90", "products before sums"),
            ("city == \"Rome\" OR age > 40 AND age < 50", "AND binds tighter than OR"),
        ])

    private static let strings = LanguageTopic(
        "strings", "Searching, patterns, upper and lower case",
        [
            "After an operator, [c] ignores case, [d] ignores accents, and [cd] both. Without them a is neither A nor á.",
            "LIKE takes a pattern for the whole string, in which * stands for any characters and ? for one. MATCHES"
                + " takes a regular expression for the whole string: write .* at its ends to search.",
        ],
        examples: [
            ("name == \"Ann Taylor\"", "equal"),
            ("name ==[c] \"ann taylor\"", "equal in upper or lower case"),
            ("name BEGINSWITH[cd] \"jo\"", "Joanna, José, Jörg"),
            ("name ENDSWITH \"Smith\"", "the end"),
            ("name CONTAINS \"an\"", "anywhere"),
            ("name LIKE \"J*n\"", "begins with J and ends with n"),
            ("name LIKE \"*[b]*\" OR city LIKE \"L?on\"", "brackets are ordinary characters"),
            ("name MATCHES \"J(oh|oa)n.*\"", "a regular expression"),
            ("name.length < 11", "the number of characters"),
            ("lowercase:(city) == \"rome\"", "also uppercase:"),
            ("name < \"K\"", "the order of code points"),
            ("FUNCTION(name, \"substringToIndex:\", 3) == \"Ann\"", "the first characters; also substringFromIndex:"),
            (
                "FUNCTION(name, \"componentsSeparatedByString:\", \" \")[0] == \"Ann\"",
                "the part before the first blank"
            ),
            ("FUNCTION(name, \"stringByAppendingString:\", \"!\") == \"Ann Taylor!\"", "two strings, joined"),
        ],
        rows: [
            (
                "FUNCTION(x, \"stringByReplacingOccurrencesOfString:withString:\", \"a\", \"b\")",
                "every a replaced by b"
            ),
            ("x.doubleValue", "the leading number: 12 of 12ms; also x.pathExtension"),
        ])

    private static let collections = LanguageTopic(
        "collections", "Lists: ANY, ALL, @count, SUBQUERY",
        [
            "A key path through a list has the values of all elements, and needs ANY, ALL, NONE or an aggregate:"
                + " @count @sum @avg @min @max, before the key that they take."
        ],
        examples: [
            ("\"vip\" IN tags", "the list has the value; also tags CONTAINS \"vip\""),
            ("ANY tags IN {\"vip\", \"old\"}", "one of its values is one of these"),
            ("ANY orders.total > 15", "for one element"),
            ("ALL orders.total > 5", "for every element; true for an empty list"),
            ("NONE orders.total > 50", "for no element"),
            ("tags.@count == 2", "the number of elements"),
            ("orders.@sum.total > 25", "the sum over the elements"),
            ("tags[0] == \"new\" AND tags[LAST] == \"vip\"", "an element by its position"),
            (
                "SUBQUERY(orders, $o, $o.total > 5 AND $o.paid == YES).@count > 0",
                "several conditions about the same element"
            ),
        ],
        record: "{\"tags\":[\"new\",\"vip\"],\"orders\":[{\"total\":9,\"paid\":true},{\"total\":20}]}")

    private static let dates = LanguageTopic(
        "dates", "Dates and times, and now()",
        [
            "Beside a date, a string in ISO 8601 is a date: \"2024-01-31\", \"2024-01-31T18:30:00+01:00\". A date without"
                + " a zone is in that of --zone, else in UTC, in files, in strings of SQLite files and beside dates (CAST"
                + " reads UTC); a date without a time is its midnight. Times that are printed are in UTC.",
            "Columns of CSV and SQLite are dates if all their values are, also as in mail (RFC 2822); so are strings of JSON"
                + " beside such a string. If no cell decides between 25.12.2024 and 12/25/2024, the option --dates"
                + " joined=dmy or --dates joined=mdy does; joined=epoch reads seconds since 1970, epochms milliseconds.",
            "Beside a date, \"2018\" is that year and \"2018-08\" that month: == holds within it, < before it, > after it;"
                + " for != write NOT d == \"2018\", and for IN write OR.",
            "Parts of a date: year:, quarter:, month:, weekOfYear:, day:, dayOfYear:, weekday: (1 is Sunday), hour:,"
                + " minute:, second:. Units: year, quarter, month, week, day, hour, minute, second.",
        ],
        examples: [
            ("joined >= \"2020-01-01\"", "from this day on"),
            ("joined BETWEEN {\"2018-01-01\", \"2018-12-31\"}", "both ends are included"),
            ("joined == \"2018\" OR joined > \"2023\"", "in 2018, or after 2023"),
            ("joined < now()", "in the past"),
            ("joined < ago:(7, \"days\")", "before now minus seven days"),
            ("month(joined) == 8 AND weekday(joined) == 4", "on a Wednesday in August"),
            ("date:truncatedTo:(joined, \"month\") == \"2018-08-01\"", "the first moment of its month"),
            ("dateByAddingUnit:value:toDate:(\"year\", 9, joined) < now()", "nine years later"),
        ],
        rows: [
            ("FUNCTION(b, \"timeIntervalSinceDate:\", a) / 86400", "the days from the date a to the date b"),
            ("CAST(x - 978307200, \"NSDate\")", "the date of x seconds since 1970"),
        ])

    private static let functions = LanguageTopic(
        "functions", "All functions",
        [
            "A function has its arguments in parentheses after the last colon, which may be left out: abs:(x), abs(x)."
                + " Names are case-sensitive. Operators have names, too: add:to:(a, b) is a + b.",
            "The names: "
                + FunctionExpression.Predefined.allCases.map {
                    $0.rawValue.last == ":" ? $0.rawValue : $0.rawValue + "()"
                }
                .joined(separator: ", ") + ".",
        ],
        examples: [
            ("age != nil AND abs:(age - 40) < 4", "the distance from 40"),
            ("age != nil AND modulus:by:(age, 2) == 0", "even"),
            ("age != nil AND ceiling:(age / 10.0) == 4", "also floor:, trunc:"),
            ("age != nil AND round(age / 10.0) == 4", "round(x, 2) has two digits after the decimal point"),
            ("length:(name) > 12", "also name.length"),
            ("uppercase:(city) == \"ROME\"", "also lowercase:"),
            ("TERNARY(age > 40, \"old\", \"young\") == \"old\"", "a value that depends on a condition"),
            ("age IN {min:({20, 30}), max:({20, 52})}", "also sum:, average:, median:, count:, stddev:"),
        ],
        rows: [
            ("CAST(x, \"NSNumber\")", "a string or date as a number; \"NSString\" and \"NSDate\" as well"),
            ("year(joined), ago:(7, \"days\")", "functions of dates: predicate help dates"),
            ("FUNCTION(x, \"selector:\", y)", "methods: predicate help strings, predicate help dates"),
        ])

    private static let quoting = LanguageTopic(
        "quoting", "Quotes in the shell, special keys, values from a script",
        [
            "The shell takes the predicate as one argument in single quotes; strings in it are in double quotes. In a"
                + " string, \\\" is a quote and \\\\ a backslash.",
            "A key with spaces or other characters, and one that is a word of the language, is written with # and"
                + " quotes: #\"first name\", #size.",
            "Values from elsewhere are arguments, which need no quotes and cannot change the predicate: %@ takes a"
                + " value, %K a key, $NAME the value of --set NAME=VALUE.",
        ],
        examples: [
            ("#\"name\" == \"Ann Taylor\"", "a key in quotes"),
            ("name == 'Ann Taylor'", "single quotes, inside a predicate in double quotes"),
            ("name != \"say \\\"hi\\\"\"", "a quote in a string"),
        ],
        rows: [
            ("'name == %@' --arg \"$NAME\"", "a value of the shell"),
            ("'%K > %d' --arg age --arg 40", "a key and a number"),
            ("'age > $MIN' --set MIN=40", "a variable"),
        ])

    private static let missing = LanguageTopic(
        "nil", "Missing values",
        [
            "Empty cells of CSV, NULL in SQLite, null and missing keys in JSON are nil. NULL and NIL are the same word."
                + " nil equals nil only, and an order with nil never holds.",
            "So age != 34 holds for records without an age, unlike SQL's <>; NOT (age > 34) holds for them, too.",
            "Arithmetic with nil is an error for that record, which is reported. Test for nil first: AND does not"
                + " evaluate its right side if the left is false.",
        ],
        examples: [
            ("age == nil", "without an age, SQL's IS NULL"),
            ("age != nil", "with an age, SQL's IS NOT NULL"),
            ("age != 34", "another age or none"),
            ("age != nil AND age != 34", "another age"),
            ("NOT age > 34", "at most 34 or none"),
            ("age != nil AND age - 10 > 30", "no error for the record without an age"),
        ])

    private static let files = LanguageTopic(
        "files", "Formats, options of reading, values from other files",
        [
            "The format of a file is detected by its name or content: CSV, TSV, JSON, JSON Lines, SQLite, Core Data,"
                + " logs of web servers, logfmt, and paragraphs of fields (deb822, such as dpkg's status file). - means"
                + " standard input. Directories and files compressed with gzip, Zstandard or zip are read, too. An error"
                + " names the option that helps."
        ],
        commands: [
            ("predicate 'age > 40' people.csv", "records in the format of the file"),
            ("predicate 'status >= 500' -k path,status access.log", "logs of Apache and nginx; also logfmt"),
            ("predicate 'SELF CONTAINS \"curl\"' -f lines access.log", "SELF is the line"),
            (
                "predicate 'user != \"-\"' --pattern '\\S+ - (?<user>\\S+) .*' access.log",
                "named groups are keys"
            ),
            (
                "predicate 'level == \"error\"' --path runs.results runs.json",
                "where the records are; packages.* for members; --parent run has the object around each"
            ),
            (
                "predicate 'name IN $BUYERS' --values BUYERS=orders.csv:customer people.csv",
                "values of another file"
            ),
            (
                "predicate 'customer.age > 40' --lookup customer=people.csv:name orders.csv",
                "a record of another file in place of a key"
            ),
        ],
        rows: [
            ("", ""), ("--types age=integer,born=date", "types; they are inferred in CSV, but not in JSON"),
            ("--output csv", "another format: jsonl, json, csv, tsv, table or lines"),
            ("--header no, --skip 2", "keys are column1, column2; skip 2 lines above the header"),
            ("--ragged", "rows with fewer fields, or with more"),
            ("--comment '#', --nil TEXT", "lines that are not rows; a text that stands for nil"),
            ("--quotes lazy, --quotes none", "quotes inside fields, or nowhere: 55\" wide"),
            ("--delimiter tab, --decimal comma", "also --dates, --encoding: what is not detected"),
        ])

    private static let sqlWords = LanguageTopic(
        "where", "What SQL says, in a predicate",
        ["A predicate is the condition after WHERE. The rest of a query is written as options of predicate filter."],
        examples: [
            ("city = \"Rome\" AND age <> 20", "city = 'Rome' AND age <> 20: strings in either quotes"),
            ("name LIKE \"J*\"", "name LIKE 'J%': * for %, ? for _"),
            ("city IN {\"Rome\", \"Lyon\"}", "city IN ('Rome', 'Lyon')"),
            ("NOT city IN {\"Rome\", \"Lyon\"}", "city NOT IN ('Rome', 'Lyon')"),
            ("age BETWEEN {20, 40}", "age BETWEEN 20 AND 40"),
            ("age == nil", "age IS NULL"),
            ("age != nil", "age IS NOT NULL"),
            ("lowercase:(city) == \"rome\"", "lower(city) = 'rome'"),
            ("TERNARY(age > 40, 1, 0) == 1", "CASE WHEN age > 40 THEN 1 ELSE 0 END = 1"),
        ],
        rows: [
            ("--keys 'name, age * 2 AS x'", "SELECT name, age * 2 AS x"), ("--distinct", "SELECT DISTINCT"),
            ("--distinct-on city --sort -age", "SELECT DISTINCT ON (city) *, the oldest of each; in the order of age"),
            ("--sort -age,name", "ORDER BY age DESC, name; --ignore-case for lower(name)"),
            ("--first 3 --offset 6", "LIMIT 3 OFFSET 6; also --last 3"),
            ("--group-by city --avg age", "SELECT city, count(*), avg(age) … GROUP BY city"),
            ("--sum, --min, --max, --median", "further aggregates; --digits 2 rounds them"),
            ("--having 'count > 2'", "HAVING count(*) > 2"),
            ("--count-by city", "GROUP BY city ORDER BY count(*) DESC"),
            ("--lookup, --values", "JOIN, IN (SELECT …): predicate help files"),
            ("--count", "SELECT count(*)"), ("predicate sql", "prints the SQL of a predicate"),
        ])
}
