import Catalog

/// One reading of a product after a write: what it says of the write, and what became of each sent field.
struct EffectReading {
  let finding: StateMachine.ReadBack
  /// Fields that are not as wanted, should the write count as done.
  let differences: [Difference]
  /// What the write left behind, should it count as done: an undo looks for these values. A field that was written again
  /// since has the value that was sent, so that an undo leaves it alone.
  let after: Fields?
  /// What reads otherwise than it was sent, in a few words; empty where nothing does.
  let evidence: String

  /// Fields that were not as wanted.
  var fields: [Field] { differences.map(\.field) }

  /// - Parameters:
  ///   - before: the product as it was just before the write.
  ///   - replied: the product in a complete answer, which tells in what form a server stores a value.
  ///   - now: nil when there is no such product.
  ///   - later: fields that a later write has set since; they say nothing of this one.
  init(
    of change: Change, before: Product?, replied: Product?, now: Product?, but later: Set<Field> = []
  ) {
    switch change {
    case .delete(let product):
      finding = now == nil ? .landed : .untouched
      (differences, after) = ([], nil)
      evidence = now == nil ? "" : "product \(product.id) is still there"
    case .create(let draft):
      let wanted = Fields(of: draft).without(later)
      let comparison = now.map { Comparison(of: $0, before: Fields(), wanted: wanted) }
      // Of another name it could be somebody else's product of that number.
      let isOther = comparison.map { $0.moved.contains(.name) && !$0.reduced.contains(.name) }
      finding = isOther == nil ? .untouched : isOther == true ? .unclear : .landed
      differences = comparison?.differences(from: wanted, now: now, replied: replied) ?? []
      after = (now.map { Fields(of: $0) } ?? Fields(of: draft)).restoring(differences, from: wanted)
      evidence = now == nil ? "the product is not there" : EffectReading.words(for: differences, wanted)
    case .edit(let old, let from, let to):
      let wanted = to.without(later)
      guard let now else {
        finding = .gone
        differences = [Difference(.id, .gone)]
        after = to.standing(on: nil)
        evidence = "product \(old.id) is not there any more"
        return
      }
      let image = before.map { Fields(of: $0, like: wanted) } ?? from
      var comparison = Comparison(of: now, before: image, wanted: wanted, image: before)
      // The later write has modified it.
      if !later.isEmpty { comparison.isModified = false }
      finding = comparison.finding
      differences = comparison.differences(from: wanted, now: now, replied: replied)
      after = to.overlaid(with: Fields(of: now, like: to)).restoring(differences, from: to).standing(on: now)
      evidence = EffectReading.words(for: differences, wanted)
    }
  }

  private static func words(for differences: [Difference], _ wanted: Fields) -> String {
    differences.map { difference in
      guard let value = wanted[difference.field], let now = difference.now else {
        return difference.field.rawValue + " is as it was before"
      }
      return "\(difference.field.rawValue) reads \(now), not \(value)"
    }.joined(separator: ", ")
  }
}

extension Comparison {
  /// What became of each field that is not as wanted.
  fileprivate func differences(from sent: Fields, now: Product?, replied: Product?) -> [Difference] {
    let values = now.map { Fields(of: $0) } ?? Fields()
    let answered = replied.map { Fields(of: $0) } ?? Fields()
    func difference(_ field: Field, _ kind: Difference.Kind) -> Difference {
      Difference(field, kind, now: values[field])
    }
    return stored.map { difference($0, .stored) }
      + moved.map { field in
        let isServersOwn = values[field].map { value in answered[field].map(value.isSame) == true } ?? false
        // A server that answered with the very value stores it so; what is there now came later.
        let isExact = sent[field].map { value in answered[field].map(value.isSame) == true } ?? false
        let isReduced = reduced.contains(field) && !isExact
        return difference(field, isServersOwn || isReduced ? .stored : .changed)
      } + before.map { difference($0, .left) }
  }
}

extension Fields {
  /// Less these fields; pictures go with `images`.
  fileprivate func without(_ fields: Set<Field>) -> Fields {
    var rest = self
    for field in fields { rest[field] = nil }
    if fields.contains(.images) { rest.pictures = nil }
    return rest
  }

  /// With the values that were sent where they were written again since.
  fileprivate func restoring(_ differences: [Difference], from sent: Fields) -> Fields {
    var result = self
    for difference in differences where difference.kind == .changed {
      result[difference.field] = sent[difference.field]
    }
    return result
  }

  /// With the addresses at which the pictures now are: their bytes lie with the change itself, and the addresses tell an
  /// undo whether others took their place.
  fileprivate func standing(on product: Product?) -> Fields {
    var result = self
    result.pictures = pictures.flatMap { _ in product?.images?.map { PictureFile(standingAt: $0.url) } }
    return result
  }
}
