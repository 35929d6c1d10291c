import PredicateSyntax

// What the documentation of each host lists.

extension PredicateHosts {
    static let log = "log"
    static let element = "XCUIElement"
    static let appium = "Appium"
    static let munki = "Munki"

    static let all = [
        logEntry, interfaceElement, appiumElement, photos, cloudRecord, contact, healthSample, spotlightItem,
        munkiFacts,
    ]

    private static let logEntry = PredicateHost(
        name: log, words: "a log entry",
        properties: keys(
            strings: [
                "eventMessage", "processImagePath", "senderImagePath", "subsystem", "category", "process", "sender",
                "processImageUUID", "senderImageUUID",
            ],
            numbers: ["processID", "threadID", "machTimestamp", "senderProgramCounter"],
            others: ["eventType", "messageType", "logType", "timestamp", "traceID", "timezoneName", "processUniqueID"]),
        others: [
            "activityIdentifier", "bootUUID", "composedMessage", "creatorActivityIdentifier", "date", "formatString",
            "parentActivityIdentifier", "processIdentifier", "senderImageOffset", "signpostID", "signpostName",
            "signpostScope", "signpostType", "threadIdentifier", "type", "userID", "level", "storeCategory",
            // The names of event and message types, which are written without quotes.
            "logEvent", "traceEvent", "activityCreateEvent", "activityTransitionEvent", "default", "release", "info",
            "debug", "error", "fault",
        ],
        source: "https://eclecticlight.co/2016/10/17/log-a-primer-on-predicates/")

    private static let interfaceElement = PredicateHost(
        name: element, words: "an element",
        properties: keys(
            strings: ["identifier", "label", "title", "placeholderValue"], numbers: ["elementType"],
            others: [
                "value", "frame", "enabled", "isEnabled", "selected", "isSelected", "hasFocus", "horizontalSizeClass",
                "verticalSizeClass",
            ]),
        others: ["hasKeyboardFocus", "exists", "hittable", "isHittable", "children", "debugDescription", "count"],
        source: "https://developer.apple.com/documentation/xcuiautomation/xcuielementattributes")

    /// The attributes of the XCUITest driver and of the Mac2 driver, which takes the same strings.
    private static let appiumElement = PredicateHost(
        name: appium, words: "an element",
        properties: keys(
            strings: ["name", "label", "type", "placeholderValue", "identifier", "title"],
            others: [
                "value", "minValue", "maxValue", "enabled", "selected", "focused", "hittable", "visible", "accessible",
                "nativeAccessibilityElement", "index", "rect", "traits", "customActions", "elementType", "frame",
                "isVisible",
            ]),
        others: [
            "UID", "nativeFrame", "accessibilityContainer", "wdFrame", "wdNativeFrame", "wdRect", "wdName", "wdLabel",
            "wdSelected", "wdType", "wdTraits", "wdValue", "wdUID", "wdEnabled", "wdVisible", "wdAccessible",
            "wdNativeAccessibilityElement", "wdAccessibilityContainer", "wdFocused", "wdHittable", "wdIndex",
            "wdPlaceholderValue", "wdMinValue", "wdMaxValue", "wdCustomActions", "isEnabled", "isAccessible",
            "isSelected", "isFocused", "isHittable", "isWDVisible", "isWDEnabled", "isWDAccessible", "isWDSelected",
        ],
        source: "https://appium.github.io/appium-xcuitest-driver/latest/reference/element-attributes/")

    private static let photos = PredicateHost(
        name: "PHFetchOptions", words: "a fetch of Photos",
        properties: keys(
            strings: ["localIdentifier", "burstIdentifier", "localizedTitle", "title"],
            numbers: ["mediaType", "mediaSubtypes", "duration", "pixelWidth", "pixelHeight", "estimatedAssetCount"],
            dates: ["creationDate", "modificationDate", "startDate", "endDate"],
            others: ["isFavorite", "favorite", "isHidden", "hidden"]),
        // https://developer.apple.com/forums/thread/781180
        others: ["adjustmentFormatIdentifier", "mediaSubtype"],
        isClosed: true, source: "https://developer.apple.com/documentation/photokit/phfetchoptions")

