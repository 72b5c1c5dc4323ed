import Catalog
import Foundation
import Images
import MarketAPI
import Networking
import Presentation
import ShellRuntime
import Text

/// The creation of a deleted product from a snapshot under a new id.
///
/// It uses the thumbnail, or an image of one pixel if that no longer exists.
struct ProductRecreation {
  private let old: Product
  private let market: Client<MarketService>
  private let session: Session
  private let context: CommandContext

  init(_ old: Product, _ market: Client<MarketService>, _ session: Session, _ context: CommandContext) {
    self.old = old
    self.market = market
    self.session = session
    self.context = context
  }

  /// Returns the draft, or `nil` if the product belonged to another vendor or a field is missing.
  ///
  /// The user is notified in both cases, and that the product will be created again.
  func draft() async -> ProductDraft? {
    if session.server.hasVendorAccounts, let me = session.credentials.vendorID, let vendor = old.vendorID, vendor != me
    {
      say(
        "Product \(old.id) no longer exists. It belonged to another vendor.",
        ko: "\(old.id)번 상품은 없어졌고, 다른 판매자의 상품이었습니다.")
      return nil
    }
    guard let name = old.name, let description = old.description, let price = old.price, let currency = old.currency
    else {
      say(
        "Product \(old.id) no longer exists and cannot be recreated: the snapshot does not include all its fields.",
        ko: "\(old.id)번 상품은 없어졌고, 스냅샷에 모든 값이 없어 다시 만들 수 없습니다.")
      return nil
    }
    let picture = await picture()
    if picture == nil {
      say(
        "Product \(old.id) and its image no longer exist. It will be recreated with a blank image and a new ID.",
        ko: "\(old.id)번 상품과 사진이 없어져, 빈 사진을 넣어 다른 번호로 다시 만듭니다.")
    } else {
      say(
        "Product \(old.id) no longer exists. It will be recreated with a new ID.",
        ko: "\(old.id)번 상품이 없어져, 다른 번호로 다시 만듭니다.")
    }
    var draft = ProductDraft(
      name: name, description: description, price: price, discount: old.discount ?? .zero, currency: currency,
      stock: old.stock ?? 0, pictures: [picture ?? PictureFile.onePixel])
    draft.replaces = old.id
    return draft
  }

  private func say(_ english: StyledText, ko korean: StyledText) { context.say(.warning(english, ko: korean), session) }

  /// Returns the image that is still at the thumbnail's address.
  ///
  /// The embedded market has another address after every start.
  private func picture() async -> PictureFile? {
    guard let text = old.thumbnailURL, var url = PictureURLPolicy.url(text, of: session.server.url?.value) else {
      return nil
    }
    if session.server.isEmbedded, var parts = URLComponents(url: url, resolvingAgainstBaseURL: false) {
      parts.port = market.service.baseURL.port
      url = parts.url ?? url
    }
    guard
      let data = try? await context.images.cache.picture(
        at: url, through: context.transport, deadline: context.images.timeout),
      let format = PictureFormat.detect(data)
    else { return nil }
    return PictureFile(name: "restored-\(old.id).\(format.fileExtension)", type: format.mediaType, bytes: data)
  }
}
