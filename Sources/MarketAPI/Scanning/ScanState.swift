import Catalog

/// The state of a scan: a pure value, so that every order of events can be tested.
struct ScanState {
  private(set) var seen = SparseBitSet()
  private(set) var result = ScanResult()
  /// The number of consecutive pages without a new product.
  private(set) var pagesWithoutNewRows = 0
  /// The highest page number of the first pass.
  private(set) var lastPageNumber = 1
  private var coverage = IDCoverage()
  private var duplicateCount = 0
  private var rowsWithoutID = 0
  private var totalChanged = false
  private var firstIDs: [Product.ID] = []
  private var firstChanged = false
  private var previousFirstID: Product.ID?
  /// A Boolean value that indicates that no page follows the first one, according to the server.
  private(set) var isOnlyPage = false

  private static let maximumBroken = 100

  init() { result.isNewestFirst = true }

  /// Adds a page of the first pass and returns the products that are new.
  mutating func take(_ page: Page, size: Int) -> [Product] {
    let ids = page.ids
    if !ids.isEmpty || !page.broken.isEmpty { result.pagesRead += 1 }
    if page.number == 1 {
      firstIDs = ids
      isOnlyPage = page.hasNext == false
    }
    lastPageNumber = max(lastPageNumber, page.number)
    if let previousFirstID, let next = ids.first, next >= previousFirstID { result.isNewestFirst = false }
    previousFirstID = ids.first ?? previousFirstID
    let offset = (page.number - 1) * size
    remember(page.broken, after: offset)
    let (fresh, count) = add(page, ids, offset: offset)
    duplicateCount += ids.count - count
    pagesWithoutNewRows = count == 0 ? pagesWithoutNewRows + 1 : 0
    return fresh
  }

  /// Adds a page that was read again for verification and returns the products that are new.
  mutating func addVerificationPage(_ page: Page, offset: Int) -> [Product] {
    let (fresh, count) = add(page, page.ids, offset: offset)
    result.foundOnVerification += count
    return fresh
  }

  /// Returns the products that are new, and the number of new rows.
  private mutating func add(
    _ page: Page, _ ids: [Product.ID], offset: Int
  ) -> (products: [Product], count: Int) {
    if zip(ids, ids.dropFirst()).contains(where: { $0 <= $1 }) { result.isNewestFirst = false }
    if let total = page.total {
      if let before = result.total, before != total { totalChanged = true }
      result.total = total
    }
    coverage.add(ids, offset: offset, isLast: page.hasNext == false && (!ids.isEmpty || page.total ?? 0 == 0))
    let repeated = seen.insert(ids)
    let count = ids.count - repeated.count
    result.productsRead += count
    // Fast path: almost always all of them are new.
    guard !repeated.isEmpty else { return (page.products, count) }
    let old = Set(repeated)
    return (page.products.filter { !old.contains($0.id) }, count)
  }

  private mutating func remember(_ broken: [UndecodableRow], after offset: Int) {
    for row in broken {
      if let id = row.id { _ = seen.insert(id) } else { rowsWithoutID += 1 }
      result.brokenCount += 1
      guard result.broken.count < ScanState.maximumBroken else { continue }
      var row = row
      row.position += offset
      result.broken.append(row)
    }
  }

  /// A Boolean value that indicates that no row moved, according to the pages: the same total on all of them, and as
  /// many products.
  var isConsistent: Bool {
    guard let total = result.total else { return false }
    return !totalChanged && duplicateCount == 0 && seen.count + rowsWithoutID == total
  }

  /// A Boolean value that indicates whether as many products were read as the server reports, or true if it reports no
  /// total.
  var hasExpectedCount: Bool { result.total.map { seen.count + rowsWithoutID >= $0 } ?? true }

  /// Compares the first page, read again, with its earlier content, which an insertion would have changed.
  mutating func compareFirstPage(_ page: Page) -> Bool {
    let isTheSame = page.ids == firstIDs
    if !isTheSame { firstChanged = true }
    return isTheSame
  }

