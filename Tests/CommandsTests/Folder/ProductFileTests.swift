import Catalog
import Commands
import Foundation
import TestSupport
import Testing
import Text

/// The file of a product: what is written is read back unchanged, and each error has its line.
@Suite(.timeLimit(Trial.limit)) struct ProductFileTests {
  private static let texts = [
    "", " ", "먹색 요리책", "a\nb", "\n", "\n\n끝\n", "\"", "\"\"\"", "\"\"\"\"\"\"", "\\", "\\n", "a\r\nb", "\r", "\t",
    "\u{0}", "\u{1B}[31m", "\u{7F}", "\u{9B}", "\u{FEFF}", "\u{202E}abc", "é", "e\u{301}", "😀", "<<<<<<< x", "=======",
    "a\n=======\nb", ">>>>>>> y\n", "# no remark", "'''", "= [", "\u{2028}",
  ]

  @Test func writtenProductIsReadBack() throws {
    var dice = SplitMix64(Trial.seed)
    func text() -> String { (0..<3).map { _ in ProductFileTests.texts.randomElement(using: &dice)! }.joined() }
    func amount() -> Amount {
      Amount(
        units: Int.random(in: -1_000_000_000...999_999_999_999, using: &dice),
        exponent: -Int.random(in: 0...3, using: &dice))
    }
    for _ in 0..<Trial.count(500, long: 20_000) {
      var file = ProductFile(
        id: Bool.random(using: &dice) ? Int.random(in: 1...9_999_999, using: &dice) : nil, values: [:])
      for field in ProductFile.fields where Int.random(in: 0..<4, using: &dice) > 0 {
        switch field {
        case .price, .discount: file.values[field] = .amount(amount())
        case .stock: file.values[field] = .number(Int.random(in: -5...1_000_000_000_000, using: &dice))
        case .images: file.values[field] = .references((0..<Int.random(in: 0...3, using: &dice)).map { _ in text() })
        default: file.values[field] = .text(text())
        }
      }
      let written = file.text
      let read = try ProductFile(parsing: written)
      #expect(read == file, "\(written.debugDescription)")
      // Bytes, because `==` accepts another normalization form.
      #expect(read.text.utf8.elementsEqual(written.utf8))
      #expect(!written.unicodeScalars.contains { $0.value < 32 && $0 != "\n" || (0x7F...0x9F).contains($0.value) })
      var changes: [ProductField: FieldValue?] = [.stock: .number(7), .description: .text(text())]
      changes[.price] = .some(nil)
      let edited = try ProductFile(parsing: ProductFile.text("# kept\n" + written, with: changes))
      var wanted = file
      for (field, cell) in changes { wanted.values[field] = cell }
      #expect(edited == wanted, "\(written.debugDescription)")
    }
  }

  @Test func productFileEqualsGolden() throws {
    let product = Product(
      id: 138, name: "먹색 요리책 \"둘\"", description: "첫째 줄\n\n셋째 \\ 줄\t끝\"", price: Amount(typed: "19900.5"),
      discount: .zero, currency: .krw, stock: 12)
    let names = [(138, product.name), (7, "  Tea—cup, white!! "), (12_345_678, "../☃")].map {
      "\(ProductFile.name(id: $0, of: $1))\n"
    }
    try Golden("product-file").check(
      names.joined() + "\n" + ProductFile(product, pictures: ["pictures/a.jpg", "pictures/b.png"]).text)
  }

  static let bad: [(String, Int, String)] = [
    (
      "id = 1\nprise = 5\n", 2,
      "unknown key prise; the keys are id, name, price, discount, currency, stock, images, description"
    ),
    ("id = 0\n", 1, "id must be a product number"), ("id = \"5\"\n", 1, "id must be a product number"),
    ("name = 5\n", 1, "name must be a quoted string"), ("\nprice = \"5\"\n", 2, "price must be a number such as 19.99"),
    ("price = 1e3\n", 1, "price must be a number such as 19.99"), ("stock = 1.5\n", 1, "stock must be a whole number"),
    ("images = \"a.png\"\n", 1, "images must be a list of quoted paths"),
    ("images = [1]\n", 1, "images must be a list of quoted paths"), ("id = 1\nid = 2\n", 2, "duplicate name"),
    ("id = 1\r\nname = \"x\"\r\n", 1, "the line ends with CR LF; save the file with LF line endings"),
    ("\u{FEFF}id = 1\n", 1, "the file begins with a byte order mark; save it as UTF-8 without one"),
    ("id = 1\n<<<<<<< HEAD\nstock = 1\n=======\n", 2, "the line is a conflict marker; resolve the merge first"),
    (
      "id = 1\n[x]\ny = 1\n", 2,
      "unknown key x; the keys are id, name, price, discount, currency, stock, images, description"
    ),
    ("name = \"x\n", 1, "missing closing quote"),
  ]

  @Test(arguments: bad.indices) func malformedFileIsRefusedWithItsLine(_ index: Int) {
    let (text, line, reason) = ProductFileTests.bad[index]
    do throws(ProductFile.Fault) {
      _ = try ProductFile(parsing: text)
      Issue.record("\(text) was read")
    } catch {
      #expect(error.line == line && error.reason[.english].plain == reason, "\(error)")
    }
  }
}
