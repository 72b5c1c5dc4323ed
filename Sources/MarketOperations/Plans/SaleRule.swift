import Catalog
import CommandLanguage
import Foundation
import Networking
import Platform
import Text

/// The rule of a sale in a plan file.
///
/// The changes of such a file only show what the sale would do at the time of planning. The discounts are computed from
/// the prices when the sale starts, and its end restores the discounts of that time.
package struct SaleRule: Hashable, Sendable {
  /// The discount in percent of the price.
  package var percent: Amount
  /// The step to which sale prices are rounded, or `nil` for the smallest unit of the currency.
  package var step: Amount?
  /// The time of the end, in UTC.
  package var end: Timestamp
  /// The list prices at the time of planning.
  package var prices: [Product.ID: Amount]

  package init(percent: Amount, step: Amount?, end: Timestamp, prices: [Product.ID: Amount]) {
    self.percent = percent
    self.step = step
    self.end = end
    self.prices = prices
  }
}

extension SaleRule {
  var json: JSON {
    let known = prices.sorted { $0.key < $1.key }.map { (String($0.key), PlanFile.json($0.value)) }
    return .object([
      ("percent", PlanFile.json(percent)), ("round", step.map(PlanFile.json) ?? .null),
      ("ends", .string(end.description)), ("prices", .object(known)),
    ])
  }

  /// Decodes a rule, or returns `nil` for anything else.
  init?(_ json: JSON) {
    guard let object = json.object, object.duplicateKeys.isEmpty,
      object.keys.allSatisfy({ ["percent", "round", "ends", "prices"].contains($0) }),
      let percent = SaleRule.amount(object["percent"]), percent > .zero, percent < Amount(100),
      let end = (try? object.string("ends")).flatMap({ $0 }).flatMap({ Timestamp($0) }), end.isUTC,
      let known = object["prices"]?.object
    else { return nil }
    var step: Amount?
    if let round = object["round"], round != .null {
      guard let amount = SaleRule.amount(round), amount > .zero else { return nil }
      step = amount
    }
    var prices: [Product.ID: Amount] = [:]
    for key in known.keys {
      guard let id = Int(key), let price = SaleRule.amount(known[key]) else { return nil }
      prices[id] = price
    }
    self.init(percent: percent, step: step, end: end, prices: prices)
  }

  static func amount(_ json: JSON?) -> Amount? {
    guard case .number(let number) = json else { return nil }
    return Amount(typed: number.literal)
  }
}

/// The progress of each product of a sale, in a file next to its rule.
///
/// A change is written before it is sent. After an interruption the product is read, and its discount shows whether the
/// change took effect.
package struct SaleProgress: Hashable, Sendable {
  /// The state of a product.
  package enum State: String, Hashable, Sendable {
    /// The discount was about to be sent.
    case starting
    /// The product has the discount of the sale.
    case started
    /// The product already sold at or below the sale price when the sale started.
    case skipped
    /// Nothing is left to do.
    case ended
    /// The user gave up what could not be done.
    case dismissed
  }

  /// A product of a sale.
  package struct Entry: Hashable, Sendable {
    package var state: State
    /// The discount before the start.
    package var before: Amount?
    /// The discount of the sale.
    package var discount: Amount?

    package init(_ state: State, before: Amount? = nil, discount: Amount? = nil) {
      self.state = state
      self.before = before
      self.discount = discount
    }

    /// A Boolean value that indicates that the product may have the discount of the sale.
    package var mayBeLowered: Bool { state == .starting || state == .started }
  }

  private static let head = JSON.object([("openmarket", .string("sale")), ("version", .int(1))]).serialized + "\n"
  private static let maximumBytes = 64 << 20

  private var entries: [Product.ID: Entry] = [:]
  /// The time at which the user ended the sale before its end, if something of that was left undone.
  package var endedEarly: Timestamp?

  package init() {}

  /// Reads the file, which is missing before the sale starts.
  ///
  /// - Throws: `FileError`; `.malformed` for any other file.
  package init(_ path: String) throws(FileError) {
    guard let bytes = try Files.read(path, limit: SaleProgress.maximumBytes) else {
      self.init()
      return
    }
    try self.init(bytes, at: path)
  }

  /// Reads the contents of such a file.
  ///
  /// - Throws: `FileError.malformed` for any other file.
  package init(_ bytes: Data, at path: String) throws(FileError) {
    guard bytes.starts(with: SaleProgress.head.utf8) else {
      throw .malformed(path: path, reason: FileError.otherProgram)
    }
    for line in bytes.split(separator: UInt8(ascii: "\n")).dropFirst() {
      let object = (try? JSON(parsing: line))?.object
      if let time = (try? object?.string("ended")).flatMap({ $0 }).flatMap({ Timestamp($0) }), time.isUTC {
        endedEarly = time
        continue
      }
      guard let object, let id = (try? object.int("id")) ?? nil,
        let state = (try? object.string("state")).flatMap({ $0 }).flatMap({ State(rawValue: $0) })
      else { throw .malformed(path: path, reason: LocalizedText("not a product of a sale", ko: "할인 상품이 아닌 것이 있습니다.")) }
      entries[id] = Entry(
        state, before: SaleRule.amount(object["before"]), discount: SaleRule.amount(object["discount"]))
    }
  }

  /// Writes the complete file, also to the disk.
  ///
  /// - Throws: `FileError.cannotWrite`; the existing file is unchanged then.
  package func save(to path: String) throws(FileError) {
    try Files.write(Data(text.utf8), to: path, mode: 0o600)
  }

  /// The contents of the file.
  package var text: String {
    let lines = entries.sorted { $0.key < $1.key }.map { id, entry in
      JSON.object(
        [("id", .int(id)), ("state", .string(entry.state.rawValue))]
          + (entry.before.map { [("before", PlanFile.json($0))] } ?? [])
          + (entry.discount.map { [("discount", PlanFile.json($0))] } ?? [])
      ).serialized + "\n"
    }
    let ended = endedEarly.map { JSON.object([("ended", .string($0.description))]).serialized + "\n" } ?? ""
    return SaleProgress.head + ended + lines.joined()
  }

  /// The products of which something is known.
  package var products: [Product.ID] { entries.keys.sorted() }

  /// A Boolean value that indicates that products may have the discount of the sale.
  package var hasBegun: Bool { entries.values.contains(where: \.mayBeLowered) }

  package subscript(id: Product.ID) -> Entry? {
    get { entries[id] }
    set { entries[id] = newValue }
  }
}
