import Foundation
import Pacing
import Testing

/// Values of fields are read in every form whose meaning is certain, in lines and in files.
@Suite(.timeLimit(Trial.limit)) struct FieldValueTests {
  /// Amounts are read in every form whose meaning is certain; otherwise the character that looks right is named.
  @Test(arguments: [
    ("19\u{A0}500", "19,500"), ("19\u{202F}500", "19,500"), ("\u{A0}19500\u{200B}", "19,500"), ("１９，５００", "19,500"),
    ("１９５００", "19,500"), ("₩19\u{2009}500", "19,500"), ("\u{202D}19500\u{202C}", "19,500"),
    ("\u{2212}19500", "U+2212 MINUS SIGN"), ("19\u{66B}5", "U+066B ARABIC DECIMAL SEPARATOR"),
    ("١٩٥٠٠", "U+0661 ARABIC-INDIC DIGIT ONE"), ("19\u{B7}5", "U+00B7 MIDDLE DOT"),
  ])
  func amountsAsTheyAreCopied(_ text: String, _ expected: String) async throws {
    try await House.visit { house in
      try house.bring("a.csv", "id,price\n138,\"\(text)\"\n")
      try house.bring("a.jsonl", "{\"id\":138,\"price\":\"\(text)\"}\n")
      for line in ["dry patch 138 price='\(text)'", "dry import ~/a.csv", "dry import ~/a.jsonl"] {
        // In JSON, amounts have no separators.
        if line.hasSuffix("jsonl"), !expected.hasPrefix("U+"), text != "１９５００" { continue }
        let said = await house.say(line)
        #expect(
          expected.hasPrefix("U+") ? said.contains(expected) : said.contains("-> ₩\(expected)"), "\(line)\n\(said)")
      }
      if !expected.hasPrefix("U+"), !text.contains("₩") {
        let found = await house.say("ls where id=138 and price<'\(text)' columns id as csv")
        #expect(found.hasSuffix("id\n138\n"), "\(found)")
      }
    }
  }

  @Test func fullWidthDigitsInConditionsAndTargets() async throws {
    try await House.visit { house in
      #expect(await house.say("ls where id=１３８ columns id as csv").hasSuffix("id\n138\n"))
      #expect(await house.say("ls where stock>３０ and id in (138, １３２) columns id as csv").hasSuffix("id\n132\n"))
      #expect(await house.say("dry patch 138 stock=１２ price-=１０%").contains("stock 25 -> 12"))
    }
  }

  /// A name or description that nobody can see is refused wherever it could be given.
  @Test(arguments: [
    "   ", "\u{3000}\u{3000}\u{3000}", "\u{1D159}\u{1D159}\u{1D159}", "\u{3164}\u{115F}\u{200B}\u{2800}",
  ])
  func invisibleNames(_ blank: String) async throws {
    try await House.visit { house in
      try house.bringPictures()
      let long = String(repeating: blank, count: 4)
      try house.bring("n.jsonl", "{\"id\":138,\"name\":\"\(blank)\"}\n")
      try house.bring(
        "new.jsonl",
        "{\"name\":\"\(blank)\",\"description\":\"설명이 충분히 깁니다\",\"price\":1,\"currency\":\"KRW\",\"images\":[\"~/cup.png\"]}\n"
      )
      _ = await house.say("pull ~/shop 138")
      _ = try await Sh.run("sed -i 's/^name = .*/name = \"\(blank)\"/' '\(house.folder)'/shop/products/000138*")
      for limits in ["documented", "server"] {
        _ = await house.say("set limits \(limits)")
        for line in [
          "patch 138 name='\(blank)' yes", "patch 138 description='\(long)' yes", "import ~/n.jsonl yes",
          "import ~/new.jsonl yes",
          "push ~/shop yes",
          "new name='\(blank)' description='설명이 충분히 깁니다' price=1 currency=KRW images=~/cup.png yes",
        ] {
          let said = await house.say(line)
          #expect(said.contains("cannot be seen") && said.hasSuffix("= 2\n"), "\(limits): \(line)\n\(said)")
        }
      }
    }
  }
}
