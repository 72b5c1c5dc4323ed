import CommandLanguage
import MarketAPI
import Networking
import Platform
import Presentation
import ShellRuntime
import Text

/// `health`: asks the server for its health.
package struct HealthCommand: Command {
  package static let declaration = CommandDeclaration(
    "health", group: .api, summary: LocalizedText("check whether the server is up", ko: "서버 상태 확인"),
    producesData: true,
    examples: [.init("health", "prints OK if the server is up", ko: "괜찮으면 OK")])

  package init(_ invocation: ParsedCommand) {}

  /// - Throws: `CommandError` if the server doesn't report that it is healthy; the client's errors.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    let health = try await scope.marketClient().send(CheckHealth())
    guard health.isHealthy else {
      throw CommandError(
        .refused,
        .failure("The server did not report that it is up.", ko: "서버가 정상이라고 응답하지 않았습니다.")
          .because(
            health.text.isEmpty
              ? LocalizedText("The response was empty.", ko: "응답이 비어 있습니다.")
              : LocalizedText("Response: \(.foreign(health.text))", ko: "응답: \(.foreign(health.text))")))
    }
    return .rows(
      Table(
        [.init("health", LocalizedText("health", ko: "상태"))], rows: [[.text(health.text)]], isSingle: true))
  }
}
