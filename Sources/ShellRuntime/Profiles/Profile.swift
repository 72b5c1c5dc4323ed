import Foundation
import Platform
import WeatherAPI
import WriteJournal

extension Profile {
  /// The names of the values in the file.
  enum Key: String, CaseIterable {
    case url, api, confirm, access, settle, timeout, proxy, ca, http, verify, calls, place, places
    case vendorID = "vendor_id"
  }

  init(_ table: SettingsTable) throws(FileError) {
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
    if let place = try table.table(Key.place.rawValue) { self.place = try WeatherAPI.Place(place) }
    if let places = try table.table(Key.places.rawValue) {
      var named: [String: WeatherAPI.Place] = [:]
      for name in places.values.keys {
        if let place = try places.table(name) { named[name] = try WeatherAPI.Place(place) }
      }
      self.places = named
    }
  }

  var toml: [String: TOML] {
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
