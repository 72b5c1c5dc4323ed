import Foundation
import TestSupport

/// The texts that a malicious or careless server may send: every scalar, and control sequences of terminals.
enum HostileTexts {
  static let isLong = Trial.isLong

  /// The number of scalars in a text.
  ///
  /// A reason shows seven such texts completely.
  private static let perText = 64
  /// The number of texts in a page.
  static let rows = 20
  /// The last scalar of each text.
  ///
  /// If it is missing in the output, the text was truncated.
  static let mark: Unicode.Scalar = "Q"

  private static let all = UInt32(0)...0x10FFFF

  /// Returns pages of texts with all 1,112,064 scalars, or with the most harmful ones and samples of the rest.
  ///
  /// Only every `parts`-th page is returned, beginning with number `part`.
  static func pages(part: Int = 0, of parts: Int = 1) -> [[String]] {
    everyPage.indices.filter { $0 % parts == part }.map { everyPage[$0] }
  }

  private static let everyPage: [[String]] = {
    var pages: [[String]] = []
    var page: [String] = []
    var text = String.UnicodeScalarView()
    var hasHarm = false
    func endPage() {
      if isLong || hasHarm || pages.isEmpty || count % 250 == 7 { pages.append(page) }
      count += 1
      (page, hasHarm) = ([], false)
    }
    var count = 0
    for value in all {
      guard let scalar = Unicode.Scalar(value) else { continue }
      text.append(scalar)
      // A letter that the scalar could join. An unassigned scalar joins none.
      if value < 0x40000 && !isUnknown(scalar) || value & 0xFFFF == 0 { text.append("a") }
      hasHarm = hasHarm || [0x200B, 0xFE0F, 0xE0041].contains(value)
      guard text.count >= perText else { continue }
      text.append(mark)
      page.append(String(text))
      text = .init()
      if page.count == rows { endPage() }
    }
    text.append(mark)
    page.append(String(text))
    while page.count < rows { page.append(String(mark)) }
    endPage()
    return pages
  }()

  private static func isUnknown(_ scalar: Unicode.Scalar) -> Bool {
    [.unassigned, .privateUse].contains(scalar.properties.generalCategory)
  }

  /// Returns names for cards, which show 52 cells in a row: as many scalars as fit, escaped or not.
  static func shortPages(part: Int, of parts: Int) -> [[String]] {
    var names: [String] = []
    var name = String.UnicodeScalarView()
    var cells = 0
    for value in all where isLong || value % 997 < 3 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      // The maximum width of an escape: ten characters for a scalar outside the Basic Multilingual Plane.
      let width = !isUnknown(scalar) && !scalar.properties.isDefaultIgnorableCodePoint ? (value < 0x3000 ? 7 : 3) : 11
      if cells + width > 50 {
        name.append(mark)
        names.append(String(name))
        (name, cells) = (.init(), 0)
      }
      name.append(scalar)
      name.append("a")
      cells += width
    }
    name.append(mark)
    names.append(String(name))
    let size = 500
    return stride(from: part * size, to: names.count, by: parts * size).map {
      Array(names[$0..<min(names.count, $0 + size)])
    }
  }

  /// 500 sequences, equal in every run, built from introducers, parameters, terminators and invisible characters.
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
