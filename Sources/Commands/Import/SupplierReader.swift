import Catalog
import CommandLanguage
import Foundation
import MarketAPI
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// The reader of files whose first row is no heading row of the program, with a recipe.
///
/// A stored recipe is found by the headings alone, all of them equal. Otherwise the user is asked once, or the line is held
/// back with the line that states everything.
struct SupplierReader {
  /// The cells of a file as they were read.
  enum Source {
    case text(String)
    case workbook(Data, Workbook)
  }

  /// A table of the file: its rows, and the sheet if it is one of a workbook.
  private struct SourceSheet {
    var candidates: [SupplierSheet]
    var workbook: Workbook?
  }

  /// A heading row of the file with the recipes for it.
  private struct Match {
    var sheet: SupplierSheet
    var workbook: Workbook?
    var names: [String]
  }

  /// The number of sheets of a workbook in which headings are looked for.
  private static let maximumSheets = 16

  private let file: String
  private let sheet: String?
  private let clauses: RecipeClauses
  /// A Boolean value that indicates that the user may be asked.
  private let asks: Bool

  init(_ file: String, sheet: String?, _ clauses: RecipeClauses, asks: Bool) {
    (self.file, self.sheet, self.clauses, self.asks) = (file, sheet, clauses, asks)
  }

  /// Reads the rows of a supplier, or returns `nil` for a file that is imported by its own headings.
  ///
  /// - Throws: `CommandError` with exit status 4 if the recipe isn't known, and with 2 for one that doesn't fit the file;
  ///   the errors of reading the market.
  func read(
    _ source: Source, at market: Client<MarketService>, _ problems: inout ImportProblems, in scope: CommandScope
  ) async throws -> SupplierImport? {
    let names = scope.session.server.fieldNames
    if !clauses.isUsed, isOwn(source, names, market.service.dialect) { return nil }
    let pages = try pages(source, names)
    let stored = try RecipeStore(scope.context.stores.home).load()
    if let name = clauses.name, stored[name] == nil, !clauses.statesRecipe { throw RecipeCommand.unknown(name, stored) }
    let match = try match(pages, stored)
    guard let match = match ?? best(pages) else {
      guard clauses.isUsed else { return nil }
      throw CommandError(
        .usageError,
        .failure(
          "\(.value(file)) has no row that looks like headings. Nothing was sent.",
          ko: "\(.value(file))에 제목 행으로 보이는 행이 없습니다. 아무것도 보내지 않았습니다."
        ).next(
          "Name its line: \(.command("heading 3"))", ko: "제목 행의 줄 번호를 적으세요: \(.command("heading 3"))"))
    }
    let (own, isComplete) = try await products(market, scope)
    let answer = try await answer(match, own, stored, names, scope)
    // It is kept even if a cell can't be read: nobody is asked twice.
    if answer.isNew, let name = answer.name { try SupplierReader.save(answer.recipe, named: name, in: scope) }
    let condition = try answer.recipe.condition(names)
    let supplied =
      answer.recipe.products == nil
      ? []
      : try await ProductFilter(condition, me: scope.session.credentials.vendorID, market.service.dialect)
        .filter(own, of: market)
    let rows = try SupplierRows(
      match.sheet, answer.recipe, own: own, supplied: supplied, uncomputed: match.workbook?.uncomputed ?? [],
      problems: &problems)
    if !isComplete, rows.table.rows.contains(where: { $0.id == nil }) {
      throw CommandError(
        .refused,
        .failure(
          "The list of your products is incomplete, so new products cannot be told from existing ones. Nothing was sent.",
          ko: "내 상품을 모두 읽지 못해 새 상품인지 알 수 없습니다. 아무것도 보내지 않았습니다."))
    }
    if let workbook = match.workbook { for note in ImportCommand.notes(on: workbook) { problems.addNote(note) } }
    return SupplierImport(
      recipe: answer.recipe, name: answer.name, sheet: match.sheet, isNew: answer.isNew, line: answer.line, rows: rows)
  }

