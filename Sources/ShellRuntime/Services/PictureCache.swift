import Catalog
import Foundation
import Networking
import Platform

/// A cache of pictures in memory and on disk, each with a maximum size.
///
/// Missing pictures are fetched.
package actor PictureCache {
  private static let memoryLimit = 32 << 20
  private static let diskLimit = 128 << 20

  private let folder: PictureDiskCache
  private let limit: Int
  private(set) var stored: [URL: Data] = [:]
  /// The URLs, oldest first.
  private var order: [URL] = []
  private var bytes = 0

  package init(folder: String, memory: Int = PictureCache.memoryLimit, disk: Int = PictureCache.diskLimit) {
    self.folder = PictureDiskCache(folder, limit: disk)
    limit = memory
  }

  /// Returns the data of the picture.
  ///
  /// - Throws: `TransportError` if it can't be fetched.
  package func picture(at url: URL, through transport: any Transport, deadline: Duration? = nil) async throws -> Data {
    if let data = stored[url] {
      order.removeAll { $0 == url }
      order.append(url)
      return data
    }
    // A server on this machine has another port the next time and is cheap to ask.
    let isFar = !Loopback.contains(url.host ?? "")
    if isFar, let data = folder.read(url) {
      store(data, for: url)
      return data
    }
    let data = try await PictureFetcher(transport: transport).fetch(url, deadline: deadline).bytes
    store(data, for: url)
    if isFar { folder.write(data, for: url) }
    return data
  }

  private func store(_ data: Data, for url: URL) {
    guard stored[url] == nil, data.count <= limit else { return }
    stored[url] = data
    order.append(url)
    bytes += data.count
    while bytes > limit, !order.isEmpty { bytes -= stored.removeValue(forKey: order.removeFirst())?.count ?? 0 }
  }
}
