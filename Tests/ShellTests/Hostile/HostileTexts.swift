import Foundation
import Pacing

/// What a hostile or careless server may write: every scalar there is, and sequences that terminals obey.
enum HostileTexts {
  static let isLong = Trial.isLong

  /// Scalars that one text of a row holds: no more than are shown of a reason, seven of them together.
  private static let perText = 64
  /// Texts of a page.
  static let rows = 20
  /// What each text of a page ends with: where it is missing in the output, something was cut and not shown.
  static let mark: Unicode.Scalar = "Q"

  private static let all = UInt32(0)...0x10FFFF

  /// Pages of texts with all 1,112,064 scalars, or with the few pages where most harm is and samples of the rest; every
  /// `parts`-th of them from number `part` on.
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
      // A letter that it could join; what no one has given a meaning joins nothing.
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

  /// The scalars for cards, of which one row shows 52 cells: as many to a name as are shown whole, spelled out or not.
  static func shortPages(part: Int, of parts: Int) -> [[String]] {
    var names: [String] = []
    var name = String.UnicodeScalarView()
    var cells = 0
    for value in all where isLong || value % 997 < 3 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      // Spelled out at the widest: ten letters for a scalar beyond the first plane.
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
