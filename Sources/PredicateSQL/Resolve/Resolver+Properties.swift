import PredicateSyntax

extension Resolver {
    /// A property of a value, by the names of Foundation: `name.length`, `born.timeIntervalSince1970`.
    func property(_ key: String, of value: Value, _ place: Place) throws(Fault) -> Value {
        let value = value.checked
        if key == "description", value.kind == .string { return value }
        switch value.kind {
        case .string: return try property(key, ofText: value, place)
        case .integer, .boolean: return try property(key, ofInteger: value, place)
        case .double: return try property(key, ofDouble: value, place)
        case .date: return try property(key, ofDate: try plain(value, place), place)
        case .uuid(.text) where key == "UUIDString":
            return Value(form: value.form, kind: .string, mayBeNil: value.mayBeNil)
        case .uuid, .data, .decimal, .any: throw Fault(.property(key), at: place)
        }
    }

    private func property(_ key: String, ofText value: Value, _ place: Place) throws(Fault) -> Value {
        switch key {
        case "length": return try text(.length, value, .integer, key, place)
        case "lowercaseString": return try text(.lowercase, value, .string, key, place)
        case "uppercaseString": return try text(.uppercase, value, .string, key, place)
        default: throw Fault(.property(key), at: place)
        }
    }

    /// A function of a text; nil gives nil.
    func text(
        _ function: SQLFunction, _ value: Value, _ kind: ValueKind, _ name: String, _ place: Place
    ) throws(Fault) -> Value {
        let form = try call(function, [value.form], name, place)
        return Value(form: form, kind: kind, mayBeNil: value.mayBeNil)
    }

    private func property(_ key: String, ofInteger value: Value, _ place: Place) throws(Fault) -> Value {
        let whole = whole(value)
        switch key {
        case "integerValue", "longValue", "longLongValue": return whole
        case "doubleValue": return double(whole)
        case "stringValue", "description": return changed(whole, .integerToText, .string)
        case "boolValue": return try truth(of: whole, place)
        default: throw Fault(.property(key), at: place)
        }
    }

    private func property(_ key: String, ofDouble value: Value, _ place: Place) throws(Fault) -> Value {
        switch key {
        case "doubleValue": return value
        case "boolValue": return try truth(of: value, place)
        default: throw Fault(.property(key), at: place)
        }
    }

    /// `flag.boolValue`: whether it is not zero, as what is no number is not; nil for nil.
    private func truth(of value: Value, _ place: Place) throws(Fault) -> Value {
        let isZero = try relate(value, .equal, .integer(0), .none, place)
        let answer = ValueForm.conditional(isZero, form(.boolean(false), .boolean), form(.boolean(true), .boolean))
        let requirements = value.requirements
        guard !requirements.isEmpty else { return Value(form: answer, kind: .boolean, mayBeNil: false) }
        let form = ValueForm.conditional(.all(requirements.map { .not(.isNull($0)) }), answer, .null)
        return Value(
            form: form, kind: .boolean, mayBeNil: value.mayBeNil, failures: value.failures.isEmpty ? [] : [form])
    }

    private func property(_ key: String, ofDate value: Value, _ place: Place) throws(Fault) -> Value {
        var seconds = value
        seconds.kind = .double
        switch key {
        case "timeIntervalSinceReferenceDate": return seconds
        case "timeIntervalSince1970":
            seconds.form = .arithmetic(.add, value.form, form(.double(978_307_200), .double))
            return seconds
        default: throw Fault(.property(key), at: place)
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
        case .decimal: changed(value, .decimalToDouble, .double)
        case .double, .string, .date, .uuid, .data, .any: value
        }
    }

    private func changed(_ value: Value, _ cast: SQLCast, _ kind: ValueKind) -> Value {
        var copy = value
        copy.form = .cast(value.form, .type(cast))
        copy.kind = kind
        return copy
    }

    /// A date as seconds since 2001; every other value as it is.
    func plain(_ value: Value, _ place: Place) throws(Fault) -> Value {
        guard case .date(let storage) = value.kind, storage != .since2001 else { return value }
        guard dialect.templates.seconds(from: storage) != nil else {
            throw Fault(.storage("a date"), at: place)
        }
        var copy = value
        copy.form = .cast(value.form, .dateToSeconds(storage))
        copy.kind = .date(.since2001)
        return copy
    }
}