  /// A recipe with its name, and whether it was stated or asked for now.
  private struct Answer {
    var recipe: Recipe
    var name: String?
    var isNew = false
    /// The line that states the recipe, if a form asked for it.
    var line: String?
  }

  /// Returns the stored recipe, with the clauses of the line in place of its answers, or the one that the user gives.
  private func answer(
    _ match: Match, _ own: [Product], _ stored: [String: Recipe], _ names: FieldNameTable, _ scope: CommandScope
  ) async throws -> Answer {
    if match.names.isEmpty && !clauses.isComplete { return try await ask(match, own, stored, names, scope) }
    let known = match.names.first.flatMap { stored[$0] }
    var recipe = try clauses.applied(to: known ?? Recipe(headings: match.sheet.headings))
    try recipe.check(names)
    guard recipe != known, let name = clauses.name else { return Answer(recipe: recipe, name: match.names.first) }
    recipe.day = SupplierReader.today(scope)
    return Answer(recipe: recipe, name: name, isNew: true)
  }

  private static func today(_ scope: CommandScope) -> String {
    CivilDate.split(seconds: scope.context.clock.timestamp.local.seconds).date.description
  }

  // MARK: Headings

  /// Returns whether the first row has the headings of a file that needs no recipe: the product number, or texts of new
  /// products.
  private func isOwn(_ source: Source, _ names: FieldNameTable, _ dialect: Dialect) -> Bool {
    let row: CSVReader.Row?
    switch source {
    case .workbook(_, let workbook): row = workbook.rows.first { !$0.isBlank }
    case .text(let text):
      guard case .csv = ImportForm(of: text, named: file) else { return true }
      row = SupplierReader.firstRow(of: text)
    }
    guard let row else { return true }
    let fields = Set(row.cells.compactMap { ImportColumns.column($0.text.trimmed, names) })
    let required = dialect.capabilities.requiredFields
    return fields.contains(.id) || fields.contains(.images) || fields.isSuperset(of: [.name, .description])
      || fields.isSuperset(of: required.isEmpty ? [.name] : required)
  }

  /// Returns the first row with cells of a text in CSV, or `nil` if it can't be read.
  private static func firstRow(of text: String) -> CSVReader.Row? {
    // A line of its own is enough, unless it ends within a quoted cell or names the separator.
    let head = text.prefix(16 << 10).split(whereSeparator: \.isNewline)
    let line = head.first { !$0.allSatisfy { $0.isWhitespace || ",;\"\u{FEFF}".contains($0) } }.map(String.init)
    if let line, !line.contains("sep="), let row = (try? CSVReader.rows(of: line))?.first { return row }
    return (try? CSVReader.rows(of: text))?.first { !$0.isBlank }
  }

  private func pages(_ source: Source, _ names: FieldNameTable) throws -> [SourceSheet] {
    switch source {
    case .text(let text):
      guard case .csv = ImportForm(of: text, named: file) else {
        throw CommandError(
          .usageError,
          .failure(
            "\(.value(file)) is JSON, which has no columns for a recipe.",
            ko: "\(.value(file), .topic) JSON이라 레시피를 쓸 수 없습니다."))
      }
      return [SourceSheet(candidates: try textCandidates(text, names))]
    case .workbook(let bytes, let first):
      guard sheet == nil else { return [SourceSheet(candidates: candidates(first.rows, names), workbook: first)] }
      var pages: [SourceSheet] = []
      for other in first.sheets.prefix(SupplierReader.maximumSheets) where other.kind == .visible {
        try Task.checkCancellation()
        let workbook =
          other.name == first.sheet ? first : try ImportCommand.workbook(bytes, sheet: other.name, named: file)
        pages.append(SourceSheet(candidates: candidates(workbook.rows, names), workbook: workbook))
      }
      return pages
    }
  }

