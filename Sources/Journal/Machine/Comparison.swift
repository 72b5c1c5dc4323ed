import Catalog
import Foundation

/// How the fields of a product stand to what was wanted and to what was there before; fields nobody shows do not count.
struct Comparison: Hashable, Sendable {
  /// As wanted.
  var wanted: [Field] = []
  /// What was wanted, in a form that servers make of a text.
  var stored: [Field] = []
  /// As before, and not as wanted.
  var before: [Field] = []
  /// Neither.
  var moved: [Field] = []
  /// Of those that moved: what was wanted, cut or rounded.
  var reduced: Set<Field> = []
  /// At least one field is as wanted, whole or in part, and was not so before.
  var isOurs = false
  /// The product says that it was modified since the image before the write.
  var isModified = false

  /// - Parameter image: the whole product as it was before, which tells about pictures and the time of its last change.
  init(of product: Product, before: Fields, wanted: Fields, image: Product? = nil) {
    let now = Fields(of: product, like: wanted)
    for field in wanted.set {
      guard let value = now[field], let goal = wanted[field] else { continue }
      if value.isSame(as: goal) {
        self.wanted.append(field)
        if before[field].map(goal.isSame) != true { isOurs = true }
      } else if value.isForm(of: goal) {
        // Where the value before is such a form too, reading cannot tell more than that it is there.
        stored.append(field)
        if before[field]?.isForm(of: goal) != true { isOurs = true }
      } else if before[field].map(value.isSame) == true {
        self.before.append(field)
      } else {
        moved.append(field)
        if value.isReduced(from: goal) {
          reduced.insert(field)
          isOurs = true
        }
      }
    }
    if wanted.pictures != nil, let old = image?.images, let images = product.images {
      // Pictures that were replaced have other addresses than before; whose they are cannot be told from them.
      let isAsBefore = images.map(\.url) == old.map(\.url)
      if isAsBefore { self.before.append(.images) } else { self.wanted.append(.images) }
      if !isAsBefore { isOurs = true }
    }
    if let then = image?.modified, let now = product.modified { isModified = then != now }
  }

  var finding: StateMachine.ReadBack {
    switch (before.isEmpty, moved.isEmpty) {
    case (true, true): wanted.isEmpty && stored.isEmpty ? .hidden : .landed
    case (true, false): .changed(isOurs: isOurs)
    case (false, true) where wanted.isEmpty && stored.isEmpty: isModified ? .restored : .untouched
    case (false, _): .partial(isOurs: isOurs)
    }
  }
}

