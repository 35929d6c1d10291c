/// The slow and obvious forms of capitals and small letters, by the properties of the standard library.
package enum SlowCase {
    /// `uppercase("ß")`
    package static func uppercase(_ text: String) -> String {
        string(text.unicodeScalars.flatMap { old($0, $0.properties.uppercaseMapping) })
    }

    /// `lowercase("ΑΣ")`
    package static func lowercase(_ text: String) -> String {
        let scalars = Array(text.unicodeScalars)
        return string(
            scalars.indices.flatMap { index in
                endsWord(scalars, index) ? ["\u{3C2}"] : old(scalars[index], scalars[index].properties.lowercaseMapping)
            })
    }

    /// A mapping, unless a later version of Unicode added it.
    private static func old(_ scalar: Unicode.Scalar, _ mapping: String) -> [Unicode.Scalar] {
        isOld(scalar) && mapping.unicodeScalars.allSatisfy(isOld) ? Array(mapping.unicodeScalars) : [scalar]
    }

    private static func isOld(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.age.map { ($0.major, $0.minor) <= (15, 0) } ?? false
    }

    /// The condition Final_Sigma of the Unicode standard.
    private static func endsWord(_ scalars: [Unicode.Scalar], _ index: Int) -> Bool {
        guard scalars[index] == "\u{3A3}" else { return false }
        let before = scalars[..<index].reversed().drop { isPassed($0) }.first
        let after = scalars[(index + 1)...].drop { isPassed($0) }.first
        return before.map(isCased) == true && after.map(isCased) != true
    }

    private static func isPassed(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isCaseIgnorable && !scalar.properties.isCased && isOld(scalar)
    }

    private static func isCased(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isCased && isOld(scalar) }

    private static func string(_ scalars: [Unicode.Scalar]) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }
}
