import Catalog
import CommandLanguage
import Platform
import Presentation
import ShellRuntime
import Text

/// The sales of all profiles whose start or end is overdue, because no timer runs `due apply` or because it failed.
///
/// A sale that doesn't end costs money, and nothing else would say so.
package struct OverdueSales {
  /// The age in seconds from which a start or an end is overdue.
  ///
  /// The timer runs every five minutes.
  static let tolerance: Int64 = 15 * 60
  /// The number of sales that the message names.
  private static let maximumNamed = 5

  private let sales: [(sale: ScheduledSale, state: ScheduledSale.State, since: Timestamp)]

  /// Reads the scheduled sales without a request.
  ///
  /// Plans that can't be read are left to `due`, which says what is wrong with them.
  package init(of home: AppDirectories, _ limits: LimitPolicy, at now: Timestamp) {
    sales = ScheduledPlanStore(home).sales(limits).sales.compactMap { sale in
      let state = sale.state(now)
      let since: Timestamp? =
        switch state {
        case .planned, .running: nil
        case .due: sale.begins
        case .over: sale.ends
        }
      guard let since, now.seconds - since.seconds > OverdueSales.tolerance else { return nil }
      return (sale, state, since)
    }
  }

  package var count: Int { sales.count }

  /// The warning that names the sales, or `nil` if there are none.
  package var message: Message? {
    guard !sales.isEmpty else { return nil }
    let warning = Message.warning(
      "\(count) \(count == 1 ? StyledText("sale is") : "sales are") overdue.", ko: "할인 \(count)개의 시작이나 끝이 늦어지고 있습니다.")
    let named = warning.because(first: OverdueSales.maximumNamed, of: sales) { entry in
      let (number, time) = (entry.sale.number, LocalTime(entry.since).description)
      return entry.state == .over
        ? LocalizedText("Sale \(number) should have ended at \(time).", ko: "\(number)번 할인은 \(time)에 끝났어야 합니다.")
        : LocalizedText("Sale \(number) should have started at \(time).", ko: "\(number)번 할인은 \(time)에 시작했어야 합니다.")
    }
    return named.next(
      "Run \(.command("due apply")) to apply it now, or \(.command("sale dismiss N")) to leave it as it is.",
      ko: "지금 적용하려면 \(.command("due apply"), .object), 그대로 두려면 \(.command("sale dismiss N"), .object) 실행하세요.")
  }
}
