import Foundation
import Marketplace
import Networking
import TOMLKit

/// The vendors' credentials by profile, in a file of its own that only its owner can read (0600, or it is refused).
package struct CredentialStore: Sendable {
  private struct Entry: Codable {
    var identifier: String?
    var secret: String?
  }
  private struct File: Codable {
    var vendors: [String: Entry]
  }

  private let path: String

  package init(_ home: Home) { path = home.credentialsFile }

  package func load(_ profile: String) throws(FileError) -> Credentials? {
    guard let entry = try entries()[profile] else { return nil }
    var credentials = Credentials()
    credentials.identifier = entry.identifier
    credentials.secret = entry.secret.flatMap { Secret($0) }
    return credentials
  }

  /// Keeps the credentials of a profile; nil forgets them.
  package func save(_ credentials: Credentials?, for profile: String) throws(FileError) {
    var entries = try entries()
    entries[profile] = credentials.map { Entry(identifier: $0.identifier, secret: $0.secret?.reveal()) }
    try Files.makeFolder((path as NSString).deletingLastPathComponent)
    do {
      let text = try TOMLEncoder().encode(File(vendors: entries))
      try Files.write(Data((text + "\n").utf8), to: path, mode: 0o600)
    } catch let error as FileError {
      throw error
    } catch {
      throw .malformed(path: path, reason: "cannot be written")
    }
  }

  private func entries() throws(FileError) -> [String: Entry] {
    guard let text = try Files.text(path, secret: true) else { return [:] }
    do {
      return try TOMLDecoder().decode(File.self, from: text).vendors
    } catch {
      // The parser's words could quote a line with a secret.
      throw .malformed(path: path, reason: "not valid TOML")
    }
  }
}
