import Catalog
import Foundation
import MarketAPI
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// The comparison of a raw request that writes with those of earlier commands.
///
/// No read can tell what such a request did, so one that may already have been sent isn't sent again unless the user
/// wants it.
struct RepeatedRequest {
  /// A digest that is equal for equal requests, whatever the boundary of a form.
  let fingerprint: String

  private let request: Request
  private let line: RawRequestArguments
  private let base: URL
  private let mode: CommandScope.Mode
  private let key: String?
  private let session: Session
  private let context: CommandContext

  /// Creates a comparison.
  ///
  /// - Parameter session: A session with an edition.
  init(
    _ request: Request, line: RawRequestArguments, base: URL, session: Session, in scope: CommandScope
  ) {
    self.request = request
    self.line = line
    self.base = base
    mode = scope.mode
    key = scope.line
    self.session = session
    context = scope.context
    fingerprint = RepeatedRequest.fingerprint(of: request, at: line.origin)
  }

  /// Returns the report of the response that the same line of an interrupted script received, or `nil` if the request is
  /// to be sent.
  ///
  /// - Throws: `CommandError` with exit code 4 if it may already have been sent, and the user refuses or can't be asked;
  ///   `JournalError` if the log can't be read.
  func settled(in scope: inout CommandScope) async throws -> CommandResult? {
    // Each run of a test is a new intent.
    guard mode == .write, !scope.session.script.isReported, Journal.exists(in: scope.context.home.journalFolder) else {
      return nil
    }
    let journal = try scope.context.journal()
    var named = self.session
    let binding = named.binding(at: try await scope.context.marketClient(&named).service.baseURL)
    guard let earlier = try journal.earlierRequest(fingerprint, line: key, binding) else { return nil }
    let exchange = try journal.exchanges(of: earlier.entry).last
    if earlier.isOfLine, earlier.isDone, try journal.take(earlier.entry) {
      scope.say(wasSent(earlier, exchange?.response?.status))
      guard let exchange, let response = Response(stored: exchange) else { return .empty }
      return try RawResponseReport(
        response, to: request, at: base, took: .microseconds(exchange.duration), line: line, context: scope.context
      )
      .report(in: &scope)
    }
    let reason = reason(earlier, exchange?.response?.status)
    let what = LocalizedText("The same request may have been sent already.", ko: "같은 요청을 이미 보냈을 수 있습니다.")
    try await scope.confirm(
      LocalizedText("Send it again? [y/N] ", ko: "다시 보낼까요? [y/N] "), after: Message(.warning, what).because(reason),
      unattended: Message(.failure, what).because(reason).because("Nothing was sent.", ko: "아무것도 보내지 않았습니다.")
        .next(
          "Run \(.command("log \(earlier.entry)")) to see it, or add \(.command("again")) to the command to send it again.",
          ko: "\(.command("log \(earlier.entry)"))에서 확인하세요. 다시 보내려면 명령 끝에 \(.command("again"), .object) 붙이세요."),
      declined: .note("Nothing was sent.", ko: "아무것도 보내지 않았습니다."))
    if earlier.isDone { try journal.markShown([earlier.entry]) }
    return nil
  }

  private func reason(_ earlier: EarlierRequest, _ status: Int?) -> LocalizedText {
    let time = EarlierWriteMessages.time(.interruption(earlier.time), now: Timestamp(context.now()))
    let entry = earlier.entry
    if earlier.isDone {
      return LocalizedText(
        "Log entry \(entry) sent it at \(time), and its command was interrupted before it showed the response.",
        ko: "로그 \(entry)번이 \(time)에 보냈지만, 명령이 중단되어 응답을 보여 주지 못했습니다.")
    }
    guard let status else {
      return LocalizedText(
        "Log entry \(entry) sent it at \(time). There was no response, so its outcome is unknown.",
        ko: "로그 \(entry)번이 \(time)에 보냈지만 응답이 없어, 적용됐는지 알 수 없습니다.")
    }
    return LocalizedText(
      "Log entry \(entry) sent it at \(time). The response was \(status), so its outcome is unknown.",
      ko: "로그 \(entry)번이 \(time)에 보냈고 응답은 \(status)이어서, 적용됐는지 알 수 없습니다.")
  }

  private func wasSent(_ earlier: EarlierRequest, _ status: Int?) -> Message {
    let time = EarlierWriteMessages.time(.interruption(earlier.time), now: Timestamp(context.now()))
    let entry = earlier.entry
    let what: Message =
      status.map { status in
        .note(
          "It was sent at \(time) by a run that was interrupted (log entry \(entry)), and the response was \(status). Nothing was sent.",
          ko: "\(time)에 중단된 실행이 보냈고(로그 \(entry)번) 응답은 \(status)입니다. 아무것도 보내지 않았습니다.")
      }
      ?? .note(
        "It was sent at \(time) by a run that was interrupted (log entry \(entry)). Nothing was sent.",
        ko: "\(time)에 중단된 실행이 보냈습니다(로그 \(entry)번). 아무것도 보내지 않았습니다.")
    return what.next(
      "To send it again, add \(.command("again")) to the command.",
      ko: "다시 보내려면 명령 끝에 \(.command("again"), .object) 붙이세요.")
  }

  /// Returns the digest of a request.
  ///
  /// The session's server isn't part of it: the journal knows it by its profile, and the embedded market has another port
  /// at each start.
  private static func fingerprint(of request: Request, at origin: String?) -> String {
    let masker = SecretRedactor(request.secrets)
    var data = Data("raw\n\(request.method.rawValue) \(masker.mask((origin ?? "") + request.target))\n".utf8)
    for header in request.headers { data += Data("\(header.name): \(masker.mask(header.value))\n".utf8) }
    switch request.body {
    case .none: break
    case .data(let bytes, let type): data += Data("\(type)\n".utf8) + masker.mask(bytes: bytes)
    case .multipart(let form):
      for part in form.parts {
        data += Data("\(part.name)\n\(part.fileName ?? "")\n\(part.type ?? "")\n\(part.content.count)\n".utf8)
        data += masker.mask(bytes: part.content)
      }
    }
    return SHA256.hex(data)
  }
}

extension Response {
  /// Creates a response from the journal, or returns `nil` if the journal doesn't have all of it.
  fileprivate init?(stored exchange: StoredExchange) {
    guard let response = exchange.response else { return nil }
    let body: Data
    switch response.body {
    case .none: body = Data()
    case .text(let text, _, let size):
      guard text.utf8.count == size else { return nil }
      body = Data(text.utf8)
    case .bytes, .form: return nil
    }
    self.init(status: response.status, headers: response.headers.map { HeaderField($0.name, $0.value) }, body: body)
  }
}
