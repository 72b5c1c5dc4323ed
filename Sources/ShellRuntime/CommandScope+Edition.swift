import Foundation
import FoundationEssentials
import MarketAPI
import Networking
import Presentation
import Text

extension CommandScope {
  /// Detects the edition of a server, reports it once, and stores it with the profile or by base URL.
  mutating func detectEdition(at url: URL) async throws -> Sourced<Dialect> {
    session.server.isEditionProven = true
    let found: Edition
    do {
      found = try await EditionDetector(through: transport()).edition(at: url)
    } catch let error as MarketError {
      if let base = ServerAddress(url.absoluteString)?.baseOfEndpoint { throw SessionFactory.isEndpoint(url, base) }
      throw error
    } catch let error as TransportError {
      guard case .notRecorded = error.reason else { throw error }
      let missing = CommandError(error)
      throw CommandError(
        missing.exitStatus,
        .failure("The recording does not show the server's API edition.", ko: "녹화 파일로는 서버의 API 버전을 알 수 없습니다.")
          .because(missing.message.what).next(CommandError.namingEdition))
    }
    say(
      .note(
        "Detected edition \(.value(found.rawValue)): \(found.detectionReason[.english])",
        ko: "API 버전은 \(.value(found.rawValue))입니다: \(found.detectionReason[.korean])"))
    if let name = session.server.profile?.value {
      try? ProfileStore(context.stores.home).update(about: name, at: url) { $0.api = found.rawValue }
    } else {
      DetectedEditions(context.stores.home).set(found, at: url)
    }
    return Sourced(Dialect(found), .detected)
  }

  /// Returns a failure of a wrong edition with the detected edition as the next step, or another error unchanged.
  ///
  /// The edition is detected with at most two requests.
  package mutating func explainingEdition(_ error: any Error) async -> any Error {
    guard let error = error as? MarketError, error.mayBeAnotherEdition, !session.server.isEditionProven,
      let url = session.server.url?.value, let assumed = session.server.dialect, assumed.value.edition != nil
    else { return error }
    session.server.isEditionProven = true
    if let base = ServerAddress(url.absoluteString)?.baseOfEndpoint { return SessionFactory.isEndpoint(url, base) }
    guard let transport = try? transport(),
      let found = try? await EditionDetector(through: transport).edition(at: url), Dialect(found) != assumed.value
    else { return error }
    var message = CommandError(describing: error).message
    message.nextSteps = []
    message = message.because(
      "The server uses API edition \(.value(found.rawValue)), not \(.value(assumed.value.name)).",
      ko: "서버의 API 버전은 \(.value(assumed.value.name), .subject) 아니라 \(.value(found.rawValue))입니다.")
    switch assumed.origin {
    case .option, .login, .default, .secretCommand:
      message = message.next(
        "Use \(.command("--api \(found.rawValue)")).", ko: "\(.command("--api \(found.rawValue)"), .object) 쓰세요.")
    case .environment:
      message = message.next(
        "Set \(.command("OPENMARKET_API=\(found.rawValue)")).",
        ko: "\(.command("OPENMARKET_API=\(found.rawValue)"), .toward) 설정하세요.")
    case .profile:
      let name = session.server.profile?.value ?? ""
      message = message.next(
        "Run \(.command("profile \(name) api=\(found.rawValue)")) to correct it.",
        ko: "\(.command("profile \(name) api=\(found.rawValue)"), .toward) 바로잡으세요.")
    case .detected:
      DetectedEditions(context.stores.home).set(found, at: url)
      session.server.dialect = Sourced(Dialect(found), .detected)
      message = message.next("Run the same command again.", ko: "같은 명령을 다시 실행하세요.")
    }
    return CommandError(CommandError.exitStatus(of: error), message)
  }
}
