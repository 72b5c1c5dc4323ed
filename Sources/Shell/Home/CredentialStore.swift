import Foundation
import Marketplace
import Networking
import TOMLKit

/// The vendors' credentials by profile, in a file of its own that only its owner can read (0600, or it is refused).
package struct CredentialStore: Sendable {
  private struct Entry: Codable {
    var identifier: String?
    var secret: String?
    var weatherKey: String?

    var isEmpty: Bool { identifier == nil && secret == nil && weatherKey == nil }

    enum CodingKeys: String, CodingKey {
      case identifier, secret
      case weatherKey = "weather_key"
    }
  }
  private struct File: Codable {
    /// Absent when nobody is logged in anywhere: an empty table is written as nothing.
    var vendors: [String: Entry]?
  }

  private let path: String

  package init(_ home: Home) { path = home.credentialsFile }

  package func load(_ profile: String) throws(FileError) -> Credentials? {
    guard let entry = try entries()[profile] else { return nil }
    var credentials = Credentials()
    credentials.identifier = entry.identifier
    credentials.secret = entry.secret.flatMap { Secret(password: $0) }
    return credentials
  }

  /// Keeps the credentials of a profile; nil forgets them.
  package func save(_ credentials: Credentials?, for profile: String) throws(FileError) {
    try change(profile) {
      $0.identifier = credentials?.identifier
      $0.secret = credentials?.secret?.reveal()
    }
  }

  /// The key of the weather service that the profile uses.
  package func weatherKey(_ profile: String) throws(FileError) -> String? { try entries()[profile]?.weatherKey }

  /// Keeps the key of the weather service; nil forgets it.
  package func save(weatherKey: Secret?, for profile: String) throws(FileError) {
    try change(profile) { $0.weatherKey = weatherKey?.reveal() }
  }

  private func change(_ profile: String, _ alter: (inout Entry) -> Void) throws(FileError) {
    try Files.alone(at: path) { () throws(FileError) in try changeAlone(profile, alter) }
  }

  private func changeAlone(_ profile: String, _ alter: (inout Entry) -> Void) throws(FileError) {
    var entries = try entries()
    var entry = entries[profile] ?? Entry()
    alter(&entry)
    entries[profile] = entry.isEmpty ? nil : entry
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
      return try TOMLDecoder().decode(File.self, from: text).vendors ?? [:]
    } catch {
      // The parser's words could quote a line with a secret.
      throw .malformed(path: path, reason: "not valid TOML")
    }
  }
}
