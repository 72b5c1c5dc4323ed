import Catalog
import FileFormats
import Presentation
import Text

/// A planned sale: the plan that begins it and the plan that ends it.
struct WaitingSale {
  /// `nil` once the sale has begun.
  let start: ScheduledPlanStore.ScheduledPlan?
  let end: ScheduledPlanStore.ScheduledPlan?

  /// Returns the sales among the plans in the order of their start or else end.
  ///
  /// Sales are numbered in this order.
  static func all(of plans: [ScheduledPlanStore.ScheduledPlan]) -> [WaitingSale] {
    var order: [String] = []
    var byName: [String: [ScheduledPlanStore.ScheduledPlan]] = [:]
    for plan in plans {
      if byName[plan.saleName] == nil { order.append(plan.saleName) }
      byName[plan.saleName, default: []].append(plan)
    }
    return order.map { name in
      WaitingSale(start: byName[name]?.first(where: \.isStart), end: byName[name]?.first { !$0.isStart })
    }
  }

  private var any: ScheduledPlanStore.ScheduledPlan? { start ?? end }

  /// Returns a table with one row for each sale.
  static func table(_ sales: [WaitingSale], _ now: Timestamp) -> Table {
    Table(
      [
        .init("n", LocalizedText("number", ko: "순번"), isNumber: true), .init("state", LocalizedText("state", ko: "상태")),
        .init("begins", LocalizedText("start", ko: "시작")), .init("ends", LocalizedText("end", ko: "끝")),
        .init("profile", LocalizedText("profile", ko: "프로필")),
        .init("products", LocalizedText("products", ko: "상품"), isNumber: true),
        .init("command", LocalizedText("command", ko: "명령")),
      ],
      rows: sales.enumerated().map { index, sale in
        [
          .number(index + 1), .localized(sale.state(now)), sale.start.map { .timestamp($0.due) } ?? .none,
          sale.end.map { .timestamp($0.due) } ?? .none,
          sale.any.map { .text($0.contents.destination.profile) } ?? .none,
          .number(sale.any?.contents.plan.changes.count ?? 0), sale.any.map { .text($0.contents.command) } ?? .none,
        ]
      })
  }

  private func state(_ now: Timestamp) -> LocalizedText {
    if let start { return start.due <= now ? LocalizedText("due", ko: "적용할 때") : LocalizedText("planned", ko: "예정") }
    return end.map { $0.due <= now } ?? false
      ? LocalizedText("ended", ko: "종료 대기") : LocalizedText("running", ko: "진행 중")
  }
}
