import Catalog
import Foundation
import Networking
import Pictures

/// Fetches a product's picture by its address, without credentials and without following redirects (safety.md R7).
struct PictureDoor {
  /// The server has no picture there, now.
  struct Missing: Error {}

  let transport: any Transport

  func fetch(_ url: URL) async throws -> PictureFile {
    let path = url.path.split(separator: "/").map(String.init)
    guard var base = URLComponents(url: url, resolvingAgainstBaseURL: false) else {
      throw TransportFailure(.badAddress(url.absoluteString), mayHaveBeenSent: false)
    }
    base.path = ""
    base.query = nil
    guard let host = base.url else { throw TransportFailure(.badAddress(url.absoluteString), mayHaveBeenSent: false) }
    let reply = try await transport.send(Request(.get, path), to: host, deadline: .seconds(30))
    if reply.status == 404 || reply.status == 403 { throw Missing() }
    guard reply.isSuccess, let format = PictureFormat.detect(reply.body) else {
      throw TransportFailure(.other("no picture (\(reply.status))"), mayHaveBeenSent: true)
    }
    return PictureFile(name: "picture.\(format.fileExtension)", type: format.mediaType, bytes: reply.body)
  }
}
