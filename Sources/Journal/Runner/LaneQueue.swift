/// The order of a batch: as planned, and never two writes of one lane at once.
struct LaneQueue {
  private let lanes: [String]
  private var next = 0
  private var taken: Set<String> = []
  /// Those whose turn came while their lane was taken, by lane.
  private var behind: [String: [Int]] = [:]
  /// Those that may go before the next one in order.
  private var freed: [Int] = []

  init(_ lanes: [String]) { self.lanes = lanes }

  /// Takes the next one that may begin; nil when there is none just now.
  mutating func pop() -> Int? {
    if !freed.isEmpty { return freed.removeFirst() }
    while next < lanes.count {
      defer { next += 1 }
      if taken.insert(lanes[next]).inserted { return next }
      behind[lanes[next], default: []].append(next)
    }
    return nil
  }

  /// It is over; whoever waits behind it is next.
  mutating func end(_ index: Int) {
    let lane = lanes[index]
    guard var waiting = behind[lane], !waiting.isEmpty else {
      taken.remove(lane)
      return
    }
    freed.append(waiting.removeFirst())
    behind[lane] = waiting
  }
}
