import Foundation
import MarketAPI
import Networking
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
    let lines = commands.flatMap { $0.split(separator: "\n").map { [Figure.Run(Sanitizer.sanitized(String($0)))] } }
    let table = Table([.init("curl", LocalizedText("curl", ko: "curl"))], rows: commands.map { [.text($0)] })
    return pictures.report(.drawing(Figure(lines, table: table, json: json(commands))))
  }

  /// Returns the command of an exchange.
  ///
  /// The first of two deletion requests stores the key for the second one in a variable. Images are read from the
  /// journal.
  private func command(_ exchange: StoredExchange, base: URL?, _ pictures: inout ExchangePictures) -> String? {
    guard let base = base ?? URL(string: exchange.base), let request = exchange.asRequest() else { return nil }
    let curl = request.curl(to: base, exchange.returnsDeletionToken ? .commandSubstitution : .plain) { _, name in
      pictures.path(of: name)
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

/// The pictures of stored requests as files for a curl command, in the order in which they were sent.
struct ExchangePictures {
  private var stored: ArraySlice<String?>
  private var missing: [String] = []

  /// - Parameter stored: The paths in the journal, with `nil` for those that are no longer stored.
  init(_ stored: [String?]) { self.stored = stored[...] }

  /// Returns the path of the next picture, or a name that asks the user for the file.
  mutating func path(of name: String) -> String {
    if let path = stored.popFirst() ?? nil { return path }
    let path = "SUPPLY-THIS-FILE-" + name
    missing.append(path)
    return path
  }

  /// Returns the report, after a note about pictures to be supplied.
  func report(_ report: Report) -> Report {
    if missing.isEmpty { return report }
    let names = missing.joined(separator: ", ")
    let note = Message.note(
      "The log no longer has the file \(.value(names)).", ko: "로그에 \(.value(names)) 파일이 남아 있지 않습니다."
    ).next(
      "Before you run the command, replace this name by the path of your file.",
      ko: "명령을 실행하기 전에 이 이름을 직접 준비한 파일의 경로로 바꾸세요.")
    return .group([.message(note), report])
  }
}
