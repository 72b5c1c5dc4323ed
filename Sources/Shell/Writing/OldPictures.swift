import Catalog
import Journal
import Presentation

/// Saves the pictures of a product that will lose them, so that an undo brings them back; what could not be saved is said
/// before the question.
struct OldPictures {
  private let product: Product

  init(_ product: Product) { self.product = product }

  func keep(_ session: inout Session, in context: Context) async throws {
    let lost = try await context.runner(&session).keepPictures(of: product)
    guard !lost.isEmpty else { return }
    let id = product.id
    context.say(
      .warning(
        "Pictures of product \(id) could not be saved (\(lost.count)); an undo would come back without them.",
        ko: "\(id)번 상품의 그림 \(lost.count)장을 남겨 두지 못해, 되돌려도 그 그림은 돌아오지 않습니다."), session)
  }
}
