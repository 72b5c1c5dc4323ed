import Foundation

/// What a hostile or careless server may write: every scalar there is, and sequences that terminals obey.
enum HostileTexts {
  static var isLong: Bool { ProcessInfo.processInfo.environment["OPENMARKET_LONG_TESTS"] == "1" }

  /// Scalars that one text of a row holds, each before a letter that anything could join.
  static let perText = 32
  /// Texts of a page.
  static let rows = 20

  /// Pages of texts with all 1,112,064 scalars, or with one page of a hundred and the first ones, where most harm is.
  static func pages() -> [[String]] {
    let size = UInt32(perText * rows)
    return stride(from: UInt32(0), through: 0x10FFFF, by: Int(size)).enumerated().compactMap { index, start in
      guard isLong || start == 0 || index % 420 == 7 || [0x2000, 0xFE00, 0xE0000].contains(start / size * size) else {
        return nil
      }
      return (0..<UInt32(rows)).map { row in
        var text = String.UnicodeScalarView()
        for offset in 0..<UInt32(perText) {
          guard let scalar = Unicode.Scalar(start + row * UInt32(perText) + offset) else { continue }
          text.append(scalar)
          text.append("a")
        }
        return String(text)
      }
    }
  }

  /// 500 sequences, the same in every run: what begins one, what stands in it, what ends it, and what hides.
  static let crafted: [String] = {
    let begins = [
      "\u{1B}[", "\u{9B}", "\u{1B}]", "\u{9D}", "\u{1B}P", "\u{90}", "\u{1B}_", "\u{9F}", "\u{1B}^", "\u{9E}",
      "\u{1B}X",
      "\u{98}", "\u{1B}", "\u{1B}\u{1B}[", "\u{1B}\n[", "\u{85}",
    ]
    let middles = [
      "2J", "31m", "999;999H", "?1049h", "6n", ">c", "0;pwned", "52;c;ZXZpbA==", "8;;http://evil.example",
      "1337;File=:AAAA",
      "$qm", "Gf=32,a=T;AAAA", "4;0;?", "?2004l",
    ]
    let ends = ["", "\u{7}", "\u{1B}\\", "\u{9C}"]
    var all: [String] = []
    for middle in middles {
      for begin in begins { for end in ends { all.append("x" + begin + middle + end + "y") } }
    }
    let hidden = [
      "\r\nid  1\r\n", "a\rb", "\u{8}\u{8}\u{8}", "\u{202E}txt.exe", "\u{2066}a\u{2069}",
      "\u{200B}\u{200C}\u{200D}\u{FEFF}",
      "\u{2028}\u{2029}", "\u{E0001}\u{E0041}\u{E007F}", "a" + String(repeating: "\u{316}", count: 500),
      "👍🏽👨‍👩‍👧🇰🇷\u{2764}\u{FE0F}",
      "\u{1112}\u{1161}\u{11AB}\u{1160}\u{3164}\u{FFA0}", "\u{0}\u{1}\u{7F}", "│ 1 │ 2 │", "\t\t\t\t", "`rm -rf ~`",
      "$(touch PWNED)",
      "=cmd|' /C calc'!A0", String(repeating: "가", count: 300), "\u{F0000}\u{10FFFD}", "\u{AD}\u{34F}\u{61C}\u{180E}",
    ]
    var index = 0
    while all.count < 500 {
      all.insert(
        hidden[index % hidden.count] + (index < hidden.count ? "" : begins[index % begins.count]),
        at: index * 3 % all.count)
      index += 1
    }
    return Array(all.prefix(480)) + hidden
  }()
}
