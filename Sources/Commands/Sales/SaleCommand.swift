import Catalog
import CommandLanguage
import MarketAPI
import MarketOperations
import Networking
import OrderedCollections
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// `sale mine 10% from 12-01 to 12-07`: schedules a sale, whose discounts are computed when it starts and taken back when
/// it ends.
///
/// Nothing is sent until the start or the end is applied.
package struct SaleCommand: Command {
  package static let declaration = CommandDeclaration(
    "sale", group: .schedule,
    summary: LocalizedText("schedule a sale with a start and an end", ko: "시작과 끝이 있는 할인 계획"),
    usage: [
      "sale TARGETS N% from DATE to DATE [round STEP] [all] [pages N]", "sale list", "sale cancel N", "sale end N",
      "sale dismiss N",
    ],
    details: LocalizedText(
      "Saves the rule of a sale, which due apply starts and ends; with timer on that is done by itself. The discount is computed from the price at the start. The end restores the discount of before, unless somebody changed it during the sale. A product can be in one sale at a time. A sale has a number that no other sale gets.",
      ko:
        "할인 규칙을 저장합니다. 할인은 due apply가 시작하고 끝내며, timer on으로 켜면 저절로 실행됩니다. 할인액은 시작할 때의 정가로 계산합니다. 끝날 때는 그사이 할인액이 바뀌지 않은 상품만 이전 할인으로 되돌립니다. 같은 기간에 한 상품은 한 할인에만 들어갑니다. 할인의 번호는 다른 할인에 다시 쓰이지 않습니다."
    ), writesToMarket: true, producesData: true, traits: [.daily],
    parameters: [
      Parameter(
        "TARGETS", .positional(required: false), kind: .target,
        summary: LocalizedText("products to use (see help targets)", ko: "대상 상품")),
      Parameter(
        "N%", .positional(required: false), kind: .text, summary: LocalizedText("discount in percent", ko: "할인율(%)")),
      Parameter(
        "from", .option, kind: .text,
        summary: LocalizedText(
          "first day: 12-01, 2026-12-01, today, tomorrow, monday, next week, or a time such as 12-01T09:00",
          ko: "첫날: 12-01, 2026-12-01, 오늘, 내일, 월요일, 다음 주, 또는 12-01T09:00"),
        placeholder: "DATE"),
      Parameter(
        "to", .option, kind: .text, summary: LocalizedText("last day, inclusive", ko: "마지막 날(그날 포함)"),
        placeholder: "DATE"),
      Parameter(
        "round", .option, kind: .text, summary: LocalizedText("round sale prices to this step", ko: "판매가를 이 단위로 반올림"),
        placeholder: "STEP"),
      Parameter(
        "list", .flag, kind: .none, summary: LocalizedText("list planned and running sales", ko: "예정되거나 진행 중인 할인 목록")),
      Parameter(
        "cancel", .option, kind: .number(1...Int.max),
        summary: LocalizedText("cancel sale N, if it has not started", ko: "시작하지 않은 N번 할인 취소")),
      Parameter(
        "end", .option, kind: .number(1...Int.max),
        summary: LocalizedText("end running sale N now", ko: "진행 중인 N번 할인을 지금 끝내기")),
      Parameter(
        "dismiss", .option, kind: .number(1...Int.max),
        summary: LocalizedText(
          "stop trying what due apply could not do in sale N", ko: "N번 할인에서 하지 못한 일을 더 시도하지 않기")),
      .showingAll, .pages,
    ],
    examples: [
      .init(
        "sale mine 10% from 12-01 to 12-07", "saves the sale; due lists it, due apply starts and ends it",
        ko: "할인을 저장함. due로 확인하고 due apply로 시작하고 끝냄"),
      .init(
        "sale where vendor=me and stock>100 30% from 12-24 to 12-26 round 100", "products that match a condition",
        ko: "조건에 맞는 상품들"),
      .init("sale list", "lists planned and running sales with their numbers", ko: "예정되거나 진행 중인 할인과 번호"),
      .init("sale cancel 1", "cancels sale 1", ko: "1번 할인을 취소"),
      .init("sale end 1", "ends running sale 1 now", ko: "진행 중인 1번 할인을 지금 끝냄"),
    ])

  private enum Action {
    case list
    case cancel(Int)
    case end(Int)
    case dismiss(Int)
    case make(NewSale)
  }

  private let action: Action
  private let consent: WriteOptions

  package var writes: Bool {
    if case .list = action { false } else { true }
  }

  /// - Throws: `ParseError` without both days, for an invalid day, and for a percentage that isn't between 0 and 100.
  package init(_ invocation: ParsedCommand) throws {
    consent = WriteOptions(invocation)
    if invocation.has("list") {
      action = .list
    } else if let number = invocation.number("cancel") {
      action = .cancel(number)
    } else if let number = invocation.number("end") {
      action = .end(number)
    } else if let number = invocation.number("dismiss") {
      action = .dismiss(number)
    } else {
      action = .make(try NewSale(invocation))
    }
  }

  /// - Throws: The errors of `NewSale.run`; `CommandError` for a sale that doesn't exist, and for one in a state in which
  ///   this can't be done.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    let result = try await execute(in: &scope)
    if case .list = action { return result }
    // Another start of the script would make, end or dismiss another sale.
    if result.isSuccess { try scope.recordStep(Self.declaration.name) }
    return result
  }

  private func execute(in scope: inout CommandScope) async throws -> CommandResult {
    let store = ScheduledPlanStore(scope.context.stores.home)
    if scope.mode == .write {
      try await store.storeNumbers(scope.session.limits, scope.context.program.interruption, scope.context.clock)
    }
    switch action {
    case .make(let sale): return try await sale.run(store, in: &scope)
    case .list: return try await SaleList(store).run(in: &scope)
    case .cancel(let number):
      return try await changing(
        number, store: store, in: &scope,
        asking: LocalizedText("Cancel sale \(number)? [y/N] ", ko: "\(number)번 할인을 취소할까요? [y/N] "), checkCancel, cancel)
    case .dismiss(let number):
      return try await changing(
        number, store: store, in: &scope,
        asking: LocalizedText("Dismiss it? [y/N] ", ko: "더 시도하지 않을까요? [y/N] "), checkDismissal, dismiss)
    case .end(let number):
      let lock =
        scope.mode == .write ? try await store.lock(scope.context.program.interruption, scope.context.clock) : nil
      defer { withExtendedLifetime(lock) {} }
      let sale = try sale(number, store: store, in: scope)
      scope.say(Message(.note, sale.summary))
      return try await end(sale, store, in: &scope)
    }
  }

  /// Shows a sale and asks, and calls a closure with it while no other shell can change it.
  ///
  /// - Parameters:
  ///   - number: The number of the sale.
  ///   - store: The store of its files.
  ///   - scope: The scope of the command.
  ///   - question: The question, which `yes` answers.
  ///   - consequence: Returns what will happen, or the report of a sale for which nothing is to be done.
  ///   - body: Changes the sale.
  /// - Throws: `CommandError` with exit status 4 if it isn't confirmed; the errors of the closures.
  private func changing(
    _ number: Int, store: ScheduledPlanStore, in scope: inout CommandScope, asking question: LocalizedText,
    _ consequence: (ScheduledSale, CommandScope) throws -> (message: Message, isNothing: Bool),
    _ body: (ScheduledSale, ScheduledPlanStore, inout CommandScope) async throws -> Report
  ) async throws -> CommandResult {
    let sale = try sale(number, store: store, in: scope)
    let (message, isNothing) = try consequence(sale, scope)
    if isNothing { return .message(message) }
    scope.say(message)
    guard scope.mode == .write else { return CommandResult(SaleCommand.dry) }
    if !consent.yes, !scope.context.program.assumesYes {
      try await scope.confirm(
        question,
        unattended: .failure("Not confirmed. The sale was not changed.", ko: "확인이 필요합니다. 할인을 바꾸지 않았습니다.")
          .next(
            "Add \(.command("yes")) to the command, or start openmarket with \(.command("--yes")).",
            ko: "명령 끝에 \(.command("yes"), .object) 붙이거나 \(.command("--yes"))로 시작하세요."),
        declined: .note("Canceled. The sale was not changed.", ko: "취소했습니다. 할인을 바꾸지 않았습니다."))
    }
    let lock =
      scope.mode == .write ? try await store.lock(scope.context.program.interruption, scope.context.clock) : nil
    defer { withExtendedLifetime(lock) {} }
    // Another shell may have changed it in the meantime.
    guard try self.sale(number, store: store, in: scope) == sale else {
      throw CommandError(
        .blocked,
        .failure(
          "Sale \(number) was changed by another openmarket. Nothing was done.",
          ko: "다른 openmarket에서 \(number)번 할인을 바꾸었습니다. 아무것도 하지 않았습니다."
        ).next("Run \(.command("sale list")) to see it.", ko: "\(.command("sale list"), .toward) 확인하세요."), code: .busy)
    }
    return CommandResult(try await body(sale, store, &scope))
  }

  private func sale(_ number: Int, store: ScheduledPlanStore, in scope: CommandScope) throws -> ScheduledSale {
    let (sales, unreadable) = store.sales(scope.session.limits)
    for failure in unreadable { scope.say(failure.message) }
    if let sale = sales.first(where: { $0.number == number }) { return sale }
    var message = Message.failure("There is no sale \(number).", ko: "\(number)번 할인이 없습니다.")
    if let command = store.command(ofFormerSale: number, scope.session.limits) {
      message = message.because(
        "It was canceled or is over: \(.command(command))", ko: "취소되었거나 끝난 할인입니다: \(.command(command))")
    }
    throw CommandError(
      .refused,
      message.next("Run \(.command("sale list")) to see the numbers.", ko: "번호는 \(.command("sale list"))에서 볼 수 있습니다."))
  }

  // MARK: Cancel

  /// Returns what canceling a sale means.
  ///
  /// - Throws: `CommandError` for a sale that has started.
  private func checkCancel(_ sale: ScheduledSale, in scope: CommandScope) throws -> (message: Message, isNothing: Bool)
  {
    let number = sale.number
    guard !sale.hasBegun else {
      throw CommandError(
        .blocked,
        .failure("Sale \(number) has already started.", ko: "\(number)번 할인은 이미 시작되었습니다.").next(
          "Run \(.command("sale end \(number)")) to restore the discounts of before, or \(.command("sale dismiss \(number)")) to leave what could not be done.",
          ko:
            "이전 할인으로 되돌리려면 \(.command("sale end \(number)"), .object), 하지 못한 일을 그대로 두려면 \(.command("sale dismiss \(number)"), .object) 실행하세요."
        ))
    }
    return (Message(.note, sale.summary).because("It will not start.", ko: "이 할인을 시작하지 않게 됩니다."), false)
  }

  private func cancel(_ sale: ScheduledSale, _ store: ScheduledPlanStore, in scope: inout CommandScope) throws -> Report
  {
    // The first plan of a sale of version 0.2 may be partly applied. Its end restores those prices.
    if case .plans(let start?, let end) = sale.form, start.due <= scope.context.clock.timestamp, end != nil {
      store.archive(start.path)
      return .message(
        canceled(sale).because(
          "Its start time has passed, so its end remains scheduled and restores any lowered prices.",
          ko: "시작 시각이 지났으므로, 이미 내려간 가격을 되돌리도록 종료 계획은 그대로 둡니다."))
    }
    for plan in sale.plans { store.archive(plan.path) }
    let command = sale.remakeCommand
    return .message(
      canceled(sale).next(
        "To plan it again, run \(.command(command))", ko: "다시 계획하려면 다음을 실행하세요: \(.command(command))"))
  }

  private func canceled(_ sale: ScheduledSale) -> Message {
    .success(
      "Canceled sale \(sale.number): \(.value(sale.command))", ko: "\(sale.number)번 할인을 취소했습니다: \(.value(sale.command))"
    )
  }

  private static let dry = Report.message(
    .note("Dry run: the sale was not changed.", ko: "모의 실행이라 할인을 바꾸지 않았습니다."))

  // MARK: End

  private func end(
    _ sale: ScheduledSale, _ store: ScheduledPlanStore, in scope: inout CommandScope
  ) async throws -> CommandResult {
    guard sale.hasBegun else {
      throw CommandError(
        .blocked,
        .failure(
          "Sale \(sale.number) has not started. Nothing was sent.",
          ko: "\(sale.number)번 할인은 시작되지 않았습니다. 아무것도 보내지 않았습니다."
        ).next(
          "Run \(.command("sale cancel \(sale.number)")) to cancel it.",
          ko: "취소하려면 \(.command("sale cancel \(sale.number)"), .object) 실행하세요."))
    }
    try scope.requireWritable(checksApproval: true)
    let consent = consent
    switch sale.form {
    case .rule(let plan, let rule, _):
      let others = store.sales(scope.session.limits).sales
      let execution = SaleExecution(
        sale, plan: plan, rule: rule, phase: .end, among: others, in: store, consent: consent)
      let made = try await scope.atMarket(of: plan.contents.destination) { market, scope in
        try await execution.run(at: market, in: &scope)
      }
      if let left = made.left {
        scope.say(left.message(sale.number))
        // From now on the end is due: the next `due apply` tries it again, and `sale dismiss` gives it up.
        if scope.mode == .write {
          var progress = try store.progress(of: plan)
          progress.endedEarly = scope.context.clock.timestamp
          try store.save(progress, of: plan)
        }
      }
      return made.result
    case .plans(_, let end?):
      let execution = PlanFileExecution(end.contents, from: end.source, named: end.path, consent)
      let made = try await scope.atMarket(of: end.contents.destination) { market, scope in
        try await execution.run(at: market, in: &scope)
      }
      if made.isSettled, made.result.isSuccess { store.archive(end.path) }
      return made.result
    case .plans: return .empty
    }
  }
}

