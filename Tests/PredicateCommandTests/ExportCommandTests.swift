import Foundation
import PredicateData
import PredicateStore
import Testing

/// `predicate store export` to standard output and to files, and `predicate store insert` that takes it back.
@Suite struct ExportCommandTests {
    private static let model = """
        <model userDefinedModelVersionIdentifier="1">
        <entity name="Person" isAbstract="YES">
        <attribute name="name" attributeType="String"/>
        <attribute name="born" optional="YES" attributeType="Date"/>
        <relationship name="boss" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Person"
            inverseName="staff" inverseEntity="Person"/>
        <relationship name="staff" optional="YES" toMany="YES" ordered="YES" deletionRule="Nullify"
            destinationEntity="Person" inverseName="boss" inverseEntity="Person"/>
        <relationship name="teams" optional="YES" toMany="YES" ordered="YES" deletionRule="Nullify"
            destinationEntity="Team" inverseName="members" inverseEntity="Team"/>
        </entity>
        <entity name="Coder" parentEntity="Person">
        <attribute name="rate" optional="YES" attributeType="Double" defaultValueString="1.5"/>
        <attribute name="tint" optional="YES" attributeType="Transformable"/>
        <attribute name="photo" optional="YES" attributeType="Binary"/>
        </entity>
        <entity name="Lead" parentEntity="Person">
        <attribute name="level" optional="YES" attributeType="Integer 16" defaultValueString="0"/>
        </entity>
        <entity name="Team">
        <attribute name="title" attributeType="String"/>
        <relationship name="members" optional="YES" toMany="YES" ordered="YES" deletionRule="Nullify"
            destinationEntity="Person" inverseName="teams" inverseEntity="Person"/>
        <relationship name="lead" maxCount="1" deletionRule="Nullify" destinationEntity="Lead"/>
        </entity>
        </model>
        """

