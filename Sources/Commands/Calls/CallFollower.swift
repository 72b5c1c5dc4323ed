import CommandLanguage
import Foundation
import MarketAPI
import Platform
import Presentation
import ShellRuntime
import Text

/// The requests that an app sends to the built-in market, printed as they come until Ctrl-C.
struct CallFollower {
  /// The time between two looks at the market.
  private static let interval = Duration.milliseconds(200)

  private let clauses: Clauses

  init(_ clauses: Clauses) { self.clauses = clauses }

  /// Prints requests until the task is cancelled.
  ///
  /// A refused one is the next that `explain` explains.
  ///
  /// - Throws: `CancellationError` at Ctrl-C; `CommandError` for another market than the built-in one; `OutputError`.
  func run(in scope: inout CommandScope) async throws -> CommandResult {
    var last = try await CallFollower.received(after: 0, in: scope).last?.number ?? 0
    let writer = ReceivedCallWriter(clauses, in: scope)
    let dialect = scope.session.server.expectedDialect
    scope.say(CallFollower.start(try await scope.address().absoluteString))
    while true {
      for call in try await CallFollower.received(after: last, in: scope) {
        last = call.number
        try writer.write(ReceivedCallRow(call, dialect))
        if call.isRefused {
          scope.session.last.failure = FailedCommand(line: nil, message: nil, exchange: call.exchange)
        }
      }
      let context = scope.context
      try await context.spinner.hidden { try await context.pause(CallFollower.interval) }
    }
  }

  /// Returns the note with which following begins.
  static func start(_ url: String) -> Message {
    .note(
      "Waiting for requests of an app to \(.value(url)). Press Ctrl-C to end.",
      ko: "앱이 \(.value(url))에 보내는 요청을 기다립니다. 끝내려면 Ctrl-C를 누르세요.")
  }

  /// Returns the requests after a number.
  ///
  /// - Throws: `CommandError` for another market than the built-in one.
  static func received(after number: Int, in scope: CommandScope) async throws -> [ReceivedCall] {
    let edition = scope.session.server.embeddedEdition
    guard scope.session.server.isEmbedded else { throw elsewhere }
    _ = try await scope.address()
    guard let calls = await scope.context.embedded.received(number, edition) else { throw elsewhere }
    return calls
  }

  private static let elsewhere = CommandError(
    .usageError,
    .failure("Only requests to the built-in market can be shown.", ko: "내장 마켓에 온 요청만 볼 수 있습니다.").next(
      "For a market of \(.command("openmarket serve")), run \(.command("class URL follow")) with its teacher's URL.",
      ko: "\(.command("openmarket serve"))의 마켓은 교사용 주소로 \(.command("class URL follow"), .object) 실행하세요."))
}
