import PredicateSyntax

extension Resolver {
    /// A property of a value, by the names of Foundation: `name.length`, `born.timeIntervalSince1970`.
    func property(_ key: String, of value: Value, _ path: TreePath) throws(Fault) -> Value {
        let value = value.checked
        if UniversalKey(rawValue: key) == .description, value.kind == .string { return value }
        switch value.kind {
        case .string: return try property(key, ofText: value, path)
        case .integer, .boolean: return try property(key, ofInteger: value, path)
        case .double: return try property(key, ofDouble: value, path)
        case .date: return try property(key, ofDate: try inSeconds(value, path), path)
        case .uuid(.text) where UUIDKey(rawValue: key) == .uuidString:
            return Value(form: value.form, kind: .string, mayBeNil: value.mayBeNil)
        case .uuid, .data, .decimal, .power, .any: throw Fault(.property(key), at: path)
        }
    }

    private func property(_ key: String, ofText value: Value, _ path: TreePath) throws(Fault) -> Value {
        switch StringKey(rawValue: key) {
        case .length: return try text(.length, value, .integer, key, path)
        case .lowercaseString: return try text(.lowercase, value, .string, key, path)
        case .uppercaseString: return try text(.uppercase, value, .string, key, path)
        case .intValue, .integerValue, .longLongValue, .floatValue, .doubleValue, .boolValue, .capitalizedString,
            .lastPathComponent, .pathExtension, .stringByDeletingPathExtension, .stringByDeletingLastPathComponent,
            .pathComponents, .isAbsolutePath, nil:
            throw Fault(.property(key), at: path)
        }
    }

    /// A function of a text; nil gives nil.
    func text(
        _ function: SQLFunction, _ value: Value, _ kind: ValueKind, _ name: String, _ path: TreePath
    ) throws(Fault) -> Value {
        let form = try call(function, [value.form], name, path)
        return Value(form: form, kind: kind, mayBeNil: value.mayBeNil)
    }

    private func property(_ key: String, ofInteger value: Value, _ path: TreePath) throws(Fault) -> Value {
        let whole = whole(value)
        if UniversalKey(rawValue: key) == .description { return changed(whole, .integerToText, .string) }
        switch NumberKey(rawValue: key) {
        case .integerValue, .longValue, .longLongValue: return whole
        case .doubleValue: return double(whole)
        case .stringValue: return changed(whole, .integerToText, .string)
        case .boolValue: return try truth(of: whole, path)
        case .charValue, .shortValue, .intValue, .unsignedCharValue, .unsignedShortValue, .unsignedIntValue,
            .unsignedIntegerValue, .unsignedLongValue, .unsignedLongLongValue, .floatValue, .decimalValue, nil:
            throw Fault(.property(key), at: path)
        }
    }

    private func property(_ key: String, ofDouble value: Value, _ path: TreePath) throws(Fault) -> Value {
        switch NumberKey(rawValue: key) {
        case .doubleValue: return value
        case .boolValue: return try truth(of: value, path)
        case .charValue, .shortValue, .intValue, .integerValue, .longValue, .longLongValue, .unsignedCharValue,
            .unsignedShortValue, .unsignedIntValue, .unsignedIntegerValue, .unsignedLongValue, .unsignedLongLongValue,
            .floatValue, .decimalValue, .stringValue, nil:
            throw Fault(.property(key), at: path)
        }
    }

    /// `flag.boolValue`: true unless it is zero, for not a number too; nil for nil.
    private func truth(of value: Value, _ path: TreePath) throws(Fault) -> Value {
        let isZero = try relate(value, .equal, .integer(0), .none, path)
        let result = ValueForm.conditional(isZero, form(.boolean(false), .boolean), form(.boolean(true), .boolean))
        let requirements = value.requirements
        guard !requirements.isEmpty else { return Value(form: result, kind: .boolean, mayBeNil: false) }
        let form = ValueForm.conditional(.all(requirements.map { .not(.isNull($0)) }), result, .null)
        return Value(
            form: form, kind: .boolean, mayBeNil: value.mayBeNil, failures: value.failures.isEmpty ? [] : [form])
    }

    private func property(_ key: String, ofDate value: Value, _ path: TreePath) throws(Fault) -> Value {
        var seconds = value
        seconds.kind = .double
        switch DateKey(rawValue: key) {
        case .timeIntervalSinceReferenceDate: return seconds
        case .timeIntervalSince1970:
            seconds.form = .arithmetic(.add, value.form, form(.double(978_307_200), .double))
            return seconds
        case .timeIntervalSinceNow, nil: throw Fault(.property(key), at: path)
        }
    }

    // MARK: Changes of kind that keep the value

    /// A Boolean as an integer.
    func whole(_ value: Value) -> Value {
        value.kind == .boolean ? changed(value, .booleanToInteger, .integer) : value
    }

    /// A number as a double.
    func double(_ value: Value) -> Value {
        switch value.kind {
        case .boolean: changed(whole(value), .integerToDouble, .double)
        case .integer: changed(value.checked, .integerToDouble, .double)
        case .power: changed(value, .integerToDouble, .double)
        case .decimal: changed(value, .decimalToDouble, .double)
        case .double, .string, .date, .uuid, .data, .any: value
        }
    }

    private func changed(_ value: Value, _ cast: SQLPiece.Cast, _ kind: ValueKind) -> Value {
        var copy = value
        copy.form = .cast(value.form, .type(cast))
        copy.kind = kind
        return copy
    }

    /// A date as seconds since 2001; every other value as it is.
    func inSeconds(_ value: Value, _ path: TreePath) throws(Fault) -> Value {
        guard case .date(let storage) = value.kind, storage != .since2001 else { return value }
        guard dialect.templates.seconds(from: storage) != nil else {
            throw Fault(.storage(.date), at: path)
        }
        var copy = value
        copy.form = .cast(value.form, .dateToSeconds(storage))
        copy.kind = .date(.since2001)
        return copy
    }
}
