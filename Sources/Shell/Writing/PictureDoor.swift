import Catalog
import Foundation
import Networking
import Pictures
import Presentation

/// Fetches a product's picture by its address, without credentials and without following redirects (safety.md R7).
struct PictureDoor {
  let transport: any Transport

  func fetch(_ url: URL, deadline: Duration = .seconds(30)) async throws -> PictureFile {
    let path = url.path.split(separator: "/").map(String.init)
    guard var base = URLComponents(url: url, resolvingAgainstBaseURL: false) else {
      throw TransportFailure(.badAddress(url.absoluteString), mayHaveBeenSent: false)
    }
    let query = (base.queryItems ?? []).map { QueryItem($0.name, $0.value ?? "") }
    base.path = ""
    base.query = nil
    guard let host = base.url else { throw TransportFailure(.badAddress(url.absoluteString), mayHaveBeenSent: false) }
    let reply = try await transport.send(Request(.get, path, query: query), to: host, deadline: deadline)
    guard reply.isSuccess else {
      throw Failure(
        .refused,
        .failure("The picture cannot be had.", ko: "사진을 가져올 수 없습니다.")
          .because("Its server answered \(reply.status).", ko: "사진 서버가 \(reply.status)로 답했습니다."))
    }
    guard let format = PictureFormat.detect(reply.body) else { throw PictureError.notAPicture }
    return PictureFile(name: "picture.\(format.fileExtension)", type: format.mediaType, bytes: reply.body)
  }
}
