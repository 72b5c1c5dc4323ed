import CEditLine

/// The parts of vi's command mode that libedit lacks: text objects, `w` after an operator on the last character, keys
/// after an operator that are not motions, and characters of several scalars.
///
/// Each is translated to libedit's own commands, so that counts, kills and the insertion after `c` are libedit's: `diw`
/// on a word of four letters moves the cursor to the start of the word and then sends `d4l`.
final class ViCommands {
  private enum State {
    case idle
    /// After `d`, `c` or `y`, and its count.
    case operation(wchar_t, isCounting: Bool)
    /// After an operator and `i` or `a`.
    case object(wchar_t, isAround: Bool)
  }

  /// A change of a text object that `.` repeats.
  private struct Change {
    var operation: wchar_t
    var object: TextObject
    /// The text typed in its place.
    var inserted = ""
    /// The offset where it is being typed, or `nil` when that has ended.
    var insertion: Int?
  }

  private static let motions = Set("hlwWbBeE0^$fFtT;,|% \u{8}\u{7F}".unicodeScalars.map { wchar_t($0.value) })
  private static let operators = Set("dcy".unicodeScalars.map { wchar_t($0.value) })
  /// The commands after which `.` is handled by libedit.
  private static let changes = Set("xXsSdDcCiIaArRpPJ~".unicodeScalars.map { wchar_t($0.value) })
  private static let right: [[wchar_t]] = [[0x6C], [0x20], [0x1B, 0x5B, 0x43], [0x1B, 0x4F, 0x43]]
  private static let left: [[wchar_t]] = [[0x68], [0x1B, 0x5B, 0x44], [0x1B, 0x4F, 0x44]]

  private let buffer: LineBuffer
  private let counter: () -> NumericArgument
  private var state = State.idle
  private var last: Change?

  /// Creates the commands of an editor.
  ///
  /// `counter` returns the count being typed.
  init(_ buffer: LineBuffer, counter: @escaping () -> NumericArgument) {
    (self.buffer, self.counter) = (buffer, counter)
  }

  func beginLine() {
    state = .idle
    last?.insertion = nil
  }

  /// Returns the items that libedit receives instead: none for an item that is only recorded, `nil` to pass the item
  /// itself.
  func items(for item: InputQueue.Item) -> [InputQueue.Item]? {
    let isCommand = buffer.isViCommandMode
    guard case .key(let characters) = item, isCommand else {
      if case .action(.escape) = item, !isCommand { endInsertion() }
      state = .idle
      return nil
    }
    switch state {
    case .object(let operation, let isAround):
      state = .idle
      guard characters.count == 1, characters[0] >= 0x20, let kind = Unicode.Scalar(UInt32(characters[0])) else {
        return nil
      }
      return items(for: Change(operation: operation, object: TextObject(kind: kind, isAround: isAround)))
    case .operation(let operation, let isCounting): return motion(after: operation, isCounting, characters)
    case .idle: return command(characters)
    }
  }

  private func command(_ characters: [wchar_t]) -> [InputQueue.Item]? {
    let line = buffer.line
    if !counter().isBegun {
      let ahead = buffer.lengthOfCharacter(at: line.cursor)
      if Self.right.contains(characters), ahead > 1 { return moved(ahead, by: "l") }
      let before = buffer.lengthOfCharacter(before: line.cursor)
      if Self.left.contains(characters), before > 1 { return moved(before, by: "h") }
      if characters == [0x73], ahead > 1 { return [Self.key("c")] + moved(ahead, by: "l") }
    }
    guard characters.count == 1 else { return nil }
    if characters == [0x2E], let last, last.insertion == nil { return items(for: last, again: true) }
    if Self.changes.contains(characters[0]) { last = nil }
    if Self.operators.contains(characters[0]) { state = .operation(characters[0], isCounting: false) }
    return nil
  }

  private func motion(after operation: wchar_t, _ isCounting: Bool, _ characters: [wchar_t]) -> [InputQueue.Item]? {
    state = .idle
    guard characters.count == 1, let key = characters.first else { return nil }
    switch key {
    case 0x31...0x39: state = .operation(operation, isCounting: true)
    case 0x30 where isCounting: state = .operation(operation, isCounting: true)
    case 0x69, 0x61:
      state = .object(operation, isAround: key == 0x61)
      return []
    // On the last character libedit finds no next word.
    case 0x77, 0x57:
      let line = buffer.line
      return line.cursor == line.count - 1 ? [Self.key("l")] : nil
    case operation, ..<0x20: break
    default: return Self.motions.contains(key) ? nil : [.action(.beep)]
    }
    return nil
  }

  private func items(for change: Change, again: Bool = false) -> [InputQueue.Item] {
    let line = buffer.line
    guard let range = change.object.range(in: line.text, at: line.cursor) else { return [.action(.beep)] }
    buffer.moveCursor(by: range.lowerBound - line.cursor)
    var change = change
    let isChange = change.operation == 0x63
    change.insertion = isChange && !again ? range.lowerBound : nil
    if change.operation != 0x79 { last = change }
    // The pending operator is cancelled and sent again where the object begins.
    var items: [InputQueue.Item] = [.action(.nothing)]
    if !range.isEmpty {
      items += [.key([change.operation])] + moved(range.count, by: "l")
    } else if isChange {
      items.append(Self.key("i"))
    }
    if again, isChange {
      if !change.inserted.isEmpty { items.append(.text(InputQueue.Piece(text: change.inserted))) }
      items.append(.action(.escape))
    }
    return items
  }

  private func endInsertion() {
    guard let start = last?.insertion else { return }
    let line = buffer.line
    last?.inserted = start <= line.cursor ? line.text.substring(start..<line.cursor) : ""
    last?.insertion = nil
  }

  private func moved(_ count: Int, by motion: Unicode.Scalar) -> [InputQueue.Item] {
    String(count).unicodeScalars.map(Self.key) + [Self.key(motion)]
  }

  private static func key(_ scalar: Unicode.Scalar) -> InputQueue.Item { .key([wchar_t(scalar.value)]) }
}
