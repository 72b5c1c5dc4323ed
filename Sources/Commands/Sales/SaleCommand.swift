import Catalog
import CommandLanguage
import FileFormats
import MarketAPI
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Text

/// `sale mine 10% from 12-01 to 12-07`: schedules two plans, one that lowers the sale prices and one that restores the
/// previous discounts.
///
/// Nothing is sent until the plans are applied.
package struct SaleCommand: Command {
  package static let declaration = CommandDeclaration(
    "sale", group: .schedule,
    summary: LocalizedText("schedule a sale with a start and an end", ko: "시작과 끝이 있는 할인 계획"),
    usage: ["sale TARGETS N% from DATE to DATE [round STEP] [all] [pages N]", "sale list", "sale cancel N"],
    details: LocalizedText(
      "Saves two plans, one for the start and one for the end of the sale. Plans are applied by due apply, which cron or a systemd timer can run.",
      ko: "할인의 시작과 종료 계획을 하나씩 저장합니다. 계획은 due apply로 적용하며, cron이나 systemd 타이머로 실행할 수 있습니다."), producesData: true,
    parameters: [
      Parameter(
        "TARGETS", .positional(required: false), .target,
        LocalizedText("products to use (see help targets)", ko: "대상 상품")),
      Parameter("N%", .positional(required: false), .text, LocalizedText("discount in percent", ko: "할인율(%)")),
      Parameter(
        "from", .option, .text, LocalizedText("first day, or a time such as 12-01T09:00", ko: "첫날, 또는 12-01T09:00"),
        placeholder: "DATE"),
      Parameter("to", .option, .text, LocalizedText("last day, inclusive", ko: "마지막 날(그날 포함)"), placeholder: "DATE"),
      Parameter(
        "round", .option, .text, LocalizedText("round sale prices to this step", ko: "판매가를 이 단위로 반올림"),
        placeholder: "STEP"),
      Parameter("list", .flag, .none, LocalizedText("list planned and running sales", ko: "예정되거나 진행 중인 할인 목록")),
      Parameter(
        "cancel", .option, .number(1...Int.max),
        LocalizedText("cancel sale N of the list, if it has not started", ko: "시작하지 않은 목록의 N번 할인 취소")),
      .showingAll, .pages,
    ],
    examples: [
      .init(
        "sale mine 10% from 12-01 to 12-07", "saves two plans; due lists them, due apply applies them when it is time",
        ko: "계획 두 개를 저장함. due로 확인하고 due apply로 적용"),
      .init(
        "sale where vendor=me and stock>100 30% from 12-24 to 12-26 round 100", "products that match a condition",
        ko: "조건에 맞는 상품들"),
      .init("sale list", "lists planned and running sales with their numbers", ko: "예정되거나 진행 중인 할인과 순번"),
      .init("sale cancel 1", "cancels the first planned sale", ko: "목록의 1번 할인을 취소"),
    ])

  private enum Action {
    case list
    case cancel(Int)
    case make(NewSale)
  }

  private let action: Action

  /// - Throws: `ParseError` without both days, for an invalid day, and for a percentage that isn't between 0 and 100.
  package init(_ invocation: ParsedCommand) throws {
    if invocation.has("list") {
      action = .list
    } else if let number = invocation.number("cancel") {
      action = .cancel(number)
    } else {
      action = .make(try NewSale(invocation))
    }
  }

  /// - Throws: The errors of `NewSale.run`; `CommandError` for a sale that doesn't exist or has begun.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    switch action {
    case .make(let sale): return try await sale.run(in: &scope)
    case .list:
      let sales = WaitingSale.all(of: SaleCommand.plans(scope.session, scope.context))
      return CommandResult(
        sales.isEmpty ? DueCommand.none : .rows(WaitingSale.table(sales, Timestamp(scope.context.now()))))
    case .cancel(let number): return CommandResult(try cancel(number, scope.session, scope.mode, scope.context))
    }
  }

  private static func plans(_ session: Session, _ context: CommandContext) -> [ScheduledPlanStore.ScheduledPlan] {
    let (plans, unreadable) = ScheduledPlanStore(context.home).list(session.settings.limits)
    for failure in unreadable { context.say(failure.message, session) }
    return plans
  }

  private func cancel(
    _ number: Int, _ session: Session, _ mode: CommandScope.Mode, _ context: CommandContext
  ) throws -> Report {
    let sales = WaitingSale.all(of: SaleCommand.plans(session, context))
    guard sales.indices.contains(number - 1) else {
      throw CommandError(
        .refused,
        .failure("There is no sale \(number).", ko: "\(number)번 할인이 없습니다.")
          .next("Run \(.command("sale list")) to see the numbers.", ko: "순번은 \(.command("sale list"))에서 볼 수 있습니다."))
    }
    let sale = sales[number - 1]
    guard let start = sale.start else {
      let early = "apply \(sale.end?.path ?? "FILE") early"
      throw CommandError(
        .blocked,
        .failure(
          "Sale \(number) has already started. Its end remains scheduled.",
          ko: "\(number)번 할인은 이미 시작되었습니다. 종료 계획은 그대로 둡니다."
        ).next("Run \(.command(early)) to end it now.", ko: "지금 끝내려면 \(.command(early), .object) 실행하세요."))
    }
    if mode == .dry { return .message(.note("Dry run: the sale was not canceled.", ko: "모의 실행이라 할인을 취소하지 않았습니다.")) }
    let store = ScheduledPlanStore(context.home)
    store.archive(start.path)
    // A sale whose start has passed may be partly applied. Its end restores those prices and leaves the others
    // unchanged.
    let mayHaveBegun = start.due <= Timestamp(context.now())
    if !mayHaveBegun, let end = sale.end { store.archive(end.path) }
    let message = Message.success(
      "Canceled sale \(number): \(.value(start.contents.command))",
      ko: "\(number)번 할인을 취소했습니다: \(.value(start.contents.command))")
    guard mayHaveBegun else { return .message(message) }
    return .message(
      message.because(
        "Its start time has passed, so its end remains scheduled and restores any lowered prices.",
        ko: "시작 시각이 지났으므로, 이미 내려간 가격을 되돌리도록 종료 계획은 그대로 둡니다."))
  }
}

