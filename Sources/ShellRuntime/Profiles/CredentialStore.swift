import Foundation
import MarketAPI
import Networking
import Platform

/// The vendors' credentials by profile, in a file that must be readable only by its owner (0600).
package struct CredentialStore: Sendable {
  fileprivate struct Entry {
    var identifier: String?
    var secret: String?
    var weatherKey: String?

    init() {}

    var isEmpty: Bool { identifier == nil && secret == nil && weatherKey == nil }
  }

  private let path: String

  package init(_ home: AppDirectories) { path = home.credentialsFile }

  /// Returns the saved credentials of a profile, or `nil` if there are none.
  ///
  /// - Throws: `FileError`, which is `.insecurePermissions` if other users can read the file.
  package func load(_ profile: String) throws(FileError) -> Credentials? {
    guard let entry = try entries()[profile] else { return nil }
    var credentials = Credentials()
    credentials.identifier = entry.identifier
    credentials.secret = entry.secret.flatMap { Secret(password: $0) }
    return credentials
  }

  /// Saves the credentials of a profile, or removes them with `nil`.
  ///
  /// - Throws: `FileError`, which is `.insecurePermissions` if other users can read the file.
  package func save(_ credentials: Credentials?, for profile: String) throws(FileError) {
    try change(profile) {
      $0.identifier = credentials?.identifier
      $0.secret = credentials?.secret?.reveal()
    }
  }

  /// Returns the secrets and weather keys of all profiles.
  ///
  /// - Throws: `FileError`, which is `.insecurePermissions` if other users can read the file.
  package func secrets() throws(FileError) -> [Secret] {
    try entries().values.flatMap { [$0.secret, $0.weatherKey] }.compactMap { $0.flatMap { Secret(password: $0) } }
  }

  /// Returns the profile's key for the weather service.
  ///
  /// - Throws: `FileError`, which is `.insecurePermissions` if other users can read the file.
  package func weatherKey(_ profile: String) throws(FileError) -> String? { try entries()[profile]?.weatherKey }

  /// Saves the profile's key for the weather service, or removes it with `nil`.
  ///
  /// - Throws: `FileError`, which is `.insecurePermissions` if other users can read the file.
  package func save(weatherKey: Secret?, for profile: String) throws(FileError) {
    try change(profile) { $0.weatherKey = weatherKey?.reveal() }
  }

  private func change(_ profile: String, _ alter: (inout Entry) -> Void) throws(FileError) {
    try Files.withExclusiveLock(at: path) { () throws(FileError) in try updateLocked(profile, alter) }
  }

  private func updateLocked(_ profile: String, _ alter: (inout Entry) -> Void) throws(FileError) {
    var entries = try entries()
    var entry = entries[profile] ?? Entry()
    alter(&entry)
    entries[profile] = entry.isEmpty ? nil : entry
    var root = try SettingsFile(path, secret: true)?.root ?? [:]
    root[CredentialStore.root] = .table(entries.mapValues { .table($0.toml) })
    if entries.isEmpty { root[CredentialStore.root] = nil }
    try Files.write(Data(SettingsFile.text(root).utf8), to: path, mode: 0o600)
  }

  private func entries() throws(FileError) -> [String: Entry] {
    guard let file = try SettingsFile(path, secret: true) else { return [:] }
    try SettingsTable(file, .table(file.root), at: []).check(
      keys: [SettingsFile.versionKey, CredentialStore.root], nested: (Entry.keys, "[\(CredentialStore.root).NAME]"),
      quotesKeys: false)
    var entries: [String: Entry] = [:]
    for (name, table) in try file.tables(in: CredentialStore.root) { entries[name] = try Entry(table) }
    return entries
  }

  private static let root = "vendors"
}

extension CredentialStore.Entry {
  fileprivate static let keys = ["identifier", "secret", "weather_key"]

  fileprivate init(_ table: SettingsTable) throws(FileError) {
    try table.check(keys: CredentialStore.Entry.keys, quotesKeys: false)
    identifier = try table.text("identifier")
    secret = try table.text("secret")
    weatherKey = try table.text("weather_key")
  }

  fileprivate var toml: [String: TOML] {
    var values: [String: TOML] = [:]
    values["identifier"] = identifier.map { .string($0) }
    values["secret"] = secret.map { .string($0) }
    values["weather_key"] = weatherKey.map { .string($0) }
    return values
  }
}
