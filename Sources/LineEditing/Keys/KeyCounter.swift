import CEditLine

/// The count a person gave before a command (`3k`, Alt-3 Up), which libedit keeps from functions that are not its own.
struct KeyCounter {
  private static let most = 1_000
  /// How many keys there were.
  private(set) var keys = 0
  /// The count of the key that is carried out.
  private(set) var count = 1
  /// Whether one was given.
  private(set) var isGiven = false
  private var typed: Int?

  /// A key begins.
  /// - Parameter isCommand: whether a digit alone is part of a count, as in vi's command mode.
  mutating func begin(_ item: InputQueue.Item, isCommand: Bool) {
    keys += 1
    if let digit = digit(of: item, isCommand: isCommand) {
      typed = min(Self.most, (typed ?? 0) * 10 + digit)
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
