import Foundation
import Networking
import Platform
import Text

extension Place {
  /// The profile's way to its server.
  ///
  /// - Throws: `FileError` when the file of `ca` cannot be read or holds no certificate; nothing is sent then.
  package func route(home: String?) throws(FileError) -> Route {
    guard let path = ca.map({ Paths.expanded($0.value, home: home) }) else { return Route(proxy: proxy?.value) }
    return Route(proxy: proxy?.value, authorities: try Place.authorities(at: path))
  }

  /// The certificates of a file; throws what `route` throws.
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
  package var summary: Wording {
    let (connect, upload) = (connect.components.seconds, upload.components.seconds)
    let answer = wait(forAnswerTo: .post, ofSize: 0).components.seconds
    let silence = wait(forAnswerTo: .get, ofSize: 0).components.seconds
    let pace = slowestLine / 1000
    return Wording(
      "connect \(connect) s; upload \(upload) s without progress; answer to a write \(answer) s and its size at \(pace) kB/s; read \(silence) s without a byte",
      ko: "연결 \(connect)초; 올리기 진전 없이 \(upload)초; 쓰기의 답 \(answer)초와 크기만큼(\(pace) kB/s); 읽기 한 바이트도 없이 \(silence)초")
  }
}

extension Context {
  /// The way to the session's server: this context's own door, by the profile's proxy and with its patience.
  package func door(_ session: Session) throws(FileError) -> any Transport {
    let place = session.place
    guard place.proxy != nil || place.ca != nil || place.timeout != nil else { return transport }
    let route = try place.route(home: environment["HOME"])
    return RoutedTransport(transport, by: route, timeout: place.limits.timeout)
  }
}
