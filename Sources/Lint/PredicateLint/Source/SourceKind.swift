/// The kind of a file, determined by its name or first line.
package enum SourceKind: String, Hashable, Sendable, CaseIterable {
    /// `.swift`
    case swift
    /// `.m`, `.mm`, `.h`
    case objectiveC = "objective-c"
    /// `.sh`, `.bash`, `.zsh`, `.command`, `.yml`, `.yaml`, `.py`, `.rb`, `Fastfile`, and files that begin with `#!…sh`
    case script
    /// `.plist`, `.mobileconfig`, `.pkginfo`, `.recipe`, and other files whose XML is a property list
    case propertyList = "plist"
    /// The `contents` of an `.xcdatamodel`
    case dataModel = "model"
    /// `.mom`: a compiled data model
    case compiledModel = "compiled-model"
    /// `.java`, `.kt`, `.js`, `.ts`, `.cs`: tests of Appium
    case program
    /// `.md`: the blocks of code
    case markdown

    /// The kind for a path; nil if a file with this name contains no predicates.
    package init?(path: String) {
        let name = path[(path.utf8.lastIndex(of: UInt8(ascii: "/")).map(path.utf8.index(after:)) ?? path.startIndex)...]
        if name == "Fastfile" {
            self = .script
            return
        }
        let ending = name.utf8.lastIndex(of: UInt8(ascii: ".")).map { name[name.utf8.index(after: $0)...] } ?? name
        switch ending.lowercased() {
        case "swift": self = .swift
        case "m", "mm", "h": self = .objectiveC
        case "sh", "bash", "zsh", "ksh", "command", "yml", "yaml", "py", "rb": self = .script
        case "java", "kt", "kts", "js", "mjs", "cjs", "jsx", "ts", "mts", "tsx", "cs": self = .program
        case "md", "markdown": self = .markdown
        case "plist", "mobileconfig", "pkginfo", "munki", "recipe": self = .propertyList
        case "mom": self = .compiledModel
        case "contents" where path.contains(".xcdatamodel/"), "xcdatamodel": self = .dataModel
        default: return nil
        }
    }

    /// The kind for the first bytes of a file whose name does not determine it.
    package init?(content: [UInt8]) {
        let head = String(decoding: content.prefix(512), as: UTF8.self)
        let firstLine = head.prefix { !$0.isNewline }
        if firstLine.hasPrefix("#!"), firstLine.contains("sh") || firstLine.contains("python") {
            self = .script
        } else if head.contains("<plist") || head.contains("<!DOCTYPE plist") {
            self = .propertyList
        } else if head.contains("com.apple.IDECoreDataModeler") {
            self = .dataModel
        } else {
            return nil
        }
    }
}
