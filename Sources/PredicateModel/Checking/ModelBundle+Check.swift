extension ModelBundle {
    /// Checks every version, and that the current one is there. Places name the version.
    ///
    /// `for finding in bundle.check() { print(finding) }`
    ///
    /// A version that cannot be read is a finding, too.
    public func check() -> [ModelFinding] {
        var findings: [ModelFinding] = []
        if let current = currentVersionName, !versions.contains(where: { $0.name == current }) {
            findings.append(
                ModelFinding(
                    .missingVersion, "the current version '\(current)' is not in the bundle",
                    hint: "the versions are \(versions.map(\.name).joined(separator: ", "))"))
        }
        for version in versions {
            do throws(ModelError) {
                findings += try version.model().check().map { finding in
                    var finding = finding
                    finding.place.file = version.name
                    return finding
                }
            } catch {
                var finding = ModelFinding(.unreadableVersion, error.title, hint: error.hints.first)
                finding.place = error.place
                findings.append(finding)
            }
        }
        return findings
    }
}
