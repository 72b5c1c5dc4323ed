import Catalog
import Foundation
import MarketAPI
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Synchronization
import Text
import WriteJournal

/// A raw request that writes: confirmed, recorded in the journal before it is sent, sent once, and not undoable.
struct JournaledRawRequest {
  private let request: Request
  private let line: RawRequestArguments
  private let consent: WriteOptions

  init(_ request: Request, line: RawRequestArguments, consent: WriteOptions) {
    self.request = request
    self.line = line
    self.consent = consent
  }

  func run(to base: URL, in scope: inout CommandScope) async throws -> CommandResult {
    if request.carriesSecret {
      try await WriteApproval.admitPlainHTTP(to: base, in: scope)
    }
    // A raw request doesn't depend on the dialect and can be sent to a server without one.
    var named = CommandScope(scope.session, scope.context, mode: scope.mode)
    named.session.server.dialect =
      scope.session.server.dialect ?? Sourced(scope.session.server.expectedDialect, .default)
    let fingerprint = RawFingerprint.of(request, at: line.origin)
    // Each run of a test is a new intent.
    if !scope.session.script.isReported {
      let market = try await named.marketClient()
      // A server that has no list of products sends no generation either.
      try? await named.recognizeForJournal(market)
      let binding = named.session.marketLogin(at: market.service.baseURL)
      try await RunAdmission(at: binding, isAgain: consent.again, in: scope).admit(raw: fingerprint)
    }
    if let shown = try await admit(in: scope) { return shown }
    scope.context.stores.remember(request.secrets)
    let transport = try scope.transport()
    let market = try await named.marketClient()
    let (outcome, received) = await JournaledRawRequest.send(
      request, to: base, origin: line.origin, with: line.options, fingerprint: fingerprint,
      note: consent.note.map(SecretRedactor(request.secrets).mask), through: transport, market: market,
      in: CommandScope(named.session, scope.context))
    return try report(outcome, received, at: base, in: &scope)
  }

  /// A response and the time that it took, or the error that came instead.
  typealias Received = Result<(response: Response, took: Duration), any Error>

  /// Records a request in the log, then sends it once.
  ///
  /// - Parameters:
  ///   - base: The base URL.
  ///   - origin: The server of a complete URL, which the log names, or `nil` for that of the session.
  ///   - options: The options for sending it.
  ///   - fingerprint: The digest of the request, or `nil` if it isn't recognized again.
  ///   - note: The note in the log, without secrets.
  ///   - market: The market in whose log it is recorded.
  ///   - scope: The scope of the command.
  /// - Returns: The outcome, and the response or `nil` if nothing was sent.
  static func send(
    _ request: Request, to base: URL, origin: String? = nil, with options: SendOptions = SendOptions(),
    fingerprint: String? = nil, note: String?, through transport: any Transport, market: Client<MarketService>,
    in scope: CommandScope
  ) async -> (outcome: Outcome, received: Received?) {
    let summary = SecretRedactor(request.secrets).mask(request.method.rawValue + " " + (origin ?? "") + request.target)
    let recorder = ExchangeCollector(scope.session.credentials, now: scope.context.clock.now)
    let observed = ObservedTransport(transport) { recorder.add($0) }
    let received = Mutex<Received?>(nil)
    let outcome = await scope.planRunner(for: market).raw(summary, fingerprint: fingerprint, note: note) { _ in
      do {
        let start = ContinuousClock.now
        let response = try await observed.send(request, to: base, with: options)
        let took = response.timing?.phases.total ?? start.duration(to: .now)
        received.withLock { $0 = .success((response, took)) }
        return SendResult(sendOutcome(response), exchanges: recorder.exchanges)
      } catch {
        received.withLock { $0 = .failure(error) }
        let status = (error as? TransportError)?.completeStatus
        let outcome = status.map { sendOutcome(Response(status: $0)) } ?? SendOutcome(error)
        return SendResult(outcome, exchanges: recorder.exchanges)
      }
    }
    return (outcome, received.withLock { $0 })
  }

  /// Shows the request and asks for confirmation.
  ///
  /// Returns the result of a dry run, otherwise `nil`.
  private func admit(in scope: CommandScope) async throws -> CommandResult? {
    let options = scope.messageOptions
    let lines = request.description.split(separator: "\n", omittingEmptySubsequences: false)
    let shown = lines.map { $0.isEmpty ? "\n" : "  " + Sanitizer.sanitized(String($0), limit: 2_000) + "\n" }
    scope.context.program.console.writeMessage(
      shown.joined() + PlanPreview([], heading: heading(scope.session)).summary(options))
    scope.say(.warning("A raw request cannot be undone.", ko: "이 요청은 되돌릴 수 없습니다."))
    if scope.mode == .dry {
      scope.say(.note("Dry run: nothing was sent.", ko: "모의 실행: 아무것도 보내지 않았습니다."))
      var result = CommandResult()
      result.wasOnlyShown = true
      return result
    }
    if scope.session.server.confirm.value != .never {
      try await ConfirmationPrompt(scope).ask(Plan([]), consent: consent)
    }
    return nil
  }