/// A sale to be scheduled: its products, percentage and times.
private struct NewSale {
  private let target: ProductSelector
  private let discountPercent: Amount
  private let first: String
  private let last: String
  private let round: String?
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
    round = invocation.text("round")
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
    self.discountPercent = share
    // An error in the rounding step is reported before anything is read.
    _ = try edits(in: .krw)
    for day in [first, last] { try SalePeriod.check(day) }
  }

  /// - Throws: `ParseError` for days that aren't a valid period; `CommandError` for a product of another vendor;
  ///   `FileError`; the errors of reading.
  func run(in scope: inout CommandScope) async throws -> CommandResult {
    let times = try SalePeriod(from: first, to: last, now: Timestamp(scope.context.now()))
    let market = try await scope.marketClient()
    let products = try await TargetResolver(target, .init()).products(
      from: market, telling: [.name, .price, .discount, .currency], in: &scope)
    let (start, end, cheaper) = try plans(products, scope.session)
    var notes: [Message] = []
    if cheaper > 0 {
      notes.append(
        .note(
          "\(cheaper) already \(cheaper == 1 ? StyledText("sells") : "sell") at or below the sale price and will be skipped.",
          ko: "\(cheaper)개는 이미 그 가격 이하라서 그대로 둡니다."))
    }
    guard !start.changes.isEmpty else {
      for note in notes { scope.say(note) }
      return .message(.note("No price would be lowered. No plan was saved.", ko: "가격을 내릴 상품이 없어 계획을 만들지 않았습니다."))
    }
    let outliers = try await PlanExecutor(market, consent).preview(start, notes: notes, in: scope)
    if scope.mode == .dry {
      var result = CommandResult.message(.note("Dry run: no plan was saved.", ko: "모의 실행이라 계획을 저장하지 않았습니다."))
      result.wasOnlyShown = true
      return result
    }
    let percent = discountPercent.description + "%"
    func file(_ plan: Plan, _ note: String, _ due: Timestamp) -> PlanFile {
      PlanFile(
        id: scope.context.freshName(), destination: PlanFile.Destination(scope.session, at: market.service.baseURL),
        createdAt: Timestamp(scope.context.now()), maker: scope.context.account,
        actor: scope.context.actor(scope.session), command: line, note: note,
        notBefore: due,
        plan: plan)
    }
    let day = LocalTime(times.start).description.prefix(10)
    _ = try ScheduledPlanStore(scope.context.home).add(
      file(start, "sale \(percent) begins", times.start), file(end, "sale \(percent) ends", times.end),
      named: "sale-\(day)")
    let count = start.changes.count
    var message = Message.success(
      "Planned a \(percent) sale on \(count) \(count == 1 ? StyledText("product") : "products"), from \(LocalTime(times.start).description) to \(LocalTime(times.end).description). Nothing was sent.",
      ko:
        "상품 \(count)개의 \(percent) 할인을 계획했습니다. \(LocalTime(times.start).description)부터 \(LocalTime(times.end).description)까지이며, 아무것도 보내지 않았습니다."
    )
    if !outliers.isEmpty {
      message = message.because(
        "It contains unusual values. Applying it requires \(.command("outliers")).",
        ko: "평소와 크게 다른 값이 있어 적용할 때 \(.command("outliers"), .subject) 필요합니다.")
    }
    message =
      message.next(
        "Run \(.command("sale list")) to list sales, or \(.command("due apply")) to apply plans that are due.",
        ko: "할인은 \(.command("sale list"))로 확인하고, 시각이 된 계획은 \(.command("due apply"))로 적용하세요."
      ).next(
        "Plans are not applied automatically. To start and end the sale while you are away, add the first line to \(.command("crontab -e")). The second does the same until the computer restarts:",
        ko:
          "계획은 자동으로 적용되지 않습니다. 자리에 없을 때도 할인을 시작하고 끝내려면 첫 줄을 \(.command("crontab -e"))에 넣으세요. 둘째 줄은 컴퓨터를 다시 켤 때까지 같은 일을 합니다:"
      )
    scope.say(message)
    // Not wrapped, because the lines are meant to be copied.
    let lines = TimerLines(scope.context.program, needsOutliers: !outliers.isEmpty)
    scope.context.console.writeMessage(
      "    \(Sanitizer.sanitized(lines.crontab))\n    \(Sanitizer.sanitized(lines.systemd))\n")
    return .empty
  }

  /// Returns the plans that lower and restore the prices, and the number of products that are already cheaper.
  private func plans(_ products: [Product], _ session: Session) throws -> (start: Plan, end: Plan, cheaper: Int) {
    var batch = BatchPlanBuilder(products.count)
    var end = Plan([])
    var cheaper = 0
    for product in products {
      do throws(ParseError) {
        let (from, to) = try edits(in: product.currency).changes(of: product)
        guard let lowered = to.discount, lowered > product.discount ?? .zero else {
          cheaper += 1
          continue
        }
        batch.plan.append(product, from: from, to: to)
        var on = product
        on.discount = lowered
        on.sale = product.price.map { $0 - lowered }
        end.append(on, from: ProductValues(discount: lowered), to: ProductValues(discount: product.discount ?? .zero))
      } catch {
        batch.reject(product, error)
      }
    }
    batch.plan.computesPrices = true
    return (try batch.validatedPlan(), end, cheaper)
  }

  /// Returns the assignment `sale=price*0.9`, rounded to the decimals of the currency.
  private func edits(in currency: Currency?) throws(ParseError) -> ProductEdit {
    var assignment = Assignment(ProductField.sale.rawValue, .set, "", range: 0..<0)
    assignment.formula = .binary(.field(.price), .multiply, .percent(100 - discountPercent))
    let whole = currency?.minorUnitDigits == 0 ? "1" : nil
    return try ProductEdit([assignment], round: round ?? whole, limits: .documented)
  }
}
