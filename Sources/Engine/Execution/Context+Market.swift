import Catalog
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

/// Finds out which edition a server speaks, says so once, and keeps it with the profile.
struct EditionDetective {
  private let context: Context

  init(_ context: Context) { self.context = context }

  func find(at url: URL, _ session: inout Session) async throws -> Sourced<Edition> {
    let found = try await EditionFinder(through: context.door(session)).edition(at: url)
    context.say(
      .note(
        "This server speaks edition \(.value(found.rawValue)): \(found.evidence[.english])",
        ko: "이 서버는 \(.value(found.rawValue)) 버전입니다: \(found.evidence[.korean])"), session)
    if let name = session.server.profile?.value {
      try? ProfileStore(context.home).learn(about: name, at: url) { $0.api = found.rawValue }
    }
    return Sourced(found, .detected)
  }
}
