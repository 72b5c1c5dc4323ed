import Foundation
import Networking
import ShellTesting
import TestSupport
import Testing

/// Values of fields are read in every form whose meaning is certain, in lines and in files.
@Suite(.timeLimit(Trial.limit)) struct FieldValueParserTests {
  /// Amounts are read in every form whose meaning is certain; otherwise the character that looks right is named.
  @Test func unambiguousAmountsAreRead() async throws {
    let amounts = [
      ("19\u{A0}500", "19,500"), ("19\u{202F}500", "19,500"), ("\u{A0}19500\u{200B}", "19,500"), ("１９，５００", "19,500"),
      ("１９５００", "19,500"), ("₩19\u{2009}500", "19,500"), ("\u{202D}19500\u{202C}", "19,500"),
      ("\u{2212}19500", "U+2212 MINUS SIGN"), ("19\u{66B}5", "U+066B ARABIC DECIMAL SEPARATOR"),
      ("١٩٥٠٠", "U+0661 ARABIC-INDIC DIGIT ONE"), ("19\u{B7}5", "U+00B7 MIDDLE DOT"),
    ]
    try await Sandbox.with { sandbox in
      for (text, expected) in amounts {
        try sandbox.writeFile("a.csv", "id,price\n138,\"\(text)\"\n")
        try sandbox.writeFile("a.jsonl", "{\"id\":138,\"price\":\"\(text)\"}\n")
        for line in ["dry patch 138 price='\(text)'", "dry import ~/a.csv", "dry import ~/a.jsonl"] {
          // In JSON, amounts have no separators.
          if line.hasSuffix("jsonl"), !expected.hasPrefix("U+"), text != "１９５００" { continue }
          let said = await sandbox.run(line)
          #expect(
            expected.hasPrefix("U+") ? said.contains(expected) : said.contains("-> ₩\(expected)"), "\(line)\n\(said)")
        }
        if !expected.hasPrefix("U+"), !text.contains("₩") {
          let found = await sandbox.run("ls where id=138 and price<'\(text)' columns id as csv")
          #expect(found.hasSuffix("id\n138\n"), "\(found)")
        }
      }
    }
  }

  @Test func fullWidthDigitsAreReadInConditionsAndTargets() async throws {
    try await Sandbox.with { sandbox in
      #expect(await sandbox.run("ls where id=１３８ columns id as csv").hasSuffix("id\n138\n"))
      #expect(await sandbox.run("ls where stock>３０ and id in (138, １３２) columns id as csv").hasSuffix("id\n132\n"))
      #expect(await sandbox.run("dry patch 138 stock=１２ price-=１０%").contains("stock 25 -> 12"))
    }
  }

  /// A name or description that nobody can see is refused wherever it could be given.
  @Test(arguments: [
    "   ", "\u{3000}\u{3000}\u{3000}", "\u{1D159}\u{1D159}\u{1D159}", "\u{3164}\u{115F}\u{200B}\u{2800}",
  ])
  func invisibleNameIsRefused(_ blank: String) async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writePictures()
      let long = String(repeating: blank, count: 4)
      try sandbox.writeFile("n.jsonl", "{\"id\":138,\"name\":\"\(blank)\"}\n")
      try sandbox.writeFile(
        "new.jsonl",
        "{\"name\":\"\(blank)\",\"description\":\"설명이 충분히 깁니다\",\"price\":1,\"currency\":\"KRW\",\"images\":[\"~/cup.png\"]}\n"
      )
      _ = await sandbox.run("pull ~/shop 138")
      _ = try await Sh.run("sed -i 's/^name = .*/name = \"\(blank)\"/' '\(sandbox.folder)'/shop/products/000138*")
      for limits in ["documented", "server"] {
        _ = await sandbox.run("set limits \(limits)")
        for line in [
          "patch 138 name='\(blank)' yes", "patch 138 description='\(long)' yes", "import ~/n.jsonl yes",
          "import ~/new.jsonl yes",
          "push ~/shop yes",
          "new name='\(blank)' description='설명이 충분히 깁니다' price=1 currency=KRW images=~/cup.png yes",
        ] {
          let said = await sandbox.run(line)
          #expect(said.contains("cannot be seen") && said.hasSuffix("= 2\n"), "\(limits): \(line)\n\(said)")
        }
      }
    }
  }

  /// A name and a description have only the control characters of their lines, wherever they are given.
  @Test func onlyLineControlCharactersAreAllowed() async throws {
    let values: [(String, String, String?)] = [
      ("name", #"\u0000"#, "U+0000"), ("name", #"\u001b[31m"#, "U+001B"),
      ("name", #"\u0085"#, "U+0085"), ("name", #"\u2028"#, "U+2028"), ("description", #"\u0000"#, "U+0000"),
      ("description", #"\u0007"#, "U+0007"), ("description", #"\r\n\t\u2028"#, nil), ("name", #"\r\n\t"#, nil),
      ("name", #"\u200d\u202e"#, nil),
    ]
    try await Sandbox.with { sandbox in
      try sandbox.writePictures()
      for (field, escaped, refused) in values {
        let value = "\(field == "name" ? "새 상품" : "설명이 충분히") \(escaped)깁니다"
        try sandbox.writeFile("c.jsonl", "{\"id\":138,\"\(field)\":\"\(value)\"}\n")
        guard case .string(let text) = try JSON(parsing: Data("\"\(value)\"".utf8)) else { continue }
        try sandbox.writeFile("c.csv", "id,\(field)\n138,\"\(text)\"\n")
        try sandbox.writeFile("c.txt", text)
        for line in ["dry import ~/c.jsonl", "dry import ~/c.csv", "dry patch 138 \(field)=@~/c.txt"] {
          let said = await sandbox.run(line)
          if let refused {
            #expect(said.contains("the control character \(refused)") && said.hasSuffix("= 2\n"), "\(line)\n\(said)")
          } else {
            #expect(said.contains("Dry run") && !said.contains("\n= "), "\(line)\n\(said)")
          }
        }
      }
    }
  }

  /// A text that a program cut within a character would otherwise be written with U+FFFD in its place.
  @Test(arguments: [#"우유\ud83d"#, #"\udc9e우유"#, #"우유\ud83d\ud83d\udc9e"#, #"\ud83d\n\udc9e"#])
  func halfASurrogatePairIsRefused(_ name: String) async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writeFile("a.jsonl", "{\"id\":132,\"stock\":1}\n{\"id\":138,\"name\":\"\(name)병 하나\"}\n")
      try sandbox.writeFile("a.json", "[{\"id\":132,\"stock\":1},\n{\"id\":138,\"name\":\"\(name)병 하나\"}]")
      for file in ["a.jsonl", "a.json"] {
        let said = await sandbox.run("import ~/\(file) yes")
        #expect(said.contains("line 2: ") && said.contains("half of a surrogate pair"), "\(said)")
        #expect(said.hasSuffix("= 2\n"), "\(said)")
      }
      try sandbox.writeFile("new.json", "{\"name\":\"\(name)병 하나\"}")
      let said = await sandbox.run("new from ~/new.json yes")
      #expect(said.contains("half of a surrogate pair") && said.hasSuffix("= 2\n"), "\(said)")
      try sandbox.writeFile("whole.json", #"{"id":138,"name":"우유\ud83d\udc9e\\ud83d병"}"#)
      #expect(await sandbox.run("dry import ~/whole.json").contains(#"-> 우유💞\ud83d병"#))
    }
  }
}
