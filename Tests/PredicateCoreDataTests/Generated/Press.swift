// Generated from a Core Data model by `predicate model swift`.
// swift-format-ignore-file
// swiftlint:disable all

import Foundation
import Predicates

/// An object of the entity `Person`.
struct Person: KeyPathCoding, Codable, Hashable, Sendable {
    /// The name of the entity in the model.
    static let entityName = "Person"

    /// The identity of the object in its store; nil for an object that is in none.
    var objectID: SQLObjectID?

    /// As on the cover.
    var name: String?
    var home: Place
    /// To-many: `Publication`, inverse `editor`, delete rule Nullify.
    var publications: Set<SQLObjectID> = []
    /// To-many: `Publication`, inverse `authors`, delete rule Nullify.
    var works: Set<SQLObjectID> = []

    static let keys: KeyPathTable<Person> = [
        "name": .key(\.name),
        "home": .key(\.home),
        "publications": .key(\.publications),
        "works": .key(\.works),
    ]

    /// The values for `insert` and `update` of a store.
    var objectValues: [String: (any PredicateValueConvertible)?] {
        [
            "name": name,
            "home": home,
            "publications": publications,
            "works": works,
        ]
    }

    enum CodingKeys: String, CodingKey {
        case objectID
        case name
        case home
        case publications
        case works
    }
}

/// An object of the entity `Publication`, abstract.
///
/// Anything that is printed.
/// Or was.
struct Publication: KeyPathCoding, Codable, Hashable, Sendable {
    /// The name of the entity in the model.
    static let entityName = "Publication"

    /// The identity of the object in its store; nil for an object that is in none.
    var objectID: SQLObjectID?

    /// Length at most 40.
    var headline: String
    /// Matches `draft|in review|printed`.
    var state: State = .inReview
    /// Valid if `SELF IN {1, 2, 3}`.
    var stars: Stars?
    var price: Decimal? = Decimal(sign: .plus, exponent: -1, significand: 15)
    var printed: Date?
    /// A floating-point number of 32 bits.
    var weight: Double?
    var code: UUID?
    var page: URL?
    /// Transformable: the bytes of an archive of `Image`.
    var cover: Data?
    var raw: Data?
    var `class`: Bool = true
    var number_of_pages: Int32?
    var self_: Int64?
    var allKeys_: Double?
    /// Transient: not stored.
    var cached: PredicateValue?
    var printer: Company?
    /// To-one: `Person`, inverse `publications`, delete rule Nullify.
    var editor: SQLObjectID?
    /// Ordered to-many: `Person`, inverse `works`, delete rule Nullify.
    var authors: [SQLObjectID] = []

    /// The values of `state` that the model allows.
    enum State: String, Codable, CaseIterable, Sendable, PredicateValueConvertible {
        case draft = "draft"
        case inReview = "in review"
        case printed = "printed"
    }

    /// The values of `stars` that the model allows.
    enum Stars: Int16, Codable, CaseIterable, Sendable, PredicateValueConvertible {
        case value1 = 1
        case value2 = 2
        case value3 = 3
    }

    static let keys: KeyPathTable<Publication> = [
        "headline": .key(\.headline),
        "state": .key(\.state),
        "stars": .key(\.stars),
        "price": .key(\.price),
        "printed": .key(\.printed),
        "weight": .key(\.weight),
        "code": .key(\.code),
        "page": .key(\.page),
        "cover": .key(\.cover),
        "raw": .key(\.raw),
        "class": .key(\.`class`),
        "number of pages": .key(\.number_of_pages),
        "self": .key(\.self_),
        "allKeys": .key(\.allKeys_),
        "cached": .key(\.cached),
        "printer": .key(\.printer),
        "editor": .key(\.editor),
        "authors": .key(\.authors),
    ]

    /// The values for `insert` and `update` of a store.
    var objectValues: [String: (any PredicateValueConvertible)?] {
        [
            "headline": headline,
            "state": state,
            "stars": stars,
            "price": price,
            "printed": printed,
            "weight": weight,
            "code": code,
            "page": page,
            "cover": cover,
            "raw": raw,
            "class": `class`,
            "number of pages": number_of_pages,
            "self": self_,
            "allKeys": allKeys_,
            "printer": printer,
            "editor": editor,
            "authors": authors,
        ]
    }

