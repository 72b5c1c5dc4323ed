import Catalog
import Journal
import Presentation
import Text

/// Saves the pictures of products that will lose them, so that an undo brings them back; what could not be saved is said
/// before the question.
package struct OldPictures {
  private let runner: PlanRunner
  private let session: Session
  private let context: Context

  package init(_ session: inout Session, _ context: Context) async throws {
    runner = try await context.runner(&session)
    self.session = session
    self.context = context
  }

  package func keep(of product: Product) async {
    let lost = await runner.keepPictures(of: product)
    guard !lost.isEmpty else { return }
    let id = product.id
    context.say(
      .warning(
        "Pictures of product \(id) could not be saved (\(lost.count)); an undo would come back without them.",
        ko: "\(id)번 상품의 사진 \(lost.count)장을 남겨 두지 못해, 되돌려도 그 사진은 돌아오지 않습니다."), session)
  }
}
