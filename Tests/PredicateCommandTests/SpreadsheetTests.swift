import Foundation
import Testing

/// Files as Excel, LibreOffice, R and pandas write them: `Spreadsheets/make.py` makes them.
struct SpreadsheetTests {
    struct Question: CustomTestStringConvertible {
        let file: String
        let predicate: String
        /// The names or numbers in `column` of the rows that match.
        let column: String
        let matches: [String]
        var options: [String] = []

        var testDescription: String { "\(file): \(predicate)" }
    }

    private static func orders(_ file: String, _ options: [String] = [], german: Bool = false) -> [Question] {
        let (zip, price, share) = german ? ("PLZ", "Preis", "Anteil") : ("Zip", "Price", "Share")
        let ordered = german ? "Bestellt" : "Ordered"
        return [
            Question(file: file, predicate: "\(zip) BEGINSWITH '0'", column: "Name", matches: ["Zoë", "Bob"]),
            Question(file: file, predicate: "\(zip) == '99999'", column: "Name", matches: ["Doe, Jo"]),
            Question(file: file, predicate: "\(price) > 1234 AND \(price) < 1235", column: "Name", matches: ["Zoë"]),
            Question(file: file, predicate: "\(price) >= 12000", column: "Name", matches: ["Bob"]),
            Question(file: file, predicate: "\(price) == 2.5", column: "Name", matches: ["Doe, Jo"]),
            Question(file: file, predicate: "\(share) == 0.075", column: "Name", matches: ["Doe, Jo"]),
            Question(file: file, predicate: "\(share) == 1", column: "Name", matches: ["Bob"]),
            Question(
                file: file, predicate: "\(ordered) >= '2024-12-25'", column: "Name",
                matches: ["Zoë", "Doe, Jo", "Ann"], options: options),
            Question(
                file: file, predicate: "\(ordered) == '2025-01-05'", column: "Name", matches: ["Doe, Jo"],
                options: options),
        ]
    }

    private static let excel =
        orders("excel-us.csv", ["--dates", "mdy"]) + orders("excel-us-utf8.csv", ["--dates", "mdy"])
        + orders("excel-unicode.txt", ["--dates", "mdy"]) + orders("excel-de.csv", ["--dates", "dmy"], german: true)
        + orders("excel-fr.csv", ["--dates", "dmy"], german: true)
        + orders("excel-ch.csv", ["--dates", "dmy"], german: true)
        + [
            Question(file: "excel-us.csv", predicate: "Paid == YES", column: "Name", matches: ["Zoë", "Ann"]),
            Question(file: "excel-de.csv", predicate: "Bezahlt == YES", column: "Name", matches: ["Zoë", "Ann"]),
            Question(file: "excel-sep.csv", predicate: "Amount > 100000", column: "Code", matches: ["A"]),
            Question(file: "excel-sep.csv", predicate: "Amount == 0.05", column: "Code", matches: ["B"]),
            Question(file: "excel-blank.csv", predicate: "column3 == 'x'", column: "Id", matches: ["1"]),
            Question(file: "excel-blank.csv", predicate: "Id == nil", column: "Name", matches: [""]),
            Question(file: "excel-repeated.csv", predicate: "Amount_2 > 2 * Amount - 1", column: "Id", matches: ["1"]),
        ]

    private static let amounts = [
        Question(file: "excel-accounting.csv", predicate: "Balance < 0", column: "Account", matches: ["Rent"]),
        Question(file: "excel-accounting.csv", predicate: "Balance == 0", column: "Account", matches: ["Cash"]),
        Question(file: "excel-accounting.csv", predicate: "Balance > 1234", column: "Account", matches: ["Pay"]),
        Question(file: "excel-accounting.csv", predicate: "Change == nil", column: "Account", matches: ["Pay"]),
        Question(file: "excel-accounting.csv", predicate: "Change > 0.05", column: "Account", matches: ["Cash"]),
        Question(
            file: "excel-accounting.csv", predicate: "#'Paid on' > '2024-02-28'", column: "Account",
            matches: ["Pay", "Cash"]),
        Question(file: "excel-euro.csv", predicate: "Betrag < -499.5", column: "Konto", matches: ["Miete"]),
        Question(file: "excel-euro.csv", predicate: "Franken == 1160", column: "Konto", matches: ["Lohn"]),
        Question(
            file: "excel-report.csv", predicate: "Sum > 100", column: "City", matches: ["Bonn"],
            options: ["--skip", "3"]),
        Question(
            file: "excel-report.csv", predicate: "Orders < 10", column: "City", matches: ["Köln"],
            options: ["--skip", "3"]),
        Question(file: "google.csv", predicate: "Price < -5 AND Fee > 2", column: "Name", matches: ["Bob"]),
        Question(file: "google.csv", predicate: "Joined == '2025-01-05'", column: "Name", matches: ["Bob"]),
        Question(file: "google.csv", predicate: "Joined == '2024/12/25'", column: "Name", matches: ["Zoë"]),
        Question(file: "postgresql.csv", predicate: "paid == NO", column: "id", matches: ["2", "3"]),
        Question(file: "postgresql.csv", predicate: "paid == 't'", column: "id", matches: ["1"]),
        Question(file: "postgresql.csv", predicate: "at > '2025-01-01'", column: "id", matches: ["2"]),
        Question(file: "postgresql.csv", predicate: "balance < 0", column: "id", matches: ["1"]),
        Question(file: "by-hand.csv", predicate: "#' size' > 5", column: "id", matches: ["2"]),
        Question(file: "by-hand.csv", predicate: "#' ok' == YES", column: "id", matches: ["1", "3"]),
        Question(file: "by-hand.csv", predicate: "#' born' > '2024-12-31'", column: "id", matches: ["2"]),
    ]

