import CEditLine

/// The numeric count typed before a command (`3k`, Alt-3 Up).
///
/// libedit passes it only to its own functions.
struct NumericArgument {
  private static let maximumCount = 1_000
  /// The number of keys so far.
  private(set) var keys = 0
  /// The count of the current command.
  private(set) var count = 1
  /// Indicates whether a count was typed.
  private(set) var isGiven = false
  private var typed: Int?
  /// Indicates whether a count was begun and its command has not arrived yet.
  var isBegun: Bool { typed != nil }

  /// Handles a key.
  ///
  /// `isCommand` means that a plain digit is part of a count, as in vi's command mode.
  mutating func begin(_ item: InputQueue.Item, isCommand: Bool) {
    keys += 1
    if let digit = digit(of: item, isCommand: isCommand) {
      typed = min(Self.maximumCount, (typed ?? 0) * 10 + digit)
    } else {
      (count, isGiven, typed) = (typed ?? 1, typed != nil, nil)
    }
  }

  private func digit(of item: InputQueue.Item, isCommand: Bool) -> Int? {
    guard case .key(let characters) = item, let last = characters.last, (0x30...0x39).contains(last) else { return nil }
    let digit = Int(last) - 0x30
    switch characters.count {
    case 1: return typed != nil || (isCommand && digit > 0) ? digit : nil
    case 2: return characters[0] == 0x1B ? digit : nil
    default: return nil
    }
  }
}
