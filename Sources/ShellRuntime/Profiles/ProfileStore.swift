import CommandLanguage
import Foundation
import Platform
import Text
import WeatherAPI

/// The user's profiles.
///
/// They are read at the start, and written when one is added, changed or removed.
package struct ProfileStore: Sendable {
  private let path: String

  package init(_ home: AppDirectories) { path = home.profilesFile }

  /// Returns all profiles by name, always including `demo`.
  ///
  /// - Throws: `FileError`, which is `.syntax` for an invalid line and for an unknown key or table, because a misspelt
  ///   `access` would allow what it was to forbid.
  package func load() throws(FileError) -> [String: Profile] {
    var profiles: [String: Profile] = [:]
    if let file = try SettingsFile(path) {
      try SettingsTable(file, .table(file.root), at: []).check(
        keys: [SettingsFile.versionKey, ProfileStore.defaultKey, ProfileStore.root],
        nested: (Profile.keys, "[\(ProfileStore.root).NAME]"))
      for (name, table) in try file.tables(in: ProfileStore.root) { profiles[name] = try Profile(table) }
    }
    if profiles[ServerConfiguration.demo] == nil { profiles[ServerConfiguration.demo] = ProfileStore.demo }
    // The demo profile is always the embedded market, whatever an edited file says, because it is the default.
    profiles[ServerConfiguration.demo]?.url = nil
    return profiles
  }

  /// Returns one profile, or `nil` if none has the name.
  ///
  /// Without a file there is only `demo`.
  ///
  /// - Throws: `FileError`, which is `.syntax` for an invalid line.
  package func profile(named name: String) throws(FileError) -> Profile? {
    guard try Files.text(path) != nil else { return name == ServerConfiguration.demo ? ProfileStore.demo : nil }
    return try load()[name]
  }

  /// The profile that the shell starts in; nil for the embedded market's.
  ///
  /// - Throws: `FileError`, `.syntax` for what cannot be understood.
  package func defaultName() throws(FileError) -> String? {
    guard let file = try SettingsFile(path) else { return nil }
    return try SettingsTable(file, .table(file.root), at: []).text(ProfileStore.defaultKey)
  }

  /// Chooses the profile that the shell starts in; nil is the embedded market's.
  ///
  /// - Throws: `FileError`; the file is then as it was.
  package func setDefault(_ name: String?) throws(FileError) {
    try Files.withExclusiveLock(at: path) { () throws(FileError) in try save(try load(), startingIn: name) }
  }

  private static let defaultKey = "default"
  private static let root = "profiles"
  private static let demo = Profile()

  /// Sets or removes a profile.
  ///
  /// All others stay the same, even if another shell changes them at the same time. A removed profile is no longer the
  /// default.
  ///
  /// - Throws: `FileError`; the file is then unchanged.
  package func set(_ name: String, _ profile: Profile?) throws(FileError) {
    try Files.withExclusiveLock(at: path) { () throws(FileError) in
      var profiles = try load()
      profiles[name] = profile
      let start = try defaultName()
      try save(profiles, startingIn: profile == nil && start == name ? nil : start)
    }
  }

  /// Updates a profile with a value received from a server, if the profile still belongs to that server.
  ///
  /// - Throws: `FileError`; the file is then unchanged.
  package func update(about name: String, at address: URL?, _ alter: (inout Profile) -> Void) throws(FileError) {
    try Files.withExclusiveLock(at: path) { () throws(FileError) in
      var profiles = try load()
      guard var profile = profiles[name], profile.isAt(address) else { return }
      alter(&profile)
      profiles[name] = profile
      try save(profiles, startingIn: try defaultName())
    }
  }

  /// Writes all profiles.
  ///
  /// - Throws: `FileError`; the file is then as it was.
  package func save(_ profiles: [String: Profile], startingIn start: String? = nil) throws(FileError) {
    var root = try SettingsFile(path)?.root ?? [:]
    root[ProfileStore.root] = .table(profiles.mapValues { .table($0.toml) })
    root[ProfileStore.defaultKey] = start.map { .string($0) }
    try Files.createHomeFolder(Paths.parent(of: path))
    try Files.write(Data(SettingsFile.text(root).utf8), to: path, mode: 0o600)
  }
}

extension WeatherAPI.Place {
  package init(_ table: SettingsTable) throws(FileError) {
    try table.check(keys: ["latitude", "longitude", "name", "name_ko", "country", "state"])
    guard let latitude = try table.number("latitude"), let longitude = try table.number("longitude"),
      let coordinate = try? Coordinate(latitude: latitude, longitude: longitude)
    else {
      throw table.fault(
        "latitude",
        LocalizedText(
          "a place needs a latitude from -90 to 90 and a longitude from -180 to 180",
          ko: "장소에는 위도(-90~90)와 경도(-180~180)가 있어야 합니다"))
    }
    self.init(
      coordinate, name: try table.text("name"), koreanName: try table.text("name_ko"),
      country: try table.text("country"), state: try table.text("state"))
  }

  var toml: [String: TOML] {
    var values: [String: TOML] = [
      "latitude": .decimal(coordinate.latitude.description),
      "longitude": .decimal(coordinate.longitude.description),
    ]
    values["name"] = name.map { .string($0) }
    values["name_ko"] = koreanName.map { .string($0) }
    values["country"] = country.map { .string($0) }
    values["state"] = state.map { .string($0) }
    return values
  }
}

extension SettingsTable {
  /// Checks that the table has no other keys than these.
  ///
  /// - Parameters:
  ///   - keys: The keys, and the names of nested tables.
  ///   - nested: The keys of a nested table, and its heading, for a key that was written outside of it.
  ///   - quotesKeys: Whether an unknown key is quoted, which may be a secret in the wrong place.
  /// - Throws: `FileError.syntax` with the line of the first other key and the most similar one.
  package func check(
    keys: [String], nested: (keys: [String], heading: String)? = nil, quotesKeys: Bool = true
  ) throws(FileError) {
    for key in values.keys.sorted() where !keys.contains(key) {
      let list = keys.joined(separator: ", ")
      let shown: (english: StyledText, korean: StyledText) =
        quotesKeys ? ("unknown key \(.foreign(key))", "알 수 없는 키 \(.foreign(key))") : ("unknown key", "알 수 없는 키")
      if let nested, nested.keys.contains(key) {
        throw fault(
          key,
          LocalizedText(
            "\(.foreign(key)) belongs below a heading \(.command(nested.heading))",
            ko: "\(.foreign(key)) 설정은 \(.command(nested.heading)) 아래에 씁니다"))
      }
      guard let near = SpellingSuggester.closest(key, in: keys) else {
        throw fault(
          key, LocalizedText("\(shown.english); use one of \(list)", ko: "\(shown.korean); 쓸 수 있는 키: \(list)"))
      }
      throw fault(
        key,
        LocalizedText(
          "\(shown.english) (did you mean \(.field(near))?)",
          ko: "\(shown.korean) (\(.field(near), .object) 뜻하셨나요?)"))
    }
  }
}
