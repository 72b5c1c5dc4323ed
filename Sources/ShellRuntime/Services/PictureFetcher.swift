import Catalog
import Foundation
import Images
import Networking

/// Fetches a product's picture by its URL, without credentials and without following redirections.
package struct PictureFetcher {
  /// The error for a picture that the server doesn't have (yet).
  package struct Missing: Error {}

  package let transport: any Transport

  package init(transport: any Transport) { self.transport = transport }

  package func fetch(_ url: URL, deadline: Duration? = nil) async throws -> PictureFile {
    let path = url.path.split(separator: "/").map(String.init)
    guard var base = URLComponents(url: url, resolvingAgainstBaseURL: false) else {
      throw TransportError(.invalidURL(url.absoluteString), extent: .none)
    }
    let query = (base.queryItems ?? []).map { QueryItem($0.name, $0.value ?? "") }
    base.path = ""
    base.query = nil
    guard let host = base.url else { throw TransportError(.invalidURL(url.absoluteString), extent: .none) }
    let reply = try await transport.send(
      Request(.get, path, query: query), to: host, with: SendOptions(deadline: deadline))
    if reply.status == 404 || reply.status == 403 { throw Missing() }
    guard reply.isSuccess else {
      throw TransportError(.other("no image (\(reply.status))"), extent: .complete)
    }
    guard let format = PictureFormat.detect(reply.body) else { throw PictureError.notAPicture }
    return PictureFile(name: "picture.\(format.fileExtension)", type: format.mediaType, bytes: reply.body)
  }
}
