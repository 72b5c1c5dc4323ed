import CommandLanguage
import Foundation
import Platform
import Presentation
import ShellRuntime
import Text

/// The requests that an app sends to the built-in market, printed as they come until Ctrl-C.
struct CallFollower {
  /// The time between two readings of the requests.
  private static let interval = Duration.milliseconds(200)

  private let clauses: Clauses

  init(_ clauses: Clauses) { self.clauses = clauses }

  /// Prints requests until the task is cancelled.
  ///
  /// The command `explain` then explains the last refused one.
  ///
  /// - Throws: `CancellationError` at Ctrl-C; `CommandError` for another market than the built-in one; `OutputError`.
  func run(in scope: inout CommandScope) async throws -> CommandResult {
    var last = try await scope.receivedCalls(after: 0).last?.number ?? 0
    let writer = ReceivedCallWriter(clauses, in: scope)
    let dialect = scope.session.server.expectedDialect
    scope.say(CallFollower.start(try await scope.address().absoluteString))
    while true {
      for call in try await scope.receivedCalls(after: last) {
        last = call.number
        try writer.write(ReceivedCallRow(call, dialect))
        if call.isRefused { scope.session.last.failure = FailedCommand(exchange: call.exchange) }
      }
      let context = scope.context
      try await context.program.spinner.hidden { try await context.clock.pause(CallFollower.interval) }
    }
  }

  /// Returns the note with which following begins.
  static func start(_ url: String) -> Message {
    .note(
      "Waiting for requests of an app to \(.value(url)). Press Ctrl-C to end.",
      ko: "앱이 \(.value(url))에 보내는 요청을 기다립니다. 끝내려면 Ctrl-C를 누르세요.")
  }
}
