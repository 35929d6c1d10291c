import PredicateConformance
import Testing

/// Every stage judges the records that it is known to judge.
@Suite struct EngineTests {
    /// A floor for the number that each stage judges.
    @Test func noStageIsSkipped() throws {
        var coverage = ConformanceCoverage()
        for path in DataFiles.cases { coverage.merge(try ConformanceSuite.load(path: path).coverage) }
        print("conformance: \(coverage.summary)")
        for (stage, floor) in Self.floors {
            #expect(coverage[stage] >= floor, "\(stage.rawValue)")
        }
    }

    private static let floors: [(ConformanceCoverage.Stage, Int)] = [
        (.records, 1_080), (.parse, 900), (.formatErrors, 180), (.prints, 490), (.trees, 90), (.rows, 1_500),
        (.sqliteRows, 650), (.sqliteTexts, 151), (.postgreSQLTexts, 151), (.mariaDBTexts, 151),
        (.duckDBTexts, 151), (.sparkTexts, 151),
    ]
}
