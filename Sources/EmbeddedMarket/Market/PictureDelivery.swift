import Foundation
import Images

/// Serves pictures by the file name in their URL.
struct PictureDelivery: Sendable {
  let server: ServerDependencies
  /// Indicates a store of 2021, where a picture became available a second late.
  var isSlow = false

  func response(_ file: String, size: (String) -> PictureSize) async throws -> MarketResponse {
    guard let key = PictureFileName.key(in: file) else { throw MarketHTTPError(404, "No picture \(file)") }
    let size = size(file)
    let picture = try await server.store.read { try PictureRow.find(key: key, in: $0) }
    if let picture, isSlow, server.quirks.isLate(picture, at: server.clock()) {
      throw MarketHTTPError(404, "No picture \(file)")
    }
    guard let picture, let bytes = try await server.studio.bytes(of: picture, size, in: server.store) else {
      throw MarketHTTPError(404, "No picture \(file)")
    }
    return .picture(bytes, type: PictureFormat.detect(bytes)?.mediaType ?? "application/octet-stream")
  }
}
