import Catalog
import CommandLanguage
import Presentation
import Text

/// The recipe that the headings and cells of a supplier's file suggest, to be confirmed by the user.
package struct RecipeProposal: Sendable {
  package private(set) var recipe: Recipe
  /// The number of rows with a key, and of those that find one product by it.
  package private(set) var rows = 0
  package private(set) var found = 0

  private static let totals: Set = [
    "합계", "총계", "소계", "계", "총합계", "총합", "total", "totals", "subtotal", "grandtotal", "sum",
  ]
  private static let soldOut = ["품절", "없음", "soldout", "outofstock", "none"]
  /// The number of marks that are proposed.
  private static let maximumMarks = 8

  package init(_ sheet: SupplierSheet, own: [Product], _ names: FieldNameTable) {
    recipe = Recipe(headings: sheet.headings)
    let body = sheet.body().rows
    var words: [HeadingWord: (heading: String, column: Int)] = [:]
    // The last word of a heading counts only where no heading is the word alone: `가격 공급가` where none is `공급가`.
    let exact = sheet.headings.map { HeadingWord($0, names) }
    let endings = sheet.headings.map { $0.split(separator: " ").last.flatMap { HeadingWord(String($0), names) } }
    for readings in [exact, endings] {
      for (column, heading) in sheet.headings.enumerated() {
        guard let word = readings[column], words[word] == nil, readings == exact || exact[column] == nil else {
          continue
        }
        words[word] = (heading, column)
      }
    }
    recipe.skip = RecipeProposal.totals(in: body)
    let products = body.filter { !recipe.skip.contains($0.firstText) }
    takeKey(words, products, own)
    if let cost = words[.cost] { recipe.columns[cost.heading] = HeadingWord.costName }
    if let stock = words[.field(.stock)] { recipe.columns[stock.heading] = ProductField.stock.rawValue }
    if let price = words[.field(.price)] {
      recipe.columns[price.heading] = ProductField.price.rawValue
    } else if let sale = words[.field(.sale)], words[.cost] == nil {
      recipe.columns[sale.heading] = ProductField.sale.rawValue
    }
    takeMarks(sheet, products)
    // A file with nearly all of the vendor's products is that of the only supplier.
    if found * 10 >= own.count * 8, found > 0 { recipe.products = Recipe.allOfMine }
  }

  /// Chooses the key by which more rows find a product.
  ///
  /// A number finds a product only if the name in its row is that product's: the supplier's own numbers are small, too.
  private mutating func takeKey(
    _ words: [HeadingWord: (heading: String, column: Int)], _ body: [CSVReader.Row], _ own: [Product]
  ) {
    let byID = Dictionary(own.map { ($0.id, $0) }) { first, _ in first }
    let byName = Dictionary(grouping: own) { ($0.name ?? "").trimmed }
    let name = words[.field(.name)]
    let number = words[.field(.id)] ?? words[.code]
    let named = name.map { name in body.count { byName[$0.text(name.column)]?.count == 1 } } ?? 0
    let numbered =
      number.map { number in
        body.count { row in
          guard let id = ImportColumns.id(row.text(number.column)), let product = byID[id] else { return false }
          return name.map { row.text($0.column) == product.name?.trimmed } ?? true
        }
      } ?? 0
    if let number, numbered > named || name == nil {
      (recipe.key, found) = (.id, numbered)
      recipe.columns[number.heading] = ProductField.id.rawValue
      rows = body.count { !$0.text(number.column).isEmpty }
    } else if let name {
      (recipe.key, found) = (.name, named)
      recipe.columns[name.heading] = ProductField.name.rawValue
      rows = body.count { !$0.text(name.column).isEmpty }
    }
  }

  /// Proposes the meanings of texts and empty cells among numbers.
  private mutating func takeMarks(_ sheet: SupplierSheet, _ body: [CSVReader.Row]) {
    guard let key = recipe.keyHeading.flatMap(sheet.column) else { return }
    let numbers = recipe.columns.compactMap { heading, name in
      ["price", "sale", "stock", HeadingWord.costName].contains(name)
        ? sheet.column(of: heading).map { ($0, name) } : nil
    }
    for row in body where !row.text(key).isEmpty {
      for (column, name) in numbers {
        let text = row.text(column)
        let mark = text.isEmpty ? Recipe.emptyMark : text
        let number = name == ProductField.stock.rawValue ? SpreadsheetNumber(pieces: text) : SpreadsheetNumber(text)
        // `1,024 boxes` or `19,99` is no mark: that such a value is left out would be a guess.
        guard recipe.cells[mark] == nil, recipe.cells.count < RecipeProposal.maximumMarks, number == nil,
          !text.contains(where: \.isNumber), text.count <= 20
        else { continue }
        recipe.cells[mark] = RecipeProposal.soldOut.contains(HeadingWord.plain(text)) ? "0" : Recipe.keep
      }
    }
  }

  private static func totals(in body: [CSVReader.Row]) -> [String] {
    var found: [String] = []
    for row in body where totals.contains(HeadingWord.plain(row.firstText)) {
      if !found.contains(row.firstText) { found.append(row.firstText) }
    }
    return found
  }

  /// Uses the answers of an earlier recipe wherever the file still has their headings.
  package mutating func take(_ earlier: Recipe) {
    let shared = earlier.columns.filter { recipe.headings.contains($0.key) }
    if !shared.isEmpty { recipe.columns = shared }
    recipe.key = earlier.key
    recipe.formulas = earlier.formulas
    recipe.cells = earlier.cells.merging(recipe.cells) { first, _ in first }
    recipe.skip = earlier.skip + recipe.skip.filter { !earlier.skip.contains($0) }
    (recipe.unknown, recipe.products) = (earlier.unknown, earlier.products)
    recipe.sellsOutMissing = earlier.sellsOutMissing
  }
}
