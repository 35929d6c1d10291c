/// The names and tags of the generated people. Shares matter, not names: one in nine first names begins with "jo", one
/// name in three has "an" in it.
enum Vocabulary {
    static let firstNames = [
        "John", "Joan", "Jonas", "Joseph", "Johanna", "Jan", "Jane", "Julia", "Jack", "Jordan", "Anna", "Hannah",
        "Daniel", "Frank", "Diana", "Ivan", "Susan", "Brian", "Nathan", "Emma", "Peter", "Maria", "Lucas", "Oliver",
        "Sophie", "David", "Laura", "Robert", "Claire", "Victor", "Helen", "Martin", "Alice", "Thomas", "Nora",
        "George", "Elena", "Simon", "Ruth", "Paul", "Irene", "Mark", "Greta", "Philip", "Sara", "Hugo", "Vera", "Karl",
    ]

    static let lastNames = [
        "Smith", "Jones", "Brown", "Taylor", "Wilson", "Evans", "Walker", "White", "Green", "Hall", "Wood", "Clarke",
        "Garcia", "Hansen", "Johansson", "Lang", "Kowalski", "Novak", "Rossi", "Ferrari", "Moreau", "Dubois",
        "Fischer", "Weber", "Schmidt", "Becker", "Wagner", "Bauer", "Silva", "Santos", "Costa", "Pereira", "Lopez",
        "Torres", "Ramos", "Ruiz", "Nielsen", "Larsen", "Berg", "Lund", "Virtanen", "Popov", "Ivanova", "Sato",
        "Tanaka", "Kim", "Nguyen", "Miller",
    ]

    /// Names with a letter beyond ASCII, each composed to one code point.
    static let accentedFirstNames = [
        "Jos\u{E9}", "Jo\u{E3}o", "J\u{F6}rg", "Ren\u{E9}e", "Zo\u{EB}", "Andr\u{E9}", "Bj\u{F6}rn", "In\u{EA}s",
        "L\u{E9}a", "S\u{F8}ren", "Ma\u{EB}l", "\u{C5}sa", "Ji\u{159}\u{ED}", "\u{C9}mile", "Fran\u{E7}ois",
        "Ad\u{E9}la\u{EF}de",
    ]

    static let accentedLastNames = [
        "Garc\u{ED}a", "Mu\u{F1}oz", "M\u{FC}ller", "Bj\u{F6}rk", "Nu\u{F1}ez", "Kr\u{E1}l", "Gon\u{E7}alves",
        "S\u{F8}rensen", "Dvo\u{159}\u{E1}k", "L\u{F3}pez", "Fran\u{E7}a", "Andr\u{E9}asson", "Pe\u{F1}a",
        "Gr\u{E5}berg", "T\u{F3}th", "Ib\u{E1}\u{F1}ez",
    ]

    static let domains = [
        "example.com", "example.org", "mail.example.net", "post.example.com", "example.net", "staff.example.org",
    ]

    static let tags = [
        "swift", "server", "sql", "linux", "c", "rust", "go", "web", "data", "security", "testing", "networking",
        "embedded", "compilers and interpreters", "graphics", "audio",
    ]

    static let departments = [
        "Sales", "Legal", "R&D", "Engineering", "Marketing", "Support", "Finance", "Operations",
    ]
}
