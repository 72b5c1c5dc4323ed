import Foundation
import MarketAPI
import Networking
import Platform

/// The detected editions of servers without a profile, by base URL, so that each is detected only once.
///
/// It is a cache: if it can't be read or written, editions are detected again.
package struct DetectedEditions: Sendable {
  private static let maximumCount = 200
  private let path: String

  package init(_ home: AppDirectories) { path = home.cache + "/editions.json" }

  /// Returns the detected edition of a server, or `nil` if there is none.
  package func edition(at url: URL) -> Edition? { load()[url.absoluteString].flatMap { Edition(rawValue: $0) } }

  /// Stores the edition of a server, or removes it.
  package func set(_ edition: Edition?, at url: URL) {
    var editions = load()
    if editions.count >= DetectedEditions.maximumCount { editions = [:] }
    editions[url.absoluteString] = edition?.rawValue
    let json = JSON.object(editions.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
    try? Files.createDirectory(Paths.parent(of: path))
    try? Files.write(Data(json.serialized.utf8), to: path, mode: 0o600)
  }

  private func load() -> [String: String] {
    guard let data = try? Files.read(path, limit: 1 << 20), let object = (try? JSON(parsing: data))?.object else {
      return [:]
    }
    var editions: [String: String] = [:]
    for key in object.keys { if case .string(let name)? = object[key] { editions[key] = name } }
    return editions
  }
}
