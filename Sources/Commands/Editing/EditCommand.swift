import Catalog
import CommandLanguage
import MarketAPI
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// `edit`: opens the writable fields of one product, or columns of several products, in the user's editor and applies
/// the changes as a patch.
package struct EditCommand: ProductWriteCommand {
  package static let declaration = CommandDeclaration(
    "edit", group: .change, summary: LocalizedText("edit products in your editor", ko: "편집기에서 상품 변경"),
    usage: ["edit TARGET", "edit TARGETS [columns FIELD,...] [all] [pages N]"],
    details: LocalizedText(
      "Opens the fields of a product in your editor, or one row per product for several. An invalid value opens the editor again with the reason at the top; your text is never lost. Nothing is sent before you have seen the changes.",
      ko:
        "상품의 필드를 편집기에서 엽니다. 여러 상품은 표로 엽니다. 값이 잘못되면 이유를 위에 적어 편집기를 다시 열며, 입력한 내용은 없어지지 않습니다. 바뀌는 내용을 확인하기 전에는 보내지 않습니다."),
    writesToMarket: true,
    producesData: true,
    traits: [.daily, .capturesProduct],
    parameters: [
      Parameter(
        "TARGETS", .positional(required: true), kind: .target,
        summary: LocalizedText("products to use (see help targets)", ko: "대상 상품")),
      Parameter(
        "columns", .option, kind: .fields,
        summary: LocalizedText(
          "edit as a table with these columns (default for several products: price,discount,stock)",
          ko: "상품마다 한 행에 이 필드들; 여럿이면 기본은 price,discount,stock")),
      .showingAll, .pages,
    ],
    examples: [
      .init(
        "edit 42", "opens $VISUAL or $EDITOR and asks before sending",
        ko: "$VISUAL이나 $EDITOR에서; 확인하기 전에는 보내지 않음"),
      .init("edit _", "the last product", ko: "마지막으로 본 상품"),
      .init(
        "edit mine columns price,stock", "one row per product; delete a row to skip it",
        ko: "내 상품마다 한 행씩; 지운 행의 상품은 그대로"),
      .init("edit where stock<5 and vendor=me", "products that match a condition", ko: "조건에 맞는 상품들"),
    ])

  package let consent: WriteOptions
  private let target: ProductSelector
  private let columns: [ProductField]
  private let usesTable: Bool
  private let pages: Int?

  /// - Throws: `ParseError` for a column that can't be edited or is named twice.
  package init(_ invocation: ParsedCommand) throws {
    consent = WriteOptions(invocation)
    target = invocation.target("TARGETS") ?? .last
    pages = invocation.number("pages")
    let named = invocation.fields("columns")
    usesTable = named != nil
    columns = (named ?? [.price, .discount, .stock]).filter { $0 != .id }
    var seen: Set<ProductField> = []
    for field in columns {
      guard EditTable.columns.contains(field) else { throw EditCommand.readOnlyFieldError(field) }
      guard seen.insert(field).inserted else {
        throw ParseError(LocalizedText("Duplicate column: \(.field(field)).", ko: "\(.field(field)) 열이 두 번 나옵니다."))
      }
    }
  }

  /// Edits and writes.
  ///
  /// If the change isn't made, the text is saved and its file is named.
  ///
  /// - Throws: `CommandError` without a terminal or a working editor, or for too many products; the errors of reading and
  ///   writing.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    try scope.requireWritable()
    let market = try await scope.marketClient()
    let task = try await makeEdit(market, in: &scope)
    var edited: String?
    do {
      let edit = try await task.edit(scope)
      edited = edit.line
      var result = try await PlanExecutor(market, consent).executeOnce(edit.plan, question: .always, in: &scope)
      result.equivalentLine = edit.line
      if result.error == nil { task.close(edit, in: scope) } else { try keep(task.file, edited, in: scope) }
      return result
    } catch {
      try keep(task.file, edited, in: scope)
      throw error
    }
  }

  /// Says where the edits are: as a script if they could be read, otherwise as the text that was edited.
  private func keep(_ file: EditorFile, _ line: String?, in scope: CommandScope) throws {
    guard let line else {
      return scope.say(
        .note("Your edits are saved in \(.value(file.path)).", ko: "편집한 내용은 \(.value(file.path))에 저장되어 있습니다."))
    }
    try SavedEdits.save(line, named: "edit", scope)
    file.remove()
  }

  /// - Throws: `CommandError` without a terminal or a working editor, or for too many products; the errors of reading them.
  package func plan(from market: Client<MarketService>, in scope: inout CommandScope) async throws -> Plan {
    let task = try await makeEdit(market, in: &scope)
    let edit = try await task.edit(scope)
    task.close(edit, in: scope)
    return edit.plan
  }

  /// Returns a form with all fields for a single id, or otherwise a table with one row for each product.
  private func makeEdit(_ market: Client<MarketService>, in scope: inout CommandScope) async throws -> EditTask {
    guard scope.context.program.asker != nil else { throw EditCommand.needsTerminal }
    let known = try TargetResolver(target).known(in: scope.session)
    let name = scope.context.stores.freshName().prefix(8)
    if !usesTable, known.count == 1 {
      let product = try await ReturnedProductReader(market, scope).product(known[0])
      try TargetResolver(target).checkMarket(market, of: scope.session)
      scope.session.remember(product)
      try Ownership.check(Plan([.edit(product, from: ProductValues(), to: ProductValues())]), scope.session)
      let file = try EditorFile(
        in: scope.context.stores.home.editorDirectory, named: "product-\(product.id)-\(name).txt")
      return EditTask(
        file: file,
        form: EditorDocument(product, at: EditCommand.serverLabel(scope.session), scope.session.settings.language))
    }
    let needed = Set(columns + [.name, .price, .discount, .currency])
    let products = try await TargetResolver(target, .init(consent, pages: pages, scope.mode)).products(
      from: market, requiring: needed, in: &scope)
    guard products.count <= EditTable.maximumCount else { throw EditCommand.tooMany(products.count) }
    try Ownership.check(Plan(products.map { .edit($0, from: ProductValues(), to: ProductValues()) }), scope.session)
    let form = EditTable(
      products, columns: columns, at: EditCommand.serverLabel(scope.session), in: scope.session.settings.language,
      measurer: WidthMeasurer(ambiguousWide: scope.session.settings.treatsAmbiguousAsWide))
    return EditTask(
      file: try EditorFile(in: scope.context.stores.home.editorDirectory, named: "products-\(name).txt"), form: form)
  }

  /// Returns the name of the server and the vendor, for the first line of the text.
  static func serverLabel(_ session: Session) -> String {
    let vendor = session.credentials.vendorID.map { LocalizedText(", vendor \($0)", ko: ", 판매자 \($0)") }
    return session.server.name + (vendor.map { $0[session.settings.language].plain } ?? "")
  }

  private static var needsTerminal: CommandError {
    CommandError(
      .blocked,
      .failure("edit needs a terminal.", ko: "edit는 터미널에서만 쓸 수 있습니다.")
        .next("In a script, use \(.command("patch")).", ko: "스크립트에서는 \(.command("patch"), .object) 쓰세요."))
  }

  private static func tooMany(_ count: Int) -> CommandError {
    CommandError(
      .blocked,
      .failure(
        "Too many products for an editor: \(NumberFormatting.grouped(count)). The maximum is \(NumberFormatting.grouped(EditTable.maximumCount)).",
        ko:
          "상품 \(NumberFormatting.grouped(count))개는 편집기에 너무 많습니다. \(NumberFormatting.grouped(EditTable.maximumCount))개까지입니다."
      ).next(
        "Use \(.command("export")) and \(.command("import")) instead.",
        ko: "대신 \(.command("export"), .with) \(.command("import"), .object) 쓰세요."))
  }

  private static func readOnlyFieldError(_ field: ProductField) -> ParseError {
    let list = EditTable.columns.map(\.rawValue).joined(separator: ", ")
    return ParseError(
      LocalizedText("\(.field(field)) cannot be edited as a column.", ko: "\(.field(field)) 값은 행에서 바꿀 수 없습니다."),
      suggestion: LocalizedText("Available: \(list).", ko: "바꿀 수 있는 것은 \(list)입니다."))
  }
}

