import Catalog
import Foundation
import Images
import MarketAPI
import MarketOperations
import Networking
import ShellRuntime
import Text

/// The pictures of a product on one market, as they are compared with those on another one and sent there.
struct CopiedPictures {
  private let market: JournalMarketAdapter

  init(_ market: Client<MarketService>, stores: Stores, clock: ProgramClock) {
    self.market = JournalMarketAdapter(client: market, freshName: stores.freshName, now: clock.now)
  }

  /// Returns the pictures, beginning with the thumbnail, or `nil` if one of them can't be fetched.
  func files(of product: Product) async -> [PictureFile]? {
    var files: [PictureFile] = []
    for picture in FolderPictures.ordered(product) {
      guard let file = try? await market.picture(at: picture.url) else { return nil }
      files.append(file)
    }
    return files
  }

  /// Returns the digests of the pictures as they would be sent, or `nil` if one can't be fetched.
  func digests(of product: Product) async -> [String]? {
    await files(of: product)?.map { SHA256.hex(CopiedPictures.sent($0, 1)?.bytes ?? $0.bytes) }
  }

  /// Returns the addresses of a product's pictures for a market that takes addresses, beginning with the thumbnail, or `nil` if
  /// that market can't be expected to reach one of them.
  ///
  /// - Parameter market: The base URL of that market.
  static func addresses(of product: Product, for market: URL) -> [PictureFile]? {
    var addresses: [PictureFile] = []
    for picture in FolderPictures.ordered(product) {
      guard PictureURLPolicy.url(picture.url, of: market) != nil else { return nil }
      addresses.append(PictureFile(address: picture.url))
    }
    return addresses
  }

  /// Returns a picture within the limits of a market, or `nil` if it can't be made small enough.
  static func sent(_ picture: PictureFile, _ number: Int) -> PictureFile? {
    guard let fitted = try? PictureFitter.fit(picture.bytes, below: DocumentedLimits.openMarket.pictureBytes) else {
      return nil
    }
    return PictureFile(
      name: "picture-\(number).\(fitted.format.fileExtension)", type: fitted.format.mediaType, bytes: fitted.bytes)
  }
}
