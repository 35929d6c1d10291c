import BenchmarkHarness
import BenchmarkWorkload
import PredicateEvaluation
import PredicateStore
import PredicateSyntax

/// Comparisons and searches of texts in SQLite, against what people write by hand: LIKE, GLOB and NOCASE.
enum TextSearches {
    /// A predicate, and SQL that finds as many rows or somewhat fewer, since SQLite folds ASCII only.
    private static let searches: [(format: String, sql: String)] = [
        (#"name == "John Smith""#, "name = 'John Smith'"),
        (#"name ==[c] "john smith""#, "name = 'john smith' COLLATE NOCASE"),
        (#"name ==[cd] "jose garcia""#, "name = 'jose garcia' COLLATE NOCASE"),
        (#"name !=[c] "john smith""#, "name <> 'john smith' COLLATE NOCASE"),
        (#"name BEGINSWITH "Jo""#, "name GLOB 'Jo*'"),
        (#"name BEGINSWITH[c] "jo""#, "name LIKE 'jo%'"),
        (#"name BEGINSWITH[cd] "jo""#, "name LIKE 'jo%'"),
        (#"name ENDSWITH "son""#, "name GLOB '*son'"),
        (#"name ENDSWITH[c] "SON""#, "name LIKE '%son'"),
        (#"email ENDSWITH[cd] ".org""#, "email LIKE '%.org'"),
        (#"name CONTAINS "an""#, "name GLOB '*an*'"),
        (#"name CONTAINS[c] "an""#, "name LIKE '%an%'"),
        (#"name CONTAINS[cd] "an""#, "name LIKE '%an%'"),
        (#"email CONTAINS[c] "example""#, "email LIKE '%example%'"),
        (#"name LIKE "J*n S?ith""#, "name GLOB 'J*n S?ith'"),
        (#"name LIKE[c] "j*n s?ith""#, "name LIKE 'j%n s_ith'"),
        (#"name LIKE[cd] "*an* s*""#, "name LIKE '%an% s%'"),
        (#"name MATCHES "J.*n S.*""#, "name GLOB 'J*n S*'"),
        (#"name MATCHES ".*n S.*""#, "name GLOB '*n S*'"),
        (#"name MATCHES[c] ".*n s.*""#, "name LIKE '%n s%'"),
        (#"email MATCHES "[a-z.]+[0-9]+@example\\.(com|org)""#, "email GLOB '*[0-9]@example.[co][or][mg]'"),
        (#"name IN[c] {"john smith", "jan kim"}"#, "name COLLATE NOCASE IN ('john smith', 'jan kim')"),
        (#"name <[c] "d""#, "name < 'd' COLLATE NOCASE"),
        (#"name <[cd] "d""#, "name < 'd' COLLATE NOCASE"),
    ]

    static var suite: Suite {
        let summary = "ObjectStore.count under [c] and [d], against LIKE, GLOB and NOCASE written by hand"
        return Suite(name: "sqlite-text", summary: summary) { context in
            context.scales.flatMap { scale in
                searches.map { search in
                    Group(suite: "sqlite-text", name: search.format, scale: scale, unit: "row") {
                        try variants(search, context.data, scale)
                    }
                }
            }
        }
    }

    private static func variants(
        _ search: (format: String, sql: String), _ data: WorkloadData, _ scale: Int
    ) throws -> [Variant] {
        let database = try data.database(scale)
        let predicate = try FormatPredicate(search.format)
        let request = PredicateFetchRequest("people", predicate)
        let sql = "SELECT COUNT(*) FROM people WHERE \(search.sql)"
        let expected = try data.people(scale).count(matching: PredicateEvaluator(predicate))
        return [
            Variant("store", operations: scale, expected: expected) { try database.store.fetchCount(request) },
            Variant("handwritten", .baseline, operations: scale, expected: try database.handle.number(sql)) {
                try database.handle.number(sql)
            },
        ]
    }
}
