import Foundation
import Journal
import Platform
import Text
import Weather

/// The user's profiles.
///
/// They are read at the start, and written when one is added, changed or removed.
package struct ProfileStore: Sendable {
  private let path: String

  package init(_ home: AppDirectories) { path = home.profilesFile }

  /// Returns all profiles by name, always including `demo`.
  ///
  /// - Throws: `FileError`, which is `.badLine` for an invalid line.
  package func load() throws(FileError) -> [String: Profile] {
    var profiles: [String: Profile] = [:]
    if let file = try SettingsFile(path) {
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
  /// - Throws: `FileError`, which is `.badLine` for an invalid line.
  package func profile(named name: String) throws(FileError) -> Profile? {
    guard try Files.text(path) != nil else { return name == ServerConfiguration.demo ? ProfileStore.demo : nil }
    return try load()[name]
  }

  /// The profile that the shell starts in; nil for the embedded market's.
  ///
  /// - Throws: `FileError`, `.badLine` for what cannot be understood.
  package func defaultName() throws(FileError) -> String? {
    guard case .string(let name)? = try SettingsFile(path)?.root[ProfileStore.defaultKey] else { return nil }
    return name
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

  /// Sets or removes one; every other stays as it is, whichever shell changes it meanwhile. The shell no longer starts in one
  /// that is removed.
  ///
  /// All others stay the same, even if another shell changes them at the same time.
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
    let old = try SettingsFile(path)
    let tables = try old?.tables(in: ProfileStore.root) ?? [:]
    var root = old?.root ?? [:]
    var written: [String: TOML] = [:]
    for (name, profile) in profiles {
      let foreign = (tables[name]?.values ?? [:]).filter { Profile.Key(rawValue: $0.key) == nil }
      written[name] = .table(foreign.merging(profile.toml) { $1 })
    }
    root[ProfileStore.root] = .table(written)
    root[ProfileStore.defaultKey] = start.map { .string($0) }
    try Files.createDirectory(Paths.parent(of: path))
    try Files.write(Data(SettingsFile.text(root).utf8), to: path, mode: 0o600)
  }
}

extension Profile {
  /// The names of the values in the file.
  fileprivate enum Key: String, CaseIterable {
    case url, api, confirm, access, settle, timeout, proxy, ca, http, verify, calls, place, places
    case vendorID = "vendor_id"
  }

  fileprivate init(_ table: SettingsTable) throws(FileError) {
    self.init(
      url: try table.text(Key.url.rawValue), api: try table.text(Key.api.rawValue),
      confirm: try table.enumeration(Key.confirm.rawValue), access: try table.enumeration(Key.access.rawValue),
      vendorID: try table.integer(Key.vendorID.rawValue), settle: try table.integer(Key.settle.rawValue))
    timeout = try table.integer(Key.timeout.rawValue)
    proxy = try table.text(Key.proxy.rawValue)
    ca = try table.text(Key.ca.rawValue)
    http = try table.enumeration(Key.http.rawValue)
    verify = try table.enumeration(Key.verify.rawValue)
    calls = try table.enumeration(Key.calls.rawValue)
    if let place = try table.table(Key.place.rawValue) { self.place = try Weather.Place(place) }
    if let places = try table.table(Key.places.rawValue) {
      var named: [String: Weather.Place] = [:]
      for name in places.values.keys {
        if let place = try places.table(name) { named[name] = try Weather.Place(place) }
      }
      self.places = named
    }
  }

  fileprivate var toml: [String: TOML] {
    var values: [Key: TOML?] = [
      .url: url.map { .string($0) }, .api: api.map { .string($0) }, .confirm: confirm.map { .string($0.rawValue) },
      .access: access.map { .string($0.rawValue) }, .settle: settle.map { .integer($0) },
      .timeout: timeout.map { .integer($0) }, .proxy: proxy.map { .string($0) }, .ca: ca.map { .string($0) },
      .verify: verify.map { .string($0.rawValue) }, .calls: calls.map { .string($0.rawValue) },
      .vendorID: vendorID.map { .integer($0) }, .http: http.map { .string($0.rawValue) },
    ]
    values[.place] = place.map { .table($0.toml) }
    values[.places] = places.map { .table($0.mapValues { .table($0.toml) }) }
    var result: [String: TOML] = [:]
    for (key, value) in values { if let value { result[key.rawValue] = value } }
    return result
  }
}

extension Weather.Place {
  fileprivate init(_ table: SettingsTable) throws(FileError) {
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

  fileprivate var toml: [String: TOML] {
    var values: [String: TOML] = [
      "latitude": .float(coordinate.latitude), "longitude": .float(coordinate.longitude),
    ]
    values["name"] = name.map { .string($0) }
    values["name_ko"] = koreanName.map { .string($0) }
    values["country"] = country.map { .string($0) }
    values["state"] = state.map { .string($0) }
    return values
  }
}

/// A named server with its settings, as stored in `profiles.toml`.
package struct Profile: Hashable, Sendable {
  /// The base URL, or `nil` for the embedded market.
  package var url: String?
  package var api: String?
  package var confirm: ConfirmationPolicy?
  package var access: AccessMode?
  package var vendorID: Int?
  /// The confirmation window in seconds, within which a write that was given up may still take effect.
  package var settle: Int?
  /// The timeout for a response in seconds; for a write it is the minimum.
  package var timeout: Int?
  /// The proxy as `http://HOST:PORT`.
  package var proxy: String?
  /// The file of certificates that are trusted in addition to the system's.
  package var ca: String?
  /// The rule for sending secrets over plain `http` to its server, if that is another machine.
  package var http: PlainHTTP?
  package var verify: Verification?
  package var calls: CallRecording?
  /// The default place of `weather`.
  package var place: Weather.Place?
  /// The coordinates of named places.
  package var places: [String: Weather.Place]?

  package init(
    url: String? = nil, api: String? = nil, confirm: ConfirmationPolicy? = nil, access: AccessMode? = nil, vendorID: Int? = nil,
    settle: Int? = nil
  ) {
    self.url = url
    self.api = api
    self.confirm = confirm
    self.access = access
    self.vendorID = vendorID
    self.settle = settle
  }
}

extension Profile {
  /// Returns whether a URL belongs to the profile's server, by scheme, host and port.
  ///
  /// `nil` is the embedded market.
  package func isAt(_ address: URL?) -> Bool { server == address.map(Profile.server) ?? [] }

  /// The scheme, host and port of the server, empty for the embedded market.
  package var server: [String] {
    guard let url else { return [] }
    // An invalid URL that was edited by hand equals no other.
    return ServerAddress(url).map { Profile.server(of: $0.url) } ?? [url]
  }

  private static func server(of url: URL) -> [String] {
    let scheme = url.scheme?.lowercased() ?? ""
    return [scheme, url.host?.lowercased() ?? "", String(url.port ?? (scheme == "https" ? 443 : 80))]
  }
}
