import Catalog
import Foundation
import Networking
import Pictures
import Platform

/// Fetches a product's picture by its address, without credentials and without following redirects.
package struct PictureFetcher {
  /// The server has no picture there, now.
  package struct Missing: Error {}

  package let transport: any Transport

  func fetch(_ url: URL, deadline: Duration? = nil) async throws -> PictureFile {
    let path = url.path.split(separator: "/").map(String.init)
    guard var base = URLComponents(url: url, resolvingAgainstBaseURL: false) else {
      throw TransportFailure(.badAddress(url.absoluteString), extent: .nothing)
    }
    let query = (base.queryItems ?? []).map { QueryItem($0.name, $0.value ?? "") }
    base.path = ""
    base.query = nil
    guard let host = base.url else { throw TransportFailure(.badAddress(url.absoluteString), extent: .nothing) }
    let reply = try await transport.send(
      Request(.get, path, query: query), to: host, with: SendOptions(deadline: deadline))
    if reply.status == 404 || reply.status == 403 { throw Missing() }
    guard reply.isSuccess else {
      throw TransportFailure(.other("no picture (\(reply.status))"), extent: .whole)
    }
    guard let format = PictureFormat.detect(reply.body) else { throw PictureError.notAPicture }
    return PictureFile(name: "picture.\(format.fileExtension)", type: format.mediaType, bytes: reply.body)
  }
}

/// Which addresses of pictures are followed without anyone asking for that picture.
package enum PictureAddress {
  /// The URL of a market's text; nil for what is not `http` or `https`, and for a machine of this network that a market
  /// elsewhere names: it would have us knock there in its place.
  package static func url(_ text: String, of market: URL?) -> URL? {
    guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
      let host = url.host?.lowercased(), !host.isEmpty, url.user == nil
    else { return nil }
    let home = market?.host?.lowercased() ?? "127.0.0.1"
    return isNear(host) && host != home && !isNear(home) ? nil : url
  }

  /// Of this machine or this network, as far as the name alone tells.
  private static func isNear(_ host: String) -> Bool {
    if host.hasSuffix(".") { return isNear(String(host.dropLast())) }
    if host == "localhost" || host.hasSuffix(".localhost") || host.hasSuffix(".local") { return true }
    if host.contains(":") { return !host.hasPrefix("2") && !host.hasPrefix("[2") }
    let words = host.split(separator: ".", omittingEmptySubsequences: false)
    if words.count == 4, words.contains(where: { $0.hasPrefix("0") && $0.count > 1 }) {
      return true
    }
    let parts = words.map { Int($0) }
    // One number alone, or octal and the like, are other ways to write an address.
    guard parts.count == 4, let first = parts[0], let second = parts[1] else {
      return parts.allSatisfy { $0 != nil } || host.hasPrefix("0x")
    }
    switch (first, second) {
    case (0, _), (10, _), (127, _), (169, 254), (192, 168), (172, 16...31), (100, 64...127): return true
    default: return false
    }
  }
}

/// Pictures that were seen lately, in memory and on disk, each within its bound; fetched when they are not there.
package actor PictureShelf {
  private static let memoryLimit = 32 << 20
  private static let diskLimit = 128 << 20

  private let folder: PictureFolder
  private let limit: Int
  private(set) var kept: [URL: Data] = [:]
  /// Oldest first.
  private var order: [URL] = []
  private var bytes = 0

  package init(folder: String, memory: Int = PictureShelf.memoryLimit, disk: Int = PictureShelf.diskLimit) {
    self.folder = PictureFolder(folder, limit: disk)
    limit = memory
  }

  /// The file at an address.
  ///
  /// - Throws: `TransportFailure` where it cannot be had.
  package func picture(at url: URL, through transport: any Transport, deadline: Duration? = nil) async throws -> Data {
    if let data = kept[url] {
      order.removeAll { $0 == url }
      order.append(url)
      return data
    }
    // A server of this machine has another port tomorrow and costs nothing to ask.
    let isFar = !["127.0.0.1", "localhost", "::1"].contains(url.host ?? "")
    if isFar, let data = folder.read(url) {
      keep(data, for: url)
      return data
    }
    let data = try await PictureFetcher(transport: transport).fetch(url, deadline: deadline).bytes
    keep(data, for: url)
    if isFar { folder.write(data, for: url) }
    return data
  }

  private func keep(_ data: Data, for url: URL) {
    guard kept[url] == nil, data.count <= limit else { return }
    kept[url] = data
    order.append(url)
    bytes += data.count
    while bytes > limit, !order.isEmpty { bytes -= kept.removeValue(forKey: order.removeFirst())?.count ?? 0 }
  }
}
