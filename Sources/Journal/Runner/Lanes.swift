/// Lets so many through at once, and one only for each key.
actor Lanes {
  private var free: Int
  private var slotWaiters: [CheckedContinuation<Void, Never>] = []
  private var taken: [String: [CheckedContinuation<Void, Never>]] = [:]

  init(_ count: Int) { free = count }

  func takeSlot() async {
    guard free == 0 else {
      free -= 1
      return
    }
    await withCheckedContinuation { slotWaiters.append($0) }
  }

  func giveSlot() {
    guard slotWaiters.isEmpty else { return slotWaiters.removeFirst().resume() }
    free += 1
  }

  func enter(_ key: String) async {
    guard taken[key] != nil else {
      taken[key] = []
      return
    }
    await withCheckedContinuation { taken[key]?.append($0) }
  }

  func leave(_ key: String) {
    guard var waiting = taken[key], !waiting.isEmpty else {
      taken[key] = nil
      return
    }
    let next = waiting.removeFirst()
    taken[key] = waiting
    next.resume()
  }
}
