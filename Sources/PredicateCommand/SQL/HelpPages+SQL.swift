/// The pages about SQL.
extension HelpPages {
    static var sql: String {
        var page = HelpLayout(
            usage: [
                "predicate sql [OPTION...] FORMAT --schema FILE [--entity NAME]",
                "predicate sql [OPTION...] FORMAT --table NAME --types NAME=TYPE,...",
            ],
            purpose: "Shows a predicate as SQL that selects exactly the rows for which it holds, nil and accents"
                + " included; a comparison that is an error for a row does not hold for it. Shown are the WHERE text,"
                + " the values bound to its placeholders, and the whole statement, which returns primary keys. What"
                + " SQL cannot say exactly is an error that names the place, or with --residual is left out and shown"
                + " as the predicate still to be asked of every row. The functions"
                + " under 'calls' are those that the program registers when it reads a SQLite file; the statements"
                + " under 'setup' are for every connection, those under 'prelude' for once.")
        page.add("Options", rows: rows(SQLOption.self))
        page.add("Values", rows: values)
        page.add("JSON", rows: json)
        page.add("Schema", lines: schemaExample)
        page.add("In a schema", rows: schemaWords)
        page.add("Exit status", rows: [("0", "the predicate was translated"), ("2", "an error")])
        page.add(
            "Examples",
            lines: [
                "predicate sql 'age >= 21' --table people --types name=string,age=integer",
                "predicate sql 'ANY phones.number BEGINSWITH \"0\"' --schema library.sqlite \\",
                "    --table person",
                "predicate sql 'name ==[cd] %@' --arg jose --schema library.json \\",
                "    --entity Person --dialect postgresql",
                "predicate sql --json --residual 'name.capitalizedString == \"Jo\"' \\",
                "    --schema library.json --entity Person",
            ])
        return page.text
    }

    private static let json = [
        ("dialect, entity", "the names"),
        ("select", "the whole statement that returns the primary keys"),
        ("where", "the condition in it"),
        (
            "bindings",
            "the values: {\"int\": 1}, {\"double\": 1.5}, {\"bool\": true}, {\"string\": \"x\"},"
                + " {\"data\": base 64}, {\"nil\": true}"
        ),
        ("calls", "the names of the functions that the application must register"),
        ("setup, prelude", "statements for every connection, and for once"),
        ("residual", "the predicate that is left, null when SQL says it all"),
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
        ("type", "integer, double, decimal, boolean, string, date, uuid, data; any: values of several kinds"),
        ("storage", "of a date since2001, since1970, iso8601, timestamp; of a uuid blob, text"),
        ("nullable, collation, keepsTexts", "more of an attribute, where it is known"),
        ("column, table", "the name of the attribute or the entity where they are left out"),
        ("primaryKey", "id where it is left out; primaryKeyType where it is no integer"),
    ]

    static var schema: String {
        var page = HelpLayout(
            usage: ["predicate schema FILE"],
            purpose: "Shows the tables, columns and foreign keys of a SQLite file as the schema that 'predicate sql'"
                + " and 'predicate filter' read. A table of pairs is a relationship between two others. What no"
                + " schema can say, such as a view, is told on standard error.")
        page.add("Options", rows: rows(SchemaOption.self))
        page.add("Exit status", rows: [("0", "the file was read"), ("2", "an error")])
        page.add(
            "Examples",
            lines: [
                "predicate schema library.sqlite > library.json",
                "predicate sql 'age > 21' --schema library.json --entity person",
            ])
        return page.text
    }
}
