import CommandLanguage
import Testing

/// Paths after the name of a response, and the text before and after the colon of `each` and `if`.
@Suite struct ValuePathTests {
  /// Returns the parts of a word that are variables.
  private func variables(_ text: String) -> [String] {
    Lexer(text).tokens.flatMap { token -> [String] in
      guard case .word(let word) = token else { return [] }
      return word.parts.filter { $0.kind == .variable }.map(\.text)
    }
  }

  @Test(arguments: [
    ("$p", ["p"]), ("$p.status", ["p.status"]), ("$p.pages[0].id", ["p.pages[0].id"]), ("$p[0][1].a", ["p[0][1].a"]),
    ("$p.headers.Content-Type", ["p.headers.Content-Type"]), ("$p.a-b", ["p.a"]), ("$p.", ["p"]),
    ("$p.pages[x]", ["p.pages"]),
    ("$p.pages[-1]", ["p.pages[-1]"]), ("$p.pages[*].id", ["p.pages[*].id"]),
    ("$p[\"a b\"].c", ["p[\"a b\"].c"]), ("$p['a]']", ["p['a]']"]), ("\"$p[\"a\"", ["p"]), ("\"$p.a[1]!\"", ["p.a[1]"]),
    ("'$p.a'", []), ("_.status", ["_.status"]),
    ("price=_.pages[0].price", ["_.pages[0].price"]), ("_[0].id", ["_[0].id"]), ("a_.b", []), ("@3.name", ["@3.name"]),
    ("@3.nothing", []), ("x=$p.a,$p.b", ["p.a", "p.b"]),
  ])
  func pathEndsAtTheFirstCharacterThatIsNoPartOfIt(text: String, expected: [String]) {
    #expect(variables(text) == expected)
  }

  /// A path of a response without a value is rejected, and a file name is text.
  ///
  /// `$p` is a response, as a session has it: what it doesn't contain is missing.
  @Test(arguments: [
    ("echo $p.id", "echo TEXT:[7]"), ("echo $p.nothing", "! $p.nothing has no value."),
    ("echo $t.csv", "echo TEXT:[file.csv]"),
    ("echo $t[0]", "echo TEXT:[file[0]]"), ("echo _.csv", "echo TEXT:[_.csv]"),
    ("echo $o.name.txt", "echo TEXT:[cup.txt]"),
    ("echo $o.name", "echo TEXT:[cup]"), ("echo $t.price", "! $t.price has no value."),
  ])
  func pathIsReplacedByItsValue(line: String, expected: String) {
    let values = ["p": "{}", "p.status": "200", "p.id": "7", "t": "file", "o": "42", "o.name": "cup"]
    let read = meaning(of: line) { name in
      values[name].map(NamedValue.init(word:)) ?? (name.hasPrefix("p.") ? .missing : nil)
    }
    #expect(read.hasPrefix(expected), "\(read)")
  }

  @Test(arguments: [
    ("mine: patch _ stock=0", "mine", "patch _ stock=0"), ("where a~'x: y': show _", "where a~'x: y'", "show _"),
    ("created>=2022-01-18T09:30:00: ls | head", "created>=2022-01-18T09:30:00", "ls | head"),
    ("42 : 'show _; ls'", "42", "show _; ls"),
  ])
  func lineAfterColonIsKeptUnparsed(text: String, head: String, line: String) throws {
    let held = try NestedLine(text, of: "each", example: "")
    #expect(held.subject == head && held.line == line)
  }

  @Test(arguments: ["mine", "mine:", ": ls", "mine patch", "", "a:b c"])
  func missingColonOrLineIsRefused(text: String) {
    #expect(throws: ParseError.self) { try NestedLine(text, of: "each", example: "") }
  }
}