  /// Returns the candidates of a text with the separator that its first rows have, or with the one that gives the best
  /// headings: titles above them may have others.
  private func textCandidates(_ text: String, _ names: FieldNameTable) throws -> [SupplierSheet] {
    var problems = ImportProblems(file)
    var found: [[SupplierSheet]] = []
    do throws(CSVReader.Fault) {
      found.append(candidates(try CSVReader.rows(of: text), names))
    } catch {
      problems.add(error.line, error.message)
    }
    if found.first.flatMap(SupplierSheet.best)?.score ?? 0 < 2 {
      for separator in CSVReader.separators {
        if let rows = try? CSVReader.rows(of: text, separator: separator) { found.append(candidates(rows, names)) }
      }
    }
    try Task.checkCancellation()
    let best = found.max { (SupplierSheet.best(of: $0)?.score ?? 0) < (SupplierSheet.best(of: $1)?.score ?? 0) }
    guard let best else {
      try problems.throwIfAny()
      return []
    }
    return best
  }

  private func candidates(_ rows: [CSVReader.Row], _ names: FieldNameTable) -> [SupplierSheet] {
    let all = SupplierSheet.candidates(rows, names)
    guard let line = clauses.headingLine else { return all }
    return all.filter { $0.line == line }
  }

  /// Returns the heading row that equals that of stored recipes, or `nil` if there is none.
  ///
  /// - Throws: `CommandError` with exit status 4 if it isn't only one.
  private func match(_ pages: [SourceSheet], _ stored: [String: Recipe]) throws -> Match? {
    let recipes = stored.filter { clauses.name == nil || clauses.name == $0.key }
    var matches: [Match] = []
    for page in pages {
      for candidate in page.candidates {
        let names = recipes.filter { $0.value.headings == candidate.headings }.keys.sorted()
        guard !names.isEmpty else { continue }
        matches.append(Match(sheet: candidate, workbook: page.workbook, names: names))
        break
      }
    }
    guard let first = matches.first else { return nil }
    if matches.count > 1 {
      let sheets = matches.compactMap { $0.workbook?.sheet }
      throw CommandError(
        .blocked,
        .failure(
          "Several sheets of \(.value(file)) have these headings. Nothing was sent.",
          ko: "\(.value(file))의 여러 시트에 같은 제목 행이 있습니다. 아무것도 보내지 않았습니다."
        ).next(
          "Name one: \(.command("sheet \(Quoting.quote(sheets[0]))")). Sheets: \(.foreign(sheets.joined(separator: ", ")))",
          ko:
            "하나를 적으세요: \(.command("sheet \(Quoting.quote(sheets[0]))")). 시트: \(.foreign(sheets.joined(separator: ", ")))"
        ))
    }
    if first.names.count > 1 {
      let list = first.names.joined(separator: ", ")
      throw CommandError(
        .blocked,
        .failure(
          "Several recipes have the headings of \(.value(file)). Nothing was sent.",
          ko: "\(.value(file))의 제목 행에 맞는 레시피가 여럿입니다. 아무것도 보내지 않았습니다."
        ).next(
          "Name one: \(.command("with \(first.names[0])")). Recipes: \(.foreign(list))",
          ko: "하나를 적으세요: \(.command("with \(first.names[0])")). 레시피: \(.foreign(list))"))
    }
    return first
  }

  private func best(_ pages: [SourceSheet]) -> Match? {
    var best: Match?
    for page in pages {
      let found =
        clauses.headingLine == nil
        ? SupplierSheet.best(of: page.candidates) : page.candidates.max { $0.score < $1.score }
      if let found, found.score > best?.sheet.score ?? -1 {
        best = Match(sheet: found, workbook: page.workbook, names: [])
      }
    }
    return best
  }

