import CEditLine

/// Ctrl-R and Ctrl-S. libedit's own search takes a character for the key that its last byte is, and so finds no Hangul.
extension EditCore {
  func search(forward: Bool) -> UInt8 {
    guard !question.isField else { return UInt8(CC_REFRESH_BEEP) }
    guard var search else {
      self.search = HistorySearch(before: line, at: walk.place ?? history.entries.count, forward: forward)
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

  private func show(_ hit: HistorySearch.Hit?) -> UInt8 {
    guard let hit else { return UInt8(CC_REFRESH_BEEP) }
    put(hit.text, cursor: hit.offset)
    return UInt8(CC_REFRESH)
  }

  /// What a key is to a search; nil for one that ends it and does what it always does.
  func gateOfSearch(_ character: wchar_t) -> wchar_t? {
    guard var search else { return nil }
    switch character {
    // Ctrl-R, Ctrl-S, Ctrl-G.
    case 18, 19: return character
    case 7: return Code.leaveSearch.rawValue
    case 8, 0x7F: search.shorten()
    case Code.insert.rawValue, Code.compose.rawValue: search.add(payloads.isEmpty ? "" : payloads.removeFirst())
    case 0x20..<0x7F, 0xA0...:
      search.add(Unicode.Scalar(UInt32(bitPattern: character)).map { String($0) } ?? "")
    default:
      // From here on Up and Down go on from what was found.
      if let found = search.found { walk.jump(to: found, from: search.before.text) }
      self.search = nil
      return character == Code.escape.rawValue ? Code.searchAgain.rawValue : nil
    }
    self.search = search
    return Code.searchAgain.rawValue
  }
}