/// The list of sales, with those whose prices have changed since they were planned.
private struct SaleList {
  /// The number of products of a sale that are compared with their prices at the time of planning.
  private static let maximumCompared = 100

  private let store: ScheduledPlanStore

  init(_ store: ScheduledPlanStore) { self.store = store }

  func run(in scope: inout CommandScope) async throws -> CommandResult {
    let (sales, unreadable) = store.sales(scope.session.limits)
    for failure in unreadable { scope.say(failure.message) }
    if let note = store.handedOverNote(scope) { scope.say(note) }
    try await sayChangedPrices(of: sales, in: &scope)
    let table = Report.rows(SaleList.table(sales, scope.context.clock.timestamp))
    return CommandResult(sales.isEmpty ? .group([.message(DueCommand.nothingScheduled), table]) : table)
  }

  private static func table(_ sales: [ScheduledSale], _ now: Timestamp) -> Table {
    Table(
      [
        .init("n", LocalizedText("number", ko: "번호"), isNumber: true), .init("state", LocalizedText("state", ko: "상태")),
        .init("begins", LocalizedText("start", ko: "시작")), .init("ends", LocalizedText("end", ko: "끝")),
        .init("profile", LocalizedText("profile", ko: "프로필"), dropOrder: 2),
        .init("products", LocalizedText("products", ko: "상품"), isNumber: true, dropOrder: 1),
        .init("command", LocalizedText("command", ko: "명령")),
      ],
      rows: sales.map { sale in
        [
          .number(sale.number), .localized(word(sale.state(now))), sale.begins.map { .timestamp($0) } ?? .none,
          sale.ends.map { .timestamp($0) } ?? .none, sale.destination.map { .text($0.profile) } ?? .none,
          .number(sale.products.count), .text(sale.command),
        ]
      })
  }

