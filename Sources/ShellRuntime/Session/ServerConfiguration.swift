import Catalog
import CommandLanguage
import Foundation
import MarketAPI
import Networking
import Text
import WriteJournal

/// The server of the session: its profile, URL and dialect, and what is allowed there.
package struct ServerConfiguration: Hashable, Sendable {
  package static let demo = "demo"

  /// The profile, or `nil` with `--url` without a profile.
  package var profile: Sourced<String>?
  /// The base URL, or `nil` for the embedded market, whose URL is known once it is listening.
  package var url: Sourced<URL>?
  /// The dialect, or `nil` until the edition is detected.
  package var dialect: Sourced<Dialect>?
  package var confirm: Sourced<ConfirmationPolicy>
  package var access: Sourced<AccessMode>
  /// The profile's `settle`, in seconds.
  package var confirmationSeconds: Int?
  /// The timeout for a response in seconds, or `nil` for the default.
  package var timeout: Sourced<Int>?
  package var proxy: Sourced<ProxyAddress>?
  /// The file of certificates that are trusted in addition to the system's.
  package var ca: Sourced<String>?
  /// The program that prints the vendor's secret.
  package var secretCommand: Sourced<String>?
  /// The time at which a confirmed write is verified by reading.
  package var verify = Sourced(Verification.batchEnd, .default)
  /// The profile's setting for recording exchanges for `calls`.
  ///
  /// The session's setting of that name can disable it too.
  package var calls = Sourced(CallRecording.on, .default)

  /// The approval that plan files need, and whether two persons must sign them.
  package var apply = Sourced(ApplyPolicy.anyone, .default)
  package var two = Sourced(TwoPersonRule.off, .default)
  /// The rule for sending secrets over plain `http` to another machine.
  package var http = Sourced(PlainHTTP.ask, .default)
  /// Other base URLs of the same server: the profile's `also`.
  package var otherURLs: [URL] = []
  /// The generations of markets, as their responses say them.
  package var markets = MarketRegistry()
  /// A Boolean value that indicates whether the server has responded in the format of the dialect.
  package var isEditionProven = false

  package init(
    profile: Sourced<String>?, url: Sourced<URL>?, dialect: Sourced<Dialect>?, confirm: Sourced<ConfirmationPolicy>,
    access: Sourced<AccessMode>
  ) {
    self.profile = profile
    self.url = url
    self.dialect = dialect
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
  /// The dialect that the server is expected to have: its own, or that of the newest edition until one is detected.
  package var expectedDialect: Dialect { dialect?.value ?? Dialect(.newest) }

  /// The edition that the embedded market serves for the session.
  package var embeddedEdition: Edition { dialect?.value.edition ?? .newest }

  /// The path of the list that a file describes, by which two resources of the server are two markets, or `nil` for an
  /// edition.
  package var resource: String? { dialect?.value.marketDescription?.resource.description }

  /// The field names, with their meaning in the dialect.
  package var fieldNames: FieldNameTable {
    FieldNameTable(discountedPriceIs: capabilities.discountedPriceIsSalePrice ? .sale : .discount)
  }

  /// A Boolean value that is false if each product has its own password instead of a vendor.
  package var hasVendorAccounts: Bool { capabilities.ownership == .vendors }

  /// A Boolean value that indicates whether requests have an identifier in addition to the secret.
  package var needsIdentifier: Bool { capabilities.credentials?.contains(.identifier) ?? hasVendorAccounts }

  /// A Boolean value that indicates whether products have no owners.
  package var hasNoOwners: Bool { capabilities.ownership == .none }

  private var capabilities: MarketCapabilities { expectedDialect.capabilities }
}

extension ServerConfiguration {
  /// Returns the confirmation window: that of the profile, otherwise 5 seconds for this machine and 60 for others.
  package func confirmationWindow(at url: URL) -> ConfirmationWindow {
    if let confirmationSeconds { return ConfirmationWindow(duration: .seconds(confirmationSeconds)) }
    return Loopback.contains(url.host ?? "") ? .loopback : .remote
  }
}

/// The base URL of a server as users type it: `http` or `https` with a host, without query, user or trailing slash.
///
/// Without a scheme, `localhost:8080`, it is `http` on this machine and `https` elsewhere.
package struct ServerAddress: Hashable, Sendable {
  package let url: URL

  package init?(_ text: String) {
    var text = text
    if !text.contains("://"),
      let match = text.prefixMatch(of: /([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]+)?(?=\/|$)/),
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

  /// The URL without the path of an endpoint at its end, such as `/api/products`, or `nil` if it has none.
  ///
  /// Such a URL is copied from the documentation of the API by mistake. A server has its endpoints below its base URL.
  package var baseOfEndpoint: URL? {
    guard let match = url.absoluteString.firstMatch(of: /\/(api\/products|items?|health(?:Checker)?)(\/[0-9]*)?\/?$/)
    else {
      return nil
    }
    return URL(string: String(url.absoluteString[..<match.range.lowerBound]))
  }
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
  /// The command `login` of this session.
  case login
  case environment
  case profile
  case detected
  /// The program that the profile's `secret_command` names.
  case secretCommand = "secret_command"
  case `default` = "default"

  package var words: LocalizedText {
    let korean: StyledText =
      switch self {
      case .option: "옵션"
      case .login: "로그인"
      case .environment: "환경 변수"
      case .profile: "프로필"
      case .detected: "자동 감지"
      case .secretCommand: "secret_command"
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
