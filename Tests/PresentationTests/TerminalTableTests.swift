import Catalog
import Presentation
import Testing
import Text

/// No line exceeds the width, whatever is shown and however narrow the window is.
struct TerminalTableTests {
  @Test(
    arguments: Array(20...90) + [100, 120, 200, 333, 500],
    [RenderOptions(), RenderOptions(usesASCII: true), RenderOptions(treatsAmbiguousAsWide: true)])
  func noLineExceedsTheWidth(width: Int, base: RenderOptions) {
    for language in MessageLanguage.allCases {
      var options = base
      (options.language, options.width, options.isTerminal) = (language, width, true)
      let cells = WidthMeasurer(ambiguousWide: options.treatsAmbiguousAsWide)
      for (name, report) in Samples.all {
        for line in TerminalRenderer().render(report, options).split(separator: "\n")
        where cells.of(String(line)) > width {
          Issue.record("\(name) at \(width) in \(language): \(cells.of(String(line))) cells: \(line)")
        }
      }
    }
  }

  @Test(arguments: [0, 1, 2, 5, 10, 19])
  func narrowestWidthIsRendered(width: Int) {
    for (_, report) in Samples.all {
      #expect(!TerminalRenderer().render(report, RenderOptions(width: width, isTerminal: true)).isEmpty)
    }
  }

  /// If a table does not fit, its values are shown vertically and none is omitted.
  @Test func verticalFormOmitsNoValue() {
    let options = RenderOptions(width: 24, isTerminal: true)
    let text = TerminalRenderer().render(Samples.listing(), options)
    for value in ["price", "₩3,500", "₩3,400", "red123", "2022-10-18"] { #expect(text.contains(value), "\(value)") }
    #expect(!text.contains("…"))
  }

  @Test func timesAtMidnightAreShownAsDates() {
    let page = Page(number: 1, products: [Samples.products[0]])
    let wide = RenderOptions(width: 200, isTerminal: true)
    #expect(!TerminalRenderer().render(.listing(Listing(page)), wide).contains("00:00:00"))
    #expect(TerminalRenderer().render(Samples.listing(), wide).contains("2022-10-18 00:00:00"))
    #expect(TerminalRenderer().render(.listing(Listing(page)), RenderOptions()).contains("2022-10-18 00:00:00"))
  }

  @Test func longAddressesAreTruncatedInTheMiddle() {
    var product = Samples.products[0]
    let address = "https://market.example/" + String(repeating: "a-long-folder/", count: 10) + "the-file.jpg"
    product.images = [Picture(id: 1, url: address), Picture(id: 2, url: "https://market.example/2.jpg")]
    let options = RenderOptions(width: 60, isTerminal: true)
    let card = TerminalRenderer().render(.product(product, fields: nil), options)
    #expect(card.contains("1/2 https://"))
    #expect(card.contains("the-file.jpg"))
    #expect(card.contains("2/2 https://market.example/2.jpg"))
    #expect(card.contains("`show 32 images` shows them in full."))
    let whole = TerminalRenderer().render(.product(product, fields: [.images]), options)
    #expect(whole.replacing(#/\n +/#, with: "").contains("1/2 " + address))
  }
}
