/// The cell for which a column that could have had another type is text.
///
/// `x` after `5` and `7` is no number.
package struct ColumnException: Hashable, Sendable {
    /// The beginning of the cell.
    package let text: String
    /// What the cells before it are.
    package let type: ColumnType

    init(_ cell: UnsafeBufferPointer<UInt8>, after readings: CellReadings) {
        text = String(decoding: cell.prefix(200), as: UTF8.self).excerpt
        type =
            !readings.isDisjoint(with: .number)
            ? .double
            : readings.isDisjoint(with: [.boolean, .booleanLetter]) ? .date : .boolean
    }
}
