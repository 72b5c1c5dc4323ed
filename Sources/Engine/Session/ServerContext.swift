import Catalog
import Foundation
import Journal
import Language
import Marketplace
import Networking
import Text

/// Where the session points: which profile, which server, which edition of the API, and what may be done there.
package struct ServerContext: Hashable, Sendable {
  package static let demo = "demo"

  /// Nil when `--url` is used without a profile.
  package var profile: Sourced<String>?
  /// Nil for the embedded market, whose address is known once it listens.
  package var url: Sourced<URL>?
  /// Nil until the server's answers told.
  package var edition: Sourced<Edition>?
  package var confirm: Sourced<Confirm>
  package var access: Sourced<Access>
  /// `settle` of the profile.
  package var settleSeconds: Int?
  /// Seconds that an answer is waited for; nil is the usual patience.
  package var timeout: Sourced<Int>?
  package var proxy: Sourced<ProxyAddress>?
  /// The file of certificates that are trusted besides the system's.
  package var ca: Sourced<String>?
  /// When a write that was answered is read back.
  package var verify = Sourced(Verification.batchEnd, .standard)
  /// Whether requests and answers are kept for `calls`; the setting of that name may say no as well.
  package var calls = Sourced(CallKeeping.on, .standard)

  /// True if secrets may go over plain `http` to another machine.
  package var http = Sourced(PlainHTTP.ask, .standard)
  /// True once the server answered as the edition does.
  package var isEditionProven = false

  package init(
    profile: Sourced<String>?, url: Sourced<URL>?, edition: Sourced<Edition>?, confirm: Sourced<Confirm>,
    access: Sourced<Access>
  ) {
    self.profile = profile
    self.url = url
    self.edition = edition
    self.confirm = confirm
    self.access = access
  }

  package var isEmbedded: Bool { url == nil }

  /// The word for it in the prompt, in a diff and in the logs: the profile's name, or the host with its port.
  package var name: String { profile?.value ?? authority ?? ServerContext.demo }

  /// The host where the connection is plain `http` to another machine; `nil` for any other server.
  package var plainHTTPHost: String? { url.flatMap { Loopback.openHost(of: $0.value) } }

  /// The host with its port, where the address names one; `nil` for the embedded market.
  package var authority: String? {
    guard let url = url?.value, let host = url.host else { return nil }
    let name = host.contains(":") ? "[\(host)]" : host
    return url.port.map { "\(name):\($0)" } ?? name
  }
}

extension ServerContext {
  /// The edition's own field words, with the meaning it gives them (see Language).
  package var fieldNames: FieldNames {
    FieldNames(discountedPriceIs: traits.namesSalePrice ? .sale : .discount)
  }

  /// False where a product has a password of its own and nobody is a vendor.
  package var knowsVendors: Bool { traits.knowsVendors }

  /// Of the edition, or of the one that is likeliest while it is not known.
  private var traits: EditionTraits { (edition?.value ?? .open).traits }
}

extension ServerContext {
  /// How long a write may still take effect after we gave up on it: the profile's word, 5 s here, 60 s elsewhere.
  package func settle(at url: URL) -> Settle {
    if let settleSeconds { return Settle(window: .seconds(settleSeconds)) }
    return ["127.0.0.1", "localhost", "::1"].contains(url.host ?? "") ? .loopback : .remote
  }
}

/// Whether a session may write at all.
package enum Access: String, Hashable, Sendable, CaseIterable {
  case readWrite = "rw"
  case readOnly = "ro"
}

/// The answer to whether secrets may go over plain `http` to another machine than this one.
package enum PlainHTTP: String, Hashable, Sendable, CaseIterable {
  case ask
  case allow
}

/// Whether the calls of a profile are kept.
package enum CallKeeping: String, Hashable, Sendable, CaseIterable {
  case on
  case off
}

/// When a write asks first; belongs to a profile.
package enum Confirm: String, Hashable, Sendable, CaseIterable {
  case always
  /// Deletes, and more than one product.
  case bulk
  case never
}

/// A value and where it came from, so that `session` can say both.
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

/// Where a value of the session came from; the earlier beats the later.
package enum Origin: String, Hashable, Sendable {
  case option
  case environment
  case profile
  case detected
  case standard = "default"

  package var words: LocalizedText {
    let korean: StyledText =
      switch self {
      case .option: "옵션"
      case .environment: "환경 변수"
      case .profile: "프로필"
      case .detected: "자동 감지"
      case .standard: "기본값"
      }
    return LocalizedText(StyledText(rawValue), ko: korean)
  }
}

/// Where each of the vendor's credentials came from; nil for one that is not set.
package struct CredentialOrigins: Hashable, Sendable {
  package var identifier: Origin?
  package var secret: Origin?
  package var vendorID: Origin?

  package init() {}
}

/// The vendor who is logged in at the embedded market from the start; handed in by the executable, which knows the server.
package struct DemoLogin: Hashable, Sendable {
  package var credentials: Credentials
  package var origins: CredentialOrigins

  package init(identifier: String, secret: String, vendorID: Int) {
    credentials = Credentials(identifier: identifier, secret: Secret(secret), vendorID: vendorID)
    origins = CredentialOrigins()
    origins.identifier = .standard
    origins.secret = .standard
    origins.vendorID = .standard
  }
}

/// The base address of a server as a person writes it: http or https with a host, no query, no user, no trailing slash.
/// Without a scheme, `localhost:8080`, it is http on this machine and https elsewhere.
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
      parts.password == nil, parts.query == nil, parts.fragment == nil, parts.hasSoundPort
    else { return nil }
    while parts.path.hasSuffix("/") { parts.path.removeLast() }
    guard let url = parts.url else { return nil }
    self.url = url
  }
}
