// What the documentation of each host lists.

extension HostTable {
    static let (log, query, element, expectation, appium, munki) = (
        "log", "XCUIElementQuery", "XCUIElement", "XCTNSPredicateExpectation", "Appium", "Munki"
    )
    static let (extensionRule, recipe, metadata) = ("NSExtensionActivationRule", "AutoPkg", "NSMetadataQuery")
    /// The keys of an extension rule that is a dictionary.
    static let ruleKeys = "NSExtensionActivation"

    static let lines = """
        host log
        words a log entry
        in getEntries entriesEnumeratorWithOptions
        strings eventMessage processImagePath senderImagePath subsystem category process sender processImageUUID
        strings senderImageUUID
        numbers processID threadID machTimestamp senderProgramCounter
        keys eventType messageType logType timestamp traceID timezoneName processUniqueID
        values messageType default release info debug error fault
        values logType default release info debug error fault
        values eventType logEvent traceEvent activityCreateEvent activityTransitionEvent signpostEvent stateEvent \
        timesyncEvent userActionEvent lossEvent
        write eventMessage for message msg
        write processID for pid
        write process for processName
        known activityIdentifier bootUUID composedMessage creatorActivityIdentifier date formatString
        known parentActivityIdentifier processIdentifier senderImageOffset signpostID signpostName signpostScope
        known signpostType threadIdentifier type userID level storeCategory
        source https://eclecticlight.co/2016/10/17/log-a-primer-on-predicates/
        host XCUIElementQuery
        words an element of a query
        in XCUIElementQuery
        strings identifier label title placeholderValue
        numbers elementType
        keys value frame enabled isEnabled selected isSelected hasFocus horizontalSizeClass verticalSizeClass
        write identifier for accessibilityIdentifier name id accessibilityId
        write label for text accessibilityLabel
        write value for accessibilityValue
        write elementType for type
        write placeholderValue for placeholder
        known hasKeyboardFocus exists children debugDescription count
        closed
        source https://developer.apple.com/documentation/xcuiautomation/xcuielementattributes
        host XCUIElement
        words an element
        of XCUIElementQuery
        write isHittable for visible isVisible displayed isDisplayed hidden isHidden
        write exists for isExists exist
        known hasKeyboardFocus exists hittable isHittable children debugDescription count state
        host XCTNSPredicateExpectation
        words the object of an expectation
        keys exists isHittable hittable
        source https://developer.apple.com/documentation/xctest/xctnspredicateexpectation
        host Appium
        words an element
        strings name label type placeholderValue identifier title
        keys value minValue maxValue enabled selected focused hittable visible accessible nativeAccessibilityElement index
        keys rect traits customActions elementType frame isVisible
        values type XCUIElementType+ Any Other Application Group Window Sheet Drawer Alert Dialog Button RadioButton \
        RadioGroup CheckBox DisclosureTriangle PopUpButton ComboBox MenuButton ToolbarButton Popover Keyboard Key \
        NavigationBar TabBar TabGroup Toolbar StatusBar Table TableRow TableColumn Outline OutlineRow Browser \
        CollectionView Slider PageIndicator ProgressIndicator ActivityIndicator SegmentedControl Picker PickerWheel \
        Switch Toggle Link Image Icon SearchField ScrollView ScrollBar StaticText TextField SecureTextField DatePicker \
        TextView Menu MenuItem MenuBar MenuBarItem Map WebView IncrementArrow DecrementArrow Timeline RatingIndicator \
        ValueIndicator SplitGroup Splitter RelevanceIndicator ColorWell HelpTag Matte DockItem Ruler RulerMarker Grid \
        LevelIndicator Cell LayoutArea LayoutItem Handle Stepper Tab TouchBar StatusItem
        write label for text accessibilityLabel
        write name for id accessibilityIdentifier accessibilityId resourceId
        write visible for displayed isDisplayed hidden
        write type for className class
        known UID nativeFrame accessibilityContainer wdFrame wdNativeFrame wdRect wdName wdLabel wdSelected wdType
        known wdTraits wdValue wdUID wdEnabled wdVisible wdAccessible wdNativeAccessibilityElement
        known wdAccessibilityContainer wdFocused wdHittable wdIndex wdPlaceholderValue wdMinValue wdMaxValue
        known wdCustomActions isEnabled isAccessible isSelected isFocused isHittable isWDVisible isWDEnabled
        known isWDAccessible isWDSelected
        closed
        source https://appium.github.io/appium-xcuitest-driver/latest/reference/element-attributes/
        host PHFetchOptions
        words a fetch of Photos
        in PHFetchOptions
        strings localIdentifier
        closed
        source https://developer.apple.com/documentation/photokit/phfetchoptions
        host PHAsset
        words a fetch of assets
        of PHFetchOptions fetchAssets fetchAssetsInAssetCollection fetchAssetsWithOptions fetchAssetsWithMediaType
        strings burstIdentifier
        numbers mediaType mediaSubtypes duration pixelWidth pixelHeight
        dates creationDate modificationDate
        keys isFavorite favorite isHidden hidden
        known adjustmentFormatIdentifier mediaSubtype
        host PHCollection
        words a fetch of collections
        of PHFetchOptions fetchAssetCollections fetchCollectionLists fetchCollections fetchTopLevelUserCollections \
        fetchAssetCollectionsWithType fetchTopLevelUserCollectionsWithOptions
        strings localizedTitle title
        numbers estimatedAssetCount
        dates startDate endDate
        host CKQuery
        words a CloudKit record
        in CKQuery CKQuerySubscription
        refuses OR || : cannot be queried with OR; make a query for each alternative
        refuses ENDSWITH LIKE MATCHES : can be searched with BEGINSWITH and 'self CONTAINS', not with this operator
        refuses TEXT : cannot be searched for a part of a string; did you mean 'self CONTAINS'?
        refuses . : cannot be queried through key paths of other records
        refuses BLOCK : cannot be queried with a block
        source https://developer.apple.com/documentation/cloudkit/ckquery
        host CNContact
        words a fetch of contacts
        in CNContactFetchRequest unifiedContacts unifiedContactsMatchingPredicate
        refuses FORMAT : accepts only the predicates that its class makes
        source https://developer.apple.com/documentation/contacts/cncontactfetchrequest/predicate
        host HKQuery
        words a HealthKit sample
        in HKSampleQuery HKStatisticsQuery HKStatisticsCollectionQuery HKAnchoredObjectQuery HKObserverQuery
        in HKSourceQuery HKQuantitySeriesSampleQuery
        in HKPredicateKeyPathStartDate HKPredicateKeyPathEndDate HKPredicateKeyPathQuantity
        dates startDate endDate
        measures quantity
        keys UUID metadata source sourceRevision device count value duration sampleType workoutActivityType
        keys workoutType totalDistance totalEnergyBurned dateComponents
        write startDate for start startTime
        write endDate for end endTime
        known uuid sum correlation workout min max average mostRecent
        source https://developer.apple.com/documentation/healthkit/predicate-format-strings
        host NSMetadataQuery
        words an item of Spotlight
        in NSMetadataQuery
        strings kMDItemDisplayName kMDItemKind kMDItemContentType kMDItemTitle kMDItemCreator kMDItemComment
        strings kMDItemFinderComment kMDItemVersion kMDItemDescription
        numbers kMDItemFSSize kMDItemDurationSeconds kMDItemPixelHeight kMDItemPixelWidth kMDItemNumberOfPages
        dates kMDItemFSCreationDate kMDItemFSContentChangeDate kMDItemContentCreationDate
        dates kMDItemContentModificationDate kMDItemLastUsedDate kMDItemAttributeChangeDate
        keys kMDItemFSName kMDItemPath kMDItemContentTypeTree kMDItemTextContent kMDItemAuthors kMDItemAudiences
        keys kMDItemCity kMDItemKeywords kMDItemWhereFroms kMDItemURL
        known kMDItemDateAdded kMDItemCFBundleIdentifier kMDItemUserTags kMDItemUseCount kMDItemDownloadedDate
        source https://developer.apple.com/library/archive/documentation/CoreServices/Reference/MetadataAttributesRef/
        host Munki
        words the facts of Munki
        strings hostname arch os_vers os_build_number machine_model machine_type munki_version serial_number board_id
        strings device_id product_name console_user physical_or_virtual ibridge_model_name
        numbers os_vers_major os_vers_minor os_vers_patch
        dates date
        booleans x86_64_capable
        lists ipv4_address ipv6_address catalogs
        keys os_build_last_component applications
        values machine_type laptop desktop
        values arch arm64 x86_64 i386 powerpc ppc
        source https://github.com/munki/munki/wiki/Conditional-Items
        host AutoPkg
        words a run of a recipe
        keys download_changed new_package_request
        source https://github.com/autopkg/autopkg/wiki/Processor-StopProcessingIf
        host NSExtensionActivationRule
        words an extension rule
        objects extensionItems NSExtensionItem
        refuses TRUEPREDICATE : that accepts everything is only for development
        closed
        source https://developer.apple.com/library/archive/documentation/General/Conceptual/ExtensibilityPG/
        host NSExtensionActivation
        words the dictionary of an extension rule
        keys NSExtensionActivationRule NSExtensionActivationDictionaryVersion NSExtensionActivationUsesStrictMatching
        keys NSExtensionActivationSupportsAttachmentsWithMaxCount NSExtensionActivationSupportsAttachmentsWithMinCount
        keys NSExtensionActivationSupportsFileWithMaxCount NSExtensionActivationSupportsImageWithMaxCount
        keys NSExtensionActivationSupportsMovieWithMaxCount NSExtensionActivationSupportsText
        keys NSExtensionActivationSupportsWebURLWithMaxCount NSExtensionActivationSupportsWebPageWithMaxCount
        source https://developer.apple.com/documentation/bundleresources/information-property-list/nsextension
        host NSExtensionItem
        words an extension item
        objects attachments NSItemProvider
        keys attributedContentText attributedTitle userInfo
        closed
        host NSItemProvider
        words an attachment
        lists registeredTypeIdentifiers
        keys suggestedName
        closed
        """
}
