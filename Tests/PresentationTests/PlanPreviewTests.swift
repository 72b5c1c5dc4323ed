import Catalog
import FoundationEssentials
import Presentation
import Testing
import Text

/// The preview of a write, including differences that are invisible.
@Suite struct PlanPreviewTests {
  static let changes: [(before: String, after: String, lines: String)] = [
    ("텀블러", "병", "  name 텀블러 -> 병"),
    // Terminals draw these differently, so they are removed from the text that is drawn.
    ("👍", "👍🏽", "  name 👍 -> 👍 (- -> U+1F3FD)"),
    ("👍🏻 좋아요", "👍🏿 좋아요", "  name 👍 좋아요 -> 👍 좋아요 (U+1F3FB -> U+1F3FF)"),
    ("❤", "❤\u{FE0F}", "  name ❤ -> ❤ (- -> U+FE0F)"),
    ("병", "“새이름”", "  name 병 -> “새이름”\n  “새이름”: curly quotes are kept as part of the value"),
    ("병", "새 “이름”", "  name 병 -> 새 “이름”"),
    ("병", "‘’", "  name 병 -> ‘’\n  ‘’: curly quotes are kept as part of the value"),
  ]

  private static let heading = PlanPreview.Target(profile: "demo", vendor: nil, host: "here", access: "rw")

  @Test(arguments: Self.changes.indices) func invisibleDifferencesAreMarked(_ index: Int) {
    let (before, after, lines) = Self.changes[index]
    var (from, to) = (ProductValues(), ProductValues())
    (from.name, to.name) = (before, after)
    let change = Change.edit(Product(id: 32, name: before), from: from, to: to)
    let preview = PlanPreview([change], heading: Self.heading)
    let text = preview.changes(RenderOptions()) + preview.summary(RenderOptions())
    let drawn = String(String.UnicodeScalarView(before.unicodeScalars.filter { $0 != "\u{1F3FB}" }))
    #expect(text == "update 32 \(drawn)\n\(lines)\n-> demo (rw) here\n")
  }

  /// A row of a table shows a visible change of a name; an invisible one is written out below it.
  @Test func invisibleDifferenceIsBelowItsRow() {
    var changes: [Change] = []
    for (id, before, after) in [(32, "👍", "👍🏽"), (33, "병", "텀블러")] {
      var (from, to) = (ProductValues(), ProductValues())
      (from.name, to.name) = (before, after)
      changes.append(.edit(Product(id: id, name: before), from: from, to: to))
    }
    let preview = PlanPreview(changes, heading: Self.heading)
    let rows = preview.changes(RenderOptions(width: 80, isTerminal: true))
    let details = rows.split(separator: "\n").filter { $0.hasPrefix("    name ") }
    #expect(details == ["    name 👍 → 👍 (- -> U+1F3FD)"], "\(rows)")
  }

  /// A truncated URL is a link to the complete one if the terminal supports links; without colors it is plain text.
  @Test func truncatedURLIsALink() {
    let address = "https://market.example/" + String(repeating: "a/", count: 40) + "1.jpg"
    let product = Product(id: 3, thumbnailURL: address, images: [Picture(id: 1, url: address)])
    var options = RenderOptions(width: 60, isTerminal: true)
    let plain = TerminalRenderer().render(.product(product, fields: nil), options)
    #expect(!plain.contains("\u{1B}") && plain.contains("…"))
    options.hasLinks = true
    let linked = TerminalRenderer().render(.product(product, fields: nil), options)
    let start = "\u{1B}]8;;" + address + "\u{1B}\\"
    #expect(linked.ranges(of: start).count == 2)
    #expect(linked.replacing(start, with: "").replacing("\u{1B}]8;;\u{1B}\\", with: "") == plain)
  }

  @Test(arguments: ["javascript:alert(1)", "https://a/\u{1B}\\x", "https://a/b c", "file:///etc/passwd"])
  func onlyHTTPAddressesAreLinks(_ address: String) {
    let long = address + String(repeating: "/aaaa", count: 20)
    let product = Product(id: 3, images: [Picture(id: 1, url: long)])
    let options = RenderOptions(width: 60, isTerminal: true, hasLinks: true)
    #expect(!TerminalRenderer().render(.product(product, fields: nil), options).contains("\u{1B}]8"))
  }
}
