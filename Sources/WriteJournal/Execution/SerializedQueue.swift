/// The queue of a batch: in the planned order, but never with two writes of the same key at once.
struct SerializedQueue {
  private let lanes: [String]
  private var next = 0
  private var busy: Set<String> = []
  /// The writes that wait for another write of the same key, by key.
  private var blocked: [String: [Int]] = [:]
  /// The writes that may start before the next one in order.
  private var ready: [Int] = []

  init(_ lanes: [String]) { self.lanes = lanes }

  /// Removes the next write that may start, or returns `nil` if there is none at the moment.
  mutating func pop() -> Int? {
    if !ready.isEmpty { return ready.removeFirst() }
    while next < lanes.count {
      defer { next += 1 }
      if busy.insert(lanes[next]).inserted { return next }
      blocked[lanes[next], default: []].append(next)
    }
    return nil
  }

  /// Ends a write, so that the next one with its key may start.
  mutating func finish(_ index: Int) {
    let lane = lanes[index]
    guard var waiting = blocked[lane], !waiting.isEmpty else {
      busy.remove(lane)
      return
    }
    ready.append(waiting.removeFirst())
    blocked[lane] = waiting
  }
}
