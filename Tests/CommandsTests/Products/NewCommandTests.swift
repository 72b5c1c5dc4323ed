import Catalog
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

  /// A copy has the values and images of the product, and in their place what the line has.
  @Test(arguments: [
    ("42", ""), ("@1", ""), ("_", ""), ("42", "name='찻잔, 파랑' stock=3"), ("42", "sale=30000"),
    ("42", "images=~/cup.png"),
  ])
  func productIsCopied(_ target: String, _ assignments: String) async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writePictures()
      _ = await sandbox.run("ls where id=42")
      _ = await sandbox.run("show 42")
      let original = try #require(await sandbox.product(42))
      let said = await sandbox.run("new from \(target) \(assignments) yes")
      #expect(said.contains("Created product 142."), "\(said)")
      let copy = try #require(await sandbox.product(142))
      #expect(copy.name == (assignments.hasPrefix("name") ? "찻잔, 파랑" : original.name))
      #expect(copy.stock == (assignments.hasPrefix("name") ? 3 : original.stock))
      #expect(copy.sale == (assignments.hasPrefix("sale") ? 30_000 : original.sale))
      #expect(copy.description == original.description && copy.price == original.price)
      #expect(copy.images?.count == (assignments.hasPrefix("images") ? 1 : original.images?.count))
      for picture in copy.images ?? [] { #expect(try await !sandbox.picture(at: picture.url).isEmpty) }
    }
  }

  /// A number is a product, also if a file is called so; a path is a file.
  @Test func numberIsAProductAndAPathIsAFile() async throws {
    try await Sandbox.with { sandbox in
      let missing = await sandbox.run("new from 999999 yes")
      #expect(missing.contains("Product 999999 does not exist"), "\(missing)")
      let file = await sandbox.run("new from ./999999 yes")
      #expect(file.contains("999999") && !file.contains("Product 999999"), "\(file)")
    }
  }
}
