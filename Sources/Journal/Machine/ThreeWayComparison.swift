import Catalog
import Foundation

/// A three-way comparison of a product's fields with the wanted values and the values before.
///
/// Fields that the product doesn't show are ignored.
struct ThreeWayComparison: Hashable, Sendable {
  /// The fields with the wanted value.
  var applied: [ProductField] = []
  /// The fields with the wanted value in another form, as servers normalize texts.
  var stored: [ProductField] = []
  /// The fields with the previous value, if it isn't the wanted one.
  var unchanged: [ProductField] = []
  /// The fields with another value.
  var conflicting: [ProductField] = []
  /// Those of `moved` with a truncated or rounded wanted value.
  var reduced: Set<ProductField> = []
  /// A Boolean value that indicates that at least one field has the wanted value, completely or in part, and didn't
  /// have it before.
  var isOurs = false
  /// A Boolean value that indicates that the product's modification time differs from the image before the write.
  var isModified = false

  /// Compares a product.
  ///
  /// `image` is the complete product before the write, which shows the pictures and the modification time.
  init(of product: Product, unchanged: ProductValues, applied: ProductValues, image: Product? = nil) {
    let now = ProductValues(of: product, like: applied)
    for field in applied.assignedFields {
      guard let value = now[field], let goal = applied[field] else { continue }
      if value.isSame(as: goal) {
        self.applied.append(field)
        if unchanged[field].map(goal.isSame) != true { isOurs = true }
      } else if value.isForm(of: goal) {
        // If the previous value is such a form too, reading can't tell more than that it is there.
        stored.append(field)
        if unchanged[field]?.isForm(of: goal) != true { isOurs = true }
      } else if unchanged[field].map(value.isSame) == true {
        self.unchanged.append(field)
      } else {
        conflicting.append(field)
        if value.isReduced(from: goal) {
          reduced.insert(field)
          isOurs = true
        }
      }
    }
    if applied.pictures != nil, let old = image?.images, let images = product.images {
      // Replaced pictures have other URLs than before, which don't tell who replaced them.
      let isAsBefore = images.map(\.url) == old.map(\.url)
      if isAsBefore { self.unchanged.append(.images) } else { self.applied.append(.images) }
      if !isAsBefore { isOurs = true }
    }
    if let then = image?.modified, let now = product.modified { isModified = then != now }
  }

  var readBack: WriteStateMachine.ReadBack {
    switch (unchanged.isEmpty, conflicting.isEmpty) {
    case (true, true): applied.isEmpty && stored.isEmpty ? .hidden : .applied
    case (true, false): .changed(isOurs: isOurs)
    case (false, true) where applied.isEmpty && stored.isEmpty: isModified ? .restored : .notApplied
    case (false, _): .partial(isOurs: isOurs)
    }
  }
}

/// The value of a writable field, for comparison and display.
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

  /// Returns whether the values are equal, ignoring white space around texts, which servers may trim.
  func isSame(as other: FieldValue) -> Bool {
    guard case .text(let left) = self, case .text(let right) = other else { return self == other }
    return left.trimmingCharacters(in: .whitespacesAndNewlines) == right.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Returns whether both texts are equal in the form in which servers store them: truncated at the first NUL, without
  /// control characters, with runs of white space as one space.
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

  /// Returns whether the value is a reduced form of `applied`: the beginning of a text, a text in another case, an
  /// amount with fewer decimals.
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

extension ProductValues {
  /// Creates the values of a product in the fields that `pattern` sets.
  ///
  /// Values that the product doesn't show are `nil`.
  package init(of product: Product, like pattern: ProductValues) {
    let all = ProductValues(of: product)
    self.init()
    for field in pattern.assignedFields { self[field] = all[field] }
  }

  /// Creates all writable values that the product shows.
  package init(of product: Product) {
    let chosen = product.images?.first { $0.thumbnailURL != nil && $0.thumbnailURL == product.thumbnailURL }
    self.init(
      name: product.name, description: product.description, price: product.price, discount: product.discount,
      currency: product.currency, stock: product.stock, thumbnailID: chosen?.id)
  }

  package init(of draft: ProductDraft) {
    self.init(
      name: draft.name, description: draft.description, price: draft.price, discount: draft.discount,
      currency: draft.currency, stock: draft.stock)
  }

  /// The fields that have a value.
  package var assignedFields: [ProductField] { ProductField.writable.filter { self[$0] != nil } }

  /// Accesses the value of a field, which is `nil` for a field that no change can set.
  package subscript(field: ProductField) -> FieldValue? {
    get {
      switch field {
      case .name: name.map(FieldValue.text)
      case .description: description.map(FieldValue.text)
      case .price: price.map(FieldValue.amount)
      case .discount: discount.map(FieldValue.amount)
      case .currency: currency.map { .text($0.code) }
      case .stock: stock.map(FieldValue.number)
      case .thumbnail: thumbnailID.map(FieldValue.number)
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
      case (.thumbnail, .number(let number)): thumbnailID = number
      case (.thumbnail, _): thumbnailID = nil
      case (.id, _), (.sale, _), (.vendor, _), (.vendorID, _), (.created, _), (.modified, _), (.images, _): break
      }
    }
  }

  /// Returns the fields whose value differs from `other`, ignoring white space around texts.
  func differing(from other: ProductValues) -> [ProductField] {
    assignedFields.filter { field in
      guard let theirs = other[field], let ours = self[field] else { return false }
      return !ours.isSame(as: theirs)
    }
  }
}

/// A patch that the network may still deliver a second time: an attempt was given up, or confirmed by the server and
/// not stored, and an intermediary may deliver it at any time.
///
/// Applying the same patch twice has no further effect, until another write changes the same fields in between; then
/// the late duplicate reverts that write. It can't be prevented, only detected by comparing products with the last
/// values written.
struct DuplicateDelivery: Hashable, Sendable {
  /// The values of a write, by its number in the log.
  struct Written: Hashable, Sendable {
    var entry: Int
    var fields: ProductValues
  }

  /// The values that the duplicate sets.
  var sent: ProductValues
  /// The values before the patch.
  var before: ProductValues
  /// A Boolean value that indicates that the patch counts as applied, or that its values were found.
  var isDone: Bool
  /// The values that later writes set on the same product, oldest first.
  var later: [Written]

  /// Returns the values that the duplicate overwrote, grouped by the write that set them last, with `nil` for those
  /// from before the patch.
  ///
  /// The list is empty if the product doesn't show that a duplicate was delivered.
  func overwrittenValues(on product: Product) -> [(entry: Int?, fields: ProductValues)] {
    let now = ProductValues(of: product, like: sent)
    var found: [(entry: Int?, fields: ProductValues)] = []
    for field in sent.assignedFields {
      guard let wanted = sent[field], now[field].map(wanted.isSame) == true else { continue }
      let last = later.last { $0.fields[field] != nil }
      guard let value = last?.fields[field] ?? (isDone ? nil : before[field]), !value.isSame(as: wanted) else {
        continue
      }
      let place = found.firstIndex { $0.entry == last?.entry } ?? found.count
      if place == found.count { found.append((last?.entry, ProductValues())) }
      found[place].fields[field] = value
    }
    return found
  }
}