    enum CodingKeys: String, CodingKey {
        case objectID
        case headline
        case state
        case stars
        case price
        case printed
        case weight
        case code
        case page
        case cover
        case raw
        case `class`
        case number_of_pages = "number of pages"
        case self_ = "self"
        case allKeys_ = "allKeys"
        case printer
        case editor
        case authors
    }
}

/// An object of the entity `Data`, with the properties of `Publication`.
struct Data_: KeyPathCoding, Codable, Hashable, Sendable {
    /// The name of the entity in the model.
    static let entityName = "Data"

    /// The identity of the object in its store; nil for an object that is in none.
    var objectID: SQLObjectID?

    /// Length at most 40.
    var headline: String
    /// Matches `draft|in review|printed`.
    var state: State = .inReview
    /// Valid if `SELF IN {1, 2, 3}`.
    var stars: Stars?
    var price: Decimal? = Decimal(sign: .plus, exponent: -1, significand: 15)
    var printed: Date?
    /// A floating-point number of 32 bits.
    var weight: Double?
    var code: UUID?
    var page: URL?
    /// Transformable: the bytes of an archive of `Image`.
    var cover: Data?
    var raw: Data?
    var `class`: Bool = true
    var number_of_pages: Int32?
    var self_: Int64?
    var allKeys_: Double?
    /// Transient: not stored.
    var cached: PredicateValue?
    var printer: Company?
    /// To-one: `Person`, inverse `publications`, delete rule Nullify.
    var editor: SQLObjectID?
    /// Ordered to-many: `Person`, inverse `works`, delete rule Nullify.
    var authors: [SQLObjectID] = []

    /// The values of `state` that the model allows.
    enum State: String, Codable, CaseIterable, Sendable, PredicateValueConvertible {
        case draft = "draft"
        case inReview = "in review"
        case printed = "printed"
    }

    /// The values of `stars` that the model allows.
    enum Stars: Int16, Codable, CaseIterable, Sendable, PredicateValueConvertible {
        case value1 = 1
        case value2 = 2
        case value3 = 3
    }

    static let keys: KeyPathTable<Data_> = [
        "headline": .key(\.headline),
        "state": .key(\.state),
        "stars": .key(\.stars),
        "price": .key(\.price),
        "printed": .key(\.printed),
        "weight": .key(\.weight),
        "code": .key(\.code),
        "page": .key(\.page),
        "cover": .key(\.cover),
        "raw": .key(\.raw),
        "class": .key(\.`class`),
        "number of pages": .key(\.number_of_pages),
        "self": .key(\.self_),
        "allKeys": .key(\.allKeys_),
        "cached": .key(\.cached),
        "printer": .key(\.printer),
        "editor": .key(\.editor),
        "authors": .key(\.authors),
    ]

    /// The values for `insert` and `update` of a store.
    var objectValues: [String: (any PredicateValueConvertible)?] {
        [
            "headline": headline,
            "state": state,
            "stars": stars,
            "price": price,
            "printed": printed,
            "weight": weight,
            "code": code,
            "page": page,
            "cover": cover,
            "raw": raw,
            "class": `class`,
            "number of pages": number_of_pages,
            "self": self_,
            "allKeys": allKeys_,
            "printer": printer,
            "editor": editor,
            "authors": authors,
        ]
    }

    enum CodingKeys: String, CodingKey {
        case objectID
        case headline
        case state
        case stars
        case price
        case printed
        case weight
        case code
        case page
        case cover
        case raw
        case `class`
        case number_of_pages = "number of pages"
        case self_ = "self"
        case allKeys_ = "allKeys"
        case printer
        case editor
        case authors
    }
}

/// An object of the entity `Magazine`, with the properties of `Publication`.
///
/// Unique: `headline`, `issue`.
struct Magazine: KeyPathCoding, Codable, Hashable, Sendable {
    /// The name of the entity in the model.
    static let entityName = "Magazine"

    /// The identity of the object in its store; nil for an object that is in none.
    var objectID: SQLObjectID?

