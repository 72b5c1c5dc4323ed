import Foundation
import MarketAPI
import Platform

/// The descriptions of markets that `contract writes` has proven, each with its server.
///
/// A proof is for the text of a file and for a URL: after a change of either, the description is a claim again.
package struct DescriptionProofs {
  /// The maximum size of the list in bytes.
  private static let limit = 1 << 20

  private let home: AppDirectories

  package init(_ home: AppDirectories) { self.home = home }

  /// Returns whether the description was proven at a server.
  ///
  /// A list that can't be read proves nothing.
  package func contain(_ market: MarketDescription, at url: URL?) -> Bool {
    guard let url else { return false }
    return lines.contains { $0.hasPrefix("\(market.digest) \(url.absoluteString) ") }
  }

  /// Returns whether an earlier text of the file was proven at a server.
  package func containEarlier(_ market: MarketDescription, at url: URL?) -> Bool {
    guard let line = DescriptionProofs.line(market, at: url) else { return false }
    let place = line.dropFirst(market.digest.count)
    return lines.contains { $0.hasSuffix(place) && $0 != line }
  }

  /// Stores that the description was proven at a server.
  ///
  /// - Throws: `FileError` if the list can't be written.
  package func insert(_ market: MarketDescription, at url: URL?) throws {
    guard let line = DescriptionProofs.line(market, at: url), !lines.contains(line) else { return }
    try Files.createHomeFolder(home.state)
    try Files.write(Data((lines + [line]).map { $0 + "\n" }.joined().utf8), to: home.provenDescriptionsFile)
  }

  private var lines: [String] {
    let text = (try? Files.text(home.provenDescriptionsFile, limit: DescriptionProofs.limit)) ?? nil
    return (text ?? "").split(separator: "\n").map(String.init)
  }

  /// Returns the line of a proof: the checksum of the text, the URL, the list and the name of the file.
  private static func line(_ market: MarketDescription, at url: URL?) -> String? {
    guard let url, !market.file.contains(where: \.isNewline) else { return nil }
    return "\(market.digest) \(url.absoluteString) \(market.resource) \(market.file)"
  }
}
