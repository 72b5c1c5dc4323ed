import Foundation
import Text

/// The market that a record was made in, as a journal, a plan, a folder, an export, a snapshot and a cache store it.
///
/// The login isn't part of it. Where both sides know the generation, it alone decides: the market may have another address
/// since, and another market may have its address. Otherwise the addresses decide.
///
/// A server has one market of an edition, and possibly further ones that files describe: each is a list of products, the
/// *resource*. Its path follows the URL of the server after a space, `https://shop.example /api/items`, in all addresses.
package struct MarketIdentity: Hashable, Sendable {
  /// The address in its canonical form; see `canonicalAddress(_:)`.
  package let address: String
  /// Other addresses of the same market in canonical form, which the user named: `also` of a profile.
  package let otherAddresses: [String]
  /// The generation, or `nil` if the server sends none, or if the record is older than generations.
  package var generation: MarketGeneration?

  package init(address: String, also others: [String] = [], generation: MarketGeneration? = nil) {
    self.address = MarketIdentity.canonicalAddress(address)
    otherAddresses = others.map(MarketIdentity.canonicalAddress)
    self.generation = generation
  }

  /// Creates the identity of a resource of a server, or of the market of an edition without one.
  ///
  /// - Parameters:
  ///   - server: The URL of the server.
  ///   - others: Other URLs of the same server.
  ///   - resource: The path of the list that a file describes, or `nil`.
  ///   - generation: The generation of the server.
  package init(
    server: String, also others: [String] = [], resource: String?, generation: MarketGeneration? = nil
  ) {
    guard let resource else {
      self.init(address: server, also: others, generation: generation)
      return
    }
    self.init(
      address: server + " " + resource, also: others.map { $0 + " " + resource },
      generation: generation?.ofResource(resource))
  }

  private var pieces: [Substring] { address.split(separator: " ", maxSplits: 1) }

  /// The URL of the server.
  package var server: String { pieces.first.map(String.init) ?? address }

  /// The path of the list that a file describes, or `nil` for an edition.
  package var resource: String? { pieces.count > 1 ? String(pieces[1]) : nil }

  /// The address and the other ones.
  package var addresses: [String] { [address] + otherAddresses }

  /// Returns whether both are the same market.
  package func isSame(as other: MarketIdentity) -> Bool { mismatch(with: other) == nil }

  /// Returns why the market isn't that of a record, or `nil` if it is the same.
  package func mismatch(with record: MarketIdentity) -> MarketMismatch? {
    if let generation, let recorded = record.generation {
      if generation == recorded { return nil }
      // A home has one file of the embedded market: another one was deleted.
      let isOfSameFile =
        generation.isOfSameDatabase(as: recorded) || address.hasPrefix("embedded:") && address == record.address
      // The file may have been replaced by a copy from before the record, which isn't a reset.
      let isLater = generation.began.flatMap { now in recorded.began.map { $0.seconds <= now.seconds } } ?? true
      if isOfSameFile, isLater { return .reset(began: generation.began) }
      return hasAddress(of: record) ? .otherGeneration : .otherMarket
    }
    return hasAddress(of: record) ? nil : .otherAddress
  }

  /// Returns whether both are the built-in market, perhaps in two editions, without a known reset between them.
  ///
  /// They have the same products with the same ids then.
  package func hasProducts(ofEmbedded record: MarketIdentity) -> Bool {
    guard address.hasPrefix("embedded:"), record.address.hasPrefix("embedded:") else { return false }
    guard let generation, let recorded = record.generation else { return true }
    return generation.withoutEdition == recorded.withoutEdition
  }

  private func hasAddress(of record: MarketIdentity) -> Bool { !Set(addresses).isDisjoint(with: record.addresses) }

  /// Returns an address in its canonical form (RFC 3986, 6.2.2 and 6.2.3).
  ///
  /// The case of scheme and host, a dot at the end of the host, the default port and slashes at the end make no
  /// difference. `localhost` and `[::1]` are `127.0.0.1`; other loopback addresses are other machines' names for their
  /// tunnels, and stay as they are. Text that isn't an address, such as `embedded:open`, is returned as it is, and so is the
  /// path of a resource.
  package static func canonicalAddress(_ address: String) -> String {
    if let space = address.firstIndex(of: " ") {
      return canonicalAddress(String(address[..<space])) + address[space...]
    }
    let pieces = address.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard pieces.count >= 3, pieces[0].hasSuffix(":"), pieces[1].isEmpty else { return address }
    let scheme = pieces[0].lowercased()
    var host = String(pieces[2]).lowercased()
    var port = ""
    // The colons of an IPv6 address are between brackets.
    if let colon = host.lastIndex(of: ":"), host[colon...].allSatisfy({ $0 != "]" }) {
      port = String(host[host.index(after: colon)...])
      host = String(host[..<colon])
    }
    if host.hasSuffix(".") { host.removeLast() }
    if ["localhost", "[::1]"].contains(host) { host = "127.0.0.1" }
    if port == (scheme == "https:" ? "443" : "80") { port = "" }
    var path = pieces.count > 3 ? "/" + pieces[3] : ""
    while path.hasSuffix("/") { path.removeLast() }
    return scheme + "//" + host + (port.isEmpty ? "" : ":" + port) + path
  }
}

