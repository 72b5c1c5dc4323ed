import Catalog

/// What a scan has seen so far; pure, so that every order of events can be tried.
struct ScanState {
  private(set) var seen = IDSet()
  private(set) var result = ScanResult()
  /// Pages one after another that brought nothing new.
  private(set) var barren = 0
  /// The number of the furthest page of the walk.
  private(set) var furthest = 1
  private var coverage = Coverage()
  private var doubles = 0
  private var nameless = 0
  private var totalChanged = false
  private var firstIDs: [Product.ID] = []
  private var firstChanged = false
  private var top: Product.ID?

  private static let mostBroken = 100

  init() { result.isNewestFirst = true }

  /// Takes a page of the walk; gives back the products that are new.
  mutating func take(_ page: Page, size: Int) -> [Product] {
    let ids = page.ids
    if !ids.isEmpty || !page.broken.isEmpty { result.pagesRead += 1 }
    if page.number == 1 { firstIDs = ids }
    furthest = max(furthest, page.number)
    if let top, let next = ids.first, next >= top { result.isNewestFirst = false }
    top = ids.first ?? top
    let offset = (page.number - 1) * size
    remember(page.broken, after: offset)
    let (fresh, count) = add(page, ids, offset: offset)
    doubles += ids.count - count
    barren = count == 0 ? barren + 1 : 0
    return fresh
  }

  /// Takes a page that was read again to make sure.
  mutating func takeAgain(_ page: Page, offset: Int) -> [Product] {
    let (fresh, count) = add(page, page.ids, offset: offset)
    result.foundLate += count
    return fresh
  }

  /// The products that are new, and how many rows are.
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
    // Nearly always all of them are new.
    guard !repeated.isEmpty else { return (page.products, count) }
    let old = Set(repeated)
    return (page.products.filter { !old.contains($0.id) }, count)
  }

  private mutating func remember(_ broken: [BrokenRow], after offset: Int) {
    for row in broken {
      if let id = row.id { _ = seen.insert(id) } else { nameless += 1 }
      result.brokenCount += 1
      guard result.broken.count < ScanState.mostBroken else { continue }
      var row = row
      row.position += offset
      result.broken.append(row)
    }
  }

  /// Nothing moved, as far as the pages themselves tell: one total on all of them, and as many products as it says.
  var looksStill: Bool {
    guard let total = result.total else { return false }
    return !totalChanged && doubles == 0 && seen.count + nameless == total
  }

  /// As many products as the server says there are; true where it says nothing.
  var hasAll: Bool { result.total.map { seen.count + nameless >= $0 } ?? true }

  /// Compares the first page, read once more, with what it was: an insertion changes it.
  mutating func compareFirst(_ page: Page) -> Bool {
    let isTheSame = page.ids == firstIDs
    if !isTheSame { firstChanged = true }
    return isTheSame
  }

  /// Where rows may have slipped through, within the list as long as it is now.
  mutating func gaps() -> [Int] {
    let last = max(0, (result.total ?? .max) - 1)
    return coverage.gaps().map { min($0, last) }
  }

  func finished(_ end: ScanEnd, complete: Bool, moved: Bool) -> ScanResult {
    var result = result
    result.end = end
    // An insertion shifts products from page to page, and shows: by the total, or by another first page.
    result.overlaps = doubles > 0 && !totalChanged && !firstChanged
    if case .repeated = end { result.overlaps = true }
    result.complete = complete && !result.overlaps && result.brokenCount == 0
    result.moved = moved || totalChanged || result.foundLate > 0
    return result
  }
}