    /// How CloudKit searches text: https://github.com/NSHipster/articles/issues/438
    private static let cloudRecord = PredicateHost(
        name: "CKQuery", words: "a CloudKit record", properties: [:],
        refusals: [.or, .textOperators, .textSearch, .keyPaths],
        source: "https://developer.apple.com/documentation/cloudkit/ckquery")

    private static let contact = PredicateHost(
        name: "CNContact", words: "a fetch of contacts", properties: [:], refusals: [.formats],
        source: "https://developer.apple.com/documentation/contacts/cncontactfetchrequest/predicate")

    /// The documentation names constants for the keys; their values are the names of the samples' properties.
    private static let healthSample = PredicateHost(
        name: "HKQuery", words: "a HealthKit sample",
        properties: keys(
            dates: ["startDate", "endDate"],
            others: [
                "UUID", "metadata", "source", "sourceRevision", "device", "quantity", "count", "value", "duration",
                "sampleType", "workoutActivityType", "workoutType", "totalDistance", "totalEnergyBurned",
                "dateComponents",
            ]),
        others: ["uuid", "sum", "correlation", "workout", "min", "max", "average", "mostRecent"],
        source: "https://developer.apple.com/documentation/healthkit/predicate-format-strings")

    /// Importers add attributes, so an unknown one is a mistake only if it looks like a misspelled one.
    private static let spotlightItem = PredicateHost(
        name: "NSMetadataQuery", words: "an item of Spotlight",
        properties: keys(
            strings: [
                "kMDItemDisplayName", "kMDItemKind", "kMDItemContentType", "kMDItemTitle", "kMDItemCreator",
                "kMDItemComment", "kMDItemFinderComment", "kMDItemVersion", "kMDItemDescription",
            ],
            numbers: [
                "kMDItemFSSize", "kMDItemDurationSeconds", "kMDItemPixelHeight", "kMDItemPixelWidth",
                "kMDItemNumberOfPages",
            ],
            dates: [
                "kMDItemFSCreationDate", "kMDItemFSContentChangeDate", "kMDItemContentCreationDate",
                "kMDItemContentModificationDate", "kMDItemLastUsedDate", "kMDItemAttributeChangeDate",
            ],
            others: [
                "kMDItemFSName", "kMDItemPath", "kMDItemContentTypeTree", "kMDItemTextContent", "kMDItemAuthors",
                "kMDItemAudiences", "kMDItemCity", "kMDItemKeywords", "kMDItemWhereFroms", "kMDItemURL",
            ]),
        others: [
            "kMDItemDateAdded", "kMDItemCFBundleIdentifier", "kMDItemUserTags", "kMDItemUseCount",
            "kMDItemDownloadedDate",
        ],
        source:
            "https://developer.apple.com/library/archive/documentation/CoreServices/Reference/MetadataAttributesRef/"
    )

    /// Scripts of an administrator add facts, so an unknown one is a mistake only if it looks like a misspelled one.
    private static let munkiFacts = PredicateHost(
        name: munki, words: "the facts of Munki",
        properties: keys(
            strings: [
                "hostname", "arch", "os_vers", "os_build_number", "machine_model", "machine_type", "munki_version",
                "serial_number", "board_id", "device_id", "product_name", "console_user", "physical_or_virtual",
                "ibridge_model_name",
            ],
            numbers: ["os_vers_major", "os_vers_minor", "os_vers_patch"], dates: ["date"],
            others: [
                "os_build_last_component", "ipv4_address", "ipv6_address", "catalogs", "x86_64_capable", "applications",
            ]),
        source: "https://github.com/munki/munki/wiki/Conditional-Items")

    private static func keys(
        strings: [String] = [], numbers: [String] = [], dates: [String] = [], others: [String] = []
    ) -> [String: PredicateProperty] {
        let groups: [(names: [String], property: PredicateProperty)] = [
            (strings, PredicateProperty(.string)), (numbers, PredicateProperty(.number)),
            (dates, PredicateProperty(.date)), (others, PredicateProperty()),
        ]
        return Dictionary(uniqueKeysWithValues: groups.flatMap { group in group.names.map { ($0, group.property) } })
    }
}