  /// Returns the positions where rows may have been missed, within the current length of the list.
  mutating func gaps() -> [Int] {
    let last = max(0, (result.total ?? .max) - 1)
    return coverage.uncoveredPositions().map { min($0, last) }
  }

  func finished(_ end: ScanEnd, complete: Bool, moved: Bool) -> ScanResult {
    var result = result
    result.stopReason = end
    // An insertion moves products between pages too, but it also changes the total or the first page.
    result.hasDuplicatePages = duplicateCount > 0 && !totalChanged && !firstChanged
    if case .repeatedPages = end { result.hasDuplicatePages = true }
    result.isComplete = complete && !result.hasDuplicatePages && result.brokenCount == 0
    result.changedDuringScan = moved || totalChanged || result.foundOnVerification > 0
    return result
  }
}

/// The id intervals of a list in descending order that have been read completely, even if the list changed during the
/// scan.
///
/// A page is read at one instant and contains everything between its first and its last row at that instant. Once the
/// intervals cover all ids, every product that existed from the start to the end of the scan has been read.
struct IDCoverage: Hashable, Sendable {
  /// An interval from the highest to the lowest id, both of them read.
  private struct Interval: Hashable, Sendable {
    var high: Int
    var low: Int
    /// The number of rows above the row that follows the lowest one, at the time it was read.
    var end: Int
  }

  private var stretches: [Interval] = []
  private var isMerged = true

  /// Adds the ids of a page, whose first row has `offset` rows above it.
  mutating func add(_ ids: [Product.ID], offset: Int, isLast: Bool) {
    isMerged = false
    guard let high = ids.first, let low = ids.last else {
      // The list is empty from its beginning to its end.
      if offset == 0, isLast { stretches.append(Interval(high: .max, low: .min, end: 0)) }
      return
    }
    stretches.append(
      Interval(high: offset == 0 ? .max : high, low: isLast ? .min : low, end: offset + ids.count))
  }

  /// Returns the approximate row positions where rows may have been missed, from the beginning of the list to its end.
  mutating func uncoveredPositions() -> [Int] {
    merge()
    guard let first = stretches.first, let last = stretches.last else { return [0] }
    var gaps: [Int] = []
    if first.high != .max { gaps.append(0) }
    gaps += stretches.dropLast().map(\.end)
    if last.low != .min { gaps.append(last.end) }
    return gaps
  }

  /// Joins intervals that share a row or are adjacent.
  ///
  /// The position read last is used if there are two.
  private mutating func merge() {
    guard !isMerged else { return }
    isMerged = true
    let order = stretches.indices.sorted { (stretches[$0].high, $1) > (stretches[$1].high, $0) }
    var result: [Interval] = []
    for stretch in order.map({ stretches[$0] }) {
      guard let above = result.last, above.low == .min || above.low - 1 <= stretch.high else {
        result.append(stretch)
        continue
      }
      guard stretch.low <= above.low else { continue }
      result[result.count - 1].low = stretch.low
      result[result.count - 1].end = stretch.end
    }
    stretches = result
  }
}

/// A set of ids, one bit each where they are close together.
///
/// It stays small for a scan of any length: a million adjacent ids need half a megabyte.
struct SparseBitSet: Hashable, Sendable {
  private var words: [Int: UInt64] = [:]
  private(set) var count = 0

  /// Inserts an id and returns whether it is new.
  mutating func insert(_ id: Product.ID) -> Bool { insert([id]).isEmpty }

  /// Inserts ids and returns those that were already members.
  ///
  /// Ids adjacent in a list usually share a 64-bit word and are inserted together.
  mutating func insert(_ ids: [Product.ID]) -> [Product.ID] {
    var repeated: [Product.ID] = []
    var rest = ids[...]
    while let first = rest.first {
      let wordIndex = first >> 6
      var word = words[wordIndex, default: 0]
      while let id = rest.first, id >> 6 == wordIndex {
        let bit = UInt64(1) << UInt64(id & 63)
        if word & bit == 0 { count += 1 } else { repeated.append(id) }
        word |= bit
        rest.removeFirst()
      }
      words[wordIndex] = word
    }
    return repeated
  }
}
