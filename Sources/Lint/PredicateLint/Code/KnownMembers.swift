/// The types of members of the standard library and Foundation, which every program has.
enum KnownMembers {
    /// The methods of a collection whose result has the same elements.
    static let keepers: Set<String> = [
        "filter", "sorted", "reversed", "prefix", "suffix", "dropFirst", "dropLast", "shuffled", "union", "subtracting",
        "intersection",
    ]

    /// The methods of a list that call a closure with each element.
    static let visitors: Set<String> = [
        "map", "compactMap", "flatMap", "filter", "forEach", "first", "last", "firstIndex", "lastIndex", "contains",
        "allSatisfy", "removeAll", "prefix", "drop", "partition", "count",
    ]

    /// The methods of a list that call a closure with two elements.
    static let comparers: Set<String> = ["sorted", "sort", "min", "max"]

    /// The type of a property of a value: declared by the sources, or known in every program.
    static func member(_ name: String, of owner: TypeName, _ reader: TextReader) -> TypeName? {
        if name == "self" { return owner }
        let own = owner.member(name) ?? reader.memberType(name, of: owner)
        return own ?? type(name, nil, of: owner, isSwift: true)
    }

    /// The type of a property, or the result type of a method with the label of its first argument. Without an owner, only
    /// members are known that have the same type in all types.
    static func type(_ name: String, _ label: String?, of owner: TypeName?, isSwift: Bool) -> TypeName? {
        let key = label.map { $0.isEmpty ? name + "()" : "\(name)(\($0):)" } ?? name
        if let owner, let own = ofType(owner, key) { return own }
        // In Objective-C, an object may have a count that is itself an object.
        if !isSwift, name == "count" || name == "description" { return nil }
        return everywhere[key].map(parsed)
    }

    /// The type of a constant of a type: `Int.max`, `Date.now`
    static func constant(_ name: String, of type: String) -> TypeName? {
        let own = TypeName(name: type)
        let isConstant = own.isNumber ? ["max", "min", "zero", "pi"].contains(name) : dates.contains(name)
        return isConstant && (own.isNumber || own.kind == .date) ? own : nil
    }

    private static let dates = ["now", "distantPast", "distantFuture"]

    private static func ofType(_ owner: TypeName, _ key: String) -> TypeName? {
        guard owner.isCollection else { return byType[owner.isString ? "String" : owner.name]?[key].map(parsed) }
        switch key {
        case "first", "last", "min()", "max()", "min(by:)", "max(by:)", "randomElement()", "first()", "first(where:)",
            "last(where:)":
            return owner.element?.optional
        case "lazy": return owner
        case "values": return owner.isTable ? owner.value.list : nil
        case "keys": return owner.isTable ? owner.keys.first?.list : nil
        case "indices": return TypeName(name: "Int", isCollection: true)
        case "enumerated()":
            let index = TypeName.Part(label: "offset", type: TypeName(name: "Int"))
            return owner.element.flatMap { TypeName.tuple([index, .init(label: "element", type: $0)]).list }
        case "firstIndex(of:)", "lastIndex(of:)", "firstIndex(where:)": return TypeName(name: "Int", isOptional: true)
        case "count", "isEmpty", "contains()", "contains(where:)", "allSatisfy()": return everywhere[key].map(parsed)
        case "joined(separator:)": return TypeName(name: "String")
        case "description": return TypeName(name: "String")
        default: return nil
        }
    }

    /// `String`, `Date?`, `[String]`
    private static func parsed(_ text: String) -> TypeName {
        let isList = text.hasPrefix("[")
        let name = text.filter { $0.isLetter || $0.isNumber }
        return TypeName(name: name, isOptional: text.hasSuffix("?"), isCollection: isList)
    }

    private static let everywhere: [String: String] = table(
        """
        String uuidString UUIDString absoluteString lastPathComponent pathExtension localizedDescription \
        localizedLowercase localizedUppercase uppercased() lowercased() uppercaseString lowercaseString \
        capitalized trimmingCharacters(in:) replacingOccurrences(of:) padding(toLength:) joined(separator:) \
        string(from:) string(fromByteCount:) formatted() formatted(date:) description stringValue stringWithFormat() \
        stringWithString() debugDescription
        String? string(for:) string(forKey:) object(forInfoDictionaryKey:)
        [String] components(separatedBy:) componentsSeparatedByString()
        Int count hashValue component() intValue integerValue uintValue unsignedIntegerValue longValue integer(forKey:) \
        distance(from:) ordinality(of:) int16Value
        Int32 int32Value
        Int64 int64Value longLongValue
        Bool isEmpty boolValue hasPrefix() hasSuffix() contains() contains(where:) bool(forKey:) allSatisfy() \
        isSubset(of:) isEqual(to:) isEqualToString()
        Double doubleValue timeIntervalSince1970 timeIntervalSinceReferenceDate timeIntervalSinceNow double(forKey:) \
        timeIntervalSince()
        Float floatValue float(forKey:)
        Date addingTimeInterval() startOfDay(for:) dateByAddingTimeInterval()
        NSDate dateWithTimeIntervalSinceNow() dateWithTimeIntervalSince1970() dateWithTimeInterval()
        Date? date(from:) date(byAdding:)
        NSNumber numberWithInt() numberWithInteger() numberWithBool() numberWithDouble() numberWithFloat() \
        numberWithLong() numberWithLongLong() numberWithUnsignedInteger()
        NSNumber? number(from:)
        """)

    private static let byType: [String: [String: String]] = [
        "String": table(
            "String prefix() suffix() dropFirst() dropLast() appending() capitalized\n[String] split(separator:)\n"
                + "Int length"),
        "Date": table("Double distance(to:)"),
        "NSDate": table("NSDate date"), "NSUUID": table("NSString UUIDString"),
        "URL": table("String path absoluteString\nString? host query scheme fragment\n[String] pathComponents"),
        "IndexPath": table("Int row section item"),
        "DateComponents": table("Int? year month day hour minute second weekday era quarter"),
        "Locale": table("String identifier"),
        "NSArray": table("Int count"), "NSSet": table("Int count"), "NSDictionary": table("Int count"),
        "NSString": table("Int length"),
        "NSManagedObject": table("NSManagedObjectID objectID"),
    ]

    /// Parses lines, each with a type and the members of this type.
    private static func table(_ lines: String) -> [String: String] {
        lines.split(separator: "\n").reduce(into: [:]) { result, line in
            let words = line.split(separator: " ").map(String.init)
            for member in words.dropFirst() { result[member] = words[0] }
        }
    }
}
