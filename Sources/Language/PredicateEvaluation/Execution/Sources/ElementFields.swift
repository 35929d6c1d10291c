import Foundation
package import PredicateSyntax

/// The values of expressions for elements in memory. Key paths and arithmetic are read from stored properties, without
/// evaluating a plan.
package struct ElementFields<Element> {
    private enum Column {
        case place(ValueLocation)
        /// `price * quantity`
        case number(ArithmeticComparison, Arena)
        /// A value that only the plan finds.
        case plan
    }

    private let elements: UnsafeBufferPointer<Element>
    private let type: (any KeyedValueConvertible.Type)?
    private let columns: [Column]

    /// Finds the values. The first element determines where they are, as in a program.
    package init(
        _ elements: UnsafeBufferPointer<Element>, _ expressions: [ExpressionEvaluator], _ variables: PredicateVariables
    ) {
        self.elements = elements
        type = KeyedValue.convertible(Element.self)
        guard let start = elements.baseAddress, !elements.isEmpty, let subject = Subject(Element.self, sample: start)
        else {
            columns = expressions.map { _ in .plan }
            return
        }
        columns = expressions.map { expression in
            let maker = ProgramMaker(subject, expression.slots(variables))
            if let location = expression.steps.flatMap(subject.location(of:)) { return .place(location) }
            return maker.number(of: expression.plan).map { .number($0, maker.arena) } ?? .plan
        }
    }

    /// Returns an element as plans see it.
    package func keyedValue(_ number: Int) -> KeyedValue { KeyedValue(elements[number], of: type) }

    /// Returns a value of an element; nil if only the plan finds it.
    package func value(_ number: Int, _ column: Int) -> PredicateValue? {
        guard let element = address(number) else { return nil }
        switch columns[column] {
        case .place(let location):
            guard let value = location.value(of: element) else { return nil }
            if case .object = value { return nil }
            return value
        case .number(let number, _): return number.number(of: element)?.predicateValue
        case .plan: return nil
        }
    }

    @inline(__always)
    private func address(_ number: Int) -> UnsafeRawPointer? {
        elements.baseAddress.map { UnsafeRawPointer($0 + number) }
    }

    // MARK: - Flat values

    /// A Boolean value that indicates whether flat values can be read from each column.
    package var areFlat: Bool { columns.allSatisfy { Self.storedType($0).map { !$0.isList } ?? Self.isNumber($0) } }

    /// Returns true if a column has only nil, numbers and Booleans.
    package func isNumeric(_ column: Int) -> Bool {
        Self.storedType(columns[column]).map(\.isNumeric) ?? Self.isNumber(columns[column])
    }

    private static func isNumber(_ column: Column) -> Bool { if case .number = column { true } else { false } }

    /// The type of a column whose values are in the memory of elements or of instances.
    private static func storedType(_ column: Column) -> StoredType? {
        guard case .place(let location) = column else { return nil }
        switch location {
        case .stored(_, let type): return type
        case .fetched(let source): return source.hasPlaces ? source.type : nil
        }
    }

    /// Reads the values of the elements with these indices. A value that must be read in full is opaque.
    package func read(_ numbers: UnsafeBufferPointer<Int>, into rows: FlatRows) {
        guard let start = elements.baseAddress.map({ UnsafeRawPointer($0) }) else { return }
        let stride = MemoryLayout<Element>.stride
        for (index, column) in columns.enumerated() {
            switch column {
            case .place(.stored(let offset, let type)):
                rows.read(type, index, numbers) { .at(start + offset + $0 &* stride) }
            case .place(.fetched(let source)):
                rows.read(source.type ?? .strings, index, numbers) { source.place(of: start + $0 &* stride) }
            case .number(let number, _):
                rows.fill(index, numbers) { element, _ in
                    guard let number = number.number(of: start + element &* stride) else { return .opaque }
                    return number.isDouble ? .double(number.double) : .integer(number.integer)
                }
            case .plan: rows.fill(index, numbers) { _, _ in .opaque }
            }
        }
    }
}

/// The place of a value of a stored type.
enum StoredPlace {
    case at(UnsafeRawPointer)
    /// The value is nil.
    case null
    /// Only the plan finds the value.
    case unknown
}

