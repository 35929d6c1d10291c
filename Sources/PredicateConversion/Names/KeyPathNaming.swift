import PredicateEvaluation

/// The search for the name of a key path, which ``KeyPathNames`` describes.
struct KeyPathNaming {
    let names: KeyPathNames

    /// The keys of a path; nil where it has no name. The predicates of Swift have paths of one step, its sort descriptors
    /// longer ones.
    func keys(of keyPath: AnyKeyPath) -> [String]? {
        let root = type(of: keyPath).rootType
        let properties = PropertyPath(keyPath)?.properties
        if let name = names[keyPath] { return [name] }
        if let table = root as? any KeyPathCoding.Type { return Self.keys(of: keyPath, in: table, or: properties) }
        if let type = root as? any CodingKeysNaming.Type, let name = Self.codingKey(of: keyPath, in: type) {
            return [name]
        }
        return properties
    }

    /// A name of the table; else that of the property, unless the table has it for another one.
    private static func keys<Root: KeyPathCoding>(
        of keyPath: AnyKeyPath, in type: Root.Type, or properties: [String]?
    ) -> [String]? {
        let table = Root.keys
        if let name = table.names.first(where: { (table[$0]?.keyPath).map { $0 as AnyKeyPath } == keyPath }) {
            return [name]
        }
        guard let properties, properties.count > 1 || table[properties[0]] == nil else { return nil }
        return properties
    }

    private static func codingKey<Root: CodingKeysNaming>(of keyPath: AnyKeyPath, in type: Root.Type) -> String? {
        (keyPath as? PartialKeyPath<Root>).flatMap { Root.codingKeys[$0]?.stringValue }
    }
}

/// The properties that a key path leads along, read from its description: `\Person.boss?.name` is `boss`, `name`.
///
/// Strict: every other thing in a description, such as `<computed 0x… (Int)>`, `[0]` or an offset, makes it nil.
struct PropertyPath {
    let properties: [String]

    init?(_ keyPath: AnyKeyPath) {
        // The description goes by offsets: a value without a size shares its own with the property after it.
        guard Self.hasSize(type(of: keyPath).valueType) else { return nil }
        let opening = "\\\(_typeName(type(of: keyPath).rootType, qualified: false))."
        let description = keyPath.debugDescription
        guard description.hasPrefix(opening) else { return nil }
        var properties: [String] = []
        for part in description.dropFirst(opening.count).split(separator: ".", omittingEmptySubsequences: false) {
            // nil in the middle of a path is nil, whether the path says `?` or `!`.
            let isUnwrapped = part.last == "?" || part.last == "!"
            let name = isUnwrapped ? part.dropLast() : part
            guard let first = name.unicodeScalars.first, Self.begins(first) || Self.isDigits(name),
                name.unicodeScalars.allSatisfy(Self.continues)
            else { return nil }
            properties.append(String(name))
        }
        self.properties = properties
    }

    private static func hasSize(_ type: any Any.Type) -> Bool {
        func open<Value>(_ type: Value.Type) -> Bool { MemoryLayout<Value>.size > 0 }
        return _openExistential(type, do: open)
    }

    private static func begins(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar.properties.isXIDStart || !scalar.isASCII && scalar.properties.isEmoji
    }

    private static func continues(_ scalar: Unicode.Scalar) -> Bool {
        begins(scalar) || scalar.properties.isXIDContinue || scalar == "\u{FE0F}" || scalar == "\u{200D}"
    }

    /// The element of a tuple.
    private static func isDigits(_ name: Substring) -> Bool {
        name.unicodeScalars.allSatisfy { ("0"..."9").contains($0) }
    }
}
