import Catalog
import Foundation
import MarketAPI
import Platform
import ShellRuntime
import Text
import WriteJournal

/// The changes of the session's market that the log of this home contains for a span of time, oldest first.
///
/// A saved version doesn't contain what was written after its scan. With these changes it is the state of a later time,
/// and without the changes before it, the state of an earlier time, unless another home or a buyer changed the same products.
package struct LoggedChanges {
  /// The changes that took effect.
  private var entries: [JournalEntry] = []
  /// The number of writes whose effect on the products isn't known: raw requests, changes without an outcome, and changes that
  /// may have been made before or after the span.
  package private(set) var unknownCount = 0
  /// The profile, and the id of its vendor, to whom the products created in it belong.
  private let vendor: (profile: String, id: Int?)

  /// Reads the changes between two times in seconds since 1970, UTC.
  ///
  /// Times are known to the second. A change in the same second as the start is included.
  ///
  /// - Parameters:
  ///   - start: The first time.
  ///   - end: The last time, or `nil` for all changes after `start`.
  ///   - session: The session of the market.
  ///   - stores: The stores with the log.
  /// - Throws: `JournalError` if the log can't be read.
  package init(from start: Int64, through end: Int64? = nil, of session: Session, in stores: Stores) throws {
    vendor = (session.server.name, session.credentials.vendorID)
    guard Journal.exists(in: stores.home.journalFolder) else { return }
    let base = session.marketLogin.baseURL
    let found = try stores.journal()
      .entries(since: Timestamp(seconds: start, isUTC: true), at: base, includesHandedOver: false)
      .filter { $0.mayHaveEnded(since: start, through: end) }
    let certain = found.filter { $0.hasEnded(since: start, through: end) }
    entries = certain.reversed().filter { $0.change != nil && ($0.status == .done || $0.status == .undone) }
    unknownCount = found.count { entry in
      switch (entry.work, entry.status) {
      case (.change, .done), (.change, .undone): !entry.hasEnded(since: start, through: end)
      case (.raw, .done), (.raw, .unknown), (.unreadable, .done), (.change, .unknown), (.unreadable, .unknown): true
      case (.raw, _), (.change, _), (.unreadable, _): false
      }
    }
  }

  private init(_ entries: [JournalEntry], vendor: (profile: String, id: Int?)) {
    (self.entries, self.vendor) = (entries, vendor)
  }

  package var isEmpty: Bool { entries.isEmpty }
  /// The products that were created, edited or deleted.
  package var ids: Set<Product.ID> { Set(entries.compactMap(\.product)) }

  /// The products as they were before their first change, without those that were created.
  package var firstStates: [Product.ID: Product] {
    var found: [Product.ID: Product] = [:]
    var seen: Set<Product.ID> = []
    for entry in entries {
      guard let id = entry.product, seen.insert(id).inserted else { continue }
      found[id] = LoggedChanges.before(entry)
    }
    return found
  }

  /// Returns products as they are after the changes.
  ///
  /// The time of modification of a changed product isn't known.
  package func applied(to products: [Product.ID: Product]) -> [Product.ID: Product] {
    var products = products
    for entry in entries {
      guard let id = entry.product, let change = entry.change else { continue }
      switch change {
      case .create(let draft):
        var product = Product(id: id)
        product.apply(ProductValues(of: draft))
        if let after = entry.after { product.apply(after) }
        product.vendorID = entry.profile == vendor.profile ? vendor.id : nil
        products[id] = product
      case .edit:
        guard let product = products[id] ?? LoggedChanges.before(entry), var values = entry.after else { continue }
        for field in entry.contested { values[field] = nil }
        products[id] = product.changed(to: values)
      case .delete: products[id] = nil
      }
    }
    return products
  }

  /// Returns the products whose values the changes alter, as they are afterwards, and `nil` for deleted products.
  ///
  /// A change in the second of a scan may be in the scan already, and alters nothing then.
  package func effects(on products: [Product.ID: Product]) -> [Product.ID: Product?] {
    let after = applied(to: products)
    var found: [Product.ID: Product?] = [:]
    for id in ids where after[id].map(ProductValues.init(of:)) != products[id].map(ProductValues.init(of:)) {
      found[id] = .some(after[id])
    }
    return found
  }

  /// Returns products as they were before the changes.
  package func removed(from products: [Product.ID: Product]) -> [Product.ID: Product] {
    var products = products
    for entry in entries.reversed() {
      guard let id = entry.product, let change = entry.change else { continue }
      switch change {
      case .create: products[id] = nil
      case .edit:
        guard let product = products[id], let values = entry.before else { continue }
        products[id] = product.changed(to: values)
      case .delete: products[id] = LoggedChanges.before(entry)
      }
    }
    return products
  }

  /// Returns the states of a product in versions, oldest first, with the states after the changes between them.
  package func merged(
    with states: [(taken: Int64, product: Product?)], of id: Product.ID
  ) -> [(taken: Int64, product: Product?)] {
    var result: [(taken: Int64, product: Product?)] = []
    var states = states[...]
    for entry in entries where entry.product == id {
      let time = (entry.uncertainTime?.lowerBound ?? entry.end).seconds
      while let state = states.first, state.taken <= time { result.append(states.removeFirst()) }
      let before = result.last?.product ?? LoggedChanges.before(entry)
      if result.isEmpty, let before { result.append((min(entry.time.seconds, time), before)) }
      let after = LoggedChanges([entry], vendor: vendor).applied(to: before.map { [id: $0] } ?? [:])
      result.append((time, after[id]))
    }
    return result + states
  }

  /// Returns the complete product as it was directly before a change, or `nil` before a create.
  private static func before(_ entry: JournalEntry) -> Product? {
    switch entry.change {
    case .edit(let product, let from, _):
      if let snapshot = entry.snapshot { return snapshot }
      var product = product
      product.apply(from)
      return product
    case .delete(let product): return entry.snapshot ?? product
    case .create, nil: return nil
    }
  }
}

extension Product {
  /// Returns the product with other values; when it was changed isn't known.
  fileprivate func changed(to values: ProductValues) -> Product {
    guard !values.removingValues(of: self).isEmpty else { return self }
    var product = self
    product.apply(values)
    product.modified = nil
    return product
  }
}