  /// Reads the products that rows can find: those of the vendor, or all where products have no vendors.
  private func products(
    _ market: Client<MarketService>, _ scope: CommandScope
  ) async throws -> (own: [Product], isComplete: Bool) {
    var products: [Product] = []
    let me = scope.session.credentials.vendorID
    let result = try await MarketScan(market, scope).forEachBatchToEnd { products += $0 }
    result.order(&products)
    return (products.filter { me == nil || $0.vendorID == nil || $0.vendorID == me }, result.isComplete)
  }

  // MARK: What isn't known

  /// Saves a recipe that was stated or asked for.
  private static func save(_ recipe: Recipe, named name: String, in scope: CommandScope) throws {
    switch scope.mode {
    case .curl: break
    case .dry:
      scope.say(
        .note("Dry run: recipe \(.value(name)) was not saved.", ko: "모의 실행: 레시피 \(.value(name), .object) 저장하지 않았습니다."))
    case .write:
      try RecipeStore(scope.context.stores.home).set(name, recipe)
      scope.say(
        .success(
          "Saved recipe \(.value(name)). Files with these headings are read with it.",
          ko: "레시피 \(.value(name), .object) 저장했습니다. 제목 행이 같은 파일은 이 레시피로 읽습니다."))
    }
  }

  /// Asks for the recipe in a form, or throws the error with the line that states it.
  private func ask(
    _ match: Match, _ own: [Product], _ stored: [String: Recipe], _ names: FieldNameTable, _ scope: CommandScope
  ) async throws -> Answer {
    var proposal = RecipeProposal(match.sheet, own: own, names)
    let name = clauses.name ?? RecipeStore.proposal(for: file)
    let near = near(name, match.sheet, stored)
    if let near { proposal.take(near.recipe) }
    let recipe = try clauses.applied(to: proposal.recipe)
    let changes = near.map { SupplierReader.changes($0.name, $0.recipe, match.sheet) }
    let proposedName = clauses.name ?? near?.name ?? name
    guard asks, let asker = scope.context.program.asker, scope.mode != .curl else {
      throw held(recipe, named: proposedName, match, proposal, changes, names)
    }
    if let changes { scope.say(Message(.note, changes)) }
    scope.say(SupplierReader.evidence(match, proposal, file))
    let title = LocalizedText(
      "\(.foreign(file)): what the columns mean. It is asked once.", ko: "\(.foreign(file)): 열의 뜻. 한 번만 묻습니다.")
    var form = RecipeForm(asker, recipe, named: proposedName, title: title, names, scope.messageOptions)
    guard let (chosen, made) = try await form.run() else {
      throw CommandError(
        .blocked, .note("Canceled. Nothing was sent.", ko: "입력을 취소했습니다. 아무것도 보내지 않았습니다."), code: .canceled)
    }
    if chosen != near?.name, chosen != clauses.name, stored[chosen] != nil {
      throw CommandError(
        .blocked,
        .failure(
          "There is a recipe \(.value(chosen)) with other headings. Nothing was sent or saved.",
          ko: "제목 행이 다른 레시피 \(.value(chosen), .subject) 이미 있습니다. 아무것도 보내거나 저장하지 않았습니다."
        ).next(
          "Add \(.command("with \(chosen)")) to replace it, or choose another name.",
          ko: "바꾸려면 \(.command("with \(chosen)"), .object) 붙이고, 아니면 다른 이름을 쓰세요."))
    }
    var dated = made
    dated.day = SupplierReader.today(scope)
    return Answer(
      recipe: dated, name: chosen, isNew: true,
      line: RecipeClauses.line(made, named: chosen, file: file, sheet: sheet, headingLine: clauses.headingLine))
  }

