import Catalog
import Foundation
import Networking
import Platform

/// Pictures that were seen lately, in memory and on disk, each within its bound; fetched when they are not there.
package actor PictureShelf {
  private static let memoryLimit = 32 << 20
  private static let diskLimit = 128 << 20

  private let folder: PictureFolder
  private let limit: Int
  private var kept: [URL: Data] = [:]
  /// Oldest first.
  private var order: [URL] = []
  private var bytes = 0

  package init(folder: String, memory: Int = PictureShelf.memoryLimit, disk: Int = PictureShelf.diskLimit) {
    self.folder = PictureFolder(folder, limit: disk)
    limit = memory
  }

  /// The file at an address; throws `TransportFailure` where it cannot be had.
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
    let data = try await PictureDoor(transport: transport).fetch(url, deadline: deadline).bytes
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