  private static func word(_ state: ScheduledSale.State) -> LocalizedText {
    switch state {
    case .planned: LocalizedText("planned", ko: "예정")
    case .due: LocalizedText("due", ko: "적용할 때")
    case .running: LocalizedText("running", ko: "진행 중")
    case .over: LocalizedText("end due", ko: "종료 대기")
    }
  }

  /// Compares the prices of sales of this profile that haven't begun with those at the time of planning.
  ///
  /// The products of all sales are read together. A market that can't be read doesn't prevent the list.
  private func sayChangedPrices(of sales: [ScheduledSale], in scope: inout CommandScope) async throws {
    let here = scope.session.server.name
    let planned = sales.filter { sale in
      guard case .rule(let plan, _, _) = sale.form else { return false }
      return !sale.hasBegun && plan.contents.destination.profile == here
    }
    let ids = Array(OrderedSet(planned.flatMap { $0.products.prefix(SaleList.maximumCompared) }))
    guard !ids.isEmpty else { return }
    var found: [Product.ID: Product]
    do {
      let market = try await scope.marketClient()
      found = try await BulkListLookup(market, scope).find(ids, requiring: [.price, .discount, .currency])
      let rest = ids.filter { found[$0] == nil }
      found.merge(try await ProductReader(market, scope).find(rest, optional: Set(rest))) { $1 }
    } catch {
      if error is CancellationError { throw error }
      scope.say(
        .note(
          "The prices of the planned sales could not be compared with those of the server.",
          ko: "예정된 할인의 가격을 서버와 비교하지 못했습니다."
        ).because(CommandError(describing: error).message.what))
      return
    }
    for sale in planned { sayChangedPrices(of: sale, found, in: scope) }
  }