  /// Returns the stored recipe that was probably made for an earlier file of this supplier.
  private func near(_ name: String, _ sheet: SupplierSheet, _ stored: [String: Recipe]) -> (
    name: String, recipe: Recipe
  )? {
    if let recipe = stored[name] { return (name, recipe) }
    let headings = Set(sheet.names)
    let alike = stored.filter { !$0.value.columns.isEmpty }.map { name, recipe in
      (
        name: name, recipe: recipe,
        share: recipe.columns.keys.count(where: headings.contains) * 2 - recipe.columns.count
      )
    }
    return alike.filter { $0.share >= 0 }.max { ($0.share, $1.name) < ($1.share, $0.name) }.map { ($0.name, $0.recipe) }
  }

  private static func changes(_ name: String, _ recipe: Recipe, _ sheet: SupplierSheet) -> LocalizedText {
    let before = recipe.headings.filter { !$0.isEmpty }
    let gone = before.filter { !sheet.names.contains($0) }.joined(separator: ", ")
    let new = sheet.names.filter { !before.contains($0) }.joined(separator: ", ")
    let day = recipe.day ?? "?"
    if gone.isEmpty, new.isEmpty {
      return LocalizedText(
        "The headings are not in the order in which recipe \(.value(name)) had them on \(day).",
        ko: "제목 행의 순서가 \(day)의 레시피 \(.value(name), .with) 다릅니다.")
    }
    return LocalizedText(
      "The headings are not those of recipe \(.value(name)) on \(day). Gone: \(.foreign(gone.isEmpty ? "-" : gone)). New: \(.foreign(new.isEmpty ? "-" : new)).",
      ko:
        "제목 행이 \(day)의 레시피 \(.value(name), .with) 다릅니다. 없어진 열: \(.foreign(gone.isEmpty ? "-" : gone)). 새 열: \(.foreign(new.isEmpty ? "-" : new))."
    )
  }

  private static func evidence(_ match: Match, _ proposal: RecipeProposal, _ file: String) -> Message {
    let list = match.sheet.names.joined(separator: ", ")
    var message = Message.note(
      "The heading row of \(.value(file)) is on line \(match.sheet.line): \(.foreign(list))",
      ko: "\(.value(file))의 제목 행은 \(match.sheet.line)번째 줄입니다: \(.foreign(list))")
    if proposal.rows > 0 {
      let key = proposal.recipe.key.rawValue
      message = message.because(
        "By \(.field(key)), \(proposal.found) of \(proposal.rows) rows find a product of yours.",
        ko: "\(.field(key), .toward) \(proposal.rows)행 중 \(proposal.found)행에서 내 상품을 찾습니다.")
    }
    return message
  }

  private func held(
    _ recipe: Recipe, named name: String, _ match: Match, _ proposal: RecipeProposal, _ changes: LocalizedText?,
    _ names: FieldNameTable
  ) -> CommandError {
    var message = Message.failure(
      "What the columns of \(.value(file)) mean has to be stated once. Nothing was sent.",
      ko: "\(.value(file))의 열이 무엇인지 한 번 적어야 합니다. 아무것도 보내지 않았습니다.")
    if let changes { message = message.because(changes) }
    let evidence = SupplierReader.evidence(match, proposal, file)
    for reason in [evidence.what] + evidence.reasons { message = message.because(reason) }
    let line = RecipeClauses.line(
      recipe, named: name, file: file, sheet: sheet, headingLine: clauses.headingLine)
    do throws(ParseError) {
      try recipe.check(names)
      message = message.next(
        "If the proposal is right, run \(.command(line))", ko: "맞으면 실행하세요: \(.command(line))")
    } catch {
      message = message.because(error.message).next(
        "Complete the line: \(.command(line))", ko: "빠진 것을 채워 실행하세요: \(.command(line))")
    }
    if recipe.heading(of: HeadingWord.costName) != nil, recipe.formulas[.price] == nil {
      message = message.next(
        "To compute the price, add such as \(.command("price='cost*1.3 round 100'"))",
        ko: "가격을 계산하려면 덧붙이세요. 예: \(.command("price='cost*1.3 round 100'"))")
    }
    return CommandError(.blocked, message)
  }
}
