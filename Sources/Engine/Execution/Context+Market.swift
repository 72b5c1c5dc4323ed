import Catalog
import Failures
import Foundation
import Marketplace
import Networking
import Platform
import Presentation
import Text

extension Context {
  /// A client for the market the session points at; waits for the embedded one to listen, finds the edition when it is not known.
  ///
  /// - Throws: `Failure` where the server cannot be told apart or reached, or the embedded market does not start;
  ///   `FileError` for certificates that cannot be read.
  package func market(_ session: inout Session) async throws -> Client<Market> {
    if let url = session.server.url?.value, session.server.edition == nil {
      session.server.edition = try await EditionDetective(self).find(at: url, &session)
    }
    let edition = session.server.edition?.value ?? .open
    let url = if let url = session.server.url?.value { url } else { try await embedded(edition) }
    return Client(Market(url, edition: edition, credentials: session.credentials), through: try door(session))
  }
}

extension ServerContext {
  /// The profile's way to its server.
  ///
  /// - Throws: `FileError` when the file of `ca` cannot be read or holds no certificate; nothing is sent then.
  package func route(home: String?) throws(FileError) -> Route {
    guard let path = ca.map({ Paths.expanded($0.value, home: home) }) else { return Route(proxy: proxy?.value) }
    return Route(proxy: proxy?.value, authorities: try ServerContext.authorities(at: path))
  }

  /// The certificates of a file.
  ///
  /// - Throws: `FileError` when it cannot be read or holds no certificate.
  package static func authorities(at path: String) throws(FileError) -> Authorities {
    guard let data = try Files.read(path, limit: 1 << 20) else { throw .cannotRead(path: path, errno: ENOENT) }
    do {
      return try Authorities(pem: data)
    } catch {
      throw .noCertificate(path: path)
    }
  }

  /// What limits a request there.
  package var limits: TimeLimits { TimeLimits(timeout: timeout.map { .seconds($0.value) }) }
}

extension TimeLimits {
  /// In one line: `connect 10 s; upload 60 s without progress; …`.
  package var summary: LocalizedText {
    let (connect, upload) = (connect.components.seconds, upload.components.seconds)
    let answer = wait(forAnswerTo: .post, ofSize: 0).components.seconds
    let silence = wait(forAnswerTo: .get, ofSize: 0).components.seconds
    let pace = slowestLine / 1000
    return LocalizedText(
      "connect \(connect) s; upload \(upload) s without progress; answer to a write \(answer) s and its size at \(pace) kB/s; read \(silence) s without a byte",
      ko: "연결 \(connect)초; 업로드 진행 없이 \(upload)초; 변경 응답 \(answer)초에 크기만큼 추가(\(pace) kB/s); 읽기 데이터 없이 \(silence)초")
  }
}

extension Context {
  /// The way to the session's server: this context's own door, by the profile's proxy and with its patience.
  ///
  /// - Throws: `FileError` where the profile's certificates cannot be read.
  package func door(_ session: Session) throws(FileError) -> any Transport {
    let server = session.server
    guard server.proxy != nil || server.ca != nil || server.timeout != nil else { return transport }
    let route = try server.route(home: environment["HOME"])
    return RoutedTransport(transport, by: route, timeout: server.limits.timeout)
  }
}

/// Finds out which edition a server speaks, says so once, and stores it with the profile or by its address.
struct EditionDetective {
  private let context: Context

  init(_ context: Context) { self.context = context }

  func find(at url: URL, _ session: inout Session) async throws -> Sourced<Edition> {
    session.server.isEditionProven = true
    let found = try await EditionFinder(through: context.door(session)).edition(at: url)
    context.say(
      .note(
        "This server speaks edition \(.value(found.rawValue)): \(found.evidence[.english])",
        ko: "이 서버는 \(.value(found.rawValue)) 버전입니다: \(found.evidence[.korean])"), session)
    if let name = session.server.profile?.value {
      try? ProfileStore(context.home).learn(about: name, at: url) { $0.api = found.rawValue }
    } else {
      DetectedEditions(context.home).set(found, at: url)
    }
    return Sourced(found, .detected)
  }
}

/// Explains a failure by the edition: where the server does not answer as the edition that is assumed does, it is asked
/// which one it speaks, with at most two reads.
package struct EditionDoubt {
  private let context: Context

  package init(_ context: Context) { self.context = context }

  /// Returns the failure with the right edition as its next step; any other error as it is.
  package func explained(_ error: any Error, _ session: inout Session) async -> any Error {
    guard let error = error as? MarketError, error.mayBeAnotherEdition, !session.server.isEditionProven,
      let url = session.server.url?.value, let assumed = session.server.edition
    else { return error }
    session.server.isEditionProven = true
    guard let door = try? context.door(session),
      let found = try? await EditionFinder(through: door).edition(at: url), found != assumed.value
    else { return error }
    var message = Failure(describing: error).message
    message.nextSteps = []
    message = message.because(
      "The server speaks edition \(.value(found.rawValue)), not \(.value(assumed.value.rawValue)).",
      ko: "서버는 \(.value(assumed.value.rawValue), .subject) 아니라 \(.value(found.rawValue)) 버전입니다.")
    switch assumed.origin {
    case .option, .standard:
      message = message.next(
        "\(.command("--api \(found.rawValue)"))", ko: "\(.command("--api \(found.rawValue)"))")
    case .environment:
      message = message.next(
        "\(.command("OPENMARKET_API=\(found.rawValue)"))", ko: "\(.command("OPENMARKET_API=\(found.rawValue)"))")
    case .profile:
      let name = session.server.profile?.value ?? ""
      message = message.next(
        "\(.command("profile \(name) api=\(found.rawValue)"))",
        ko: "\(.command("profile \(name) api=\(found.rawValue)"))")
    case .detected:
      DetectedEditions(context.home).set(found, at: url)
      session.server.edition = Sourced(found, .detected)
      message = message.next("The same line works now.", ko: "같은 줄을 다시 실행하세요.")
    }
    return Failure(Failure.code(of: error), message)
  }
}

extension MarketError {
  /// True where a server that speaks another edition would have answered the same.
  fileprivate var mayBeAnotherEdition: Bool {
    switch self {
    case .notFound, .unreadable: true
    case .refused(let status, _): [400, 404, 405].contains(status)
    case .busy, .redirected, .notLoggedIn, .unsendable, .unsupported, .needsCurrentProduct, .strangeDeletionAddress,
      .unknownEdition:
      false
    }
  }
}
