import CommandLanguage
import Foundation
import MarketAPI
import Networking
import Platform
import Presentation
import ShellRuntime
import Text

extension LearningCourse {
  /// The path at which a server of openmarket has the steps of its lesson.
  private static let path = "learn"
  private static let maximumBytes = 64 << 10

  /// Returns the steps of the session's market.
  ///
  /// - Throws: `CommandError` for a market without steps, and for steps that can't be used; the errors of the requests.
  static func current(in scope: inout CommandScope) async throws -> LearningCourse {
    if scope.session.server.isEmbedded {
      guard scope.session.server.embeddedEdition == .newest else { throw otherEdition(scope.session) }
      return builtIn
    }
    let market = try await scope.marketClient()
    let base = market.service.baseURL
    try await scope.recognize(market)
    // Other servers are not asked for a page that only those of openmarket have.
    guard scope.session.server.markets.generation(at: base) != nil else { throw elsewhere(scope.session) }
    let response = try await market.transport.send(Request(.get, [path]), to: base, with: market.options).inUTF8
    guard response.status == 200 else { throw elsewhere(scope.session) }
    guard response.body.count <= maximumBytes, let document = try? JSON(parsing: response.body) else {
      throw unusable(LocalizedText("The response is not JSON, or too long.", ko: "응답이 JSON이 아니거나 너무 깁니다."))
    }
    let steps: [LessonStep]
    do throws(LessonStep.Fault) {
      steps = try LessonStep.steps(in: document, names: scope.session.server.fieldNames)
    } catch {
      throw unusable(
        LocalizedText(
          "Step \(error.step): \(error.reason.english)", ko: "\(error.step)단계: \(error.reason.korean)"))
    }
    return LearningCourse(
      key: "class-" + FNV1a(base.absoluteString).hex, digest: FNV1a(document.serialized).hex,
      steps: steps.map { $0.learningStep })
  }

  private static func elsewhere(_ session: Session) -> CommandError {
    CommandError(
      .usageError,
      .failure("There are no steps to learn on this market.", ko: "이 마켓에는 배우기 단계가 없습니다.")
        .because(
          "This session uses \(.value(session.server.name)); the steps change products.",
          ko: "현재 \(.value(session.server.name))에 연결되어 있고, 단계마다 상품이 바뀝니다."
        )
        .next(
          "Run \(.command("profile demo")) to switch to the built-in market.",
          ko: "내장 마켓으로 바꾸려면 \(.command("profile demo"), .object) 실행하세요."))
  }

  private static func otherEdition(_ session: Session) -> CommandError {
    CommandError(
      .usageError,
      .failure(
        "The steps are for API edition \(.value("open")), and this session uses \(.value(session.server.embeddedEdition.rawValue)).",
        ko:
          "배우기 단계는 \(.value("open")) API 버전용이고, 현재 버전은 \(.value(session.server.embeddedEdition.rawValue))입니다."
      ).next(
        "Start openmarket without \(.command("--api")).", ko: "\(.command("--api")) 없이 openmarket을 시작하세요."))
  }

  private static func unusable(_ reason: LocalizedText) -> CommandError {
    CommandError(
      .refused,
      .failure("The steps of this class cannot be used.", ko: "이 수업의 단계를 쓸 수 없습니다.").because(reason))
  }
}
