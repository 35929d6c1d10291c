import Foundation
import PredicateAgreement
import PredicateSQL
import PredicateSyntax

/// The predicates that dialects refuse, with the reasons: the table in `Grammar/Engines.md`.
///
/// The compiler decides what is refused, so that no engine has to run.
package struct RefusalTable {
    /// The number of random predicates that are compiled for each dialect.
    package static let predicates = 5_000

    private let dialects: [(name: String, dialect: any SQLDialect, traits: EngineTraits)] =
        [("sqlite", SQLiteDialect(), .sqlite)]
        + EngineKind.allCases.map { ($0.rawValue, $0.dialect, $0.traits) }

    package init() {}

    // MARK: Examples

    /// One predicate for each reason, over ``schema``.
    private static let examples: [(format: String, arguments: [PredicateValue])] = [
        (#"price / 3 > 2"#, []), (#"modulus:by:(price, 2) > 1"#, []), (#"floor:(price) > 2"#, []),
        (#"parts.@avg.price > price"#, []), (#"price ** 2 > 3"#, []),
        (#"price < CAST("0.10000000000000000000000000000000000001", "NSDecimalNumber")"#, []),
        (#"height ** 2 > 3"#, []), (#"age ** rank > 3"#, []), (#"ln:(height) > 1"#, []), (#"exp:(height) > 1"#, []),
        (#"log:(height) > 1"#, []), (#"modulus:by:(height, 2.5) > 1"#, []),
        (#"height == CAST("nan", "NSNumber") / 3"#, []), (#"height == CAST("inf", "NSNumber") ** 1"#, []),
        (#"name MATCHES nick"#, []), (#"name MATCHES[d] "jo.*""#, []), (#"name MATCHES[cd] "jo.*""#, []),
        (#"name MATCHES "(?=jo).*""#, []), (#"name MATCHES "(a)\\1""#, []), (#"name MATCHES[c] "\\p{L}+""#, []),
        (#"name LIKE[c] %@"#, [.string("jo\0")]), (#"name.capitalizedString == "Jo""#, []), (#"note > 3"#, []),
        (#"note + 1 > 3"#, []), (#"code == label"#, []), (#"CAST(name, "NSNumber") > 3"#, []),
        (#"boss == %@"#, [.object(PredicateObject("a host's object"))]), (#"{1, age} == {1, 2}"#, []),
        (#"parts.@sum.height > 3"#, []), (#"parts.boss.@sum.age > 3"#, []), (#"parts.parts.@count > 3"#, []),
        (#"(parts)[FIRST] == boss"#, []), (#"nick UTI-CONFORMS-TO "public.image""#, []),
        (#"FUNCTION(name, "uppercaseString") == "JO""#, []), (#"SELF isKindOfClass: name"#, []),
        (#"mgl_round(age) == 1"#, []), (#"random() > 0.5"#, []), (#"ANY tags == "a""#, []), (#"ANY ratios > 0.5"#, []),
        (#"tags[0] == "a""#, []), (#"ANY parts.tags == "a""#, []),
        (#"payload.user.id == 5"#, []), (#"payload.id == 9007199254740993"#, []), (#"payload.id == age"#, []),
        (#"payload.name.length == 3"#, []), (#"ANY payload.user.tags == "a""#, []), (#"payload == "a""#, []),
        (#"dateByAddingUnit:value:toDate:("month", 1, made) > made"#, []),
    ]

    private static let schema = SQLSchema([
        SQLEntity(
            "Thing",
            attributes: [
                "name": SQLAttribute(.string), "nick": SQLAttribute(.string), "age": SQLAttribute(.integer),
                "rank": SQLAttribute(.integer), "height": SQLAttribute(.double), "price": SQLAttribute(.decimal),
                "code": SQLAttribute(.uuid(.blob)), "label": SQLAttribute(.uuid(.text)), "note": SQLAttribute(.any),
                "tags": SQLAttribute(.array(.string, .native)), "ratios": SQLAttribute(.array(.double, .json)),
                "made": SQLAttribute(.date(.timestamp)), "payload": SQLAttribute(.json),
            ],
            relationships: [
                "boss": .toOne("Thing", column: "boss_id"), "parts": .toMany("Thing", inverseColumn: "boss_id"),
            ])
    ])

    /// The table as Markdown: a row for each example and reason, with the dialects that refuse it.
    package var markdown: String {
        var lines = ["| predicate | reason | refused by |", "|---|---|---|"]
        for example in Self.examples {
            for (reason, names) in refusals(example.format, example.arguments) {
                let all = names.count == dialects.count ? "all" : names.joined(separator: ", ")
                lines.append("| `\(example.format)`\(Self.note(example.arguments)) | \(reason) | \(all) |")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The arguments of an example, in words.
    private static func note(_ arguments: [PredicateValue]) -> String {
        switch arguments.first {
        case .string: " with a string that contains U+0000"
        case .object: " with an object of the host"
        default: ""
        }
    }

    /// The reasons for refusing a predicate, in the order of the dialects, with the dialects that have each.
    private func refusals(_ format: String, _ arguments: [PredicateValue]) -> [(reason: String, names: [String])] {
        var found: [(reason: String, names: [String])] = []
        for (name, dialect, _) in dialects {
            guard let reason = Self.obstacle(format, arguments, dialect)?.generalReason else { continue }
            if let index = found.firstIndex(where: { $0.reason == reason }) {
                found[index].names.append(name)
            } else {
                found.append((reason, [name]))
            }
        }
        return found
    }

    private static func obstacle(
        _ format: String, _ arguments: [PredicateValue], _ dialect: any SQLDialect
    ) -> SQLCompilationError.Obstacle? {
        do {
            let predicate = try FormatPredicate(format: format, arguments: arguments)
            _ = try SQLCompiler(schema: schema, dialect: dialect, calendarZone: .gmt)
                .compile(predicate, entity: "Thing")
        } catch let error as SQLCompilationError {
            if case .notExpressible(let obstacle) = error.code { return obstacle }
        } catch {}
        return nil
    }

    // MARK: Completeness

    /// The kinds of obstacles that random predicates meet and no example shows; limits of statements apart.
    package var missing: [String] {
        let shown = Set(
            Self.examples.flatMap { example in
                dialects.compactMap { Self.obstacle(example.format, example.arguments, $0.dialect)?.kind }
            })
        return found.subtracting(shown).subtracting(["size", "depth", "joins"]).sorted()
    }

    private var found: Set<String> {
        var found: Set<String> = []
        for (_, dialect, traits) in dialects {
            let run = AgreementRun(seed: 1)
            for number in AgreementRun.worlds(forPredicates: Self.predicates) {
                let (world, predicates) = run.questions(world: number, traits)
                let compiler = SQLCompiler(schema: world.schema, dialect: dialect, calendarZone: .gmt)
                for (predicate, entity) in predicates {
                    do throws(SQLCompilationError) {
                        _ = try compiler.compile(FormatPredicate(predicate), entity: entity)
                    } catch {
                        if case .notExpressible(let obstacle) = error.code { found.insert(obstacle.kind) }
                    }
                }
            }
        }
        return found
    }
}

extension SQLCompilationError.Obstacle {
    /// The reason without the name of the dialect.
    fileprivate var generalReason: String {
        if case .function(let name, _) = self { "no exact equivalent of \(name)" } else { reason }
    }

    /// The name of the case; of a function, the function.
    fileprivate var kind: String {
        if case .function(let name, _) = self { return name }
        return String("\(self)".prefix { $0 != "(" })
    }
}