  /// Returns the destination: the server of a complete URL, otherwise that of the session.
  private func heading(_ session: Session) -> PlanPreview.Target {
    guard let origin = line.origin else { return WriteApproval.heading(session) }
    return PlanPreview.Target(
      profile: nil, vendor: nil, host: origin, access: session.server.access.value.rawValue)
  }

  private func report(
    _ outcome: Outcome, _ received: Received?, at base: URL, in scope: inout CommandScope
  ) throws -> CommandResult {
    guard case .success(let received)? = received else { throw JournaledRawRequest.failure(outcome, received) }
    var result = try RawResponseReport(
      received.response, to: request, at: base, took: received.took, line: line, context: scope.context
    )
    .report(in: &scope)
    if received.response.statusClass == .redirection, line.pasted?.output.redirects != nil {
      scope.say(
        .note(
          "Requests that change data are sent once, so the redirect was not followed.",
          ko: "변경 요청은 한 번만 보내므로 리다이렉트를 따라가지 않았습니다."))
    }
    // Only the status is reported of a response that becomes a value.
    if case .refused = outcome, !(scope.context.program.console is MutedConsole) {
      scope.say(
        .note("The server refused the request.", ko: "서버가 거부했습니다.")
          .next("Run \(.command("explain")) to find out why.", ko: "이유를 보려면 \(.command("explain"), .object) 실행하세요."))
    }
    guard case .needsDecision = outcome else { return result }
    result.status = .outcomeUnknown
    result.report = .group([
      result.report,
      .message(
        .warning("The outcome is unknown and cannot be checked by reading.", ko: "적용됐는지 알 수 없고, 읽어서 확인할 수도 없습니다.")
          .next("See \(.command("log 1")) for the request.", ko: "\(.command("log 1"))에 남아 있습니다.")),
    ])
    return result
  }

  /// Returns the failure of a request without a response.
  private static func failure(_ outcome: Outcome, _ received: Received?) -> CommandError {
    // The status is known, and the rest of the response can't be shown.
    if case .failure(let error as TransportError)? = received, error.completeStatus != nil {
      return CommandError(error)
    }
    return failure(outcome)
  }

  private static func failure(_ outcome: Outcome) -> CommandError {
    switch outcome {
    case .journalUnavailable(let failure, _): CommandError(failure.status, Message(.failure, failure.wording))
    case .notSent(let evidence, let isAnswered):
      CommandError(
        isAnswered ? .refused : .unreachable,
        .failure("Not sent: \(evidence.wording.english).", ko: "보내지 못했습니다: \(evidence.wording.korean)."))
    case .needsDecision(let evidence), .unknown(let evidence):
      CommandError(
        .outcomeUnknown,
        .warning(
          "The request was sent, but its outcome is unknown: \(evidence.wording.english).",
          ko: "보냈지만 적용됐는지 알 수 없습니다: \(evidence.wording.korean)."
        )
        .because(
          "The effect of a raw request cannot be checked, and it is never sent again.", ko: "읽어서 확인할 수 없고, 다시 보내지 않습니다."
        )
        .next("Run \(.command("log 1")) to see it.", ko: "\(.command("log 1"))에서 볼 수 있습니다."))
    case .unrecorded(_, let failure):
      CommandError(
        .outcomeUnknown,
        .warning("The server responded, but the request is not in the log.", ko: "서버가 응답했지만 로그에 없습니다.").because(
          failure.cause))
    case .aborted(let evidence):
      CommandError(
        .unreachable,
        .failure(
          "The connection broke before the whole request was sent, so it was not applied: \(evidence.wording.english).",
          ko: "마지막 바이트를 보내기 전에 끊겨 적용되지 않았습니다: \(evidence.wording.korean)."))
    case .done, .refused, .unchanged, .locked, .notApplied, .notStored, .notStarted, .drifted,
      .otherProduct, .createdAndGone:
      CommandError(.refused, .failure("No response.", ko: "응답이 없습니다."))
    }
  }

  /// Returns the outcome of a complete response.
  static func sendOutcome(_ response: Response) -> SendOutcome {
    switch response.statusClass {
    case .success: .succeeded(nil)
    case .tooManyRequests: .rateLimited(retryAfter: nil)
    case .clientError: .refused(Rejection(status: response.status, kind: .other))
    case .redirection, .indeterminate:
      .unknown(.unexpectedStatus(response.status), isAnswered: true)
    }
  }
}
