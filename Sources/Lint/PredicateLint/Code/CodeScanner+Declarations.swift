/// Declarations: names with their types and values, and types with their blocks.
extension CodeScanner {
    /// Notes the name of a type whose block follows: `extension Person {`, `@implementation Person … @end`.
    mutating func noteType(_ token: CodeToken) {
        let before = recent.one
        if isSwift {
            if before.kind == .word, bytes.isTypeKeyword(before.range), !bytes.isMemberKeyword(token.range) {
                typeName = token.range
            } else if let outer = typeName, before.is("."), recent.two.end == outer.upperBound {
                typeName = token.range
            }
        } else if recent.two.is("@"), bytes.equals("implementation", before.range) {
            let scope = declarations.open(at: token.start)
            declarations.declareType(token.range, scope: scope)
            implementation = scope
        } else if before.is("@"), bytes.equals("end", token.range), let own = implementation {
            declarations.close(own, at: token.start)
            implementation = nil
        } else if before.is("@"), bytes.equals("property", token.range) {
            isProperty = true
        }
    }

    /// `@property (nonatomic) NSInteger limit;`
    mutating func endProperty() {
        guard isProperty else { return }
        isProperty = false
        let type = recent.two.is("*") ? recent.three : recent.two
        guard recent.one.kind == .word, type.kind == .word else { return }
        declarations.declareProperty(
            .init(name: recent.one.range, scope: 0, value: nil, type: type.range, isVariable: true), bytes)
    }

    /// `let name = "…"`, `name = "…"`, `name += "…"`
    mutating func equals(_ token: CodeToken) {
        guard bytes[token.end] != UInt8(ascii: "=") else { return }
        let before = recent.one
        if recent.two.is("."), names.isKeyProperty(before.range, bytes) { noteKeys(before.range, from: token.end) }
        if before.kind == .symbol, before.end == token.start, !before.is("]"), !before.is(")"), !before.is("}"),
            !before.is("?"), !before.is("!")
        {
            if before.is("+"), recent.two.kind == .word {
                declarations.assign(recent.two.range, value: token.end, isAddition: true, bytes)
            }
            return
        }
        if isSwift {
            if var declaration = declared, declaration.scope == scope, declaration.name.lowerBound >= statement {
                declaration.value = token.end
                declarations.declare(declaration, bytes)
                declared = nil
            } else if before.kind == .word {
                declarations.assign(before.range, value: token.end, bytes)
            } else if before.is(")") {
                for name in pattern {
                    declarations.declare(
                        .init(name: name, scope: scope, value: token.end, type: nil, isVariable: false), bytes)
                }
                pattern = []
            }
        } else if before.kind == .word {
            declareVariable(before, value: token.end)
        }
    }

    /// `name.append("…")`, `[name appendFormat:@"…", a]`, `[parts addObject:@"…"]`
    mutating func noteAddition(of method: CodeToken, to name: CodeToken, isMember: Bool) {
        guard isMember, name.kind == .word, method.kind == .word, bytes[method.start] == UInt8(ascii: "a"),
            Self.adders.contains(where: { bytes.equals($0, method.range) })
        else { return }
        let start = isSwift ? name.start : frames.last?.start ?? name.start
        declarations.assign(name.range, value: start, isAddition: true, bytes)
    }

    private static let adders: [StaticString] = ["append", "appendString", "appendFormat", "addObject"]

    /// `NSString *name = @"…"`, `name = @"…"`, `self.name = @"…"`
    private mutating func declareVariable(_ name: CodeToken, value: Int) {
        guard recent.two.is("*") || recent.two.kind == .word && !bytes.equals("return", recent.two.range) else {
            return declarations.assign(name.range, value: value, bytes)
        }
        let type = recent.two.is("*") ? recent.three.range : recent.two.range
        declarations.declare(
            .init(
                name: name.range, scope: scope, value: value, type: type,
                isVariable: !bytes.equals("const", recent.two.range)), bytes)
    }
}

extension Bytes {
    fileprivate func isTypeKeyword(_ word: Range<Int>) -> Bool {
        equals("extension", word) || equals("class", word) || equals("struct", word) || equals("enum", word)
            || equals("actor", word) || equals("protocol", word)
    }

    /// True for words that follow `class` in `class func`.
    fileprivate func isMemberKeyword(_ word: Range<Int>) -> Bool {
        equals("func", word) || equals("var", word) || equals("let", word) || equals("override", word)
            || equals("subscript", word) || equals("init", word) || equals("final", word)
    }
}
