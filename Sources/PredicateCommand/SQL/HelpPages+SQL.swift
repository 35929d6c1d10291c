/// The pages about SQL.
extension HelpPages {
    static var sql: HelpLayout {
        var page = HelpLayout(
            usage: [
                "predicate sql [OPTION...] FORMAT --schema FILE [--entity NAME]",
                "predicate sql [OPTION...] FORMAT --table NAME --types NAME=TYPE,...",
            ],
            purpose: "Compile a predicate to SQL that selects exactly the rows for which it holds, nil and accents"
                + " included; a comparison that is an error for a row does not hold for it. Prints the WHERE condition,"
                + " the values bound to its parameters, and the whole statement, which returns primary keys. A part"
                + " that SQL cannot express exactly is an error with its position; with --residual it is left out, and"
                + " printed as the residual predicate to evaluate for each row. 'calls' are functions that the"
                + " application must register; 'setup' are statements for each connection, 'prelude' for the first"
                + " one only.")
        page.add("Options", rows: rows(SQLOption.self))
        page.add("Values", rows: values)
        page.add("JSON", rows: json)
        page.add("Schema", lines: schemaExample)
        page.add("In a schema", rows: schemaWords)
        page.add("Exit status", rows: [("0", "success"), ("2", "an error")])
        page.add(
            "Examples",
            lines: [
                "predicate sql 'age >= 21' --table people --types name=string,age=integer",
                "predicate sql 'ANY phone.number BEGINSWITH \"0\"' --schema library.sqlite \\",
                "    --table person",
                "predicate sql 'name ==[cd] %@' --arg jose --schema library.json \\",
                "    --entity person --dialect postgresql",
                "predicate sql --json --residual 'name.capitalizedString == \"Jo\"' \\",
                "    --schema library.json --entity person",
            ])
        return page
    }

    private static let json = [
        ("dialect, entity", "their names"),
        ("select", "the whole statement that returns the primary keys"),
        ("where", "the condition in it"),
        (
            "bindings",
            "the parameters of select and where: {\"type\": \"bigint\", \"value\": 21}; the types are bigint, double"
                + " (\"inf\" and \"-inf\" as strings), boolean, text, blob (base 64), decimal, uuid, json and timestamp"
                + " (strings); the value of any is null for NULL; with --named each begins with \"name\": \"p1\""
        ),
        (
            "parameters",
            "numbered: a placeholder has the number of its value; positional: each takes the next value;"
                + " named: it has the name of its binding"
        ),
        ("calls", "the names of the functions that the application must register"),
        ("setup, prelude", "statements for every connection, and for the first one only"),
        ("residual", "the residual predicate; null if SQL expresses all of it"),
    ]

    private static let schemaExample = [
        "{\"entities\": {\"Person\": {\"table\": \"person\", \"primaryKey\": \"id\",",
        "  \"attributes\": {\"name\": {\"column\": \"full_name\", \"type\": \"string\"},",
        "                 \"born\": {\"type\": \"date\", \"storage\": \"iso8601\"}},",
        "  \"relationships\": {",
        "    \"boss\":   {\"to\": \"Person\", \"column\": \"boss_id\"},",
        "    \"phones\": {\"to\": \"Phone\", \"toMany\": true, \"inverseColumn\": \"person_id\"},",
        "    \"tags\":   {\"to\": \"Tag\", \"toMany\": true, \"joinTable\": \"person_tag\",",
        "               \"sourceColumn\": \"person_id\", \"targetColumn\": \"tag_id\"}}}}}",
    ]

    private static let schemaWords = [
        ("type", "integer, double, decimal, boolean, string, date, uuid, data; any (values of several types)"),
        ("storage", "of a date since2001, since1970, iso8601, timestamp; of a uuid blob, text, lowercaseText"),
        ("nullable, collation, affinity, indexedFolds", "further properties of an attribute"),
        ("column, table", "by default the name of the attribute or the entity"),
        ("primaryKey", "by default id; primaryKeyType if it is not an integer"),
    ]

    static var schema: HelpLayout {
        var page = HelpLayout(
            usage: ["predicate schema FILE", "predicate schema --types [--table NAME] FILE"],
            purpose: "Print the tables, columns and foreign keys of a SQLite file as the JSON schema that"
                + " 'predicate sql' and 'predicate filter' read. A table of pairs of foreign keys becomes a many-to-many"
                + " relationship. What a schema cannot describe, such as a view, is reported on standard error.")
        page.add("Options", rows: rows(SchemaOption.self))
        page.add("Exit status", rows: [("0", "success"), ("2", "an error")])
        page.add(
            "Examples",
            lines: [
                "predicate schema library.sqlite > library.json",
                "predicate filter TRUEPREDICATE one.sqlite > rows.jsonl",
                "predicate filter --types \"$(predicate schema --types one.sqlite)\" \\",
                "    --arg date:2001-01-01 'born < %@' rows.jsonl",
                "predicate sql 'age > 21' --schema library.json --entity person",
            ])
        return page
    }
}
