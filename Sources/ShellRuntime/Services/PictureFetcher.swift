import Catalog
import Foundation
import Images
import Networking
import Platform

/// Fetches a product's picture by its URL, without credentials and without following redirections.
package struct PictureFetcher {
  /// The error for a picture that the server doesn't have (yet).
  package struct Missing: Error {}

  package let transport: any Transport

  package init(transport: any Transport) { self.transport = transport }

  package func fetch(_ url: URL, deadline: Duration? = nil) async throws -> PictureFile {
    let path = url.path.split(separator: "/").map(String.init)
    guard var base = URLComponents(url: url, resolvingAgainstBaseURL: false) else {
      throw TransportError(.invalidURL(url.absoluteString), extent: .none)
    }
    let query = (base.queryItems ?? []).map { QueryItem($0.name, $0.value ?? "") }
    base.path = ""
    base.query = nil
    guard let host = base.url else { throw TransportError(.invalidURL(url.absoluteString), extent: .none) }
    let response = try await transport.send(
      Request(.get, path, query: query), to: host, with: SendOptions(deadline: deadline))
    if response.status == 404 || response.status == 403 { throw Missing() }
    guard response.isSuccess else {
      throw TransportError(.other("no image (\(response.status))"), extent: .complete)
    }
    guard let format = PictureFormat.detect(response.body) else { throw PictureError.notAPicture }
    return PictureFile(name: "picture.\(format.fileExtension)", type: format.mediaType, bytes: response.body)
  }
}

/// The check of picture URLs that are fetched without an explicit request by the user.
package enum PictureURLPolicy {
  /// Returns the URL in a market's text.
  ///
  /// - Parameter market: The base URL of the market.
  /// - Returns: `nil` for other schemes than `http` and `https`, and for a machine in the local network if the market
  ///   isn't in it, because the server could otherwise make this program send requests there.
  package static func url(_ text: String, of market: URL?) -> URL? {
    guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
      let host = url.host?.lowercased(), !host.isEmpty, url.user == nil
    else { return nil }
    let home = market?.host?.lowercased() ?? "127.0.0.1"
    return isNear(host) && host != home && !isNear(home) ? nil : url
  }

  /// Returns whether a host belongs to this machine or the local network, as far as its name shows.
  private static func isNear(_ host: String) -> Bool {
    if host.hasSuffix(".") { return isNear(String(host.dropLast())) }
    if host == "localhost" || host.hasSuffix(".localhost") || host.hasSuffix(".local") { return true }
    if host.contains(":") { return !host.hasPrefix("2") && !host.hasPrefix("[2") }
    let words = host.split(separator: ".", omittingEmptySubsequences: false)
    if words.count == 4, words.contains(where: { $0.hasPrefix("0") && $0.count > 1 }) {
      return true
    }
    let parts = words.map { Int($0) }
    // A single number, octal numbers and the like are other notations of an IP address.
    guard parts.count == 4, let first = parts[0], let second = parts[1] else {
      return parts.allSatisfy { $0 != nil } || host.hasPrefix("0x")
    }
    switch (first, second) {
    case (0, _), (10, _), (127, _), (169, 254), (192, 168), (172, 16...31), (100, 64...127): return true
    default: return false
    }
  }
}

/// A cache of pictures in memory and on disk, each with a maximum size.
///
/// Missing pictures are fetched. A market that was reset may have other pictures at the same URLs, so the pictures of
/// each generation are stored separately.
package actor PictureCache {
  private static let memoryLimit = 32 << 20
  private static let diskLimit = 128 << 20

  private let folder: PictureDiskCache
  private let limit: Int
  /// The pictures by URL and generation.
  private(set) var stored: [String: Data] = [:]
  /// The keys of the pictures, oldest first.
  private var order: [String] = []
  private var bytes = 0

  package init(folder: String, memory: Int = PictureCache.memoryLimit, disk: Int = PictureCache.diskLimit) {
    self.folder = PictureDiskCache(folder, limit: disk)
    limit = memory
  }

  /// Returns the data of the picture.
  ///
  /// - Parameters:
  ///   - generation: The generation of the market that has named the URL, or `nil` if it isn't known.
  ///   - deadline: The time for the response, or `nil` for the default.
  /// - Throws: `TransportError` if it can't be fetched.
  package func picture(
    at url: URL, of generation: MarketGeneration?, through transport: any Transport, deadline: Duration? = nil
  ) async throws -> Data {
    let key = url.absoluteString + (generation.map { " \($0)" } ?? "")
    if let data = stored[key] {
      order.removeAll { $0 == key }
      order.append(key)
      return data
    }
    // A server on this machine has another port the next time and is cheap to ask.
    let isFar = !Loopback.contains(url.host ?? "")
    if isFar, let data = folder.read(key) {
      store(data, for: key)
      return data
    }
    let data = try await PictureFetcher(transport: transport).fetch(url, deadline: deadline).bytes
    store(data, for: key)
    if isFar { folder.write(data, for: key) }
    return data
  }

  private func store(_ data: Data, for key: String) {
    guard stored[key] == nil, data.count <= limit else { return }
    stored[key] = data
    order.append(key)
    bytes += data.count
    while bytes > limit, !order.isEmpty { bytes -= stored.removeValue(forKey: order.removeFirst())?.count ?? 0 }
  }
}
