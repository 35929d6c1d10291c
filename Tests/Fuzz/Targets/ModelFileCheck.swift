import PredicateModel

/// Any bytes as files of models: a model or an error, and a model that was read can be checked, compared and written.
struct ModelFileCheck {
    private static let limits = ModelLimits(fileSize: 1 << 16, inflatedSize: 1 << 18, objects: 20_000)
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Property lists and keyed archives: bytes as they are, cut into the objects of a property list, and compressed.
    func runArchive() throws(FuzzFinding) {
        let body = Array(bytes.dropFirst())
        switch (bytes.first ?? 0) % 3 {
        case 0: try check(body)
        case 1: try check(Self.assembled(body))
        default: try check { () throws(ModelError) in try ManagedObjectModel(modelCache: body, limits: Self.limits) }
        }
    }

    /// Property lists of any form as the metadata of a store: as they are, and cut into the objects of a binary one.
    func runPropertyList() throws(FuzzFinding) {
        let body = Array(bytes.dropFirst())
        let list = (bytes.first ?? 0) % 2 == 0 ? body : Self.assembled(body)
        _ = ArchivedTree.value(of: list, limits: Self.limits)
        do throws(ModelError) {
            _ = try PropertyListDictionary.values(list, limits: Self.limits)
        } catch {
            try FuzzFinding.unless(!error.description.isEmpty, "an error says nothing")
        }
    }

    /// The text of a model file, and of a mapping model.
    func runXML() throws(FuzzFinding) { try check(bytes) }

    /// A property list with a right trailer: each byte 0xFE ends an object.
    private static func assembled(_ body: [UInt8]) -> [UInt8] {
        let objects = body.split(separator: 0xFE, omittingEmptySubsequences: false)
        var list = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets += [UInt8(truncatingIfNeeded: list.count >> 8), UInt8(truncatingIfNeeded: list.count)]
            list += object
        }
        func number(_ value: Int) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * (7 - $0))) } }
        return list + offsets + [0, 0, 0, 0, 0, 0, 2, 1] + number(objects.count) + number(0) + number(list.count)
    }

    private func check(_ bytes: [UInt8]) throws(FuzzFinding) {
        try check { () throws(ModelError) in try ManagedObjectModel(bytes: bytes, limits: Self.limits) }
        do throws(ModelError) {
            _ = try MappingModel(bytes: bytes, limits: Self.limits)
        } catch {
            try FuzzFinding.unless(!error.description.isEmpty, "an error says nothing")
        }
    }

    private func check(_ read: () throws(ModelError) -> ManagedObjectModel) throws(FuzzFinding) {
        let model: ManagedObjectModel
        do throws(ModelError) {
            model = try read()
        } catch {
            return try FuzzFinding.unless(!error.description.isEmpty, "an error says nothing")
        }
        for finding in model.check() { _ = finding.description }
        let changes = ModelDifference(from: model, to: model).changes
        // Names that stand twice are not matched with themselves.
        if model.check().allSatisfy(\.isWarning) {
            try FuzzFinding.unless(changes.isEmpty, "a model differs from itself: \(changes)")
        }
        let document = ModelDocument(model)
        guard document.omissions.isEmpty else { return }
        let other: ManagedObjectModel
        do throws(ModelError) {
            other = try ManagedObjectModel(bytes: Array(document.text.utf8))
        } catch {
            throw FuzzFinding("what was written is not read: \(error)")
        }
        try FuzzFinding.unless(other == model, "what was written reads as another model: \(document.text)")
    }
}
