import CEditLine

/// Keys that mean something else in a form, beside shown choices or in a line that is not finished.
extension EditCore {
  /// The character libedit gets in place of the one that comes next.
  func gate(_ character: wchar_t) -> wchar_t {
    if let key = gateOfSearch(character) { return key }
    switch character {
    case 10, 13: return enter(character)
    case Code.escape.rawValue: return escape()
    // Ctrl-P and Ctrl-N.
    case 16: return question.isInForm ? up().rawValue : character
    case 14: return question.isInForm ? down().rawValue : character
    case 0x1B:
      // One ends a search of vi's, and the next begins what the key means.
      if Self.isSearching(line.text), !pending.isEmpty { pending.insert(0x1B, at: pending.startIndex) }
      return arrow() ?? character
    default: return character
    }
  }

  private func enter(_ character: wchar_t) -> wchar_t {
    if openMenu?.chosen != nil { return Code.accept.rawValue }
    let text = line.text
    if Self.isSearching(text) || sawTooMuch { return character }
    if question.isField { return question.accepts(text) == nil ? character : Code.beep.rawValue }
    return question.isUnfinished(text) ? Code.more.rawValue : character
  }

  private func escape() -> wchar_t {
    if openMenu != nil { return Code.close.rawValue }
    return (question.isField ? Code.leave : Code.escape).rawValue
  }

  /// Up and Down, whose sequence waits to be read, where they do not go through the history.
  private func arrow() -> wchar_t? {
    guard question.isInForm || openMenu != nil else { return nil }
    let rest = pending.prefix(2).map { UInt8(truncatingIfNeeded: $0) }
    let isUp = [Array("[A".utf8), Array("OA".utf8)].contains(rest)
    guard isUp || [Array("[B".utf8), Array("OB".utf8)].contains(rest) else { return nil }
    pending.removeFirst(2)
    return (isUp ? up() : down()).rawValue
  }

  private func up() -> Code { openMenu == nil ? .up : .choiceAbove }
  private func down() -> Code { openMenu == nil ? .down : .choiceBelow }

  /// A field that refuses what the last key led to goes back to what it was.
  func guardField() {
    guard question.isField else { return }
    let now = line
    if question.refuses(now.text), !question.refuses(lastGood.text) {
      pending.insert(Code.revert.rawValue, at: pending.startIndex)
    } else {
      lastGood = now
    }
  }
}
