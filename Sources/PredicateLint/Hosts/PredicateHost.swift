import PredicateSyntax

/// An API that takes predicates about objects of its own, as its public documentation describes them.
///
/// A host is a schema with one entity, whose name is that of the host.
struct PredicateHost: PredicateSchema {
    /// The name of the entity: `PHFetchOptions`
    let name: String
    /// The noun in messages: `a photo library fetch`
    let words: String
    /// The keys with their properties. Without any, the keys are those of the program.
    let properties: [String: PredicateProperty]
    /// True if the documentation excludes all other keys; otherwise only misspelled ones are reported.
    var isClosed = false
    /// What the documentation excludes besides keys.
    var refusals: Set<HostRefusal> = []
    /// The documentation.
    let source: String

    var origin: SchemaOrigin { .declared }

    func property(_ key: String, of entity: String) -> PredicateProperty? {
        properties.isEmpty ? PredicateProperty() : properties[key]
    }

    func keys(of entity: String) -> [String] { entity == name ? properties.keys.sorted() : [] }

    func entity(named name: String) -> String? { name == self.name ? name : nil }

    func noun(of entity: String) -> String { words }

    func absence(of key: String, in entity: String) -> SchemaAbsence {
        SchemaAbsence("\(words) has no key '\(key)'", isError: false)
    }
}

/// A part of the language that a host refuses.
enum HostRefusal: Hashable {
    /// `a == 1 OR b == 2`
    case or
    /// `name ENDSWITH "x"`, `name LIKE "x*"`, `name MATCHES "x.*"`
    case textOperators
    /// `owner.name == "x"`
    case keyPaths
    /// Any format: the host takes only predicates that it makes itself.
    case formats
}

/// The hosts, by the names that `EntityName` finds in the source.
enum PredicateHosts {
    static func host(named name: String) -> PredicateHost? { byName[name] }

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// A source that uses a host contains one of these words.
    private static let marks: [StaticString] = [
        "XCUI", "XCTest", "PHFetchOptions", "CKQuery", "NSMetadataQuery", "OSLogStore", "CNContact", "HealthKit",
    ]

    static func mayOccur(in bytes: Bytes) -> Bool { marks.contains { bytes.firstOffset(of: $0) != nil } }

    static let log = "log"
    static let element = "XCUIElement"
    static let appium = "Appium"
    static let munki = "Munki"

    private static let all = [
        PredicateHost(
            name: log, words: "a log entry",
            properties: keys(
                "activityIdentifier", "bootUUID", "category", "composedMessage", "creatorActivityIdentifier", "date",
                "eventMessage", "eventType", "formatString", "logType", "machTimestamp", "messageType",
                "parentActivityIdentifier", "process", "processID", "processIdentifier", "processImagePath",
                "processImageUUID", "sender", "senderImageOffset", "senderImagePath", "senderImageUUID", "signpostID",
                "signpostName", "signpostScope", "signpostType", "subsystem", "threadIdentifier", "timestamp",
                "traceID", "type", "userID"),
            source: "https://eclecticlight.co/2016/10/17/log-a-primer-on-predicates/"),
        PredicateHost(
            name: element, words: "an element",
            properties: keys(
                "identifier", "label", "title", "value", "placeholderValue", "elementType", "frame", "enabled",
                "isEnabled", "selected", "isSelected", "hasFocus", "hasKeyboardFocus", "exists", "hittable",
                "isHittable", "horizontalSizeClass", "verticalSizeClass", "children", "debugDescription"),
            source: "https://developer.apple.com/documentation/xcuiautomation/xcuielementattributes"),
        PredicateHost(
            name: appium, words: "an element",
            properties: keys(
                "name", "label", "type", "value", "enabled", "visible", "accessible", "accessibilityContainer", "rect",
                "selected", "index", "hittable", "focused", "placeholderValue", "nativeFrame", "traits", "UID",
                "minValue", "maxValue", "customActions", "identifier", "elementType", "title", "frame", "wdName",
                "wdLabel",
                "wdType", "wdValue", "wdEnabled", "wdVisible", "wdAccessible", "wdRect"),
            source: "https://appium.github.io/appium-xcuitest-driver/latest/reference/element-attributes/"),
        PredicateHost(
            name: "PHFetchOptions", words: "a fetch of Photos",
            properties: keys(
                "localIdentifier", "creationDate", "modificationDate", "mediaType", "mediaSubtypes", "mediaSubtype",
                "duration", "pixelWidth", "pixelHeight", "isFavorite", "favorite", "isHidden", "hidden",
                "burstIdentifier", "localizedTitle", "title", "startDate", "endDate", "estimatedAssetCount"),
            isClosed: true, source: "https://developer.apple.com/documentation/photokit/phfetchoptions"),
        PredicateHost(
            name: "CKQuery", words: "a CloudKit record", properties: [:], refusals: [.or, .textOperators, .keyPaths],
            source: "https://developer.apple.com/documentation/cloudkit/ckquery"),
        PredicateHost(
            name: "HKQuery", words: "a HealthKit object",
            properties: keys(
                "UUID", "source", "sourceRevision", "device", "metadata", "correlation", "workout", "startDate",
                "endDate", "quantity", "value", "duration", "totalDistance", "totalEnergyBurned",
                "totalSwimmingStrokeCount", "totalFlightsClimbed", "workoutActivityType", "dateComponents", "min",
                "max", "average", "sum", "count"),
            source: "https://developer.apple.com/documentation/healthkit/hkquery"),
        PredicateHost(
            name: "CNContact", words: "a fetch of contacts", properties: [:], refusals: [.formats],
            source: "https://developer.apple.com/documentation/contacts/cncontactstore"),
        PredicateHost(
            name: "NSMetadataQuery", words: "an item of Spotlight",
            properties: keys(
                "kMDItemFSName", "kMDItemDisplayName", "kMDItemKind", "kMDItemContentType", "kMDItemContentTypeTree",
                "kMDItemTextContent", "kMDItemAuthors", "kMDItemTitle", "kMDItemKeywords", "kMDItemPath",
                "kMDItemFSSize", "kMDItemFSCreationDate", "kMDItemFSContentChangeDate", "kMDItemContentCreationDate",
                "kMDItemContentModificationDate", "kMDItemLastUsedDate", "kMDItemDateAdded", "kMDItemCreator",
                "kMDItemComment", "kMDItemFinderComment", "kMDItemWhereFroms", "kMDItemCFBundleIdentifier",
                "kMDItemVersion", "kMDItemDurationSeconds", "kMDItemPixelHeight", "kMDItemPixelWidth",
                "kMDItemUserTags", "kMDItemDescription", "kMDItemURL", "kMDItemNumberOfPages"),
            source:
                "https://developer.apple.com/library/archive/documentation/CoreServices/Reference/MetadataAttributesRef/"
        ),
        PredicateHost(
            name: munki, words: "the facts of Munki",
            properties: keys(
                "hostname", "arch", "os_vers", "os_vers_major", "os_vers_minor", "os_vers_patch", "os_build_number",
                "os_build_last_component", "machine_model", "machine_type", "munki_version", "ipv4_address",
                "serial_number", "catalogs", "date", "console_user", "x86_64_capable", "board_id", "device_id",
                "product_name", "applications"),
            source: "https://github.com/munki/munki/wiki/Conditional-Items"),
    ]

    private static func keys(_ names: String...) -> [String: PredicateProperty] {
        Dictionary(uniqueKeysWithValues: names.map { ($0, PredicateProperty()) })
    }
}
