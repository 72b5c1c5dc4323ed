import Catalog
import MarketAPI
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// Settles what was pending at a market before it was reset, and says so once.
package struct MarketResetNotice {
  private let session: Session
  private let markets: MarketRegistry
  private let stores: Stores

  package init(_ session: Session, markets: MarketRegistry, stores: Stores) {
    (self.session, self.markets, self.stores) = (session, markets, stores)
  }

  /// Settles the runs of earlier generations if a response said another one since the last call.
  ///
  /// If the log can't be changed, they stay until the next process.
  ///
  /// - Returns: The message, or `nil` if nothing was pending.
  package func take() -> Message? {
    guard let url = session.server.url?.value ?? markets.embeddedURL(session.server.embeddedEdition),
      markets.takeNew(at: url), Journal.exists(in: stores.home.journalFolder),
      let journal = try? stores.journal()
    else { return nil }
    // Names the generation in the log, by which the earlier ones are found.
    _ = session.marketLogin(at: url)
    guard let settled = try? journal.settleEarlierGenerations(of: session.market(at: url)) else { return nil }
    let runs = settled.runs.map { "r\($0)" }.joined(separator: ", ")
    let time = settled.began.map { LocalTime($0).description }
    let what = LocalizedText(
      time.map { "The market was reset at \($0)." } ?? "The market was reset.",
      ko: time.map { "마켓이 \($0)에 초기화되었습니다." } ?? "마켓이 초기화되었습니다.")
    let count = settled.writeCount
    return Message(.note, what).because(
      runs.isEmpty
        ? LocalizedText(
          "\(count) pending \(count == 1 ? StyledText("change") : "changes") of before can no longer be sent.",
          ko: "그 전에 대기 중이던 변경 \(count)건은 더 이상 보낼 수 없습니다.")
        : LocalizedText(
          "\(.value(runs)) of before \(settled.runs.count == 1 ? StyledText("is") : "are") settled: nothing of it can be sent any more.",
          ko: "그 전에 중단된 \(.value(runs), .topic) 정리했습니다. 더 이상 보낼 것이 없습니다."))
  }
}