  private func sayChangedPrices(of sale: ScheduledSale, _ found: [Product.ID: Product], in scope: CommandScope) {
    guard case .rule(let plan, let rule, _) = sale.form else { return }
    let ids = Set(sale.products.prefix(SaleList.maximumCompared))
    var changed: [LocalizedText] = []
    for case .edit(let product, _, let to) in plan.contents.plan.changes {
      guard ids.contains(product.id), let before = rule.prices[product.id] else { continue }
      guard let now = found[product.id] else {
        changed.append(LocalizedText("product \(product.id): it was deleted", ko: "\(product.id)번 상품: 삭제됨"))
        continue
      }
      guard let price = now.price, price != before, let planned = to.discount else { continue }
      let discount = ((try? rule.discount(of: now)) ?? nil) ?? now.discount ?? .zero
      func money(_ amount: Amount) -> String {
        NumberFormatting.money(amount, now.currency, ascii: scope.session.settings.ascii)
      }
      changed.append(
        LocalizedText(
          "product \(product.id): price \(.before(money(before))) -> \(.after(money(price))), discount \(.before(money(planned))) -> \(.after(money(discount)))",
          ko:
            "\(product.id)번 상품: 정가 \(.before(money(before))) -> \(.after(money(price))), 할인 \(.before(money(planned))) -> \(.after(money(discount)))"
        ))
    }
    guard !changed.isEmpty else { return }
    scope.say(
      .note(
        "\(changed.count) of the products of sale \(sale.number) changed since it was planned.",
        ko: "\(sale.number)번 할인의 상품 중 \(changed.count)개는 계획한 뒤에 바뀌었습니다."
      ).because(first: 10, of: changed) { $0 })
  }
}

