import CEditLine
import Foundation

/// Our key bindings in libedit's notation, and their commands.
enum KeyTable {
  static let common: [(String, String)] = [
    ("^M", "openmarket-enter"), ("^J", "openmarket-enter"), ("^L", "openmarket-clear"), ("^I", "openmarket-complete"),
    ("^C", "openmarket-cancel"), ("^D", "openmarket-end"),
    ("^Z", "openmarket-suspend"), ("^R", "openmarket-search-back"), ("^S", "openmarket-search-forward"),
    ("\u{81}", "openmarket-more"), ("\u{82}", "openmarket-revert"), ("\u{83}", "openmarket-beep"),
    ("\u{84}", "openmarket-accept"), ("\u{85}", "openmarket-close"), ("\u{86}", "openmarket-up"),
    ("\u{87}", "openmarket-down"), ("\u{88}", "openmarket-leave"), ("\u{89}", "openmarket-choice-above"),
    ("\u{8A}", "openmarket-choice-below"), ("\u{8B}", "openmarket-search-again"),
    ("\u{8C}", "openmarket-leave-search"), ("\u{98}", "openmarket-insert"), ("\u{99}", "openmarket-insert"),
    ("\u{9A}", "openmarket-insert"), ("\u{9B}", "openmarket-insert"), ("\u{9C}", "openmarket-insert"),
    ("\u{9D}", "openmarket-insert"), ("\u{9E}", "openmarket-insert"), ("\u{9F}", "openmarket-insert"),
    ("\u{1B}[Z", "openmarket-complete-back"),
    ("\u{1B}[6~", "openmarket-next-page"), ("\u{1B}[5~", "openmarket-previous-page"),
    ("\u{1B}[3~", "openmarket-delete-behind"), ("\u{1B}[1~", "openmarket-go-to-start"),
    ("\u{1B}[7~", "openmarket-go-to-start"),
    ("\u{1B}[4~", "openmarket-go-to-end"), ("\u{1B}[8~", "openmarket-go-to-end"),
    ("\u{1B}[1;5C", "openmarket-forward-word"), ("\u{1B}[1;3C", "openmarket-forward-word"),
    ("\u{1B}[1;5D", "ed-prev-word"), ("\u{1B}[1;3D", "ed-prev-word"),
    ("\u{1B}Oc", "openmarket-forward-word"), ("\u{1B}Od", "ed-prev-word"),
    ("\u{1B}[1;9C", "openmarket-forward-word"), ("\u{1B}[1;9D", "ed-prev-word"),
    ("\u{1B}[1;2C", "openmarket-forward"), ("\u{1B}[1;2D", "openmarket-back"),
    ("\u{1B}[3;5~", "openmarket-kill-word-behind"), ("\u{1B}[13;2u", "openmarket-new-row"),
    ("\u{1B}[13;3u", "openmarket-new-row"), ("\u{1B}[27;2;13~", "openmarket-new-row"),
    ("\u{1B}OP", "openmarket-explain"), ("\u{1B}[11~", "openmarket-explain"), ("\u{1B}[[A", "openmarket-explain"),
  ]

  /// The keys after `ESC [` and `ESC O`, depending on the terminal's mode.
  static let cursorKeys: [(String, String)] = [
    ("A", "openmarket-older"), ("B", "openmarket-newer"), ("C", "openmarket-forward"), ("D", "openmarket-back"),
    ("H", "openmarket-go-to-start"), ("F", "openmarket-go-to-end"),
  ]

