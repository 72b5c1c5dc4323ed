import Catalog
import Foundation
import Journal
import Language
import Marketplace
import Networking
import Text

/// The server of the session: its profile, URL and edition, and what is allowed there.
package struct ServerConfiguration: Hashable, Sendable {
  package static let demo = "demo"

  /// The profile, or `nil` with `--url` without a profile.
  package var profile: Sourced<String>?
  /// The base URL, or `nil` for the embedded market, whose URL is known once it is listening.
  package var url: Sourced<URL>?
  /// The edition, or `nil` until it is detected.
  package var edition: Sourced<Edition>?
  package var confirm: Sourced<ConfirmationPolicy>
  package var access: Sourced<AccessMode>
  /// The profile's `settle`, in seconds.
  package var settleSeconds: Int?
  /// The timeout for a response in seconds, or `nil` for the default.
  package var timeout: Sourced<Int>?
  package var proxy: Sourced<ProxyAddress>?
  /// The file of certificates that are trusted in addition to the system's.
  package var ca: Sourced<String>?
  /// The time at which a confirmed write is verified by reading.
  package var verify = Sourced(Verification.batchEnd, .default)
  /// The profile's setting for recording exchanges for `calls`.
  ///
  /// The session's setting of that name can disable it too.
  package var calls = Sourced(CallRecording.on, .default)

  /// The rule for sending secrets over plain `http` to another machine.
  package var http = Sourced(PlainHTTP.ask, .default)
  /// A Boolean value that indicates whether the server has responded in the format of the edition.
  package var isEditionProven = false

  package init(
    profile: Sourced<String>?, url: Sourced<URL>?, edition: Sourced<Edition>?, confirm: Sourced<ConfirmationPolicy>,
    access: Sourced<AccessMode>
  ) {
    self.profile = profile
    self.url = url
    self.edition = edition
    self.confirm = confirm
    self.access = access
  }

  package var isEmbedded: Bool { url == nil }

  /// The name of the server in the prompt, in previews and in logs: the profile's name, or the host with its port.
  package var name: String { profile?.value ?? authority ?? ServerConfiguration.demo }

  /// The host if the connection is plain `http` to another machine, otherwise `nil`.
  package var plainHTTPHost: String? { url.flatMap { Loopback.openHost(of: $0.value) } }

  /// The host with its port, if the URL has one, or `nil` for the embedded market.
  package var authority: String? {
    guard let url = url?.value, let host = url.host else { return nil }
    let name = host.contains(":") ? "[\(host)]" : host
    return url.port.map { "\(name):\($0)" } ?? name
  }
}

extension ServerConfiguration {
  /// The edition's field names, with their meaning in that edition.
  package var fieldNames: FieldNameTable {
    FieldNameTable(discountedPriceIs: traits.discountedPriceIsSalePrice ? .sale : .discount)
  }

  /// A Boolean value that is false if each product has its own password instead of a vendor.
  package var hasVendorAccounts: Bool { traits.hasVendors }

  /// The traits of the edition, or of the most likely one while it isn't known.
  private var traits: EditionCapabilities { (edition?.value ?? .open).traits }
}

extension ServerConfiguration {
  /// Returns the confirmation window: that of the profile, otherwise 5 seconds for this machine and 60 for others.
  package func settle(at url: URL) -> ConfirmationWindow {
    if let settleSeconds { return ConfirmationWindow(duration: .seconds(settleSeconds)) }
    return ["127.0.0.1", "localhost", "::1"].contains(url.host ?? "") ? .loopback : .remote
  }
}

/// The permission of a session to write.
package enum AccessMode: String, Hashable, Sendable, CaseIterable {
  case readWrite = "rw"
  case readOnly = "ro"
}

/// The decision about sending secrets over plain `http` to another machine.
package enum PlainHTTP: String, Hashable, Sendable, CaseIterable {
  case ask
  case allow
}

/// The profile's setting for recording exchanges.
package enum CallRecording: String, Hashable, Sendable, CaseIterable {
  case on
  case off
}

/// The profile's setting for confirmations.
package enum ConfirmationPolicy: String, Hashable, Sendable, CaseIterable {
  case always
  /// Deletes, and changes of more than one product.
  case bulk
  case never
}

/// A value with its origin, so that `session` can show both.
package struct Sourced<Value> {
  package var value: Value
  package var origin: Origin

  package init(_ value: Value, _ origin: Origin) {
    self.value = value
    self.origin = origin
  }
}

extension Sourced: Equatable where Value: Equatable {}
extension Sourced: Hashable where Value: Hashable {}
extension Sourced: Sendable where Value: Sendable {}

/// The origin of a value.
///
/// Earlier ones take precedence.
package enum Origin: String, Hashable, Sendable {
  case option
  case environment
  case profile
  case detected
  case `default` = "default"

  package var words: LocalizedText {
    let korean: StyledText =
      switch self {
      case .option: "옵션"
      case .environment: "환경 변수"
      case .profile: "프로필"
      case .detected: "자동 감지"
      case .default: "기본값"
      }
    return LocalizedText(StyledText(rawValue), ko: korean)
  }
}

/// The origin of each credential, or `nil` for one that isn't set.
package struct CredentialOrigins: Hashable, Sendable {
  package var identifier: Origin?
  package var secret: Origin?
  package var vendorID: Origin?

  package init() {}
}

/// The initial login of the embedded market.
///
/// The executable, which knows the server, passes it.
package struct DemoLogin: Hashable, Sendable {
  package var credentials: Credentials
  package var origins: CredentialOrigins

  package init(identifier: String, secret: String, vendorID: Int) {
    credentials = Credentials(identifier: identifier, secret: Secret(secret), vendorID: vendorID)
    origins = CredentialOrigins()
    origins.identifier = .default
    origins.secret = .default
    origins.vendorID = .default
  }
}

/// The base URL of a server as users type it: `http` or `https` with a host, without query, user or trailing slash.
///
/// Without a scheme, `localhost:8080`, it is `http` on this machine and `https` elsewhere.
package struct ServerAddress: Hashable, Sendable {
  package let url: URL

  package init?(_ text: String) {
    var text = text
    if let match = text.prefixMatch(of: /([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]+)?(?=\/|$)/), !text.contains("://"),
      match.2 != nil || match.1.contains(".") || Loopback.contains(String(match.1))
    {
      text = (Loopback.contains(String(match.1)) ? "http://" : "https://") + text
    }
    guard var parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
      scheme == "http" || scheme == "https", parts.encodedHost?.isEmpty == false, parts.user == nil,
      parts.password == nil, parts.query == nil, parts.fragment == nil, parts.hasValidPort
    else { return nil }
    while parts.path.hasSuffix("/") { parts.path.removeLast() }
    guard let url = parts.url else { return nil }
    self.url = url
  }
}