/// A sale to be scheduled: its products, percentage and times.
private struct NewSale {
  private let target: ProductSelector
  private let discountPercent: Amount
  private let first: String
  private let last: String
  private let step: Amount?
  private let pages: Int?
  private let consent: WriteOptions
  private let line: String

  init(_ invocation: ParsedCommand) throws {
    guard let target = invocation.target("TARGETS"), let typed = invocation.text("N%") else {
      throw ParseError(
        LocalizedText("sale needs products and a percentage.", ko: "할인에는 대상 상품과 할인율이 있어야 합니다."),
        suggestion: LocalizedText(
          "For example: \(.command("sale mine 10% from 12-01 to 12-07"))",
          ko: "예: \(.command("sale mine 10% from 12-01 to 12-07"))"))
    }
    self.target = target
    pages = invocation.number("pages")
    let round = invocation.text("round")
    consent = WriteOptions(invocation)
    line = invocation.text
    guard let first = invocation.text("from"), let last = invocation.text("to") else {
      throw ParseError(
        LocalizedText("A sale needs a first and a last day.", ko: "할인에는 첫날과 마지막 날이 있어야 합니다."),
        suggestion: LocalizedText(
          "For example: \(.command("sale mine 10% from 12-01 to 12-07"))",
          ko: "예: \(.command("sale mine 10% from 12-01 to 12-07"))"))
    }
    (self.first, self.last) = (first, last)
    guard typed.hasSuffix("%"), let share = Amount(typed: String(typed.dropLast())), share > 0, share < 100
    else {
      throw ParseError(
        LocalizedText("Invalid discount: \(.foreign(typed)).", ko: "\(.foreign(typed), .topic) 할인율이 아닙니다."),
        suggestion: LocalizedText(
          "Use a percentage below 100%, such as \(.value("10%")).", ko: "100%보다 작은 \(.value("10%")) 같은 값을 쓰세요."))
    }
    discountPercent = share
    if let round {
      // An error in the rounding step is reported before anything is read.
      step = try ProductEdit([], round: round, limits: .documented).step
    } else {
      step = nil
    }
    for day in [first, last] { try SalePeriod.check(day) }
  }