    private static let all = excel + amounts + libreOffice + r + pandas

    private static let libreOffice =
        ["libreoffice.csv", "libreoffice-utf16.csv"].flatMap { file in
            [
                Question(file: file, predicate: "Zip == '00501'", column: "Name", matches: ["Bob"]),
                Question(
                    file: file, predicate: "Price BETWEEN {2, 1000}", column: "Name", matches: ["Doe, Jo", "Ann"]),
                Question(file: file, predicate: "Ordered > '2025-01-04'", column: "Name", matches: ["Doe, Jo", "Ann"]),
                Question(file: file, predicate: "Note CONTAINS '\\n'", column: "Name", matches: ["Zoë"]),
                Question(file: file, predicate: "Note == nil", column: "Name", matches: ["Ann"]),
                Question(file: file, predicate: "Note == ''", column: "Name", matches: ["Bob"]),
            ]
        } + [Question(file: "libreoffice-tab.tsv", predicate: "Name CONTAINS '\\t'", column: "Zip", matches: ["01234"])]

    private static let r =
        ["r-write-csv.csv", "r-write-csv2.csv"].flatMap { file in
            [
                Question(file: file, predicate: "price > 1000", column: "column1", matches: ["1", "3"]),
                Question(file: file, predicate: "price == nil", column: "column1", matches: ["2"]),
                Question(file: file, predicate: "price < -1e300", column: "column1", matches: ["4"]),
                Question(file: file, predicate: "name == nil", column: "column1", matches: ["3"]),
                Question(file: file, predicate: "name == 'NA'", column: "column1", matches: ["4"]),
                Question(file: file, predicate: "paid == NO", column: "column1", matches: ["2", "4"]),
                Question(file: file, predicate: "ordered < '2024-12-01'", column: "column1", matches: ["4"]),
                Question(file: file, predicate: "zip BEGINSWITH '0'", column: "column1", matches: ["1", "4"]),
            ]
        } + [
            Question(file: "r-write-table.tsv", predicate: "price == nil", column: "name", matches: ["Jo"]),
            Question(file: "readr.csv", predicate: "at > '2025-01-01'", column: "name", matches: ["Ann"]),
            Question(file: "readr.csv", predicate: "price == nil", column: "zip", matches: ["99999"]),
        ]

    private static let pandas =
        ["pandas.csv", "pandas-compressed.csv.gz"].flatMap { file in
            [
                Question(file: file, predicate: "column1 > 0", column: "zip", matches: ["99999", "10115"]),
                Question(file: file, predicate: "price == nil", column: "zip", matches: ["99999"]),
                Question(file: file, predicate: "price < 0.001", column: "zip", matches: ["10115"]),
                Question(file: file, predicate: "at > '2024-12-26'", column: "zip", matches: ["99999"]),
                Question(file: file, predicate: "paid == YES", column: "name", matches: ["Zoë", "Ann"]),
            ]
        } + [
            Question(file: "pandas-quoted.csv", predicate: "price > 3", column: "zip", matches: ["01234"]),
            Question(file: "pandas-pipe.csv", predicate: "price < 3", column: "name", matches: ["Doe, Jo"]),
            Question(file: "pandas-nan.csv", predicate: "price == nil", column: "id", matches: ["1"]),
            Question(file: "pandas-nan.csv", predicate: "ratio > 1e308", column: "id", matches: ["1"]),
        ]

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Spreadsheets").path

    @Test(arguments: all)
    func filesOfOtherPrograms(_ question: Question) throws {
        let outcome = predicate(
            ["filter", question.predicate, "\(Self.folder)/\(question.file)", "-k", question.column, "-o", "lines"]
                + question.options, source: silence)
        let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
        #expect(lines == question.matches, "\(outcome.error)")
    }

    /// The bytes of a pipe, which cannot be read twice, give the same.
    @Test(arguments: all)
    func pipesOfOtherPrograms(_ question: Question) throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(Self.folder)/\(question.file)"))
        let format = question.file.contains(".tsv") ? "tsv" : question.file.contains(".csv") ? "csv" : nil
        let outcome = predicate(
            ["filter", question.predicate, "-k", question.column, "-o", "lines"] + question.options
                + (format.map { ["-f", $0] } ?? []), source: PipeSource(Array(bytes)))
        let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
        #expect(lines == question.matches, "\(outcome.error)")
    }

    @Test func everyFileIsAsked() throws {
        let asked = Set(Self.all.map(\.file))
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder).filter { $0 != "make.py" }
        #expect(asked == Set(files))
        #expect(files.count > 26)
    }
}
