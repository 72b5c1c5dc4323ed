import Foundation
import Platform
import ShellTesting
import TestSupport
import Testing

@testable import Commands

/// Files of suppliers with different habits (`Suppliers/README.md`): the line that a person has to type once, and what the
/// rows are then.
@Suite(.timeLimit(Trial.limit)) struct SupplierReaderTests {
  private static let folder = (#filePath as NSString).deletingLastPathComponent + "/Suppliers"

  struct Habit: CustomTestStringConvertible, Sendable {
    var file: String
    /// The clauses of the proposed line.
    var proposal: String
    /// The clauses that are added to it.
    var added = ""
    /// The counts of the rows.
    var counts: String
    var exit = ""

    var testDescription: String { file }
  }

  private static let habits: [Habit] = [
    Habit(
      file: "01-titles.xlsx", proposal: "with titles columns '품명=name,공급가=cost,수량=stock' key name",
      added: " price='cost*1.3 round 100'", counts: "3 changed, 1 unknown.", exit: "= 7\n"),
    Habit(
      file: "02-merged.xlsx",
      proposal: "with merged columns '상품명=name,가격 공급가=cost,가격 소비자가=price,재고=stock' key name", counts: "2 changed."),
    Habit(
      file: "03-won.csv", proposal: "with won columns '제품명=name,소비자가=price,재고=stock' key name cells '품절=0'",
      counts: "2 changed, 1 unchanged."),
    Habit(
      file: "04-totals.csv",
      proposal:
        "with totals columns 'Product=name,Unit price=cost,Qty=stock' key name cells '-=keep,n/a=keep' skip 'TOTAL'",
      added: " price=cost*1.3 round 100", counts: "2 changed, 1 unchanged, 1 no product."),
    Habit(
      file: "05-no-ids.tsv", proposal: "with no-ids columns '품명=name,수량=stock' key name",
      counts: "1 changed, 1 unchanged."),
    Habit(
      file: "06-equal-names.csv", proposal: "with equal-names columns '상품명=name,수량=stock' key name",
      counts: "1 changed, 2 twice in the file, 1 equal names.", exit: "= 7\n"),
    Habit(
      file: "07-formulas.xlsx", proposal: "with formulas columns 'Product=name,Unit cost=cost,Qty=stock' key name",
      added: " price=cost*1.3 round 100", counts: "2 changed."),
    Habit(
      file: "08-dates.xlsx", proposal: "with dates columns '품목=name,현재고=stock' key name", counts: "2 changed."),
    Habit(
      file: "09-cp949.csv", proposal: "with cp columns '품명=name,도매가=cost,잔량=stock' key name", counts: "2 changed."),
    Habit(
      file: "10-second-heading.xlsx",
      proposal: "with second-heading columns '상품명=name,재고수량=stock' key name skip '합 계'",
      counts: "3 changed, 4 no product."),
    Habit(
      file: "11-extra-sheet.xlsx",
      proposal: "with extra-sheet columns '제품명=name,공급단가=cost,가용재고=stock' key name", counts: "2 changed."),
    Habit(
      file: "12-changed.csv", proposal: "with changed columns '제품명=name,판매 권장가=price,재고=stock' key name",
      counts: "1 changed."),
    Habit(
      file: "13-merged-totals.xlsx",
      proposal:
        "with merged-totals columns '상품명=name,단가 공급가=cost,단가 권장 소비자가=price,재고 수량=stock' key name skip '합계'",
      counts: "2 changed, 1 unchanged, 1 no product."),
    Habit(
      file: "14-formulas.xlsx",
      proposal: "with formulas columns '품명=name,가용수량=stock,공급가=cost' key name skip '소계'",
      counts: "3 changed, 1 no product."),
    Habit(
      file: "15-dates.xlsx", proposal: "with dates columns '품목=name,현재고=stock' key name", counts: "2 changed."),
    Habit(
      file: "16-shown.csv", proposal: "with shown columns '상품명=name,판매가=sale,재고=stock' key name skip '총계'",
      counts: "2 changed, 1 no product."),
    Habit(
      file: "17-codepage.csv", proposal: "with codepage columns '품명=name,도매가=cost,잔량=stock' key name",
      counts: "2 changed."),
    Habit(
      file: "18-unicode.csv", proposal: "with unicode columns '상품명=name,판매가=sale,재고=stock' key name skip '총계'",
      counts: "2 changed, 1 no product."),
  ]

  private static func bring(_ file: String, to sandbox: Sandbox) throws {
    try FileManager.default.copyItem(atPath: folder + "/" + file, toPath: sandbox.folder + "/" + file)
  }

  @Test func everyFileHasARow() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder).filter {
      !["README.md", "LibreOffice"].contains($0)
    }
    #expect(files.sorted() == Self.habits.map(\.file))
  }

  /// Without a terminal nothing is guessed: the line is held back with one that states everything, and that line works.
  @Test(arguments: habits) func proposedLineReadsTheFile(_ habit: Habit) async throws {
    try await Sandbox.with { sandbox in
      try Self.bring(habit.file, to: sandbox)
      if habit.file == "06-equal-names.csv" {
        for id in [120, 102] { _ = await sandbox.run("patch \(id) name='쌍둥이 컵' yes") }
      }
      let line = "import ~/\(habit.file) \(habit.proposal)"
      let held = await sandbox.run("import ~/\(habit.file) yes")
      #expect(held.contains(line) && held.hasSuffix("= 4\n"), "\(held)")
      let preview = await sandbox.run("dry " + line + habit.added)
      #expect(preview.contains("! note: \(habit.counts)\n"), "\(preview)")
      #expect(habit.exit.isEmpty ? !preview.contains("\n= ") : preview.hasSuffix(habit.exit), "\(preview)")
      #expect(await sandbox.run("recipe as json") == "[]\n")
    }
  }

  /// A stated recipe is saved under its name, and found again by the headings, however the file is called.
  @Test func recipeIsFoundByTheHeadings() async throws {
    try await Sandbox.with { sandbox in
      try Self.bring("03-won.csv", to: sandbox)
      let made = await sandbox.run(
        "import ~/03-won.csv with hanbit columns '제품명=name,소비자가=price,재고=stock' key name cells '품절=0' yes outliers")
      #expect(made.contains("Saved recipe hanbit."), "\(made)")
      #expect(await sandbox.run("show 138 price stock as json") == "{\"price\":19900,\"stock\":21}\n")
      #expect(await sandbox.run("show 114 price stock as json") == "{\"price\":1700000,\"stock\":0}\n")
      try FileManager.default.moveItem(
        atPath: sandbox.folder + "/03-won.csv", toPath: sandbox.folder + "/other.csv")
      let again = await sandbox.run("import ~/other.csv yes")
      #expect(again.contains("Recipe hanbit, 3 columns as on "), "\(again)")
      #expect(again.contains("3 unchanged.") && !again.contains("\n= "), "\(again)")
    }
  }

  /// A heading that changed is named, and nothing is written before it is stated anew.
  @Test func changedHeadingIsNotGuessed() async throws {
    try await Sandbox.with { sandbox in
      for file in ["03-won.csv", "12-changed.csv"] { try Self.bring(file, to: sandbox) }
      _ = await sandbox.run(
        "import ~/03-won.csv with hanbit columns '제품명=name,소비자가=price,재고=stock' key name cells '품절=0' yes outliers")
      _ = await sandbox.run("patch 138 stock=1 yes")
      for line in ["import ~/12-changed.csv yes", "import ~/12-changed.csv with hanbit yes"] {
        let held = await sandbox.run(line)
        #expect(held.contains("not those of recipe hanbit on "), "\(held)")
        #expect(held.contains("Gone: 소비자가. New: 판매 권장가."), "\(held)")
        #expect(held.contains("with hanbit columns '제품명=name,재고=stock' key name cells '품절=0'"), "\(held)")
        #expect(held.hasSuffix("= 4\n"), "\(held)")
      }
      #expect(await sandbox.run("show 138 stock as json") == "{\"stock\":1}\n")
    }
  }

  /// Products that the file lacks are sold out only if the line says so, and only those of the supplier.
  @Test func missingProductsAreSoldOutOnlyIfStated() async throws {
    try await Sandbox.with { sandbox in
      try Self.bring("05-no-ids.tsv", to: sandbox)
      let line = "import ~/05-no-ids.tsv columns '품명=name,수량=stock' key name"
      let refused = await sandbox.run(line + " missing stock=0 yes")
      #expect(refused.contains("needs to know which products") && refused.hasSuffix("= 2\n"), "\(refused)")
      let named = await sandbox.run("dry " + line + " of 'name~\"먹색 요\"'")
      #expect(named.contains("1 missing from the file") && named.contains("132 '먹색 요가 볼'"), "\(named)")
      #expect(!named.contains("set to sold out"), "\(named)")
      _ = await sandbox.run(line + " of 'name~\"먹색 요\"' missing stock=0 yes")
      #expect(await sandbox.run("show 132 stock as json") == "{\"stock\":0}\n")
      #expect(await sandbox.run("show 126 stock as json") == "{\"stock\":52}\n")
      _ = await sandbox.run("undo yes")
      #expect(await sandbox.run("show 132 stock as json") == "{\"stock\":41}\n")
      #expect(await sandbox.run("show 138 stock as json") == "{\"stock\":25}\n")
    }
  }

  /// What can't be read is an error with its line and the words that state its meaning; nothing is sent.
  @Test(arguments: [
    ("품명,수량\n먹색 요리책,문의\n", "cells '문의=keep'"), ("품명,수량\n먹색 요리책,1\n,7\n", "skip 'TOTAL'"),
    ("품명,수량\n먹색 요리책,-\n", "cells '-=keep'"),
  ])
  func unreadCellIsAnError(_ text: String, _ hint: String) async throws {
    try await Sandbox.with { sandbox in
      try Data(text.utf8).write(to: URL(fileURLWithPath: sandbox.folder + "/list.csv"))
      let told = await sandbox.run("import ~/list.csv columns '품명=name,수량=stock' key name yes")
      #expect(told.contains(hint) && told.hasSuffix("= 2\n"), "\(told)")
      #expect(await sandbox.run("show 138 stock as json") == "{\"stock\":25}\n")
    }
  }

  /// The values of cells are those that LibreOffice computed or showed.
  @Test(arguments: ["13-merged-totals.xlsx", "14-formulas.xlsx", "16-shown.csv", "18-unicode.csv"])
  func valuesOfLibreOfficeAreRead(_ file: String) async throws {
    try await Sandbox.with { sandbox in
      try Self.bring(file, to: sandbox)
      let habit = try #require(Self.habits.first { $0.file == file })
      let price = file == "14-formulas.xlsx" ? " price='cost*1.3 round 100'" : ""
      let said = await sandbox.run("import ~/\(file) \(habit.proposal)\(price) yes outliers")
      #expect(!said.contains("\n= "), "\(said)")
      let values = [
        "13-merged-totals.xlsx": "{\"price\":19500,\"sale\":19500,\"stock\":1024}\n",
        "14-formulas.xlsx": "{\"price\":19500,\"sale\":19500,\"stock\":21}\n",
      ]
      #expect(
        await sandbox.run("show 138 price sale stock as json")
          == values[file] ?? "{\"price\":19000,\"sale\":18000,\"stock\":1024}\n")
    }
  }

  /// `₩` that a code page lacks is a `?`: such a price is neither left out nor read without its sign.
  @Test func signThatTheCodePageLacksIsAnError() async throws {
    try await Sandbox.with { sandbox in
      try Self.bring("17-codepage.csv", to: sandbox)
      let line = "import ~/17-codepage.csv columns '품명=name,도매가=cost,잔량=stock' key name"
      let said = await sandbox.run(line + " price=cost*1.3 round 100 yes")
      #expect(said.contains("?14,000 in column 도매가 is no number") && said.hasSuffix("= 2\n"), "\(said)")
      #expect(said.contains("save it as UTF-8"), "\(said)")
      #expect(await sandbox.run("show 138 price stock as json") == "{\"price\":19000,\"stock\":25}\n")
    }
  }

  /// A number with a word that isn't known is no mark: it isn't proposed to leave it out.
  @Test(arguments: [("12박스", "19,000"), ("12", "19,00"), ("12", "19,000개")])
  func numberWithAWordIsNotLeftOut(_ stock: String, _ price: String) async throws {
    try await Sandbox.with { sandbox in
      let text = "품명\t소비자가\t수량\n먹색 요리책\t\(price)\t\(stock)\n"
      try Data(text.utf8).write(to: URL(fileURLWithPath: sandbox.folder + "/list.tsv"))
      let held = await sandbox.run("import ~/list.tsv yes")
      #expect(held.contains("with list columns '품명=name,소비자가=price,수량=stock' key name`"), "\(held)")
      let said = await sandbox.run("import ~/list.tsv columns '품명=name,소비자가=price,수량=stock' key name yes")
      #expect(said.contains(" is no number") && said.hasSuffix("= 2\n"), "\(said)")
    }
  }

  /// A file of the program's own is imported by its headings, and never asks for a recipe.
  @Test(arguments: ["id,stock\n138,3\n", "번호,재고\n138,3\n", "\n\nid,cost,stock\n138,9,3\n"])
  func ownHeadingsNeedNoRecipe(_ text: String) async throws {
    try await Sandbox.with { sandbox in
      try Data(text.utf8).write(to: URL(fileURLWithPath: sandbox.folder + "/own.csv"))
      let told = await sandbox.run("import ~/own.csv yes")
      #expect(!told.contains("ecipe") && !told.contains("\n= "), "\(told)")
      #expect(await sandbox.run("show 138 stock as json") == "{\"stock\":3}\n")
    }
  }

  /// Each kind of row is exported by itself, and the export is what the note counted.
  @Test func rowsOfOneStateAreExported() async throws {
    try await Sandbox.with { sandbox in
      try Self.bring("01-titles.xlsx", to: sandbox)
      _ = await sandbox.run(
        "import ~/01-titles.xlsx with seoul columns '품명=name,수량=stock' key name yes outliers")
      let rows = await sandbox.run("recipe check ~/01-titles.xlsx only unknown to ~/unknown.csv")
      #expect(rows.hasSuffix("= 7\n"), "\(rows)")
      let text = try String(contentsOfFile: sandbox.folder + "/unknown.csv", encoding: .utf8)
      #expect(text == "line,state,id,name\r\n8,unknown,,없는 물건\r\n")
      let all = await sandbox.run("recipe check ~/01-titles.xlsx as csv")
      for state in ["5,unchanged,138,먹색 요리책", "8,unknown,,없는 물건"] { #expect(all.contains(state + "\n"), "\(all)") }
    }
  }

  /// Writes a workbook with one sheet: rows of cells as XML, and what follows them.
  private static func write(_ rows: [[String]], after: String = "", to sandbox: Sandbox) throws {
    let lines = rows.enumerated().map { "<row r=\"\($0 + 1)\">\($1.joined())</row>" }.joined()
    let sheet = "<worksheet><sheetData>\(lines)</sheetData>\(after)</worksheet>"
    try StoredZip(sheet: sheet).bytes.write(to: URL(fileURLWithPath: sandbox.folder + "/list.xlsx"))
  }

  private static func text(_ text: String) -> String { "<c t=\"inlineStr\"><is><t>\(text)</t></is></c>" }

  /// A row in which nothing was computed is a row that can't be read, not one that the file lacks.
  @Test func uncomputedRowIsNotMissing() async throws {
    try await Sandbox.with { sandbox in
      let formula = "<c><f>VLOOKUP(1,2)</f></c>"
      try Self.write(
        [[Self.text("품명"), Self.text("수량")], [Self.text("먹색 요리책"), "<c><v>3</v></c>"], [formula, formula]], to: sandbox)
      let said = await sandbox.run(
        "import ~/list.xlsx columns '품명=name,수량=stock' key name of 'name~\"먹색 요\"' missing stock=0 yes outliers")
      #expect(said.contains("line 3: a formula has no saved value") && said.hasSuffix("= 2\n"), "\(said)")
      #expect(await sandbox.run("show 132 stock as json") == "{\"stock\":41}\n")
    }
  }

  /// Saved values of formulas and merged cells are named, and a row that sets nothing isn't told to be up to date.
  @Test func formulasAndMergedCellsAreNamed() async throws {
    try await Sandbox.with { sandbox in
      try Self.write(
        [
          [Self.text("품명"), Self.text("공급가")], [Self.text("먹색 요리책"), "<c><f>1+1</f><v>18000</v></c>"],
          [Self.text("먹색 요가 볼")],
        ], after: "<mergeCells><mergeCell ref=\"B2:B3\"/><mergeCell ref=\"D1:D9\"/></mergeCells>", to: sandbox)
      let said = await sandbox.run("dry import ~/list.xlsx columns '품명=name,공급가=price' key name")
      #expect(said.contains("1 cell is a formula; the values that were saved"), "\(said)")
      #expect(said.contains("1 merged cell extends over several rows"), "\(said)")
      #expect(said.contains("1 changed, 1 without values.") && !said.contains("up to date"), "\(said)")
      #expect(said.contains("by name: 품명=name, 공급가=price"), "\(said)")
    }
  }

  /// A product that the file has under a name that was changed by saving, or in a row that is skipped, isn't missing from it.
  @Test(arguments: [
    ("품명,수량\n먹색 요리책,3\n\u{FFFD}색 요가 볼,4\n", "", "1 changed, 1 with a name changed by saving."),
    ("품명,수량\n먹색 요리책,3\n먹색 요가 볼,4\n", " skip '먹색 요가 볼'", "1 changed, 1 no product."),
  ])
  func productInTheFileIsNotSoldOut(_ text: String, _ clauses: String, _ counts: String) async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writeFile("list.csv", text)
      let said = await sandbox.run(
        "import ~/list.csv columns '품명=name,수량=stock' key name of 'name~\"먹색 요\"' missing stock=0 yes outliers\(clauses)"
      )
      #expect(said.contains("note: " + counts) && !said.contains("sold out"), "\(said)")
      #expect(said.hasSuffix("= 7\n") == counts.contains("saving"), "\(said)")
      #expect(await sandbox.run("show 132 stock as json") == "{\"stock\":41}\n")
    }
  }

  /// The products that are set to sold out are counted as they are sent.
  @Test func soldOutProductsAreCountedOnce() async throws {
    try await Sandbox.with { sandbox in
      try Self.bring("05-no-ids.tsv", to: sandbox)
      let line =
        "import ~/05-no-ids.tsv columns '품명=name,수량=stock' key name of 'name~\"먹색 요\"' missing stock=0 yes outliers"
      #expect(await sandbox.run(line).contains("1 product that the file lacks is set to sold out."))
      let again = await sandbox.run(line)
      #expect(again.contains("1 missing from the file") && !again.contains("set to sold out"), "\(again)")
    }
  }

  /// A supplier's own numbers are not taken for those of products, and a stored recipe decides about its headings.
  @Test func numberedListNeedsARecipe() async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writeFile("numbered.csv", "번호,품명,수량\n132,먹색 요리책,3\n")
      let held = await sandbox.run("import ~/numbered.csv yes")
      #expect(held.contains("columns '품명=name,수량=stock' key name") && held.hasSuffix("= 4\n"), "\(held)")
      try sandbox.writeFile("own.csv", "id,name,stock\n132,먹색 요리책,3\n")
      let made = await sandbox.run("import ~/own.csv with odd columns 'name=name,stock=stock' key name yes")
      #expect(made.contains("Saved recipe odd."), "\(made)")
      _ = await sandbox.run("patch 138 stock=9 yes")
      let again = await sandbox.run("import ~/own.csv yes")
      #expect(again.contains("Recipe odd, 2 columns as on ") && !again.contains("\n= "), "\(again)")
      #expect(await sandbox.run("show 138 stock as json") == "{\"stock\":3}\n")
      #expect(await sandbox.run("show 132 name as json") == "{\"name\":\"먹색 요가 볼\"}\n")
    }
  }

  /// What has a digit may be a mistyped number, so no meaning is proposed for it.
  @Test func mistypedNumberIsNoMark() async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writeFile("list.csv", "품명,수량\n먹색 요리책,1e308\n먹색 요가 볼,-5\n먹색 리넨 셔츠,-\n")
      let held = await sandbox.run("import ~/list.csv yes")
      #expect(held.contains("key name cells '-=keep'`"), "\(held)")
    }
  }

  /// The name of another supplier's recipe is not proposed for a file with other headings.
  @Test func recipeOfAnotherSupplierStays() async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writeFile("48.csv", "품명,수량\n먹색 요리책,3\n")
      let made = await sandbox.run("import ~/48.csv with supplier columns '품명=name,수량=stock' key name yes")
      #expect(made.contains("Saved recipe supplier."), "\(made)")
      try sandbox.writeFile("48.csv", "Item,Qty\n먹색 요리책,4\n")
      let held = await sandbox.run("import ~/48.csv yes")
      #expect(held.contains("with supplier-2 columns") && !held.contains("not those of"), "\(held)")
    }
  }

  /// A clause of the line in place of an answer of the recipe is said, and changes only this import.
  @Test func clauseInPlaceOfAnAnswerIsSaid() async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writeFile("list.csv", "품명,수량\n먹색 요리책,3\n없는 물건,1\n")
      _ = await sandbox.run("import ~/list.csv with shop columns '품명=name,수량=stock' key name yes")
      let said = await sandbox.run("import ~/list.csv unknown skip yes")
      #expect(said.contains("Recipe shop with the clauses of this line, 2 columns."), "\(said)")
      #expect(!said.contains("recipe check") && !said.contains("\n= "), "\(said)")
      let stored = await sandbox.run("import ~/list.csv yes")
      #expect(stored.contains("Recipe shop, 2 columns as on ") && stored.hasSuffix("= 7\n"), "\(stored)")
    }
  }

  /// Without the supplier's products it isn't known which of them the file lacks.
  @Test func missingProductsNeedTheSuppliersProducts() async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writeFile("list.csv", "품명,수량\n먹색 요리책,3\n")
      _ = await sandbox.run("import ~/list.csv with shop columns '품명=name,수량=stock' key name yes")
      let unknown = await sandbox.run("recipe check ~/list.csv only missing as csv")
      #expect(unknown.contains("so it is not known which are missing"), "\(unknown)")
      _ = await sandbox.run("import ~/list.csv of 'name~\"먹색 요\"' with shop yes")
      let known = await sandbox.run("recipe check ~/list.csv only missing as csv")
      #expect(known.contains(",missing,132,먹색 요가 볼") && !known.contains("not known which"), "\(known)")
    }
  }
}