    /// Runs a test with a store of people, who are each other's bosses.
    private func withStore(_ body: (_ store: String, _ folder: String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("export-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder + "/M.xcdatamodel", withIntermediateDirectories: true)
        try Data(Self.model.utf8).write(to: URL(fileURLWithPath: folder + "/M.xcdatamodel/contents"))
        let store = folder + "/old.sqlite"
        create(store, folder)
        func insert(_ entity: String, _ words: String...) -> String {
            let settings = words.flatMap { ["--set", $0] }
            let outcome = predicate(
                ["store", "insert", store, "--entity", entity, "--result", "ids"] + settings, source: silence)
            #expect(outcome.status == 0, "\(outcome.error)")
            return outcome.output.trimmingCharacters(in: .newlines)
        }
        let ann = insert("Lead", "name=Ann \"the\" lead", "born=0001-01-01", "level=null")
        let bob = insert("Coder", "name=Bob\r\nMüller", "rate=null", "boss=\(ann)", "tint=bnVs", "photo=AAE=")
        let cid = insert("Coder", "name=cid", "born=2026-01-31T12:00:00.125Z", "boss=\(ann)", "rate=-0.0")
        _ = insert("Team", "title=x", "lead=\(ann)", "members=\(cid)", "members=\(ann)", "members=\(bob)")
        _ = insert("Team", "title=y", "lead=\(ann)", "members=\(ann)")
        for settings in [["boss=\(bob)"], ["staff=\(cid)", "staff=\(bob)"]] {
            let words = ["store", "update", "name BEGINSWITH 'Ann'", store, "--entity", "Lead"]
            #expect(predicate(words + settings.flatMap { ["--set", $0] }, source: silence).status == 0)
        }
        try body(store, folder)
    }

    private func create(_ store: String, _ folder: String) {
        #expect(predicate("store", "create", store, "--model", folder + "/M.xcdatamodel").status == 0)
    }

    /// An export with all URIs replaced by the name of the object.
    private func objects(_ store: String) throws -> [String] {
        let output = predicate("store", "export", store).output
        var names: [String: String] = [:]
        let lines = output.split(separator: "\n").map(String.init)
        for line in lines {
            let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            let id = try #require(object["@id"] as? String)
            names[id] = "\(object["@entity"] ?? "") \(object["name"] ?? object["title"] ?? "")"
        }
        return lines.map { line in
            names.reduce(line) { $0.replacingOccurrences(of: "\"\($1.key)\"", with: "<\($1.value)>") }
        }.sorted()
    }

    @Test(arguments: ["jsonl", "json"])
    func anExportIsTakenBack(_ format: String) throws {
        try withStore { store, folder in
            let file = folder + "/all.\(format)"
            #expect(predicate("store", "export", store, "-o", file).error == "\(file): 5 objects\n")
            let new = folder + "/new.sqlite"
            create(new, folder)
            // Keys of the new store differ.
            #expect(predicate("store", "insert", new, "--entity", "Lead", "--set", "name=first").status == 0)
            #expect(predicate("store", "delete", "TRUEPREDICATE", new, "--entity", "Lead").status == 0)
            #expect(predicate("store", "insert", new, file) == .success("5\n"))
            let (old, made) = (try objects(store), try objects(new))
            #expect(made == old)
            #expect(old.contains { $0.contains("\"staff\":[<Coder cid>,<Coder Bob\r\nMüller>]") })
        }
    }

    @Test func aTableIsTakenBack() throws {
        try withStore { store, folder in
            let file = folder + "/Coder.csv"
            #expect(predicate("store", "export", store, "--entity", "Coder", "-o", file).status == 0)
            // The links lead to objects of this store.
            #expect(predicate("store", "insert", store, file) == .success("2\n"))
            let rows = predicate(
                "filter", "boss.name BEGINSWITH 'Ann'", store, "--entity", "Coder", "--keys", "name,rate,tint,born")
            let lines = rows.output.split(separator: "\n")
            #expect(lines.count == 4 && lines[0] == lines[2] && lines[1] == lines[3], "\(rows)")
            let other = folder + "/other.sqlite"
            create(other, folder)
            let refused = predicate("store", "insert", other, file)
            #expect(refused.status == 2 && refused.error.contains("expected the URI of an object of this store"))
        }
    }

    @Test func whatFilterPrintsIsTakenBack() throws {
        try withStore { store, _ in
            let rows = predicate("filter", "TRUEPREDICATE", store, "--entity", "Lead", "--object-ids").output
            #expect(predicate("store", "insert", store, "-", input: rows) == .success("1\n"))
            #expect(
                predicate("store", "insert", store, "-", "--entity", "Coder", input: rows).error.contains("of Coder"))
        }
    }

    @Test func archivesAreDecodedOnRequest() throws {
        try withStore { store, _ in
            let list = Data("<plist><array><integer>1</integer></array></plist>".utf8).base64EncodedString()
            let change = ["store", "update", "name == 'cid'", store, "--entity", "Coder", "--set", "tint=\(list)"]
            #expect(predicate(change, source: silence).status == 0)
            let rows = ["filter", "name == 'cid'", store, "--entity", "Coder", "--keys", "tint"]
            #expect(predicate(rows, source: silence).output == "{\"tint\":\"\(list)\"}\n")
            #expect(predicate(rows + ["--decode"], source: silence).output == "{\"tint\":[1]}\n")
        }
    }

    /// A plain value of a transformable attribute becomes its archive; an archive in base 64 is one already. [NSP-478]
    @Test func plainValuesAreArchived() throws {
        try withStore { store, folder in
            let values = ["[\"a\",[1,true],null]", "Buy milk", "bnVs", "-9223372036854775808", "{\"k\":0.5}"]
            for value in values {
                let change = ["store", "update", "name == 'cid'", store, "--entity", "Coder", "--set", "tint=\(value)"]
                #expect(predicate(change, source: silence).status == 0)
                let rows = ["filter", "name == 'cid'", store, "--entity", "Coder", "--keys", "tint"]
                let plain = predicate(rows + ["--decode"], source: silence).output
                let expected = value.first.map { "[{-".contains($0) } ?? false ? value : "\"\(value)\""
                #expect(plain == "{\"tint\":\(expected)}\n")
                // What filter prints, the archive or its value, is taken back as the same.
                let bytes = predicate(rows, source: silence).output
                #expect(bytes.hasPrefix("{\"tint\":\"YnBsaXN0"))
                for line in [plain, bytes] {
                    let record = line.replacingOccurrences(of: "}\n", with: ",\"name\":\"new\"}\n")
                    #expect(predicate("store", "insert", store, "-", "--entity", "Coder", input: record).status == 0)
                    let made = ["filter", "name == 'new'", store, "--entity", "Coder", "--keys", "tint"]
                    #expect(predicate(made, source: silence).output == bytes)
                    let gone = predicate("store", "delete", "name == 'new'", store, "--entity", "Coder")
                    #expect(gone.output == "1\n")
                }
            }
            let decoded = "{\"@entity\":\"Coder\",\"name\":\"x\",\"tint\":{\"$class\":\"UIColor\"}}"
            let refused = predicate("store", "insert", store, "-", input: decoded)
            #expect(refused.status == 2 && refused.error.contains("invalid value for Coder.tint"))
        }
    }

    @Test func errorsOfTheRecordsHaveALine() throws {
        try withStore { store, _ in
            func error(_ text: String) -> String { predicate("store", "insert", store, "-", input: text).error }
            #expect(error("{\"name\":\"x\"}").contains("do not name their entity"))
            #expect(
                error("{\"@entity\":\"Lead\",\"name\":\"x\"}\n{\"@entity\":\"Led\"}").contains("did you mean Lead?"))
            #expect(error("{\"@entity\":\"Lead\",\"name\":\"x\"}\n{\"@entity\":\"Lead\"}").contains("1570"))
            #expect(error("{\"@entity\":\"Lead\",\"name\":\"x\",\"nmae\":1}").contains("did you mean name?"))
            #expect(error("{\"@entity\":\"Lead\",\"name\":\"x\",\"boss\":\"Ann\"}").contains("expected the URI"))
            #expect(error("{\"@entity\":\"Team\",\"@id\":\"x-coredata://A/Team/p1\",\"title\":\"x\"}").contains("1570"))
            #expect(predicate("filter", "name == 'x'", store, "--entity", "Person", "--count").output == "0\n")
        }
    }

