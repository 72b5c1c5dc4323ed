import Catalog
import MarketAPI
import Networking
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// Saves the pictures that products are about to lose, so that an undo can restore them.
///
/// Pictures that couldn't be saved are mentioned before the confirmation.
package struct PictureBackup {
  private let runner: PlanRunner
  private let session: Session
  private let context: CommandContext

  package init(_ market: Client<MarketService>, _ session: Session, _ context: CommandContext) {
    runner = context.planRunner(for: market, session)
    self.session = session
    self.context = context
  }

  package func save(of product: Product) async {
    let lost = await runner.keepPictures(of: product)
    guard !lost.isEmpty else { return }
    let id = product.id
    context.say(
      .warning(
        "Could not save \(lost.count == 1 ? StyledText("one image") : "\(lost.count) images") of product \(id). Undo will not restore \(lost.count == 1 ? StyledText("it") : "them").",
        ko: "\(id)번 상품의 사진 \(lost.count)장을 저장하지 못했습니다. 되돌려도 그 사진은 복원되지 않습니다."), session)
  }
}
