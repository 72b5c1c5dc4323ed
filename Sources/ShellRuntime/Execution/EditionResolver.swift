import Foundation
import MarketAPI
import Presentation
import Text

/// Detects the edition of a server, reports it once, and stores it with the profile or by base URL.
struct EditionResolver {
  private let context: CommandContext

  init(_ context: CommandContext) { self.context = context }

  func find(at url: URL, _ session: inout Session) async throws -> Sourced<Edition> {
    session.server.isEditionProven = true
    let found: Edition
    do {
      found = try await EditionDetector(through: context.transport(session)).edition(at: url)
    } catch MarketError.unknownEdition {
      if let base = ServerAddress(url.absoluteString)?.baseOfEndpoint { throw SessionFactory.isEndpoint(url, base) }
      throw MarketError.unknownEdition
    }
    context.say(
      .note(
        "Detected edition \(.value(found.rawValue)): \(found.detectionReason[.english])",
        ko: "API 버전은 \(.value(found.rawValue))입니다: \(found.detectionReason[.korean])"), session)
    if let name = session.server.profile?.value {
      try? ProfileStore(context.home).update(about: name, at: url) { $0.api = found.rawValue }
    } else {
      DetectedEditions(context.home).set(found, at: url)
    }
    return Sourced(found, .detected)
  }
}