    @Test func optionsDecideTheForm() throws {
        try withStore { store, folder in
            #expect(predicate("store", "export", store, "--format", "json").output.hasPrefix("[{\"@entity\":"))
            #expect(predicate("store", "export", store, "--dialect", "postgresql").output.hasPrefix("BEGIN;\n"))
            #expect(predicate("store", "export", store, "--format", "csv").error.contains("one table"))
            #expect(
                predicate("store", "export", store, "--entity", "Team", "--format", "csv").output.hasPrefix(
                    "@id,title,lead\n"))
            #expect(predicate("store", "export", store, "--format", "sqlite").status == 2)
            #expect(predicate("store", "export", "name == %@", store, "--arg", "cid").error.contains("--entity NAME"))
            let chosen = predicate("store", "export", "name == %@", store, "--arg", "cid", "--entity", "Person")
            #expect(chosen.output.split(separator: "\n").count == 1)
            let later = predicate("store", "export", "born > %@", store, "--arg", "2026-01-01", "--entity", "Person")
            #expect(later.output.contains("\"cid\""), "\(later)")
            let file = folder + "/b.sql"
            #expect(predicate("store", "export", store, "-q", "--dialect", "mariadb", "-o", file) == .success(""))
            #expect(predicate("store", "export", store, "-o", file).error.contains("already exists"))
            let shared = predicate("store", "export", store, "--anonymize")
            #expect(!shared.output.contains("cid") && shared.error.contains("not anonymized are"))
            #expect(predicate("store", "export", "nmae == 1", store, "--entity", "Team").error.contains("nmae"))
        }
    }
}