  static let emacs: [(String, String)] = [
    ("^X", "openmarket-beep"), ("^X^E", "openmarket-edit-line"), ("\u{1B}e", "openmarket-edit-line"),
    ("\u{1B}E", "openmarket-edit-line"), ("\u{1B}h", "openmarket-explain"), ("\u{1B}H", "openmarket-explain"),
    ("\u{1B}s", "openmarket-prefix"), ("\u{1B}S", "openmarket-prefix"), ("\u{1B}^M", "openmarket-new-row"),
    ("\u{1B}^J", "openmarket-new-row"), ("^A", "openmarket-go-to-start"), ("^E", "openmarket-go-to-end"),
    ("^T", "openmarket-transpose"), ("^F", "openmarket-forward"), ("^B", "openmarket-back"),
    ("\u{1B}f", "openmarket-forward-word"),
    ("\u{1B}F", "openmarket-forward-word"), ("^W", "openmarket-kill-word-before"), ("^U", "openmarket-kill-to-start"),
    ("^K", "openmarket-kill-to-end"), ("^Y", "openmarket-yank"), ("\u{1B}y", "openmarket-yank-pop"),
    ("\u{1B}d", "openmarket-kill-word-behind"), ("\u{1B}D", "openmarket-kill-word-behind"),
    ("\u{1B}^H", "openmarket-kill-word-before"), ("\u{1B}^?", "openmarket-kill-word-before"),
    ("^H", "openmarket-delete-before"), ("^?", "openmarket-delete-before"), ("^_", "openmarket-undo"),
    ("\u{1B}/", "openmarket-redo"), ("\u{1B}.", "openmarket-last-word"), ("\u{1B}_", "openmarket-last-word"),
    ("\u{1B}p", "openmarket-older"), ("\u{1B}P", "openmarket-older"), ("\u{1B}n", "openmarket-newer"),
    ("\u{1B}N", "openmarket-newer"), ("^P", "openmarket-older"), ("^N", "openmarket-newer"), ("^V", "openmarket-quote"),
    ("\u{1B}^L", "openmarket-clear"), ("\u{1B}x", "openmarket-beep"), ("\u{1B}X", "openmarket-beep"),
    ("\u{1B}t", "openmarket-transpose-words"), ("\u{1B}T", "openmarket-transpose-words"),
    ("\u{1B}#", "openmarket-comment"), ("\u{1B}\\\\", "openmarket-delete-blanks"),
    ("\u{1B}<", "openmarket-history-line"), ("\u{1B}>", "openmarket-newest"), ("^O", "openmarket-enter-and-next"),
  ]

  static let viInsert: [(String, String)] = [
    ("^F", "openmarket-forward"), ("^W", "openmarket-kill-word-before"), ("^?", "openmarket-delete-before"),
    ("^H", "openmarket-delete-before"), ("^U", "openmarket-kill-to-start"), ("^K", "openmarket-kill-to-end"),
    ("^Y", "openmarket-yank"), ("^A", "openmarket-go-to-start"), ("^E", "openmarket-go-to-end"),
    ("^B", "openmarket-back"), ("^_", "openmarket-undo"), ("^@", "ed-ignore"), ("^P", "openmarket-older"),
    ("^N", "openmarket-newer"), ("^V", "openmarket-quote"),
  ]

  /// Replacements for vi's command mode, which has no position after the last character.
  static let viCommand: [(String, String)] = [
    ("\u{1B}[C", "ed-next-char"), ("\u{1B}OC", "ed-next-char"), ("\u{1B}[F", "ed-move-to-end"),
    ("\u{1B}OF", "ed-move-to-end"), ("\u{1B}[4~", "ed-move-to-end"), ("\u{1B}[8~", "ed-move-to-end"),
    ("\u{80}", "ed-unassigned"), ("k", "openmarket-older"), ("j", "openmarket-newer"), ("\u{8D}", "vi-next-char"),
    ("\u{8E}", "vi-prev-char"), ("\u{8F}", "vi-to-next-char"), ("\u{90}", "vi-to-prev-char"),
    ("\u{91}", "vi-replace-char"), ("\u{92}", "vi-insert"), ("f", "openmarket-find-next"),
    ("F", "openmarket-find-previous"),
    ("t", "openmarket-find-to-next"), ("T", "openmarket-find-to-previous"), ("r", "openmarket-replace"),
    ("/", "openmarket-vi-search-back"), ("?", "openmarket-vi-search-forward"), ("n", "openmarket-repeat-search"),
    ("N", "openmarket-repeat-search-back"), (":", "openmarket-beep"), ("@", "openmarket-beep"),
    ("v", "openmarket-edit-line"), ("#", "openmarket-comment"), ("_", "openmarket-last-word"),
    ("G", "openmarket-history-line"), ("K", "openmarket-older"), ("J", "openmarket-newer"),
    ("\u{1B}[D", "ed-prev-char"), ("\u{1B}OD", "ed-prev-char"),
    ("+", "openmarket-newer"), ("-", "openmarket-older"), ("x", "openmarket-delete-behind"),
    ("X", "openmarket-delete-before"), ("u", "openmarket-undo-command"), ("U", "openmarket-undo-all"),
    ("\u{93}", "ed-ignore"),
    // libedit would wait after these for the rest of an arrow key without its Esc.
    ("[", "openmarket-beep"), ("O", "openmarket-beep"),
  ]