/// The value of one writable field, to compare and to show.
package enum FieldValue: Hashable, Sendable, CustomStringConvertible {
  case text(String)
  case amount(Amount)
  case number(Int)

  package var description: String {
    switch self {
    case .text(let text): text
    case .amount(let amount): amount.description
    case .number(let number): String(number)
    }
  }

  /// Equal but for blanks around a text, which are the server's to trim.
  func isSame(as other: FieldValue) -> Bool {
    guard case .text(let left) = self, case .text(let right) = other else { return self == other }
    return left.trimmingCharacters(in: .whitespacesAndNewlines) == right.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Equal to `wanted` once both are written as servers write texts: ended at the first NUL, without control characters,
  /// with one space for any run of white space.
  func isForm(of wanted: FieldValue) -> Bool {
    guard case .text(let text) = self, case .text(let goal) = wanted else { return false }
    return FieldValue.plain(text) == FieldValue.plain(goal)
  }

  private static func plain(_ text: String) -> String {
    let scalars = text.unicodeScalars.prefix { $0 != "\0" }
    let words = scalars.split { $0.properties.isWhitespace }.map { word in
      String(String.UnicodeScalarView(word.filter { $0.properties.generalCategory != .control }))
    }
    return words.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// A part of `wanted`: the beginning of a text, its letters in another case, an amount with fewer decimals.
  func isReduced(from wanted: FieldValue) -> Bool {
    switch (self, wanted) {
    case (.text(let text), .text(let goal)):
      !text.isEmpty && (goal.hasPrefix(text) || goal.lowercased() == text.lowercased())
    case (.amount(let amount), .amount(let goal)):
      goal.hasFraction && amount - goal < Amount(1) && goal - amount < Amount(1)
        && (0...2).contains { amount.rounded(to: $0) == amount }
    case (.text, _), (.amount, _), (.number, _): false
    }
  }
}

extension Fields {
  /// The values of `product` in the fields that `pattern` sets; what the product does not show stays nil.
  package init(of product: Product, like pattern: Fields) {
    let all = Fields(of: product)
    self.init()
    for field in pattern.set { self[field] = all[field] }
  }

  /// Every writable value the product shows.
  package init(of product: Product) {
    let chosen = product.images?.first { $0.thumbnail != nil && $0.thumbnail == product.thumbnail }
    self.init(
      name: product.name, description: product.description, price: product.price, discount: product.discount,
      currency: product.currency, stock: product.stock, thumbnail: chosen?.id)
  }

  package init(of draft: Draft) {
    self.init(
      name: draft.name, description: draft.description, price: draft.price, discount: draft.discount,
      currency: draft.currency, stock: draft.stock)
  }

  /// The fields that have a value.
  package var set: [Field] { Field.writable.filter { self[$0] != nil } }

  /// Nil also for a field no change can set.
  package subscript(field: Field) -> FieldValue? {
    get {
      switch field {
      case .name: name.map(FieldValue.text)
      case .description: description.map(FieldValue.text)
      case .price: price.map(FieldValue.amount)
      case .discount: discount.map(FieldValue.amount)
      case .currency: currency.map { .text($0.code) }
      case .stock: stock.map(FieldValue.number)
      case .thumbnail: thumbnail.map(FieldValue.number)
      case .id, .sale, .vendor, .vendorID, .created, .modified, .images: nil
      }
    }
    set {
      switch (field, newValue) {
      case (.name, .text(let text)): name = text
      case (.name, _): name = nil
      case (.description, .text(let text)): description = text
      case (.description, _): description = nil
      case (.price, .amount(let amount)): price = amount
      case (.price, _): price = nil
      case (.discount, .amount(let amount)): discount = amount
      case (.discount, _): discount = nil
      case (.currency, .text(let code)): currency = Currency(code)
      case (.currency, _): currency = nil
      case (.stock, .number(let number)): stock = number
      case (.stock, _): stock = nil
      case (.thumbnail, .number(let number)): thumbnail = number
      case (.thumbnail, _): thumbnail = nil
      case (.id, _), (.sale, _), (.vendor, _), (.vendorID, _), (.created, _), (.modified, _), (.images, _): break
      }
    }
  }

  /// The fields of `self` whose value `other` shows differently; surrounding blanks are the server's to trim.
  func differing(from other: Fields) -> [Field] {
    set.filter { field in
      guard let theirs = other[field], let ours = self[field] else { return false }
      return !ours.isSame(as: theirs)
    }
  }
}

/// A patch of ours that may be applied once more than anybody waits for: a send of it was given up, or answered with yes
/// and not stored, and a line that buffers may deliver it at any later time.
///
/// The same patch twice is the same once, until something else was written in between: then the copy undoes it. That
/// cannot be kept from happening, so what a product shows is compared with what this home has written last.
struct LateCopy: Hashable, Sendable {
  /// What a write has set, by its number in the log.
  struct Written: Hashable, Sendable {
    var entry: Int
    var fields: Fields
  }

  /// What the copy sets.
  var sent: Fields
  /// What was there before the patch.
  var before: Fields
  /// The patch counts as made, or what it wanted was said to be there.
  var isDone: Bool
  /// What this home has set of the same product since, oldest first.
  var later: [Written]

  /// What the copy has undone: the values that should be there, by the write that set them last; `entry` is nil for those
  /// from before the patch. Empty when the product does not show that the copy has arrived.
  func undone(on product: Product) -> [(entry: Int?, fields: Fields)] {
    let now = Fields(of: product, like: sent)
    var found: [(entry: Int?, fields: Fields)] = []
    for field in sent.set {
      guard let wanted = sent[field], now[field].map(wanted.isSame) == true else { continue }
      let last = later.last { $0.fields[field] != nil }
      guard let value = last?.fields[field] ?? (isDone ? nil : before[field]), !value.isSame(as: wanted) else {
        continue
      }
      let place = found.firstIndex { $0.entry == last?.entry } ?? found.count
      if place == found.count { found.append((last?.entry, Fields())) }
      found[place].fields[field] = value
    }
    return found
  }
}
