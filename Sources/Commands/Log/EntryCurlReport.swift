import Foundation
import MarketAPI
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// A journaled write as lines for a POSIX shell: the last attempt, with secrets read from variables.
struct EntryCurlReport {
  let journal: Journal
  /// The current address of the embedded market, which changes with every start, or `nil` for another market.
  let embedded: URL?

  func report(_ number: Int) throws -> Report {
    let all = try journal.exchanges(of: number)
    guard let entry = try journal.entry(number) else { throw EntryDetailReport.missing(number) }
    guard let attempt = all.last?.attempt else { throw nothing(number) }
    let base = entry.baseURL.hasPrefix("embedded:") ? embedded : nil
    var pictures = ExchangePictures(try journal.pictureFiles(of: number))
    let commands = all.filter { $0.attempt == attempt }.compactMap { command($0, base: base, &pictures) }
    return pictures.curlReport(of: commands, json: json(commands))
  }

  /// Returns the command of an exchange.
  ///
  /// The first of two deletion requests stores the key for the second one in a variable. Images are read from the
  /// journal.
  private func command(_ exchange: StoredExchange, base: URL?, _ pictures: inout ExchangePictures) -> String? {
    guard let base = base ?? URL(string: exchange.base), let curl = exchange.curl(to: base, &pictures) else {
      return nil
    }
    guard exchange.returnsDeletionToken else { return curl }
    // `open` responds with a path that ends with the key, `training` with the key alone: in both, the key follows the
    // last `/`.
    return "\(Credentials.deletionTokenVariable)=$(" + curl + " | sed 's|.*/||')"
  }

  private func json(_ commands: [String]) -> String {
    let data = try? JSONEncoder().encode(["curl": commands])
    return data.map { String(decoding: $0, as: UTF8.self) } ?? "null"
  }

  private func nothing(_ number: Int) -> CommandError {
    CommandError(
      .refused,
      .failure("Log entry \(number) has no request.", ko: "로그 \(number)번에는 보낸 요청이 없습니다.")
        .because(
          "It was never sent, or it was logged before requests were recorded.",
          ko: "전송되지 않았거나, 요청을 저장하기 시작하기 전의 로그입니다."))
  }
}