  /// The commands of libedit that read characters from the terminal directly, write a prompt into the line, run a
  /// program or end the line, and their replacements.
  ///
  /// They are replaced wherever they are bound.
  static let replacements = [
    "ed-quoted-insert": "openmarket-quote", "em-meta-next": "ed-ignore", "em-inc-search-prev": "openmarket-search-back",
    "em-inc-search-next": "openmarket-search-forward", "vi-search-prev": "openmarket-vi-search-back",
    "vi-search-next": "openmarket-vi-search-forward", "vi-repeat-search-next": "openmarket-repeat-search",
    "vi-repeat-search-prev": "openmarket-repeat-search-back", "ed-command": "openmarket-beep",
    "vi-alias": "openmarket-beep", "vi-histedit": "openmarket-edit-line", "vi-comment-out": "openmarket-comment",
    "vi-history-word": "openmarket-last-word", "vi-to-history-line": "openmarket-history-line",
    "ed-search-prev-history": "openmarket-older", "ed-search-next-history": "openmarket-newer",
    "vi-next-char": "openmarket-find-next", "vi-prev-char": "openmarket-find-previous",
    "vi-to-next-char": "openmarket-find-to-next", "vi-to-prev-char": "openmarket-find-to-previous",
    "vi-replace-char": "openmarket-replace", "ed-prev-history": "openmarket-older",
    "ed-next-history": "openmarket-newer", "ed-newline": "openmarket-enter", "ed-end-of-file": "openmarket-end",
    "em-delete-or-list": "openmarket-end", "vi-list-or-eof": "openmarket-end", "ed-clear-screen": "openmarket-clear",
    "ed-redisplay": "openmarket-redisplay", "ed-delete-next-char": "openmarket-delete-behind",
    "ed-transpose-chars": "openmarket-transpose", "vi-undo": "openmarket-undo-command",
    "vi-undo-line": "openmarket-undo-all",
  ]
}

/// A binding as libedit lists it: `"^[[A"          ->  ed-prev-history`.
struct KeyBinding {
  /// The characters of the key.
  var key: String
  var command: String
  /// Indicates a binding of vi's command mode only.
  var isOfViCommands: Bool

  /// Returns all current bindings, which libedit prints to `list`.
  static func list(of editLine: OpaquePointer, from list: MemoryStream) -> [KeyBinding] {
    _ = list.take()
    edit_list_bindings(editLine)
    var isAlternative = false
    var isLong = false
    var bindings: [KeyBinding] = []
    for line in list.take().split(separator: "\n") {
      if line.first != "\"" {
        isAlternative = line.hasPrefix("Alternative")
        isLong = line.hasPrefix("Multi")
        continue
      }
      guard let arrow = line.range(of: "->  ", options: .backwards) else { continue }
      let command = String(line[arrow.upperBound...])
      for key in keys(line[..<arrow.lowerBound]) {
        // A key sequence without Esc begins with one of vi's commands.
        let isOfViCommands = isLong ? key.unicodeScalars.first != "\u{1B}" : isAlternative
        bindings.append(KeyBinding(key: key, command: command, isOfViCommands: isOfViCommands))
      }
    }
    return bindings
  }

  /// Parses `"^[[A"`, or the range `"^A" to "^C"`.
  private static func keys(_ text: Substring) -> [String] {
    let text = text.drop { $0 == " " }
    guard let end = text.dropFirst(2).firstIndex(of: "\"") else { return [] }
    let first = decoded(text[text.index(after: text.startIndex)..<end])
    guard let to = text.range(of: "to \"", range: end..<text.endIndex),
      let close = text.lastIndex(of: "\""), close >= to.upperBound,
      let from = first.unicodeScalars.first?.value,
      let last = decoded(text[to.upperBound..<close]).unicodeScalars.first?.value, from <= last
    else { return [first] }
    return (from...last).compactMap { Unicode.Scalar($0).map { String($0) } }
  }

  private static func decoded(_ key: Substring) -> String {
    var scalars = String.UnicodeScalarView()
    var rest = key.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if scalar == "^", let control = rest.popFirst(), let plain = Unicode.Scalar(control.value ^ 0x40) {
        scalars.append(plain)
      } else {
        scalars.append(scalar)
      }
    }
    return String(scalars)
  }
}

/// The key set: emacs or vi.
package enum EditingStyle: String, Sendable, CaseIterable {
  case emacs, vi
}

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
