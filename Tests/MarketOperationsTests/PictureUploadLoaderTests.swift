import Foundation
import Images
import ShellTesting
import TestSupport
import Testing

/// The notes about pictures before they are sent, and their conversion.
@Suite(.timeLimit(Trial.limit)) struct PictureUploadLoaderTests {
  /// Red, green and blue in 48 by 32 pixels, by heif-enc 1.15.1.
  private static let heic = """
    AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAa1tZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAAA5waXRtAAAA
    AAACAAAAEGlkYXQAAAAAADAAIAAAADhpbG9jAQAAAERAAAIAAQAAAAAAAAHRAAEAAAAAAAAAOwACAAEAAAAAAAAAAQAAAAAAAAAIAAAAOGlpbmYA
    AAAAAAIAAAAVaW5mZQIAAAEAAQAAaHZjMQAAAAAVaW5mZQIAAAAAAgAAZ3JpZAAAAADYaXBycAAAALZpcGNvAAAAdmh2Y0MBA3AAAAAAAAAAAAAe
    8AD8/fj4AAAPAyAAAQAYQAEMAf//A3AAAAMAkAAAAwAAAwAeugJAIQABACpCAQEDcAAAAwCQAAADAAADAB6gIIEFlurkprm4EBAwIAAAAwAgAAAD
    ACEiAAEABkQBwXPAiQAAABRpc3BlAAAAAAAAAEAAAABAAAAAFGlzcGUAAAAAAAAAMAAAACAAAAAQcGl4aQAAAAADCAgIAAAAGmlwbWEAAAAAAAAA
    AgABAoECAAICA4QAAAAaaXJlZgAAAAAAAAAOZGltZwACAAEAAQAAAENtZGF0AAAANygBrxOA5TH3/ttT/xOw/xBhlf5ZgWA9ztaxq/j0Eafk/TdW
    voKJ/uxUkTL/jkMQbNASyyG5k/A=
    """

  /// Returns a JPEG that is rotated: tag 0x0112 has the value 6.
  private static func onItsSide(_ jpeg: Data) -> Data {
    let exif: [UInt8] =
      Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]
    return jpeg.prefix(2) + Data([0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif) + jpeg.dropFirst(2)
  }

  @Test func notesBeforeUploadEqualGolden() async throws {
    try await Sandbox.with { sandbox in
      let mug = ProductArt.draw(.mug, palette: 7, side: 256)
      let files: [(String, Data)] = [
        ("mug.png", try mug.png()), ("again.jpg", try mug.jpeg(quality: 70)),
        ("small.png", try mug.scaled(toFit: 128).png()),
        ("side.jpg", Self.onItsSide(try mug.scaled(width: 300, height: 200).jpeg(quality: 80))),
        ("phone.heic", Data(base64Encoded: Self.heic, options: .ignoreUnknownCharacters) ?? Data()),
        ("notes.txt", Data("no picture".utf8)), ("cut.gif", Data("GIF89a".utf8)),
      ]
      for (name, bytes) in files { try bytes.write(to: URL(fileURLWithPath: sandbox.folder + "/" + name)) }
      var said = ""
      for images in ["mug.png", "mug.png,again.jpg,small.png", "side.jpg", "phone.heic", "notes.txt", "cut.gif"] {
        let paths = images.split(separator: ",").map { "~/" + $0 }.joined(separator: ",")
        let line = "dry new name='사진 상품' description='사진을 여러 가지로 붙여 봅니다' price=1000 currency=KRW images=\(paths)"
        said += "> … images=\(paths)\n" + (await sandbox.run(line))
      }
      try Golden("pictures").check(said)
    }
  }
}
