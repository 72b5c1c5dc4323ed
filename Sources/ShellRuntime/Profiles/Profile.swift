import Foundation
import MarketAPI
import Networking
import Platform
import WeatherAPI
import WriteJournal

extension Profile {
  /// The keys of the values in the file that aren't settings.
  private static let placeKeys = (chosen: "place", named: "places")

  /// The keys of a profile in the file.
  static let keys = ProfileSetting.all.map(\.name) + [placeKeys.chosen, placeKeys.named]

  init(_ table: SettingsTable) throws(FileError) {
    self.init()
    try table.check(keys: Profile.keys)
    for setting in ProfileSetting.all { try setting.decode(table, &self) }
    try setPlaces(table)
  }

  /// Sets the places of `weather` to those of a table.
  private mutating func setPlaces(_ table: SettingsTable) throws(FileError) {
    if let place = try table.table(Profile.placeKeys.chosen) { self.place = try WeatherAPI.Place(place) }
    if let places = try table.table(Profile.placeKeys.named) {
      var named: [String: WeatherAPI.Place] = [:]
      for name in places.values.keys {
        if let place = try places.table(name) { named[name] = try WeatherAPI.Place(place) }
      }
      self.places = named
    }
  }

  var toml: [String: TOML] {
    var values: [String: TOML] = [:]
    for setting in ProfileSetting.all { values[setting.name] = setting.encode(self) }
    return values.merging(placeValues) { $1 }
  }

  private var placeValues: [String: TOML] {
    var values: [String: TOML] = [:]
    values[Profile.placeKeys.chosen] = place.map { .table($0.toml) }
    values[Profile.placeKeys.named] = places.map { .table($0.mapValues { .table($0.toml) }) }
    return values
  }

  /// The places of `weather` as TOML, or `nil` if there are none.
  package var weatherTOML: String? { placeValues.isEmpty ? nil : TOML.serialized(placeValues) }

  /// Sets the places of `weather` to those of TOML.
  ///
  /// - Throws: `FileError.syntax` for text that isn't that of places.
  package mutating func setWeather(_ text: String) throws(FileError) {
    let file = try SettingsFile(parsing: text, at: Profile.placeKeys.chosen)
    let table = try SettingsTable(file, .table(file.root), at: [])
    try table.check(keys: [Profile.placeKeys.chosen, Profile.placeKeys.named])
    (place, places) = (nil, nil)
    try setPlaces(table)
  }
}

/// A named server with its settings, as stored in `profiles.toml`.
package struct Profile: Hashable, Sendable {
  /// The base URL, or `nil` for the embedded market.
  package var url: String?
  /// Other URLs of the same server, separated by commas.
  package var also: String?
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
  /// The command line of the program that prints the vendor's secret.
  package var secretCommand: String?
  /// The rule for sending secrets over plain `http` to its server, if that is another machine.
  package var http: PlainHTTP?
  package var verify: Verification?
  package var calls: CallRecording?
  /// The approval that plan files need.
  package var apply: ApplyPolicy?
  /// The rule whether a signed plan needs two persons.
  package var two: TwoPersonRule?
  /// The default place of `weather`.
  package var place: WeatherAPI.Place?
  /// The coordinates of named places.
  package var places: [String: WeatherAPI.Place]?

  package init(
    url: String? = nil, api: String? = nil, confirm: ConfirmationPolicy? = nil, access: AccessMode? = nil,
    vendorID: Int? = nil,
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

  /// Returns whether a URL is one of `also`, by scheme, host and port.
  func names(_ address: URL?) -> Bool {
    guard let address, let also else { return false }
    return also.split(separator: ",").contains { text in
      ServerAddress(String(text)).map { Profile.server(of: $0.url) == Profile.server(of: address) } ?? false
    }
  }

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
