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

/// `walk`: shows products one by one and reads changes for each; all changes are one plan at the end.
package struct WalkCommand: ProductWriteCommand {
  package static let declaration = CommandDeclaration(
    "walk", group: .change,
    summary: LocalizedText("review and change products one by one", ko: "상품을 하나씩 보며 변경"),
    details: LocalizedText(
      "Shows the products one after the other and asks for changes below each. All changes are shown and confirmed together at the end.",
      ko: "상품을 하나씩 보여 주고 아래에서 바꿀 값을 묻습니다. 마지막에 모든 변경을 함께 보여 주고 확인합니다."), writesToMarket: true, producesData: true,
    parameters: [
      Parameter(
        "TARGETS", .positional(required: true), kind: .target,
        summary: LocalizedText("products to use (see help targets)", ko: "대상 상품")),
      .showingAll, .pages,
    ],
    examples: [
      .init(
        "walk mine", "at each product, type changes, or Enter to skip, b for back, q to finish",
        ko: "카드마다 price-=10% stock=5처럼 입력, Enter는 그대로, b는 이전, q는 끝"),
      .init("walk where stock<5 and vendor=me", "shows all changes at the end and asks once", ko: "끝에 모두 모아 보여 주고 확인"),
    ])

  package let consent: WriteOptions
  private let target: ProductSelector
  private let pages: Int?

  package init(_ invocation: ParsedCommand) {
    consent = WriteOptions(invocation)
    target = invocation.target("TARGETS") ?? .last
    pages = invocation.number("pages")
  }

  /// Reads the changes and writes them.
  ///
  /// If they aren't made, the input is saved and its file is named.
  ///
  /// - Throws: `CommandError` without a terminal, or if the user quits; the errors of reading and writing.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    try scope.requireWritable()
    let market = try await scope.marketClient()
    var steps = WalkState(try await products(market, in: &scope))
    do {
      try await ask(&steps, market: market, in: scope)
      var result = try await PlanExecutor(market, consent).executeOnce(steps.plan, question: .always, in: &scope)
      result.equivalentLine = steps.line
      if result.error != nil { try saveScript(steps, scope) }
      return result
    } catch {
      try saveScript(steps, scope)
      throw error
    }
  }

  /// - Throws: `CommandError` without a terminal, or if the user quits; the errors of reading the products.
  package func plan(from market: Client<MarketService>, in scope: inout CommandScope) async throws -> Plan {
    var steps = WalkState(try await products(market, in: &scope))
    try await ask(&steps, market: market, in: scope)
    return steps.plan
  }

  private func products(_ market: Client<MarketService>, in scope: inout CommandScope) async throws -> [Product] {
    guard scope.context.program.asker != nil else { throw WalkCommand.needsTerminal }
    // All fields that an assignment may need, because the assignments aren't known yet.
    let products = try await TargetResolver(target, .init(consent, pages: pages, scope.mode)).products(
      from: market, requiring: Set(ProductField.writableValues), in: &scope)
    try Ownership.check(Plan(products.map { .edit($0, from: ProductValues(), to: ProductValues()) }), scope.session)
    return products
  }

  // MARK: Prompts

  private func ask(
    _ steps: inout WalkState, market: Client<MarketService>, in scope: CommandScope
  ) async throws {
    guard let asker = scope.context.program.asker, !steps.isOver else { return }
    scope.say(WalkCommand.help)
    var refused: String?
    while !steps.isOver {
      if refused == nil { show(steps, scope) }
      let question = FormQuestion(
        prompt: "\(steps.product.id)> ", initial: refused ?? steps.typed ?? "",
        rule: LocalizedText("Enter, b, q, ?", ko: "Enter, b, q, ?")[scope.session.settings.language].plain)
      guard case .text(let answer) = await asker.field(question) else { throw WalkCommand.cancelled }
      try Task.checkCancellation()
      let command = WalkCommand.command(answer.trimmed.nfcNormalized, after: refused ?? steps.typed)
      refused = nil
      switch command {
      case "": steps.skip()
      case "b", "ㅠ": steps.back()
      case "q", "ㅂ": return
      case "?": scope.say(WalkCommand.help)
      case let typed:
        // A bare amount is the price, which is what most walks are about.
        let isAmount = WalkCommand.isAmount(typed)
        let text = isAmount ? "price=" + typed : typed
        do {
          if isAmount, let field = amountField { throw WalkCommand.ambiguousAmount(typed, field) }
          let plan = try await change(text, product: steps.product, market: market, in: scope)
          // The only product is shown with the question anyway.
          if steps.products.count > 1 { show(plan, scope) }
          steps.record(text, plan)
        } catch {
          guard !(error is CancellationError) else { throw error }
          _ = scope.report(error)
          refused = typed
        }
      }
    }
  }

  /// Returns the answer without the text that the field already had, if only the letter of a key follows that text.
  private static func command(_ answer: String, after initial: String?) -> String {
    guard let initial, answer.hasPrefix(initial) else { return answer }
    let rest = answer.dropFirst(initial.count).trimmed
    return ["b", "ㅠ", "q", "ㅂ", "?"].contains(rest) ? rest : answer
  }

  /// The field other than the price that a bare amount may be meant for, because the condition is about it; or `nil`.
  private var amountField: ProductField? {
    guard case .matching(let condition) = target, !condition.fields.contains(.price) else { return nil }
    return [.stock, .discount, .sale].first { condition.fields.contains($0) }
  }

  private static func ambiguousAmount(_ amount: String, _ field: ProductField) -> ParseError {
    let (price, other) = ("price=" + amount, field.rawValue + "=" + amount)
    return ParseError(
      LocalizedText(
        "\(.value(amount)) could be the price or the \(.field(field)).",
        ko: "\(.value(amount)), 가격인지 \(.field(field))인지 알 수 없습니다."),
      suggestion: LocalizedText(
        "Type \(.command(price)) or \(.command(other)).", ko: "\(.command(price))이나 \(.command(other)), 둘 중 하나를 입력하세요.")
    )
  }

  /// Shows the typed assignments as a change, before the next product.
  private func show(_ plan: Plan, _ scope: CommandScope) {
    guard !plan.changes.isEmpty else {
      return scope.say(.note("The product has these values already.", ko: "이미 그 값입니다."))
    }
    let preview = PlanPreview(plan.changes, heading: WriteApproval.heading(scope.session))
    scope.context.program.console.writeMessage(preview.changes(scope.messageOptions))
  }

  private static func isAmount(_ text: String) -> Bool {
    (try? FieldValueParser.money(text, of: .price)) != nil
  }

  private func show(_ steps: WalkState, _ scope: CommandScope) {
    let product = steps.product
    let options = scope.messageOptions
    let head: StyledText =
      "\(.dim("\(steps.index + 1)/\(steps.products.count)")) \(.strong(product.id)) \(.foreign(product.name ?? "-"))"
    let card = TerminalRenderer().render(
      .product(product, fields: [.price, .discount, .sale, .currency, .stock]), options)
    scope.printText(LocalizedText(same: head))
    scope.context.program.console.writeMessage(card)
  }

  /// Returns the plan of a line of assignments for one product, read like `patch`.
  private func change(
    _ text: String, product: Product, market: Client<MarketService>, in scope: CommandScope
  ) async throws -> Plan {
    let invocations = try scope.read("patch \(product.id) " + text)
    let allowed: Set<String> = ["TARGETS", "set", "round", "half"]
    guard invocations.count == 1, let invocation = invocations.first, invocation.prefixes.isEmpty,
      invocation.clauses == Clauses(), allowed.isSuperset(of: invocation.arguments.keys),
      invocation.target("TARGETS") == .ids([product.id...product.id]),
      let patch = try scope.context.program.commands.command(invocation) as? PatchCommand
    else {
      throw ParseError(
        LocalizedText("Type changes only.", ko: "필드=값만 입력하세요."),
        suggestion: LocalizedText(
          "For example: \(.command("price=3500 stock+=5"))", ko: "예: \(.command("price=3500 stock+=5"))"))
    }
    return try await patch.plan(of: [product], at: market, in: scope)
  }

  /// Saves the input as a script that makes the changes.
  private func saveScript(_ steps: WalkState, _ scope: CommandScope) throws {
    guard let line = steps.line else { return }
    try SavedEdits.save(line, named: "walk", scope)
  }

  // MARK: Messages

  private static let help = Message.note(
    "Type a price, or changes as for \(.command("patch")): \(.command("price=3500 stock+=5")). Enter skips, \(.command("b")) goes back, \(.command("q")) finishes. All changes are shown for confirmation at the end.",
    ko:
      "가격만 적거나, 바꿀 내용을 \(.command("patch"))처럼 입력하세요: \(.command("price=3500 stock+=5")). Enter는 건너뛰기, \(.command("b"), .topic) 이전, \(.command("q"), .topic) 마침입니다. 마지막에 모두 보여 주고 확인합니다."
  )

  private static var cancelled: CommandError {
    CommandError(.blocked, .note("Canceled. Nothing was sent.", ko: "취소했습니다. 아무것도 보내지 않았습니다."))
  }

  private static var needsTerminal: CommandError {
    CommandError(
      .blocked,
      .failure("walk needs a terminal.", ko: "walk는 터미널에서만 쓸 수 있습니다.")
        .next(
          "In a script, use \(.command("patch")), or \(.command("import")) for different values per product.",
          ko: "스크립트에서는 \(.command("patch"), .object) 쓰고, 상품마다 다른 값은 \(.command("import"), .object) 쓰세요."))
  }
}

