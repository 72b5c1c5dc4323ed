import Catalog
import Foundation
import Networking
import Pictures

/// Fetches a product's picture by its address, without credentials and without following redirects.
package struct PictureDoor {
  /// The server has no picture there, now.
  package struct Missing: Error {}

  package let transport: any Transport

  func fetch(_ url: URL, deadline: Duration? = nil) async throws -> PictureFile {
    let path = url.path.split(separator: "/").map(String.init)
    guard var base = URLComponents(url: url, resolvingAgainstBaseURL: false) else {
      throw TransportFailure(.badAddress(url.absoluteString), extent: .nothing)
    }
    let query = (base.queryItems ?? []).map { QueryItem($0.name, $0.value ?? "") }
    base.path = ""
    base.query = nil
    guard let host = base.url else { throw TransportFailure(.badAddress(url.absoluteString), extent: .nothing) }
    let reply = try await transport.send(
      Request(.get, path, query: query), to: host, with: SendOptions(deadline: deadline))
    if reply.status == 404 || reply.status == 403 { throw Missing() }
    guard reply.isSuccess else {
      throw TransportFailure(.other("no picture (\(reply.status))"), extent: .whole)
    }
    guard let format = PictureFormat.detect(reply.body) else { throw PictureError.notAPicture }
    return PictureFile(name: "picture.\(format.fileExtension)", type: format.mediaType, bytes: reply.body)
  }
}
