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
    let row = firstRow(of: source)
    if row == nil, !clauses.isUsed { return nil }
    let stored = try RecipeStore(scope.context.stores.home).load()
    if let row, !clauses.isUsed, isOwn(row, stored: stored, names: names, dialect: market.service.dialect) {
      return nil
    }
    let pages = try pages(source, names)
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
    let answer = try await answer(to: match, own: own, stored: stored, names: names, in: scope)
    // It is saved even if a cell can't be read, so that it isn't asked for again.
    if answer.origin == .made, let name = answer.name { try SupplierReader.save(answer.recipe, named: name, in: scope) }
    let condition = try answer.recipe.condition()
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
    if let workbook = match.workbook {
      for note in ImportCommand.notes(on: workbook) { problems.addNote(note) }
      if let note = ImportCSV.note(on: workbook.formulas, in: rows.used.contains) { problems.addNote(note) }
      let merged = workbook.mergedRows.count { cells in
        cells.lines.upperBound > match.sheet.lastHeadingLine && rows.used.contains(where: cells.columns.contains)
      }
      if merged > 0 {
        problems.addNote(
          .warning(
            "\(merged) merged \(merged == 1 ? StyledText("cell extends") : "cells extend") over several rows; only the first row has the value.",
            ko: "여러 행에 걸쳐 병합한 칸이 \(merged)개 있습니다. 값은 첫 행에만 있습니다."))
      }
    }
    return SupplierImport(
      recipe: answer.recipe, name: answer.name, sheet: match.sheet, namedSheet: sheet, origin: answer.origin,
      line: answer.line,
      rows: rows, isListComplete: isComplete)
  }

  /// A recipe with its name and its origin.
  private struct Answer {
    var recipe: Recipe
    var name: String?
    var origin = SupplierImport.Origin.stated
    /// The line that states the recipe, if a form asked for it.
    var line: String?
  }

  /// Returns the stored recipe, with the clauses of the line in place of its answers, or the one that the user gives.
  private func answer(
    to match: Match, own: [Product], stored: [String: Recipe], names: FieldNameTable, in scope: CommandScope
  ) async throws -> Answer {
    if match.names.isEmpty && !clauses.isComplete {
      return try await ask(about: match, own: own, stored: stored, names: names, in: scope)
    }
    let known = match.names.first.flatMap { stored[$0] }
    var recipe = try clauses.applied(to: known ?? Recipe(headings: match.sheet.headings))
    try recipe.check()
    if recipe == known { return Answer(recipe: recipe, name: match.names.first, origin: .stored) }
    guard let name = clauses.name else { return Answer(recipe: recipe, name: match.names.first) }
    recipe.day = SupplierReader.today(scope)
    return Answer(recipe: recipe, name: name, origin: .made)
  }

  private static func today(_ scope: CommandScope) -> String {
    CivilDate.split(seconds: scope.context.clock.timestamp.local.seconds).date.description
  }

  // MARK: Headings

  /// Returns whether the first row has the headings of a file that needs no recipe: the product number, or texts of new
  /// products, and no recipe for them.
  private func isOwn(
    _ row: CSVReader.Row, stored: [String: Recipe], names: FieldNameTable, dialect: Dialect
  ) -> Bool {
    let headings = SupplierSheet.headings(of: row)
    if stored.values.contains(where: { $0.headings == headings }) { return false }
    let columns = headings.map { ($0, ImportColumns.column($0, names)) }
    let numbers = columns.filter { $0.1 == .id }.map { HeadingWord($0.0, names) }
    // `번호` in front of a name may be the supplier's own number, which would find any product; `name` is our heading.
    if !numbers.isEmpty, numbers.allSatisfy({ $0 == .code }),
      headings.contains(where: { HeadingWord($0, names) == .field(.name) && $0 != ProductField.name.rawValue })
    {
      return false
    }
    let fields = Set(columns.compactMap(\.1))
    let required = dialect.capabilities.requiredFields
    return fields.contains(.id) || fields.contains(.images) || fields.isSuperset(of: [.name, .description])
      || fields.isSuperset(of: required.isEmpty ? [.name] : required)
  }

  /// Returns the first row with cells, or `nil` for a file without rows.
  private func firstRow(of source: Source) -> CSVReader.Row? {
    switch source {
    case .workbook(_, let workbook): return workbook.rows.first { !$0.isBlank }
    case .text(let text):
      guard case .csv = ImportForm(of: text, named: file) else { return nil }
      return SupplierReader.firstRow(of: text)
    }
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
      let before = try RecipeStore(scope.context.stores.home).set(name, recipe)
      scope.say(
        before == nil
          ? .success(
            "Saved recipe \(.value(name)). Files with these headings are read with it.",
            ko: "레시피 \(.value(name), .object) 저장했습니다. 제목 행이 같은 파일은 이 레시피로 읽습니다.")
          : .success(
            "Replaced recipe \(.value(name)). Files with these headings are read with it.",
            ko: "레시피 \(.value(name), .object) 바꾸었습니다. 제목 행이 같은 파일은 이 레시피로 읽습니다."))
    }
  }

  /// Asks for the recipe in a form, or throws the error with the line that states it.
  private func ask(
    about match: Match, own: [Product], stored: [String: Recipe], names: FieldNameTable, in scope: CommandScope
  ) async throws -> Answer {
    var proposal = RecipeProposal(match.sheet, own: own, names)
    let name = clauses.name ?? RecipeStore.proposal(for: file)
    let near = near(name, for: match.sheet, among: stored)
    if let near { proposal.take(near.recipe) }
    let recipe = try clauses.applied(to: proposal.recipe)
    let changes = near.map { SupplierReader.changes(to: $0.name, of: $0.recipe, for: match.sheet) }
    let proposedName = clauses.name ?? near?.name ?? RecipeStore.free(name, in: stored)
    guard asks, let asker = scope.context.program.asker, scope.mode != .curl else {
      throw held(recipe, named: proposedName, match: match, proposal: proposal, changes: changes)
    }
    if let changes { scope.say(Message(.note, changes)) }
    scope.say(SupplierReader.evidence(of: match, for: proposal, in: file))
    let title = LocalizedText(
      "\(.foreign(file)): what the columns mean. It is asked once.", ko: "\(.foreign(file)): 열의 뜻. 한 번만 묻습니다.")
    let others = Set(stored.keys).subtracting([near?.name, clauses.name].compactMap(\.self))
    var form = RecipeForm(
      asker, recipe, named: proposedName, besides: others, title: title, scope.messageOptions)
    guard let (chosen, made) = try await form.run() else {
      throw CommandError(
        .blocked, .note("Canceled. Nothing was sent.", ko: "입력을 취소했습니다. 아무것도 보내지 않았습니다."), code: .canceled)
    }
    var dated = made
    dated.day = SupplierReader.today(scope)
    return Answer(
      recipe: dated, name: chosen, origin: .made,
      line: RecipeClauses.line(made, named: chosen, file: file, sheet: sheet, headingLine: clauses.headingLine))
  }

  /// The reason why a recipe can't have a name.
  static func otherHeadings(_ name: String) -> LocalizedText {
    LocalizedText(
      "There is a recipe \(.value(name)) with other headings.", ko: "제목 행이 다른 레시피 \(.value(name), .subject) 이미 있습니다.")
  }

  /// Returns the stored recipe that was probably made for an earlier file of this supplier: the one that the line names, or
  /// one that has some of its headings.
  private func near(_ name: String, for sheet: SupplierSheet, among stored: [String: Recipe]) -> (
    name: String, recipe: Recipe
  )? {
    let headings = Set(sheet.names)
    if let recipe = stored[name], clauses.name == name || recipe.columns.keys.contains(where: headings.contains) {
      return (name, recipe)
    }
    let alike = stored.filter { !$0.value.columns.isEmpty }.map { name, recipe in
      (
        name: name, recipe: recipe,
        share: recipe.columns.keys.count(where: headings.contains) * 2 - recipe.columns.count
      )
    }
    return alike.filter { $0.share >= 0 }.max { ($0.share, $1.name) < ($1.share, $0.name) }.map { ($0.name, $0.recipe) }
  }

  private static func changes(to name: String, of recipe: Recipe, for sheet: SupplierSheet) -> LocalizedText {
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

  private static func evidence(of match: Match, for proposal: RecipeProposal, in file: String) -> Message {
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
    _ recipe: Recipe, named name: String, match: Match, proposal: RecipeProposal, changes: LocalizedText?
  ) -> CommandError {
    var message = Message.failure(
      "What the columns of \(.value(file)) mean has to be stated once. Nothing was sent.",
      ko: "\(.value(file))의 열이 무엇인지 한 번 적어야 합니다. 아무것도 보내지 않았습니다.")
    if let changes { message = message.because(changes) }
    let evidence = SupplierReader.evidence(of: match, for: proposal, in: file)
    for reason in [evidence.what] + evidence.reasons { message = message.because(reason) }
    let line = RecipeClauses.line(
      recipe, named: name, file: file, sheet: sheet, headingLine: clauses.headingLine)
    do throws(ParseError) {
      try recipe.check()
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