/// Edits that were not applied, as a script.
enum SavedEdits {
  /// Saves the lines of an edit as a script, and says how to apply it.
  ///
  /// - Throws: `FileError`.
  static func save(_ line: String, named name: String, _ scope: CommandScope) throws {
    let file = try EditorFile(
      in: scope.context.stores.home.editorDirectory,
      named: "\(name)-\(scope.context.stores.freshName().prefix(8)).market")
    try file.write(line.replacing("; patch ", with: "\npatch ") + "\n")
    scope.say(
      .note("Your changes are saved in \(.value(file.path)).", ko: "입력한 내용은 \(.value(file.path))에 있습니다.")
        .next(
          "Run \(.command("source \(file.path)")) to apply them.",
          ko: "\(.command("source \(file.path)"), .toward) 적용할 수 있습니다."))
  }
}

/// The position in the list of products, and the input for each product so far.
private struct WalkState {
  /// The input for a product and its plan.
  private struct Step {
    var text: String
    var plan: Plan
  }

  let products: [Product]
  private(set) var index = 0
  private var steps: [Int: Step] = [:]

  init(_ products: [Product]) { self.products = products }

  var isOver: Bool { index >= products.count }
  var product: Product { products[index] }
  /// The earlier input for this product, which the user can change or delete.
  var typed: String? { steps[index]?.text }

  mutating func skip() {
    steps[index] = nil
    index += 1
  }

  mutating func record(_ text: String, _ plan: Plan) {
    steps[index] = Step(text: text, plan: plan)
    index += 1
  }

  mutating func back() { index = max(0, index - 1) }

  /// The plan of all input in the order of the products.
  var plan: Plan {
    var whole = Plan()
    for index in steps.keys.sorted() { if let part = steps[index]?.plan { whole.append(part) } }
    return whole
  }

  /// The equivalent command lines, or `nil` if there was no input.
  var line: String? {
    if steps.isEmpty { return nil }
    return steps.keys.sorted().compactMap { index in
      steps[index].map { "patch \(products[index].id) \($0.text)" }
    }.joined(separator: "; ")
  }
}