  /// - Throws: `ParseError` for days that aren't a valid period; `CommandError` for a product of another vendor, and for
  ///   one that is in another sale at that time; `FileError`; the errors of reading.
  func run(_ store: ScheduledPlanStore, in scope: inout CommandScope) async throws -> CommandResult {
    let now = scope.context.clock.timestamp
    let times = try SalePeriod(from: first, to: last, now: now)
    let market = try await scope.marketClient()
    try market.service.dialect.requireDescribed([.edit], [.discount])
    let products = try await TargetResolver(target, .init(consent, pages: pages, scope.mode)).products(
      from: market, requiring: [.name, .price, .discount, .currency], in: &scope)
    // Two shells must not plan two sales of one product.
    let lock =
      scope.mode == .write ? try await store.lock(scope.context.program.interruption, scope.context.clock) : nil
    defer { withExtendedLifetime(lock) {} }
    let destination = PlanFile.Destination(scope.session, at: market.service.baseURL)
    let sales = store.sales(scope.session.limits).sales
    try checkOverlap(products.map(\.id), times: times, destination: destination, sales: sales)
    let prices = products.compactMap { product in product.price.map { (product.id, $0) } }
    let rule = SaleRule(
      percent: discountPercent, step: step, end: times.end, prices: Dictionary(prices) { first, _ in first })
    let earlier = sales.filter {
      $0.destination?.market.isSame(as: destination.market) == true && $0.ends.map { $0 <= times.start } ?? false
    }
    let (start, cheaper) = try plan(products.map { $0.after(earlier) }, rule)
    let notes = cheaper.isEmpty ? [] : [SaleExecution.alreadyCheaper(cheaper)]
    guard !start.changes.isEmpty else {
      for note in notes { scope.say(note) }
      return .message(.note("No price would be lowered. No sale was saved.", ko: "가격을 내릴 상품이 없어 할인을 저장하지 않았습니다."))
    }
    let outliers = try await PlanExecutor(market, consent).preview(start, notes: notes, in: scope)
    guard scope.mode == .write else {
      var result = CommandResult.message(.note("Dry run: no sale was saved.", ko: "모의 실행이라 할인을 저장하지 않았습니다."))
      result.wasOnlyShown = true
      return result
    }
    let percent = discountPercent.description + "%"
    let number = try store.add(
      PlanFile(
        id: scope.context.stores.freshName(), destination: destination, createdAt: now,
        maker: scope.context.program.account(),
        actor: scope.actor, command: line, note: "sale \(percent)", notBefore: times.start,
        sale: rule, plan: start), named: "sale-\(LocalTime(times.start).description.prefix(10))",
      scope.session.limits)
    let count = start.changes.count
    var message = Message.success(
      "Planned sale \(number): \(percent) on \(count) \(count == 1 ? StyledText("product") : "products"), from \(LocalTime(times.start).description) to \(LocalTime(times.end).description). Nothing was sent.",
      ko:
        "\(number)번 할인을 계획했습니다: 상품 \(count)개 \(percent). \(LocalTime(times.start).description)부터 \(LocalTime(times.end).description)까지이며, 아무것도 보내지 않았습니다."
    )
    if !outliers.isEmpty {
      message = message.because(
        "It contains unusual values. Applying it requires \(.command("outliers")).",
        ko: "평소와 크게 다른 값이 있어 적용할 때 \(.command("outliers"), .subject) 필요합니다.")
    }
    message = message.next(
      "Run \(.command("sale list")) to list sales, or \(.command("due apply")) to start or end those that are due.",
      ko: "할인은 \(.command("sale list"))로 확인하고, 시각이 된 할인은 \(.command("due apply"))로 시작하거나 끝내세요.")
    if let hint = await scope.timerHint(needsOutliers: !outliers.isEmpty) { message = message.next(hint) }
    scope.say(message)
    return .empty
  }