/// The flat values of some rows, row after row. Short strings are copied, since Swift may store them inline; long ones are
/// valid as long as the elements' strings.
package final class FlatRows {
    /// The greatest number of rows.
    package static let most = 1_024
    /// The number of values of a row.
    package let width: Int
    /// The values of the first row, then the values of the second.
    package let values: UnsafeMutablePointer<FlatValue>
    private let texts: UnsafeMutablePointer<UInt8>
    private static let textSize = 16

    package init(width: Int) {
        self.width = width
        values = .allocate(capacity: max(width * Self.most, 1))
        texts = .allocate(capacity: max(width * Self.most * Self.textSize, 1))
    }

    deinit {
        values.deallocate()
        texts.deallocate()
    }

    @inline(__always)
    fileprivate func fill(
        _ column: Int, _ numbers: UnsafeBufferPointer<Int>, _ value: (Int, UnsafeMutablePointer<UInt8>) -> FlatValue
    ) {
        var index = column
        for number in numbers.prefix(Self.most) {
            (values + index).initialize(to: value(number, texts + index &* Self.textSize))
            index &+= width
        }
    }

    @inline(__always)
    fileprivate func read(
        _ type: StoredType, _ column: Int, _ numbers: UnsafeBufferPointer<Int>, _ place: (Int) -> StoredPlace
    ) {
        func fill(_ value: (UnsafeRawPointer, UnsafeMutablePointer<UInt8>) -> FlatValue) {
            self.fill(column, numbers) { number, text in
                switch place(number) {
                case .at(let address): value(address, text)
                case .null: .null
                case .unknown: .opaque
                }
            }
        }
        switch type {
        case .integer: fill { address, _ in .integer(address.load(as: Int64.self)) }
        case .double: fill { address, _ in .double(address.load(as: Double.self)) }
        case .string: fill { Self.text($0.assumingMemoryBound(to: String.self), $1) }
        case .integer32, .integer16, .integer8, .unsigned, .unsigned32, .unsigned16, .unsigned8, .bool, .float, .date,
            .optionalInteger, .optionalInteger32, .optionalBool, .optionalDouble, .optionalDate, .optionalString,
            .strings, .integers, .doubles:
            fill { Self.value(type, $0, $1) }
        }
    }

    @inline(never)
    private static func value(
        _ type: StoredType, _ address: UnsafeRawPointer, _ text: UnsafeMutablePointer<UInt8>
    ) -> FlatValue {
        switch type {
        case .string: return Self.text(address.assumingMemoryBound(to: String.self), text)
        case .optionalString:
            // The wrapped value is stored at the address of the optional.
            if String?.isNil(at: address) { return .null }
            return Self.text(address.assumingMemoryBound(to: String.self), text)
        case .bool: return .bool(address.load(as: Bool.self))
        case .optionalBool: return address.load(as: Bool?.self).map { .bool($0) } ?? .null
        case .date: return .date(address.load(as: Date.self).timeIntervalSinceReferenceDate)
        case .optionalDate:
            return address.load(as: Date?.self).map { .date($0.timeIntervalSinceReferenceDate) } ?? .null
        case .integer, .integer32, .integer16, .integer8, .unsigned, .unsigned32, .unsigned16, .unsigned8, .double,
            .float, .optionalInteger, .optionalInteger32, .optionalDouble:
            guard let number = type.number(at: address) else { return type == .unsigned ? .opaque : .null }
            return number.isDouble ? .double(number.double) : .integer(number.integer)
        case .strings, .integers, .doubles: return .opaque
        }
    }

    /// Returns the bytes of a string, which are copied if the string is short.
    @inline(__always)
    private static func text(_ string: UnsafePointer<String>, _ copy: UnsafeMutablePointer<UInt8>) -> FlatValue {
        let text = string.withValue { string in
            string.utf8.withContiguousStorageIfAvailable { bytes -> FlatValue in
                guard bytes.count < textSize, let start = bytes.baseAddress else { return .text(bytes) }
                copy.update(from: start, count: bytes.count)
                return .text(UnsafeBufferPointer(start: copy, count: bytes.count))
            }
        }
        return text ?? .opaque
    }
}

extension StoredType {
    /// True if the values are nil, numbers and Booleans.
    fileprivate var isNumeric: Bool {
        switch self {
        case .integer, .integer32, .integer16, .integer8, .unsigned, .unsigned32, .unsigned16, .unsigned8, .bool,
            .double, .float, .optionalInteger, .optionalInteger32, .optionalBool, .optionalDouble:
            true
        case .date, .string, .optionalDate, .optionalString, .strings, .integers, .doubles: false
        }
    }
}