/// Products as a text for an editor, and the reading of the edited text.
protocol EditorForm {
  var products: [Product] { get }
  /// The text to edit.
  var text: String { get }
  /// Returns the changed fields of each product, as for `patch`.
  func edits(in text: String) throws(EditErrors) -> [(product: Product, assignments: [Assignment])]
  /// Returns the error of a value that a product can't have.
  func mistake(_ error: ParseError, of product: Product) -> ParseError
}

/// The plan of an edited text, and the equivalent command line.
private struct Edit {
  var plan = Plan()
  var line: String?
  /// A Boolean value that indicates that the editor has not changed the file.
  var isUntouched = false

  init(isUntouched: Bool = false) { self.isUntouched = isUntouched }

  /// Reads an edited text.
  ///
  /// The products are as they were read: the text alone says what is changed.
  init(_ text: String, as form: any EditorForm, limits: LimitPolicy) throws(EditErrors) {
    var lines: [String] = []
    var mistakes: [ParseError] = []
    for (product, assignments) in try form.edits(in: text) {
      do throws(ParseError) {
        let (from, to) = try ProductEdit(assignments, limits: limits).changes(of: product)
        if to.isEmpty { continue }
        plan.append(product, from: from, to: to)
        lines.append(EquivalentCommand.patch(product, assignments))
      } catch {
        mistakes.append(form.mistake(error, of: product))
      }
    }
    guard mistakes.isEmpty else { throw EditErrors(mistakes) }
    if !lines.isEmpty { line = lines.joined(separator: "; ") }
  }
}

/// A text for the editor, in its file until the command is complete.
private struct EditTask {
  let file: EditorFile
  let form: any EditorForm

  /// Opens the editor, and returns what the edited text means.
  func edit(_ scope: CommandScope) async throws -> Edit {
    if form.products.isEmpty { return Edit() }
    let (form, limits) = (form, scope.session.limits)
    let edited = try await EditorLoop(file, in: scope).changes(of: form.text) { (text) throws(EditErrors) -> Edit? in
      try Edit(text, as: form, limits: limits)
    }
    switch edited {
    case .changed(let edit): return edit
    case .unchanged: return Edit()
    case .untouched: return Edit(isUntouched: true)
    }
  }

  /// Removes the file, unless a window of the editor may still have it open.
  func close(_ edit: Edit, in scope: CommandScope) {
    if edit.isUntouched { scope.say(ExternalEditor.untouched(file.path)) } else { file.remove() }
  }
}