/// The reason why the market here isn't, or may not be, the market of a record.
package enum MarketMismatch: Hashable, Sendable {
  /// The addresses differ, and the generation of one isn't known: both may be addresses of one market.
  case otherAddress
  /// It is another market at another address.
  case otherMarket
  /// The market was reset since; `began` is the time of the last reset, if the server says it.
  case reset(began: Timestamp?)
  /// Another market has the same address: its data was replaced, or another server listens there.
  case otherGeneration

  /// A Boolean value that is true if the market of the record may still be at its address.
  package var isElsewhere: Bool { self == .otherAddress || self == .otherMarket }
}

/// The identifier of a market from its creation or a reset to the next reset, which its server sends with each response.
///
/// It has up to 100 ASCII letters, digits, periods, hyphens and underscores. A server may send any; the built-in one sends
/// `DATABASE.BEGAN-MARK`, where `DATABASE` stays the same at a reset, and `BEGAN` is its time in seconds since 1970.
package struct MarketGeneration: Hashable, Sendable, LosslessStringConvertible {
  /// The name of the header field.
  package static let headerName = "Market-Generation"

  package let description: String

  /// Parses the identifier, or returns `nil` for text that isn't one.
  package init?(_ description: String) {
    let bytes = description.utf8
    guard (1...100).contains(bytes.count),
      bytes.allSatisfy({ byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      })
    else { return nil }
    self.description = description
  }

  private var pieces: [Substring] { description.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false) }

  /// Returns whether both are generations of one database, or `false` if an identifier doesn't say it.
  package func isOfSameDatabase(as other: MarketGeneration) -> Bool {
    pieces.count == 2 && other.pieces.count == 2 && pieces[0] == other.pieces[0]
  }

  /// Returns the generation of one of the server's resources, or `nil` if the identifier is too long for that.
  ///
  /// The resources of a server are different markets, and a reset of the server resets each.
  package func ofResource(_ resource: String) -> MarketGeneration? {
    let mark = "-" + FNV1a(resource).hex
    return MarketGeneration(String(pieces[0]) + mark + pieces.dropFirst().map { "." + $0 }.joined())
  }

  /// The identifier of the built-in server without the API: `DATABASE.BEGAN-MARK` of `DATABASE-API.BEGAN-MARK`.
  fileprivate var withoutEdition: String {
    guard pieces.count == 2 else { return description }
    return pieces[0].prefix { $0 != "-" } + "." + pieces[1]
  }

  /// The time of the reset or of the creation in UTC, or `nil` if the identifier has none.
  package var began: Timestamp? {
    guard pieces.count == 2, let seconds = Int64(pieces[1].prefix { $0 != "-" }),
      Timestamp.representableRange.contains(seconds)
    else { return nil }
    return Timestamp(seconds: seconds, isUTC: true)
  }
}
