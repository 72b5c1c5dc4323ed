import Foundation
import Pictures

/// Hands out pictures by the file name in their address.
struct PictureCounter: Sendable {
  let desk: Desk
  /// The stores of 2021 had a picture a second late.
  var isSlow = false

  func answer(_ file: String, size: (String) -> PictureSize) async throws -> Answer {
    guard let key = PictureKeys.key(in: file) else { throw Refusal(404, "No picture \(file)") }
    let size = size(file)
    let picture = try await desk.store.read { try PictureRow.find(key: key, in: $0) }
    if let picture, isSlow, desk.quirks.isLate(picture, at: desk.clock()) { throw Refusal(404, "No picture \(file)") }
    guard let picture, let bytes = try await desk.studio.bytes(of: picture, size, in: desk.store) else {
      throw Refusal(404, "No picture \(file)")
    }
    return .picture(bytes, type: PictureFormat.detect(bytes)?.mediaType ?? "application/octet-stream")
  }
}
