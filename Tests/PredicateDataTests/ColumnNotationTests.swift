import Foundation
import PredicateData
import PredicateSyntax
import Testing

/// The type of a column of CSV, which all its cells have.
struct ColumnNotationTests {
    /// Returns how the one column of these cells is read.
    private func reading(_ cells: String...) throws -> ColumnReading? {
        let text = "id;a\n" + cells.map { "1;\($0)\n" }.joined()
        var options = RecordOptions(format: .csv)
        options.delimiter = UInt8(ascii: ";")
        return try RecordReader(source: MemorySource(text), options: options).header?.reading(of: "a")
    }

    private func values(_ cells: String...) throws -> [PredicateValue] {
        let text = "id;a\n" + cells.map { "1;\($0)\n" }.joined()
        var options = RecordOptions(format: .csv)
        options.delimiter = UInt8(ascii: ";")
        let reader = try RecordReader(source: MemorySource(text), options: options)
        var values: [PredicateValue] = []
        while let record = try reader.next() {
            if case .dictionary(let members) = record.value { values.append(members["a"] ?? .null) }
        }
        return values
    }

    @Test func currencies() throws {
        #expect(try values("$1,234.50", "-$7.00", "$-0.25", "($3.00)") == [1234.5, -7.0, -0.25, -3.0])
        #expect(try values("1.234,50 €", "-2,50 €", "(3,00 €)", "0,05 €") == [1234.5, -2.5, -3.0, 0.05])
        #expect(try values("CHF 1'234.50", "CHF -7.25") == [1234.5, -7.25])
        #expect(try values(" $1,234.50 ", " $(99.90)", " $-   ") == [1234.5, -99.9, 0.0])
        #expect(try values("US$5", "US$7") == [5, 7])
        #expect(try values("5 kr", "7 kr.").allSatisfy { if case .string = $0 { true } else { false } })
        #expect(try values("₹1", "₹25") == [1, 25])
    }

    @Test func aSecondCurrencyMakesText() throws {
        #expect(try values("$5", "€5") == ["$5", "€5"])
        #expect(try values("$5", "5") == [5, 5])
        #expect(try values("$", "$5") == ["$", "$5"])
        #expect(try values("$05", "$5") == ["$05", "$5"])
        #expect(try values("$$5") == ["$$5"])
        #expect(try values("-$-5") == ["-$-5"])
    }

    @Test func parenthesesAreNegativeBesideOtherNumbers() throws {
        #expect(try values("(99.90)", "(1.50)") == [-99.9, -1.5])
        #expect(try values("5", "(7)") == [5, -7])
        #expect(try values("(1)", "(2)") == ["(1)", "(2)"])
        #expect(try values("(12%)", "3%") == [-0.12, 0.03])
        #expect(try values("(5", "7") == ["(5", "7"])
        #expect(try values("(-5)", "7") == ["(-5)", "7"])
        #expect(try values("()", "7") == ["()", "7"])
    }

    @Test func signs() throws {
        #expect(try values("+0.5%", "-1.5%") == [0.005, -0.015])
        #expect(try values("+5", "-3") == [5, -3])
        #expect(try values("+4930", "+4931") == ["+4930", "+4931"])
        #expect(try values("\u{2212}5", "7") == [-5, 7])
        #expect(try values("- 5", "7") == ["- 5", "7"])
    }

    @Test func lettersAreBooleansIfBothAreThere() throws {
        #expect(try values("t", "f", "") == [true, false, .null])
        #expect(try values("T", "F") == [true, false])
        #expect(try values("t", "t") == ["t", "t"])
        #expect(try values("f", "m") == ["f", "m"])
        #expect(try values("t", "f", "x") == ["t", "f", "x"])
    }

    @Test func spacesAroundValuesThatAreNoTexts() throws {
        #expect(try values(" 5", "7 ", "  ") == [5, 7, .null])
        #expect(try values(" true", " false") == [true, false])
        #expect(try values(" jo", "al ") == [" jo", "al "])
    }

    @Test(arguments: ["2024/12/25", "25-Dec-24", "25 December 2024", "Dec 25, 2024", "december 25 2024", "2024.12.25"])
    func datesThatCanBeReadInOneWay(_ cell: String) throws {
        let day = PredicateValue.date(Date(timeIntervalSinceReferenceDate: 756_777_600))
        #expect(try values(cell, "2024-12-25") == [day, day])
        #expect(try reading(cell)?.isDay == true)
        #expect(try reading(cell + " 18:30")?.isDay == false)
    }

    /// A cell that is no date in one order decides the order of the column.
    @Test(arguments: [
        ("01.02.2024", "25.12.2024"), ("02/01/2024", "12/25/2024"), ("1-2-2024 18:30", "31-5-2024 06:00"),
        ("01/02/99", "25/12/98"), ("02/01/24", "12/25/24"),
    ])
    func oneCellDecidesTheOrder(_ first: String, _ second: String) throws {
        #expect(try reading(first, second)?.type == .date)
        #expect(try reading(second, first) == reading(first, second))
    }

    @Test func undecidedOrdersAreAChoice() throws {
        #expect(try reading("01.02.2024", "03.04.2024")?.possibleDates == [.dayFirst, .monthFirst])
        #expect(try reading("25/12/24", "24/12/24")?.possibleDates == [.dayFirst, .yearFirst])
        #expect(try reading("25.12.2024", "12/25/2024")?.possibleDates == [])
        #expect(try reading("1.2.3", "x")?.possibleDates == [])
    }

    /// RFC 2822, and the forms of C, `date` and git.
    @Test(arguments: [
        "Wed, 25 Dec 2024 18:30:05 +0100", "25 Dec 2024 17:30:05 GMT", "Wed, 25 Dec 2024 12:30:05 EST",
        "Wednesday, 25-Dec-24 17:30:05 GMT", "Wed, 25 Dec 2024 17:30:05 +0000 (UTC)", "Wed Dec 25 17:30:05 2024",
        "Wed Dec 25 17:30:05 UTC 2024", "Wed Dec 25 18:30:05 2024 +0100",
    ])
    func datesOfMails(_ cell: String) throws {
        #expect(try values(cell) == [.date(Date(timeIntervalSinceReferenceDate: 756_840_605))])
        #expect(try reading(cell + " x")?.type == .string)
    }

    @Test func almostDates() throws {
        let others = [
            "2024/13/25", "2024/12-25", "31-Feb-24", "Decem 25, 2024", "25-12-24", "May", "20241325", "2024/2/30",
        ]
        for cell in others {
            #expect(try reading(cell)?.type != .date, "\(cell)")
        }
        #expect(try reading("20241225")?.type == .integer)
    }

    @Test func errorsOfSpreadsheetsAreNil() throws {
        #expect(try values("5", "#DIV/0!", "n/a", "None") == [5, .null, .null, .null])
        #expect(try values("None", "x") == ["None", "x"])
        #expect(try values("Infinity", "-Infinity", "1") == [.double(.infinity), .double(-.infinity), 1.0])
    }
}
