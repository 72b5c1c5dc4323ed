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
    guard let line = DescriptionProofs.line(market, at: url) else { return false }
    return lines?.contains(line) ?? false
  }

  /// Stores that the description was proven at a server.
  ///
  /// - Throws: `FileError` if the list can't be written.
  package func insert(_ market: MarketDescription, at url: URL?) throws(FileError) {
    guard let line = DescriptionProofs.line(market, at: url) else { return }
    try Files.createHomeFolder(home.state)
    try Files.withExclusiveLock(at: home.provenDescriptionsFile) { () throws(FileError) in
      // A list written by a newer program isn't changed; the description then counts as not proven.
      guard let lines, !lines.contains(line) else { return }
      let text = ([DescriptionProofs.head] + lines + [line]).map { $0 + "\n" }.joined()
      try Files.write(Data(text.utf8), to: home.provenDescriptionsFile, mode: 0o600)
    }
  }

  /// The lines of the list after its head, or `nil` if a newer program wrote it.
  private var lines: [String]? {
    guard let text = (try? Files.text(home.provenDescriptionsFile, limit: DescriptionProofs.limit)) ?? nil else {
      return []
    }
    let lines = text.split(separator: "\n").map(String.init)
    let head = lines.first.flatMap { try? JSON(parsing: Data($0.utf8)) }?.object
    if let version = (try? head?.int("version")) ?? nil, version > DescriptionProofs.version { return nil }
    return Array(lines.dropFirst())
  }

  private static func line(_ market: MarketDescription, at url: URL?) -> String? {
    url.map { JSON.object([("digest", .string(market.digest)), ("base_url", .string($0.absoluteString))]).serialized }
  }
}
