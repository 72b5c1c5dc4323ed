import Foundation
import Networking
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// The request of a recorded exchange, which is printed for a shell, or sent again if it only reads.
struct RecordedRequest {
  private let exchange: StoredExchange
  private let number: Int

  init(_ exchange: StoredExchange, _ number: Int) {
    self.exchange = exchange
    self.number = number
  }

  /// Returns the request as a curl command with secrets read from variables.
  ///
  /// Pictures are read from the journal, because the data of files isn't stored with calls.
  func curl(_ scope: CommandScope) async throws -> Report {
    let base = try await address(scope)
    var pictures = pictures(in: scope)
    guard let curl = exchange.curl(to: base, &pictures) else { throw unreadable }
    return pictures.curlReport(of: [curl], json: JSON.object([("curl", .string(curl))]).serialized)
  }

  private func pictures(in scope: CommandScope) -> ExchangePictures {
    guard case .form(let parts) = exchange.request.body else { return ExchangePictures([]) }
    let files = parts.filter { $0.fileName != nil }
    // Without a journal, the pictures are missing.
    guard !files.isEmpty, let journal = try? scope.context.stores.journal() else { return ExchangePictures([]) }
    return ExchangePictures(files.map { $0.sha256.flatMap(journal.pictureFile) })
  }

  /// Sends a read again to the same server, and reports the differences of the response.
  ///
  /// - Parameter scope: The scope of the command.
  /// - Returns: The report.
  /// - Throws: `CommandError` for a write, for another server than the session's, and for missing secrets.
  func send(in scope: inout CommandScope) async throws -> CommandResult {
    guard Networking.RequestMethod(rawValue: exchange.request.method)?.isSafe == true else {
      throw CommandError(
        .blocked,
        .failure(
          "Call \(number) was a write request and will not be sent again.", ko: "\(number)번은 변경 요청이라 다시 보내지 않습니다."
        )
        .next(
          "To print it as a curl command, run \(.command("calls curl \(number)"))",
          ko: "curl 명령으로 출력하려면 \(.command("calls curl \(number)"), .object) 실행하세요."))
    }
    let base = try await address(scope)
    guard try await isHere(base, scope) else {
      throw CommandError(
        .blocked,
        .failure(
          "Call \(number) was sent to \(.value(exchange.base)), not to the current server.",
          ko: "\(number)번은 \(.value(exchange.base))에 보낸 호출이며, 현재 서버와 다릅니다."))
    }
    let request = try filled(scope.session)
    if scope.mode == .curl { return CommandResult(try await curl(scope)) }
    let recorder = ExchangeCollector(scope.session.credentials, now: scope.context.clock.now)
    let transport = ObservedTransport(try scope.transport()) { recorder.add($0) }
    let response = try await transport.send(request, to: base, with: SendOptions())
    guard let now = recorder.exchanges.last else { throw unreadable }
    let differences = ExchangeDifference.of(exchange, now)
    let note =
      differences.isEmpty
      ? Message.note("The response is the same as before.", ko: "이전과 같은 응답입니다.")
      : .note(
        "\(differences.count) \(differences.count == 1 ? StyledText("value differs") : "values differ") from the earlier response. Look up the number of the new call with \(.command("calls 1")), then run \(.command("calls diff")).",
        ko:
          "이전과 다른 값이 \(differences.count)개 있습니다. \(.command("calls 1"))에서 새 번호를 확인한 뒤 \(.command("calls diff"))로 비교하세요."
      )
    return CommandResult(
      .group([.message(note), .drawing(StoredExchangeReport(now).drawing)]),
      status: response.status >= 400 ? .refused : .success)
  }

  /// Returns the base URL.
  ///
  /// The embedded market has another port after every start.
  private func address(_ scope: CommandScope) async throws -> URL {
    guard let base = URL(string: exchange.base) else { throw unreadable }
    guard scope.session.server.isEmbedded, base.host == "127.0.0.1" else { return base }
    return try await scope.address()
  }

  private func isHere(_ base: URL, _ scope: CommandScope) async throws -> Bool {
    let here = try await scope.address()
    return (here.scheme, here.host, here.port) == (base.scheme, base.host, base.port)
  }

  /// Returns the request with its placeholders replaced by the session's credentials.
  private func filled(_ session: Session) throws -> Networking.Request {
    guard var request = exchange.asRequest() else { throw unreadable }
    let missing = CommandError(
      .blocked,
      .failure(
        "Call \(number) contained a secret, and secrets are not saved.", ko: "\(number)번 호출에는 시크릿이 있었고, 시크릿은 저장하지 않습니다."
      ))
    var secrets: [NamedSecret] = []
    func fill(_ text: String) throws -> String {
      var text = text
      for secret in session.secrets where text.contains(SecretPlaceholders.text(secret.environmentVariable)) {
        text = text.replacing(SecretPlaceholders.text(secret.environmentVariable), with: secret.secret.reveal())
        secrets.append(secret)
      }
      guard text.firstMatch(of: /__[A-Z][A-Z0-9_]*__/) == nil else { throw missing }
      return text
    }
    request.path = try request.path.map(fill)
    request.query = try request.query.map { QueryItem($0.name, try fill($0.value)) }
    request.headers = try request.headers.map { HeaderField($0.name, try fill($0.value)) }
    request.secrets = session.secrets
    return request
  }

  private var unreadable: CommandError {
    CommandError(.refused, .failure("Cannot read call \(number).", ko: "\(number)번 호출을 읽을 수 없습니다."))
  }
}
