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

extension SaleCommand {
  /// Returns the products for which the start or the end of a sale was not applied.
  private static func unfinishedProducts(_ sale: ScheduledSale, _ state: ScheduledSale.State) -> [Product.ID] {
    switch state {
    case .planned: []
    case .due, .running: sale.unstarted
    case .over: sale.openProducts
    }
  }

  /// Returns the message about the effect of a dismissal, or that no product is unfinished.
  func checkDismissal(_ sale: ScheduledSale, in scope: CommandScope) -> (message: Message, isNothing: Bool) {
    let state = sale.state(scope.context.clock.timestamp)
    let products = SaleCommand.unfinishedProducts(sale, state)
    guard !products.isEmpty else {
      let note = Message.note(
        "Nothing of sale \(sale.number) is left undone.", ko: "\(sale.number)번 할인에는 하지 못한 일이 없습니다.")
      return (
        state == .planned
          ? note.next(
            "Run \(.command("sale cancel \(sale.number)")) to cancel it.",
            ko: "취소하려면 \(.command("sale cancel \(sale.number)"), .object) 실행하세요.") : note, true
      )
    }
    let list = ScheduledSale.listed(products)
    let message = Message(.note, sale.summary)
    return (
      state == .over
        ? message.because(
          "Its end will not be tried again. These products may keep its discount: \(list).",
          ko: "할인의 끝을 더 시도하지 않게 됩니다. 할인이 남을 수 있는 상품: \(list).")
        : message.because(
          "Its start will not be tried again for these products: \(list).",
          ko: "할인의 시작을 더 시도하지 않게 됩니다. 상품: \(list)."), false
    )
  }

  /// Dismisses the start or the end of a sale for the products for which it was not applied.
  ///
  /// A product whose start was interrupted is read first: if it has the discount of the sale, the end of the sale restores it.
  ///
  /// - Throws: The errors of reading these products, and `FileError`; nothing is given up then.
  func dismiss(
    _ sale: ScheduledSale, _ store: ScheduledPlanStore, in scope: inout CommandScope
  ) async throws -> Report {
    let state = sale.state(scope.context.clock.timestamp)
    var products = SaleCommand.unfinishedProducts(sale, state)
    var begun: [Product.ID] = []
    switch sale.form {
    case .rule(let plan, _, var progress) where state != .over:
      let interrupted = products.filter { progress[$0]?.state == .starting }
      if !interrupted.isEmpty {
        let found = try await scope.atMarket(of: plan.contents.destination) { market, scope in
          try await PendingSaleWrites(of: plan).resolve(at: market, in: scope)
          return try await ProductReader(market, scope).find(interrupted, optional: Set(interrupted))
        }
        for id in interrupted {
          guard let entry = progress[id], let discount = entry.discount, found[id]?.discount == discount else {
            continue
          }
          progress[id] = SaleProgress.Entry(.started, before: entry.before, discount: discount)
          begun.append(id)
        }
        products.removeAll { begun.contains($0) }
      }
      for id in products { progress[id] = SaleProgress.Entry(.dismissed) }
      try store.save(progress, of: plan)
    case .rule(let plan, _, _): store.archive(plan.path)
    case .plans(let start, let end): if let due = state == .over ? end : start { store.archive(due.path) }
    }
    if !begun.isEmpty {
      let list = ScheduledSale.listed(begun)
      scope.say(
        .note(
          "These products have the discount of sale \(sale.number). Its end will restore them: \(list).",
          ko: "\(sale.number)번 할인이 적용된 상품은 할인이 끝날 때 되돌립니다: \(list)."))
      if products.isEmpty {
        return .message(
          .note("Nothing of sale \(sale.number) is left undone.", ko: "\(sale.number)번 할인에는 하지 못한 일이 없습니다."))
      }
    }
    let list = ScheduledSale.listed(products)
    return .message(
      state == .over
        ? .success(
          "Dismissed the end of sale \(sale.number). These products may still have its discount: \(list).",
          ko: "\(sale.number)번 할인의 끝을 더 시도하지 않습니다. 할인이 남아 있을 수 있는 상품: \(list).")
        : .success(
          "Dismissed the start of sale \(sale.number) for these products: \(list).",
          ko: "\(sale.number)번 할인의 시작을 더 시도하지 않습니다. 상품: \(list)."))
  }
}