  /// - Throws: `CommandError` with exit status 2 if a product is in another sale at that time.
  private func checkOverlap(
    _ ids: [Product.ID], times: SalePeriod, destination: PlanFile.Destination, sales: [ScheduledSale]
  ) throws {
    for sale in sales {
      let shared = sale.sharedProducts(ids, from: times.start, to: times.end, at: destination.market)
      guard !shared.isEmpty else { continue }
      let start = sale.begins.map { LocalTime($0).description } ?? "-"
      let end = sale.ends.map { LocalTime($0).description } ?? "-"
      throw CommandError(
        .usageError,
        .failure(
          "These products are already in sale \(sale.number) at that time: \(ScheduledSale.listed(shared)). No sale was saved.",
          ko: "그 기간에 이미 \(sale.number)번 할인에 들어 있는 상품: \(ScheduledSale.listed(shared)). 할인을 저장하지 않았습니다."
        ).because(
          "Sale \(sale.number) is from \(start) to \(end): \(.command(sale.command))",
          ko: "\(sale.number)번 할인은 \(start)부터 \(end)까지: \(.command(sale.command))"
        ).next(
          sale.hasBegun
            ? LocalizedText(
              "Run \(.command("sale end \(sale.number)")) to end it, or choose another time.",
              ko: "\(.command("sale end \(sale.number)"), .toward) 끝내거나 다른 기간을 고르세요.")
            : LocalizedText(
              "Run \(.command("sale cancel \(sale.number)")) to cancel it, or choose another time.",
              ko: "\(.command("sale cancel \(sale.number)"), .toward) 취소하거나 다른 기간을 고르세요.")))
    }
  }

  /// Returns what the sale would do now, and the products that are already cheaper.
  private func plan(_ products: [Product], _ rule: SaleRule) throws -> (start: Plan, cheaper: [Product.ID]) {
    var plan = Plan()
    var refusals: [(product: Product, reason: ParseError)] = []
    var cheaper: [Product.ID] = []
    for product in products {
      do throws(ParseError) {
        let discount = product.discount ?? .zero
        guard let lowered = try rule.discount(of: product), lowered > discount else {
          cheaper.append(product.id)
          continue
        }
        plan.append(product, from: ProductValues(discount: product.discount), to: ProductValues(discount: lowered))
      } catch {
        refusals.append((product, error))
      }
    }
    try Plan.check(refusals, of: products.count)
    plan.computesPrices = true
    return (plan, cheaper)
  }
}

extension Product {
  /// Returns the product as it is after sales that are over before another one starts.
  fileprivate func after(_ sales: [ScheduledSale]) -> Product {
    guard let restored = sales.lazy.compactMap({ $0.restoredDiscount(of: id) }).first else { return self }
    var product = self
    product.discount = restored
    product.sale = price.map { $0 - restored }
    return product
  }
}
