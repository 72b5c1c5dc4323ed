import Foundation
import MarketAPI
import Networking
import Platform

/// The descriptions of markets that `contract writes` has proven, each with its server.
///
/// A proof is for the text of a file and for a URL: after a change of either, the description is a claim again.
package struct DescriptionProofs {
  package static let version = 1
  private static let head = JSON.object([("openmarket", .string("proofs")), ("version", .int(version))]).serialized

  /// The maximum size of the list in bytes.
  private static let limit = 1 << 20

  private let home: AppDirectories

  package init(_ home: AppDirectories) { self.home = home }

  /// Returns whether the description was proven at a server.
  ///
  /// A list that can't be read proves nothing.
  package func contain(_ market: MarketDescription, at url: URL?) -> Bool {
    guard let url, let proofs else { return false }
    return proofs.contains { $0.digest == market.digest && $0.url == url.absoluteString }
  }

  /// Returns whether an earlier text of the file was proven at a server.
  package func containEarlier(_ market: MarketDescription, at url: URL?) -> Bool {
    guard let proof = Proof(market, at: url), let proofs else { return false }
    return proofs.contains {
      $0.digest != proof.digest && ($0.url, $0.resource, $0.file) == (proof.url, proof.resource, proof.file)
    }
  }

  /// Stores that the description was proven at a server.
  ///
  /// - Throws: `FileError` if the list can't be written.
  package func insert(_ market: MarketDescription, at url: URL?) throws(FileError) {
    guard let proof = Proof(market, at: url) else { return }
    try Files.createHomeFolder(home.state)
    try Files.withExclusiveLock(at: home.provenDescriptionsFile) { () throws(FileError) in
      // A list written by a newer program isn't changed; the description then counts as not proven.
      guard let proofs, !proofs.contains(proof) else { return }
      let text = ([DescriptionProofs.head] + (proofs + [proof]).map(\.line)).map { $0 + "\n" }.joined()
      try Files.write(Data(text.utf8), to: home.provenDescriptionsFile, mode: 0o600)
    }
  }

  /// The proofs of the list, or `nil` if a newer program wrote it.
  private var proofs: [Proof]? {
    guard let text = (try? Files.text(home.provenDescriptionsFile, limit: DescriptionProofs.limit)) ?? nil else {
      return []
    }
    let objects = text.split(separator: "\n").map { (try? JSON(parsing: Data($0.utf8)))?.object }
    if let version = (try? objects.first??.int("version")) ?? nil, version > DescriptionProofs.version { return nil }
    return objects.dropFirst().compactMap { $0.flatMap(Proof.init) }
  }

  /// A line of the list: the checksum of the text that was proven, and the server, list and file that it is for.
  private struct Proof: Hashable {
    var digest: String
    var url: String
    var resource: String
    var file: String

    init?(_ market: MarketDescription, at url: URL?) {
      guard let url else { return nil }
      (digest, self.url, resource, file) = (market.digest, url.absoluteString, "\(market.resource)", market.file)
    }

    init?(_ object: JSONObject) {
      func text(_ name: String) -> String? { (try? object.string(name)) ?? nil }
      guard let digest = text("digest"), let url = text("base_url"), let resource = text("resource"),
        let file = text("file")
      else { return nil }
      (self.digest, self.url, self.resource, self.file) = (digest, url, resource, file)
    }

    var line: String {
      JSON.object([
        ("digest", .string(digest)), ("base_url", .string(url)), ("resource", .string(resource)),
        ("file", .string(file)),
      ]).serialized
    }
  }
}
