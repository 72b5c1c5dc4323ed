import Foundation
import MarketAPI
import Platform
import ShellRuntime
import Testing

/// The list of descriptions that were proven, which several shells and versions of the program have in common.
final class DescriptionProofsTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "proofs-\(UUID())").path
  private var home: AppDirectories { AppDirectories(folder: folder) }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private static func market(_ digest: String) throws -> MarketDescription {
    let path = try #require(RequestPath("/items"))
    return MarketDescription(
      name: "there", file: "there.toml", digest: digest, id: try #require(JSONPointer("/id")),
      list: MarketDescription.ListRule(path: path, recordsPosition: "there.toml: line 1"),
      read: MarketDescription.ReadRule(path: path, position: "there.toml: line 2"))
  }

  private static let url = URL(string: "https://there.example")

  /// A proof is for one text and one URL, and no shell loses that of another.
  @Test func proofIsOfATextAndAURL() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<24 {
        group.addTask { [home] in try DescriptionProofs(home).insert(Self.market("\(number)"), at: Self.url) }
      }
      try await group.waitForAll()
    }
    let proofs = DescriptionProofs(home)
    for number in 0..<24 { #expect(proofs.contain(try Self.market("\(number)"), at: Self.url)) }
    #expect(!proofs.contain(try Self.market("24"), at: Self.url))
    #expect(!proofs.contain(try Self.market("1"), at: URL(string: "https://there.example:81")))
    #expect(!proofs.contain(try Self.market("1"), at: nil))
    let path = home.provenDescriptionsFile
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.hasPrefix(#"{"openmarket":"proofs","version":1}"# + "\n{"))
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  /// The list of a newer program proves nothing and isn't changed.
  @Test func newerListIsKept() throws {
    try DescriptionProofs(home).insert(Self.market("1"), at: Self.url)
    let path = home.provenDescriptionsFile
    let newer = try String(contentsOfFile: path, encoding: .utf8).replacing(#""version":1"#, with: #""version":2"#)
    try newer.write(toFile: path, atomically: true, encoding: .utf8)
    #expect(!DescriptionProofs(home).contain(try Self.market("1"), at: Self.url))
    try DescriptionProofs(home).insert(Self.market("2"), at: Self.url)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == newer)
  }
}