    /// Length at most 40.
    var headline: String
    /// Matches `draft|in review|printed`.
    var state: State = .inReview
    /// Valid if `SELF IN {1, 2, 3}`.
    var stars: Stars?
    var price: Decimal? = Decimal(sign: .plus, exponent: -1, significand: 15)
    var printed: Date?
    /// A floating-point number of 32 bits.
    var weight: Double?
    var code: UUID?
    var page: URL?
    /// Transformable: the bytes of an archive of `Image`.
    var cover: Data?
    var raw: Data?
    var `class`: Bool = true
    var number_of_pages: Int32?
    var self_: Int64?
    var allKeys_: Double?
    /// Transient: not stored.
    var cached: PredicateValue?
    var printer: Company?
    /// To-one: `Person`, inverse `publications`, delete rule Nullify.
    var editor: SQLObjectID?
    /// Ordered to-many: `Person`, inverse `works`, delete rule Nullify.
    var authors: [SQLObjectID] = []
    /// At least 1.
    var issue: Int32

    /// The values of `state` that the model allows.
    enum State: String, Codable, CaseIterable, Sendable, PredicateValueConvertible {
        case draft = "draft"
        case inReview = "in review"
        case printed = "printed"
    }

    /// The values of `stars` that the model allows.
    enum Stars: Int16, Codable, CaseIterable, Sendable, PredicateValueConvertible {
        case value1 = 1
        case value2 = 2
        case value3 = 3
    }

    static let keys: KeyPathTable<Magazine> = [
        "headline": .key(\.headline),
        "state": .key(\.state),
        "stars": .key(\.stars),
        "price": .key(\.price),
        "printed": .key(\.printed),
        "weight": .key(\.weight),
        "code": .key(\.code),
        "page": .key(\.page),
        "cover": .key(\.cover),
        "raw": .key(\.raw),
        "class": .key(\.`class`),
        "number of pages": .key(\.number_of_pages),
        "self": .key(\.self_),
        "allKeys": .key(\.allKeys_),
        "cached": .key(\.cached),
        "printer": .key(\.printer),
        "editor": .key(\.editor),
        "authors": .key(\.authors),
        "issue": .key(\.issue),
    ]

    /// The values for `insert` and `update` of a store.
    var objectValues: [String: (any PredicateValueConvertible)?] {
        [
            "headline": headline,
            "state": state,
            "stars": stars,
            "price": price,
            "printed": printed,
            "weight": weight,
            "code": code,
            "page": page,
            "cover": cover,
            "raw": raw,
            "class": `class`,
            "number of pages": number_of_pages,
            "self": self_,
            "allKeys": allKeys_,
            "printer": printer,
            "editor": editor,
            "authors": authors,
            "issue": issue,
        ]
    }

    enum CodingKeys: String, CodingKey {
        case objectID
        case headline
        case state
        case stars
        case price
        case printed
        case weight
        case code
        case page
        case cover
        case raw
        case `class`
        case number_of_pages = "number of pages"
        case self_ = "self"
        case allKeys_ = "allKeys"
        case printer
        case editor
        case authors
        case issue
    }
}

/// A value of the composite type `Company`.
struct Company: KeyPathCoding, Codable, Hashable, Sendable, PredicateValueConvertible {
    var name: String?
    var founded: Int16?
    var seat: Place?

    static let keys: KeyPathTable<Company> = [
        "name": .key(\.name),
        "founded": .key(\.founded),
        "seat": .key(\.seat),
    ]

    /// The value as a store and a predicate take it.
    var predicateValue: PredicateValue {
        .dictionary([
            "name": name.predicateValue,
            "founded": founded.predicateValue,
            "seat": seat.predicateValue,
        ])
    }

    enum CodingKeys: String, CodingKey {
        case name
        case founded
        case seat
    }
}

/// A value of the composite type `Place`.
struct Place: KeyPathCoding, Codable, Hashable, Sendable, PredicateValueConvertible {
    var city: String
    var zip: String?

    static let keys: KeyPathTable<Place> = [
        "city": .key(\.city),
        "zip": .key(\.zip),
    ]

    /// The value as a store and a predicate take it.
    var predicateValue: PredicateValue {
        .dictionary([
            "city": city.predicateValue,
            "zip": zip.predicateValue,
        ])
    }

    enum CodingKeys: String, CodingKey {
        case city
        case zip
    }
}
