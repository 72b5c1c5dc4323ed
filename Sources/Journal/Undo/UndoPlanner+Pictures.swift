import Catalog
import Foundation

extension UndoPlanner {
  /// The set of pictures that `entry` replaced, from what was saved before; nil when others stand there by now.
  ///
  /// - Throws: `incomplete` when none of them was saved and there is nothing else to take back.
  mutating func pictures(
    before entry: Entry, on product: Product, blocked: inout [Obstacle], isAlone: Bool
  ) throws(UndoRefusal) -> [PictureFile]? {
    let ours = entry.after?.pictures?.map(\.name)
    guard ours == nil || ours == product.images?.map(\.url) else {
      blocked.append(
        Obstacle(entry: entry.n, product: product.id, field: .images, ours: nil, now: nil, laterEntry: nil))
      return nil
    }
    let (pictures, lost) = saved(entry.snapshot?.images ?? entry.change?.product?.images ?? [])
    guard !pictures.isEmpty else {
      if isAlone { throw .incomplete(entry.n, [.images]) }
      losses.append(.pictures(product.id, lost))
      return nil
    }
    if !lost.isEmpty { losses.append(.pictures(product.id, lost)) }
    return pictures
  }

  /// Those whose bytes are kept, and the addresses of the others.
  func saved(_ images: [Picture]) -> (pictures: [PictureFile], lost: [String]) {
    var pictures: [PictureFile] = []
    var lost: [String] = []
    for image in images {
      if let picture = try? journal.saved(image.url) { pictures.append(picture) } else { lost.append(image.url) }
    }
    return (pictures, lost)
  }
}

extension PictureFile {
  /// A picture as the log names it: its address, without the bytes.
  init(standingAt address: String) { self.init(name: address, type: "", bytes: Data()) }
}
