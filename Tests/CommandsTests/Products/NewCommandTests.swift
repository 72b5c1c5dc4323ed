import Foundation
import ShellTesting
import TestSupport
import Testing

/// `new` and the files of its images.
@Suite(.timeLimit(Trial.limit)) struct NewCommandTests {
  /// The path of an image may have an `@`, as in curl: the file is sent and not read as text.
  @Test(arguments: [
    ("~/cup.png", 1), ("@~/cup.png", 1), ("@~/cup.png,@~/big.png", 2), ("@~/cup.png,~/big.png", 2),
  ])
  func imagePathMayHaveAnAtSign(_ images: String, _ count: Int) async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writePictures()
      let said = await sandbox.run(
        "new name=cup description='A cup for tea.' price=500 currency=KRW stock=1 images=\(images) yes")
      #expect(said.contains("Created product 142."), "\(said)")
      let shown = await sandbox.run("show 142 images as json")
      #expect(shown.components(separatedBy: "\"url\"").count - 1 == count, "\(shown)")
    }
  }
}
