import Catalog
import CommandLanguage
import Platform
import Testing
import Text

@testable import Commands

@Suite struct RecipeTests {
  private static let whole: Recipe = {
    var recipe = Recipe(headings: ["품번", "품명", "Unit price", "수량"], columns: ["품명": "name", "Unit price": "cost"])
    recipe.formulas = [.price: "cost*1.3 round 100", .stock: "min(수량, 99)"]
    recipe.cells = ["-": "keep", "품절": "0"]
    recipe.skip = ["합계", "TOTAL"]
    recipe.unknown = .skip
    (recipe.products, recipe.sellsOutMissing, recipe.day) = ("name~\"서울\"", true, "2026-11-22")
    return recipe
  }()

  @Test func storedRecipeIsTheSame() throws {
    let text = SettingsFile.text(["seoul-goods": .table(Self.whole.toml)])
    let read = try RecipeStore.recipes(in: SettingsFile(parsing: text, at: "recipes.toml"))
    #expect(read == ["seoul-goods": Self.whole])
  }

  /// The line of a recipe states all of it.
  @Test func lineOfARecipeStatesIt() throws {
    let line = RecipeClauses.line(Self.whole, named: "seoul-goods", file: "week 48.xlsx", sheet: nil)
    let command = try #require(AllCommands.grammar.read(line).first)
    let clauses = try RecipeClauses(command)
    #expect(clauses.name == "seoul-goods" && clauses.isComplete)
    var stated = try clauses.applied(to: Recipe(headings: Self.whole.headings))
    stated.day = Self.whole.day
    #expect(stated == Self.whole, "\(line)")
  }

  @Test(
    arguments: [
      ("cost*1.3", "19513"), ("cost*1.3 round 100", "19500"), ("cost + 10%", "16511"), ("수량*100", "700"),
      ("unit_cost", nil), ("max(cost, 20000) round 1000", "20000"),
    ] as [(String, String?)])
  func formulaIsOverColumns(_ text: String, _ result: String?) throws {
    var recipe = Self.whole
    recipe.formulas = [:]
    let formula = try? recipe.formula(text)
    let value = formula?.value(of: ["cost": Amount(15_010), "수량": Amount(7)])
    #expect(value == result.flatMap { Amount(typed: $0) })
  }

  struct Fault: CustomTestStringConvertible, Sendable {
    var says: String
    var change: @Sendable (inout Recipe) -> Void
    var testDescription: String { says }
  }

  @Test(arguments: [
    Fault(says: "no column 이름") { $0.columns["이름"] = "description" },
    Fault(says: "Two columns are name.") { $0.columns["품번"] = "name" },
    Fault(says: "vendor cannot be imported.") { $0.columns["품번"] = "vendor" },
    Fault(says: "No column is id.") { $0.key = .id },
    Fault(says: "No column is written.") { $0.formulas = [:] },
    Fault(says: "The formula of price needs a column.") { $0.formulas = [.price: "1000"] },
    Fault(says: "Unknown field or function: costs.") { $0.formulas = [.price: "costs*2"] },
    Fault(says: "is keep or a number") { $0.cells["?"] = "soon" },
    Fault(says: "cannot become a product") {
      $0.columns["품번"] = "id"
      ($0.key, $0.unknown) = (.id, .create)
    },
    Fault(says: "needs to know which products") { $0.products = nil },
    Fault(says: "costs") { $0.products = "costs" },
    Fault(says: "The cells N/A and n/a have different meanings.") {
      $0.cells["N/A"] = "0"; $0.cells["n/a"] = "keep"
    },
    Fault(says: "discounted_price") { $0.products = "discounted_price<1000" },
  ])
  func contradictionIsRefused(_ fault: Fault) throws {
    var recipe = Self.whole
    try recipe.check()
    fault.change(&recipe)
    do {
      try recipe.check()
      Issue.record("accepted: \(recipe)")
    } catch {
      let told = error.message.english.plain + " " + (error.suggestion?.english.plain ?? "")
      #expect(told.contains(fault.says), "\(told)")
    }
  }

  /// A column or a cell that is stated twice is no choice of one of them.
  @Test(arguments: [
    ("columns '품명=name,수량=stock,수량=price' key name", "수량 is stated twice."),
    ("columns 'Unit price=cost,unit price=price,품명=name' key name", "Unit price is stated twice."),
    ("columns '품명=name,수량=stock' key name cells '-=keep,-=0'", "- is stated twice."),
  ])
  func statedTwiceIsRefused(_ clauses: String, _ reason: String) throws {
    let command = try #require(AllCommands.grammar.read("import week.csv \(clauses)").first)
    let error = #expect(throws: ParseError.self) {
      _ = try RecipeClauses(command).applied(to: Recipe(headings: Self.whole.headings))
    }
    #expect(error?.message.english.plain.contains(reason) == true)
  }

  /// A name that two headings would have is of neither, until the recipe gives it to one.
  @Test func ambiguousNameIsNone() {
    var recipe = Recipe(headings: ["품명", "Unit price", "Unit_price"], columns: ["품명": "name"])
    #expect(recipe.variables == ["품명": "품명", "name": "품명"])
    recipe.columns["Unit_price"] = "Unit_price"
    #expect(recipe.variables["Unit_price"] == "Unit_price")
  }

  /// A fault is reported at the line of the setting that has it.
  @Test(arguments: [
    "formulas = { price = \"costs*2\" }", "of = \"costs\"", "cells = { \"-\" = \"soon\" }", "missing = \"stock=0\"",
  ])
  func faultHasItsLine(_ line: String) throws {
    let text = """
      [shop]
      headings = ["Item", "Qty"]
      columns = { Item = "name", Qty = "stock" }
      \(line)
      """
    let error = #expect(throws: FileError.self) {
      _ = try RecipeStore.recipes(in: SettingsFile(parsing: text, at: "recipes.toml"))
    }
    guard case .syntax(_, let number, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(number == 4)
  }
}
