import Catalog
import CommandLanguage
import Foundation
import MarketOperations
import Platform
import Presentation
import ShellRuntime
import Text

/// `recipe`: lists, shows, edits, checks and removes the recipes for suppliers' files.
package struct RecipeCommand: Command {
  package static let declaration = CommandDeclaration(
    "recipe", group: .change,
    summary: LocalizedText(
      "recipes for suppliers' files: list, edit, check, remove", ko: "공급처 파일의 레시피: 목록, 수정, 확인, 삭제"),
    usage: [
      "recipe", "recipe show NAME", "recipe edit NAME", "recipe check FILE [sheet NAME] [with NAME] [only STATE]",
      "recipe rm NAME [yes]",
    ],
    details: LocalizedText(
      "A recipe says what the columns of a supplier's files mean. import makes one: it asks once, or the line states it. It is found again by the headings of a file, which have to be the same. check reads a file with it and lists what each row is; nothing is written.",
      ko:
        "레시피는 공급처 파일의 열이 무엇인지 적은 것입니다. import가 한 번 묻거나 명령에 적은 대로 만듭니다. 제목 행이 똑같은 파일에 다시 쓰입니다. check는 파일을 레시피로 읽어 각 행이 무엇인지 보여 주고, 아무것도 쓰지 않습니다."
    ),
    producesData: true,
    parameters: [
      Parameter(
        "ACTION", .positional(required: false), kind: .choice(["show", "edit", "check", "rm"]),
        summary: LocalizedText("what to do; nothing lists them", ko: "할 일; 없으면 목록")),
      Parameter(
        "NAME", .positional(required: false), kind: .recipe,
        summary: LocalizedText("name of the recipe; for check, the file", ko: "레시피 이름; check에는 파일")),
      Parameter(
        "with", .option, kind: .recipe, summary: LocalizedText("the recipe to check with", ko: "확인할 레시피")),
      Parameter(
        "sheet", .option, kind: .text, summary: LocalizedText("sheet of a workbook", ko: "통합 문서의 시트"),
        placeholder: "NAME"),
      Parameter(
        "only", .option, kind: .choice(SupplierRows.State.allCases.map(\.rawValue)),
        summary: LocalizedText("the rows of one state", ko: "한 상태의 행만")),
      Parameter("yes", .flag, kind: .none, summary: LocalizedText("do not ask", ko: "확인하지 않음")),
    ],
    examples: [
      .init("recipe", "lists all recipes", ko: "레시피 목록"),
      .init("recipe show seoul-goods", "shows one, with the line that states it", ko: "레시피와 그것을 적은 명령"),
      .init("recipe edit seoul-goods", "changes it in the editor", ko: "편집기에서 수정"),
      .init("recipe check week48.xlsx", "lists what each row of a file is", ko: "파일의 각 행이 무엇인지"),
      .init(
        "recipe check week48.xlsx only unknown to unknown.csv", "saves the rows without a product", ko: "상품이 없는 행을 저장"),
      .init("recipe rm seoul-goods", "removes it", ko: "삭제"),
    ])

  private enum Action: Hashable {
    case list, show(String), edit(String), check(String), remove(String)
  }

  private let action: Action
  private let saysYes: Bool
  private let sheet: String?
  private let recipe: String?
  private let state: SupplierRows.State?
  private let consent: WriteOptions

  /// - Throws: `ParseError` for an action without a name.
  package init(_ invocation: ParsedCommand) throws {
    saysYes = invocation.has("yes")
    sheet = invocation.text("sheet")
    recipe = invocation.text("with")
    state = invocation.text("only").flatMap { SupplierRows.State(rawValue: $0) }
    consent = WriteOptions(invocation)
    switch (invocation.text("ACTION"), invocation.text("NAME")) {
    case (nil, nil): action = .list
    case (nil, let name?), ("show", let name?): action = .show(name)
    case ("edit", let name?): action = .edit(name)
    case ("check", let file?): action = .check(file)
    case ("rm", let name?): action = .remove(name)
    case (let word?, _):
      throw ParseError(
        LocalizedText("\(.command("recipe \(word)")) needs a name.", ko: "\(.command("recipe \(word)")) 뒤에 이름을 적으세요."),
        suggestion: LocalizedText("Run \(.command("recipe")) to list them.", ko: "\(.command("recipe"))에서 볼 수 있습니다."))
    }
  }

  /// - Throws: `CommandError` for an unknown recipe; `FileError`; for `check`, the errors of `import`.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    let store = RecipeStore(scope.context.stores.home)
    switch action {
    case .list: return .rows(RecipeCommand.table(try store.load()))
    case .show(let name):
      let recipe = try RecipeCommand.recipe(name, try store.load())
      let line = RecipeClauses.line(recipe, named: name, file: "FILE", sheet: nil)
      return .group([
        .rows(RecipeCommand.table(of: recipe, named: name)),
        .message(.note("The line that states it: \(.command(line))", ko: "이 레시피를 적은 명령: \(.command(line))")),
      ])
    case .edit(let name): return try await edit(name, store, in: scope)
    case .check(let file): return try await check(file, in: &scope)
    case .remove(let name):
      _ = try RecipeCommand.recipe(name, try store.load())
      if let result = scope.resultWithoutSaving { return result }
      if !saysYes, !scope.context.program.assumesYes {
        try await scope.confirm(
          LocalizedText("Remove recipe \(.value(name))? [y/N] ", ko: "레시피 \(.value(name), .object) 삭제할까요? [y/N] "),
          unattended: .failure(
            "Recipe \(.value(name)) was not removed.", ko: "레시피 \(.value(name), .object) 삭제하지 않았습니다."
          )
          .next("Add \(.command("yes")) to the command.", ko: "명령 끝에 \(.command("yes"), .object) 붙이세요."),
          declined: .note("The recipe was not removed.", ko: "레시피를 삭제하지 않았습니다."))
      }
      try store.set(name, nil)
      return .message(.success("Removed recipe \(.value(name)).", ko: "레시피 \(.value(name), .object) 삭제했습니다."))
    }
  }

  /// Reads a file as `import` would, and lists its rows.
  private func check(_ file: String, in scope: inout CommandScope) async throws -> CommandResult {
    let command = ImportCommand(checking: file, sheet: sheet, with: recipe, consent)
    let market = try await scope.marketClient()
    var checking = scope
    checking.mode = .dry
    let decision = try await command.makeDecision(market, in: checking)
    guard let supplier = decision.supplier else {
      return .message(
        .note(
          "\(.value(file)) has headings of products and needs no recipe.",
          ko: "\(.value(file), .topic) 상품의 제목 행이 있어 레시피 없이 가져옵니다."))
    }
    for note in decision.notes { scope.say(note) }
    if state == .missing, supplier.recipe.products == nil {
      scope.say(
        .warning(
          "The recipe does not say which products are the supplier's, so it is not known which are missing.",
          ko: "레시피에 공급처의 상품이 적혀 있지 않아 파일에 없는 상품을 알 수 없습니다."
        ).next(
          "For example: \(.command("of = \"mine\"")) in \(.command("recipe edit NAME"))",
          ko: "예: \(.command("recipe edit 이름"))에서 \(.command("of = \"mine\""))"))
    }
    var result = CommandResult.rows(supplier.report(decision.plan, only: state))
    if supplier.isIncomplete { result.status = .partialFailure }
    return result
  }

  /// Opens the table of a recipe in the editor until it can be used.
  ///
  /// - Throws: `CommandError` with exit status 4 if another shell changed the recipe while it was edited.
  private func edit(_ name: String, _ store: RecipeStore, in scope: CommandScope) async throws -> CommandResult {
    let recipe = try RecipeCommand.recipe(name, try store.load())
    if let result = scope.resultWithoutSaving { return result }
    guard scope.context.program.asker != nil else {
      let line = RecipeClauses.line(recipe, named: name, file: "FILE", sheet: nil)
      throw CommandError(
        .blocked,
        .failure("\(.command("recipe edit")) needs a terminal.", ko: "\(.command("recipe edit"), .topic) 터미널에서만 됩니다.")
          .next("State it in a line instead: \(.command(line))", ko: "명령에 적을 수 있습니다: \(.command(line))"))
    }
    let file = try EditorFile(in: scope.context.stores.home.editorDirectory, named: "recipe-\(name).toml")
    let edited = try await EditorLoop(file, in: scope).changes(of: SettingsFile.text([name: .table(recipe.toml)])) {
      (text: String) throws(EditErrors) -> Recipe? in
      let changed = try RecipeCommand.edited(text, named: name, at: file.path)
      return changed == recipe ? nil : changed
    }
    switch edited {
    case .changed(let changed):
      guard try store.replace(name, recipe, with: changed) else {
        throw CommandError(
          .blocked,
          .failure(
            "Recipe \(.value(name)) was changed by another shell in the meantime. Nothing was saved.",
            ko: "그사이 다른 셸에서 레시피 \(.value(name), .object) 바꾸었습니다. 저장하지 않았습니다."
          ).next(
            "Your text is in \(.value(file.path)). Run \(.command("recipe edit \(name)")) again.",
            ko: "고친 내용은 \(.value(file.path))에 있습니다. \(.command("recipe edit \(name)"), .object) 다시 실행하세요."))
      }
      file.remove()
      return .message(.success("Saved recipe \(.value(name)).", ko: "레시피 \(.value(name), .object) 저장했습니다."))
    case .unchanged:
      file.remove()
      return .message(.note("The recipe is unchanged.", ko: "레시피를 바꾸지 않았습니다."))
    case .untouched: return .message(ExternalEditor.untouched(file.path))
    }
  }

  /// Returns the recipe of an edited text.
  private static func edited(_ text: String, named name: String, at path: String) throws(EditErrors) -> Recipe {
    let read: [String: Recipe]
    do throws(FileError) {
      read = try RecipeStore.recipes(in: SettingsFile(parsing: text, at: path))
    } catch {
      let message = CommandError(describing: error).message
      throw EditErrors([ParseError(message.reasons.first ?? message.what)])
    }
    guard let changed = read[name], read.count == 1 else {
      throw EditErrors([
        ParseError(
          LocalizedText(
            "The file has one table, \(.command("[\(name)]")).", ko: "파일에는 \(.command("[\(name)]")) 표 하나만 둡니다."))
      ])
    }
    return changed
  }

  // MARK: Tables

  private static func table(_ recipes: [String: Recipe]) -> Table {
    Table(
      [
        .init("name", LocalizedText("name", ko: "이름")),
        .init("key", LocalizedText("key", ko: "상품 찾기")),
        .init("columns", LocalizedText("columns", ko: "열"), minimumWidth: 20),
        .init("day", LocalizedText("headings as on", ko: "제목 행 확인"), dropOrder: 1),
      ],
      rows: recipes.sorted { $0.key < $1.key }.map { name, recipe in
        let columns = recipe.headings.compactMap { heading in recipe.columns[heading].map { heading + "=" + $0 } }
        let formulas = Recipe.computedFields.compactMap { field in
          recipe.formulas[field].map { field.rawValue + "=" + $0 }
        }
        return [
          .text(name), .text(recipe.key.rawValue), .text((columns + formulas).joined(separator: ", ")),
          recipe.day.map { .text($0) } ?? .none,
        ]
      })
  }

  private static func table(of recipe: Recipe, named name: String) -> Table {
    var rows: [(String, LocalizedText, String)] = [
      ("name", LocalizedText("name", ko: "이름"), name),
      ("headings", LocalizedText("headings", ko: "제목 행"), recipe.headings.joined(separator: ", ")),
      ("day", LocalizedText("headings as on", ko: "제목 행 확인"), recipe.day ?? "-"),
      ("key", LocalizedText("key", ko: "상품 찾기"), recipe.key.rawValue),
    ]
    for heading in recipe.headings {
      if let name = recipe.columns[heading] {
        rows.append((heading, LocalizedText("column", ko: "열"), heading + "=" + name))
      }
    }
    for field in Recipe.computedFields {
      if let text = recipe.formulas[field] { rows.append((field.rawValue, field.title, text)) }
    }
    if !recipe.cells.isEmpty {
      rows.append(("cells", LocalizedText("cells", ko: "글자 칸의 뜻"), RecipeClauses.cells(recipe.cells)))
    }
    if !recipe.skip.isEmpty {
      rows.append(("skip", LocalizedText("no products", ko: "상품 아닌 행"), recipe.skip.joined(separator: ", ")))
    }
    rows.append(("unknown", LocalizedText("unknown rows", ko: "없는 상품의 행"), recipe.unknown.rawValue))
    if let products = recipe.products { rows.append(("of", LocalizedText("its products", ko: "공급처 상품"), products)) }
    if recipe.sellsOutMissing { rows.append(("missing", LocalizedText("missing ones", ko: "파일에 없으면"), Recipe.soldOut)) }
    return Table(
      [.init("setting", LocalizedText("setting", ko: "항목")), .init("value", LocalizedText("value", ko: "값"))],
      rows: rows.map { [.localized($0.1), .text($0.2)] })
  }

  private static func recipe(_ name: String, _ stored: [String: Recipe]) throws -> Recipe {
    guard let recipe = stored[name] else { throw unknown(name, stored) }
    return recipe
  }

  /// Returns the error for a name that no recipe has.
  static func unknown(_ name: String, _ stored: [String: Recipe]) -> CommandError {
    let names = stored.keys.sorted()
    let message = Message.failure("There is no recipe \(.value(name)).", ko: "레시피 \(.value(name), .subject) 없습니다.")
    guard let near = SpellingSuggester.closest(name, in: names) else {
      return CommandError(
        .usageError,
        message.next(
          names.isEmpty
            ? LocalizedText("\(.command("import FILE")) makes one.", ko: "\(.command("import 파일"), .subject) 만듭니다.")
            : LocalizedText("Run \(.command("recipe")) to list them.", ko: "\(.command("recipe"))에서 볼 수 있습니다.")))
    }
    return CommandError(
      .usageError, message.next("Did you mean \(.command(near))?", ko: "\(.command(near), .object) 뜻하셨나요?"))
  }
}
