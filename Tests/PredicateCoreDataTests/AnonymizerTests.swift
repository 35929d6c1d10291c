import Foundation
import PredicateSyntax
import Testing

@testable import PredicateCoreData

/// Replacements that keep the shape of values.
@Suite struct AnonymizerTests {
    private let anonymizer = Anonymizer(secret: (1, 2), shift: -86_400)

    private func text(_ text: String) -> String { String(decoding: anonymizer.text(text), as: UTF8.self) }

    @Test(arguments: [
        "Ann Smith", "ann@example.org", "+49 170 1234567", "Zoë", "Иван", "田中さん", "김철수", "", "😀\r\n\0", "É",
    ])
    func stringsKeepTheirShape(_ string: String) {
        let changed = text(string)
        #expect(changed.utf16.count == string.utf16.count)
        #expect(changed.unicodeScalars.count == string.unicodeScalars.count)
        #expect(changed == text(string))
        for (old, new) in zip(string.unicodeScalars, changed.unicodeScalars) {
            #expect(old.properties.isUppercase == new.properties.isUppercase || old.value > 0xFF, "\(old) \(new)")
            if !old.properties.isAlphabetic, old.properties.numericType == nil { #expect(old == new) }
        }
        if string.unicodeScalars.count(where: \.properties.isAlphabetic) > 2 { #expect(changed != string) }
    }

    @Test func differentStringsStayDifferent() {
        let words = (0..<676).map {
            String(UnicodeScalar(97 + UInt8($0 / 26))) + String(UnicodeScalar(97 + UInt8($0 % 26)))
        }
        #expect(Set(words.map(text)).count == 676)
        #expect(Set((1000..<10000).map { anonymizer.integer($0, -.infinity ... .infinity) }).count == 9000)
    }

    @Test func numbersKeepTheirDigitsAndBounds() {
        for number: Int64 in [1000, -32_768, 123_456_789, .max, .min] {
            let range = Double(Int64.min)...Double(Int64.max)
            let changed = anonymizer.integer(number, range)
            #expect("\(changed)".utf8.count == "\(number)".utf8.count && changed.signum() == number.signum())
        }
        #expect(anonymizer.integer(42, 0...100) == 42)
        #expect((-32_768.0...32_767).contains(Double(anonymizer.integer(32_767, -32_768...32_767))))
        let latitude = anonymizer.double(52.516275, -90...90)
        #expect(latitude != 52.516275 && (-90...90).contains(latitude) && "\(latitude)".utf8.count <= 9)
        #expect(anonymizer.double(1.5e300, -.infinity ... .infinity).isFinite)
        #expect(anonymizer.double(2, 0...9) == 2)
    }

    /// Narrow bounds leave few numbers, which are permuted among themselves.
    @Test func narrowBoundsLeaveNoNumberAsItWas() {
        let years = (2000...2099).map { anonymizer.integer($0, 2000...2099) }
        #expect(Set(years) == Set(2000...2099) && zip(2000..., years).count(where: ==) < 10)
        let numbers = (0..<6).map { anonymizer.integer(5_000_000_000 + $0, 5e9...5_000_000_005) }
        #expect(Set(numbers) == Set(5_000_000_000...5_000_000_005))
        #expect((-1999 ... -1990).contains(anonymizer.integer(-1992, -1999 ... -1990)))
        #expect((1000...1005).contains(anonymizer.integer(9_999, 0...1005)))
        #expect(anonymizer.integer(7_777, 7_777...7_777) == 7_777)
        let narrow = anonymizer.double(10_000.625, 10_000.5...10_000.75)
        #expect(narrow != 10_000.625 && (10_000.5...10_000.75).contains(narrow))
        #expect(anonymizer.double(.greatestFiniteMagnitude, -.infinity ... .infinity) != .greatestFiniteMagnitude)
        #expect(anonymizer.double(.leastNonzeroMagnitude, 0...1).isFinite)
    }

    /// A date that is known does not give away another.
    @Test func datesAreMovedOneByOne() {
        func moved(_ seconds: Double) -> Double {
            guard case .date(let new) = anonymizer.replaced(.date(seconds), .date(nil)) else { return .nan }
            return new - seconds + 86_400
        }
        let shifts = (0..<100).map { moved(Double($0) * 1000) }
        #expect(Set(shifts.map { ($0 / 60).rounded() }).count > 90)
        #expect(shifts.allSatisfy { abs($0) <= 30 * 86_400 } && moved(5) == moved(5))
    }

    @Test func secretsDecide() {
        let other = Anonymizer(secret: (1, 3), shift: 0)
        #expect(text("Ann Smith") != String(decoding: other.text("Ann Smith"), as: UTF8.self))
        #expect(anonymizer.data([1, 2, 3]) != other.data([1, 2, 3]) && other.data([1, 2, 3]).count == 3)
        #expect(
            String(decoding: anonymizer.text("https://a.org/x", keepsScheme: true), as: UTF8.self).hasPrefix("https://")
        )
    }

    @Test func onlySchemesAreKept() {
        let link = anonymizer.text("jane.smith@private.example/notes 10:30", keepsScheme: true)
        #expect(!String(decoding: link, as: UTF8.self).contains("jane"))
    }

    /// The reference value of the authors of SipHash, for a message of 15 bytes.
    @Test func theHashIsSipHash() {
        var state = SipHash(0x0706_0504_0302_0100, 0x0F0E_0D0C_0B0A_0908).begin(0x0706_0504_0302_0100)
        state.add(0x0F0E_0D0C_0B0A_0908 & 0x00FF_FFFF_FFFF_FFFF | 15 << 56)
        #expect(state.value == 0xA129_CA61_49BE_45E5)
    }
}
