import CEditLine

/// Ctrl-R and Ctrl-S. libedit's own search takes a character for the key that its last byte is, and so finds no Hangul.
extension EditCore {
  /// - Parameter fromVi: vi's `/` and `?`, whose Enter only ends the search.
  func search(forward: Bool, fromVi: Bool = false) -> UInt8 {
    guard !question.isField else { return UInt8(CC_REFRESH_BEEP) }
    guard var search else {
      self.search = HistorySearch(
        before: line, at: walk.place ?? history.entries.count, forward: forward, enterEndsIt: fromVi)
      return UInt8(CC_REFRESH)
    }
    let hit = search.next(forward: forward, in: history.entries)
    self.search = search
    return show(hit)
  }

  /// The pattern has changed, or the search is over.
  func searchAgain() -> UInt8 {
    guard var search else { return UInt8(CC_REFRESH) }
    let hit = search.again(in: history.entries)
    self.search = search
    return search.pattern.isEmpty ? UInt8(CC_REFRESH) : show(hit)
  }

  /// Back to what was typed before.
  func leaveSearch() -> UInt8 {
    guard let before = search?.before else { return UInt8(CC_REFRESH) }
    search = nil
    put(before.text, cursor: before.cursor)
    return UInt8(CC_REFRESH)
  }

  /// vi's `n` and `N`.
  func repeatSearch(isTurned: Bool) -> UInt8 {
    guard !question.isField, let last = lastSearch else { return UInt8(CC_REFRESH_BEEP) }
    var again = HistorySearch(
      before: line, at: walk.place ?? history.entries.count, forward: last.isForward, enterEndsIt: true)
    again.add(last.pattern)
    let hit = again.next(forward: last.isForward != isTurned, in: history.entries)
    if let found = again.found { walk.jump(to: found, from: line.text) }
    return show(hit)
  }

  private func show(_ hit: HistorySearch.Hit?) -> UInt8 {
    guard let hit else { return UInt8(CC_REFRESH_BEEP) }
    put(hit.text, cursor: hit.offset)
    return UInt8(CC_REFRESH)
  }

  /// What an item is to a search; nil without one, and for a key that ends it and does what it always does.
  func gateOfSearch(_ item: InputQueue.Item) -> InputQueue.Item? {
    guard var search else { return nil }
    switch item {
    // Ctrl-R, Ctrl-S, Ctrl-G.
    case .key([18]), .key([19]): return item
    case .key([7]): return .action(.leaveSearch)
    case .key([8]), .key([0x7F]): search.shorten()
    case .text(let text): search.add(text.text)
    case .key(let characters) where characters.count == 1 && characters[0] >= 0x20:
      search.add(Unicode.Scalar(UInt32(bitPattern: characters[0])).map { String($0) } ?? "")
    case .key, .action:
      // From here on Up and Down go on from what was found.
      if let found = search.found { walk.jump(to: found, from: search.before.text) }
      if !search.pattern.isEmpty { lastSearch = (search.pattern, search.isForward) }
      self.search = nil
      let endsIt = search.enterEndsIt && (item == .key([13]) || item == .key([10]))
      return item == .action(.escape) || endsIt ? .action(.searchAgain) : nil
    }
    self.search = search
    return .action(.searchAgain)
  }
}
