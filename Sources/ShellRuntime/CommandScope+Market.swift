import Foundation
import MarketAPI
import Networking
import Platform
import Text

extension CommandScope {
  /// Returns a client for the session's market, after waiting for the embedded market and detecting an unknown edition.
  ///
  /// - Throws: `CommandError` if the server can't be reached, its edition can't be detected, or the embedded market doesn't
  ///   start; `FileError` for certificates that can't be read.
  package mutating func marketClient() async throws -> Client<MarketService> {
    if let url = session.server.url?.value, session.server.dialect == nil {
      session.server.dialect = try await detectEdition(at: url)
    }
    session.server.markets = context.network.markets
    return Client(
      MarketService(
        try await address(), dialect: session.server.expectedDialect, credentials: session.credentials),
      through: try transport())
  }

  /// Returns the base URL of the session's server, whatever dialect it has.
  ///
  /// - Throws: The errors of opening the embedded market.
  package func address() async throws -> URL {
    if let url = session.server.url?.value { return url }
    let url = try await context.network.embedded.address(session.server.embeddedEdition)
    if let notice = context.network.embedded.takeNotice() { say(notice) }
    context.network.markets.setEmbeddedURL(url, session.server.embeddedEdition)
    return url
  }

  /// Returns the transport for the session's server, with the profile's proxy, certificates and timeout.
  ///
  /// - Throws: `FileError` if the profile's certificates can't be read.
  package func transport() throws(FileError) -> any Transport {
    let server = session.server
    guard server.proxy != nil || server.ca != nil || server.timeout != nil else { return context.network.transport }
    let route = try server.route(home: context.program.environment["HOME"])
    let timeout = server.limits.timeout
    return ConfiguredTransport(context.network.transport) { options in
      options.route = route
      options.limits.timeout = options.limits.timeout ?? timeout
    }
  }
}

extension ServerConfiguration {
  /// Returns the proxy and the certificates of the profile.
  ///
  /// - Throws: `FileError` if the file of `ca` can't be read or contains no certificate; nothing is sent then.
  package func route(home: String?) throws(FileError) -> ConnectionSettings {
    guard let path = ca.map({ Paths.expanded($0.value, home: home) }) else {
      return ConnectionSettings(proxy: proxy?.value)
    }
    return ConnectionSettings(proxy: proxy?.value, authorities: try ServerConfiguration.authorities(at: path))
  }

  /// Returns the certificates of a file.
  ///
  /// - Throws: `FileError` if it can't be read or contains no certificate.
  package static func authorities(at path: String) throws(FileError) -> TrustRoots {
    guard let data = try Files.read(path, limit: 1 << 20) else { throw .cannotRead(path: path, errno: ENOENT) }
    do {
      return try TrustRoots(pem: data)
    } catch {
      throw .noCertificate(path: path)
    }
  }

  /// The time limits of requests.
  package var limits: Timeouts { Timeouts(timeout: timeout.map { .seconds($0.value) }) }
}

extension Timeouts {
  /// The limits in one line: `connect 10 s; upload 60 s without progress; …`.
  package var summary: LocalizedText {
    let (connect, upload) = (connect.components.seconds, upload.components.seconds)
    let response = wait(forResponseTo: .post, ofSize: 0).components.seconds
    let silence = wait(forResponseTo: .get, ofSize: 0).components.seconds
    let pace = minimumBytesPerSecond / 1000
    return LocalizedText(
      "connect \(connect) s; upload \(upload) s without progress; response to a change \(response) s plus its size at \(pace) kB/s; read \(silence) s without data",
      ko: "연결 \(connect)초; 업로드 중단 \(upload)초; 변경 응답 \(response)초 + 크기에 따라 추가(\(pace) kB/s); 읽기 중단 \(silence)초")
  }
}

extension MarketError {
  /// A Boolean value that indicates whether a server of another edition would respond in this way.
  var mayBeAnotherEdition: Bool {
    switch self {
    case .notFound, .unreadable: true
    case .refused(let status, _): [400, 404, 405].contains(status)
    case .tooManyRequests, .redirected, .notLoggedIn, .invalidCredential, .unsupported, .undescribed, .unsuitedProduct,
      .needsCurrentProduct, .invalidDeletionURL, .unknownEdition:
      false
    }
  }
}
