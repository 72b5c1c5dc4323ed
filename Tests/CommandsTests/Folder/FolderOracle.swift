/// The rule of the three-way merge, written a second time: what a folder, its base and the market hold after a pull or a
/// push.
///
/// A row is the values of a product by field. New files have negative numbers until they are pushed.
struct FolderOracle {
  typealias Row = [String: String]
  enum Winner { case mine, theirs }

  var base: [Int: Row] = [:]
  var local: [Int: Row] = [:]
  var market: [Int: Row] = [:]
  var deleted: Set<Int> = []
  /// The numbers that the next products get.
  var next = 0

  mutating func pull(_ winner: Winner?) {
    for id in Set(base.keys).union(local.keys).union(market.keys).sorted() where id > 0 {
      switch (base[id], local[id], market[id]) {
      case (nil, nil, let m?): (local[id], base[id]) = (m, m)
      case (let b, let l?, let m?):
        for field in m.keys {
          let (bc, lc, mc) = (b?[field], l[field], m[field])
          if lc == mc || mc == bc {
            base[id, default: [:]][field] = mc
          } else if lc == bc || winner == .theirs {
            local[id]?[field] = mc
            base[id, default: [:]][field] = mc
          } else if winner == .mine {
            base[id, default: [:]][field] = mc
          }
        }
      case (let b?, nil, let m?):
        if b != m, winner == .theirs { local[id] = m }
        if b == m || winner != nil { base[id] = m }
      case (let b, let l?, nil):
        if b == nil, deleted.contains(id) { continue }
        if b == l || winner == .theirs { (local[id], base[id]) = (nil, nil) }
        if b != l, winner == .mine { (local[id], base[id], local[-id]) = (nil, nil, l) }
      case (_, nil, nil): base[id] = nil
      }
    }
  }

  /// - Parameter order: The new files in the order in which they are sent.
  mutating func push(_ winner: Winner?, deletes: Bool, order: (Int) -> String) {
    var new: [Int] = []
    for id in Set(base.keys).union(local.keys).sorted() where id > 0 {
      switch (base[id], local[id], market[id]) {
      case (let b, let l?, let m?):
        for field in l.keys where l[field] != b?[field] {
          let (bc, lc, mc) = (b?[field], l[field], m[field])
          if lc == mc || mc == bc || winner == .mine {
            market[id]?[field] = lc
            base[id, default: [:]][field] = lc
          } else if winner == .theirs {
            local[id]?[field] = mc
            base[id, default: [:]][field] = mc
          }
        }
      case (let b?, nil, let m) where deletes:
        if m == nil || m == b || winner == .mine { (base[id], market[id]) = (nil, nil); deleted.insert(id) }
      case (let b, let l?, nil) where l != b && (b == nil || winner == .mine): new.append(id)
      default: break
      }
    }
    let fresh = local.keys.filter { $0 < 0 }.sorted { order($0) < order($1) }
    for id in new.sorted(by: { order($0) < order($1) }) + fresh { create(id) }
  }

  private mutating func create(_ id: Int) {
    let row = local.removeValue(forKey: id)
    if id > 0 { base[id] = nil; deleted.insert(id) }
    next += 1
    (local[next], base[next], market[next]) = (row, row, row)
  }
}
