import Catalog
import Foundation
import Images
import MarketAPI
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Synchronization
import Text

/// The pictures of products as a folder stores them: files named by their content.
struct FolderPictures {
  /// The pictures of a product, beginning with the thumbnail.
  struct Known: Hashable, Sendable {
    var paths: [String]
    var digests: [String]
    /// The addresses on the market without the server.
    var addresses: [String]
  }

  /// The number of pictures that are fetched at the same time.
  private static let maxConcurrentReads = 8

  private let folder: ProductFolder
  private let market: JournalMarketAdapter
  private let isFetching: Bool
  private let scope: CommandScope
  private(set) var failures = 0

  /// Creates the pictures of a folder.
  ///
  /// Without `isFetching`, new pictures aren't fetched, and their addresses stand for their content.
  init(_ folder: ProductFolder, market: Client<MarketService>, isFetching: Bool, _ scope: CommandScope) {
    self.folder = folder
    self.market = JournalMarketAdapter(
      client: market, freshName: scope.context.stores.freshName, now: scope.context.clock.now)
    self.isFetching = isFetching
    self.scope = scope
  }

  /// Returns the pictures of the products that were read with them, by id.
  ///
  /// A product with a picture that can't be fetched is missing.
  ///
  /// - Throws: `FileError` if a picture can't be written.
  mutating func known(_ products: [Product], _ base: FolderBase) async throws -> [Product.ID: Known] {
    var known: [Product.ID: Known] = [:]
    var wanted: [Product] = []
    for product in products {
      guard let addresses = FolderPictures.addresses(of: product) else { continue }
      if let entry = try base.entry(product.id), entry.addresses == addresses, entry.digests.count == addresses.count {
        let paths = (try? ProductFile(parsing: entry.text))?.values[.images]
        if case .references(let paths) = paths {
          known[product.id] = Known(paths: paths, digests: entry.digests, addresses: addresses)
          continue
        }
      }
      if isFetching {
        wanted.append(product)
      } else {
        known[product.id] = Known(paths: addresses, digests: addresses, addresses: addresses)
      }
    }
    guard !wanted.isEmpty else { return known }
    let progress = ProgressLine(LocalizedText("Reading images", ko: "사진 읽는 중"), scope)
    defer { progress.clear() }
    let (folder, market) = (folder, market)
    var fetched = 0
    try await BoundedTaskGroup.forEachConcurrently(of: wanted, atOnce: FolderPictures.maxConcurrentReads) { product in
      (product.id, try await FolderPictures.fetch(product, folder: folder, market: market))
    } take: { id, pictures in
      fetched += 1
      if let pictures { known[id] = pictures } else { failures += 1 }
      if wanted.count > FolderPictures.maxConcurrentReads {
        progress.show(fetched, of: wanted.count)
      }
    }
    return known
  }

  private static func fetch(
    _ product: Product, folder: ProductFolder, market: JournalMarketAdapter
  ) async throws -> Known? {
    var known = Known(paths: [], digests: [], addresses: addresses(of: product) ?? [])
    for picture in ordered(product) {
      let file: PictureFile
      do {
        file = try await market.picture(at: picture.url)
      } catch let error as CancellationError {
        throw error
      } catch {
        return nil
      }
      let digest = SHA256.hex(file.bytes)
      let ending = PictureFormat.detect(file.bytes)?.fileExtension ?? "bin"
      known.paths.append(try folder.write(picture: file.bytes, digest: digest, ending: ending))
      known.digests.append(digest)
    }
    return known
  }

  /// Returns the addresses of a product's pictures without the server, or `nil` if they weren't read.
  static func addresses(of product: Product) -> [String]? {
    product.images.map { _ in ordered(product).map { PictureAddresses.removingOrigins(in: $0.url) } }
  }

  /// Returns the pictures, beginning with the thumbnail.
  static func ordered(_ product: Product) -> [Picture] {
    let images = product.images ?? []
    guard let cover = product.coverPicture, let index = images.firstIndex(of: cover) else { return images }
    return [cover] + images[..<index] + images[(index + 1)...]
  }
}
