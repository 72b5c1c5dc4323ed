import CEditLine
import Foundation
import Glibc

extension EditCore {
  func addFunctions() {
    for function in EditorFunction.all {
      edit_add_function(editLine, Self.kept(function.name), Self.kept(function.help), function.body)
    }
  }

  /// libedit keeps the pointer, so the text is never freed.
  private static func kept(_ text: String) -> UnsafePointer<wchar_t> {
    let wide = text.unicodeScalars.map { wchar_t(bitPattern: $0.value) } + [0]
    let copy = UnsafeMutablePointer<wchar_t>.allocate(capacity: wide.count)
    copy.initialize(from: wide, count: wide.count)
    return UnsafePointer(copy)
  }

  /// Our keys, then the person's: a line of `.editrc` that starts the key maps anew gets ours again before it goes on.
  func configureKeys() {
    _ = options.keys.rawValue.withWide { edit_set_editor(editLine, $0) }
    bindKeys()
    editrcTroubles = EditRC.apply(to: editLine, errors: errors, rebind: bindKeys)
    for flag in ["-isig", "-ixon", "-icrnl", "-inlcr"] {
      _ = "-d".withWide { mode in flag.withWide { edit_set_tty(editLine, mode, $0) } }
    }
    decoder.joinsEscape = mode == .emacs
    boundSequences = nil
  }

  var mode: Keys {
    guard let name = edit_editor(editLine) else { return .emacs }
    return Keys(rawValue: String(wide: name, count: wcslen(name))) ?? .emacs
  }

  private func bindKeys() {
    let mode = mode
    let cursorKeys = Self.cursorKeys.flatMap { [("\u{1B}[" + $0, $1), ("\u{1B}O" + $0, $1)] }
    for (key, command) in Self.common + cursorKeys {
      bind(key, command)
      if mode == .vi { bindInCommandMode(key, command) }
    }
    switch mode {
    case .emacs:
      bind("\u{80}", "em-meta-next")
      for (key, command) in Self.inEmacs { bind(key, command) }
    case .vi:
      bind("\u{80}", "vi-command-mode")
      for (key, command) in Self.inViInsertion { bind(key, command) }
      for (key, command) in Self.inViCommands { bindInCommandMode(key, command) }
    }
  }

  private func bind(_ key: String, _ command: String) {
    _ = key.withWide { key in command.withWide { edit_bind(editLine, key, $0) } }
  }

  private func bindInCommandMode(_ key: String, _ command: String) {
    _ = key.withWide { key in command.withWide { edit_bind_vi_command(editLine, key, $0) } }
  }

  private static let common: [(String, String)] = [
    ("^I", "openmarket-complete"), ("^C", "openmarket-cancel"), ("^D", "openmarket-end"),
    ("^Z", "openmarket-suspend"), ("^R", "openmarket-search-back"), ("^S", "openmarket-search-forward"),
    ("\u{81}", "openmarket-compose"), ("\u{82}", "openmarket-more"), ("\u{83}", "openmarket-insert"),
    ("\u{84}", "openmarket-revert"), ("\u{85}", "openmarket-beep"), ("\u{86}", "openmarket-accept"),
    ("\u{87}", "openmarket-close"), ("\u{88}", "openmarket-up"), ("\u{89}", "openmarket-down"),
    ("\u{8A}", "openmarket-leave"), ("\u{8B}", "openmarket-choice-above"), ("\u{8C}", "openmarket-choice-below"),
    ("\u{8D}", "openmarket-search-again"), ("\u{8E}", "openmarket-leave-search"),
    ("\u{1B}[Z", "openmarket-complete-back"),
    ("\u{1B}[6~", "openmarket-next-page"), ("\u{1B}[5~", "openmarket-previous-page"),
    ("\u{1B}[3~", "ed-delete-next-char"), ("\u{1B}[1~", "ed-move-to-beg"), ("\u{1B}[7~", "ed-move-to-beg"),
    ("\u{1B}[4~", "openmarket-go-to-end"), ("\u{1B}[8~", "openmarket-go-to-end"),
    ("\u{1B}[1;5C", "openmarket-forward-word"), ("\u{1B}[1;3C", "openmarket-forward-word"),
    ("\u{1B}[1;5D", "ed-prev-word"), ("\u{1B}[1;3D", "ed-prev-word"),
  ]

  /// Behind `ESC [` and `ESC O`, as the terminal's mode is.
  private static let cursorKeys: [(String, String)] = [
    ("A", "openmarket-older"), ("B", "openmarket-newer"), ("C", "openmarket-forward"), ("D", "ed-prev-char"),
    ("H", "ed-move-to-beg"), ("F", "openmarket-go-to-end"),
  ]

  private static let inEmacs: [(String, String)] = [
    ("^F", "openmarket-forward"), ("\u{1B}f", "openmarket-forward-word"), ("^W", "ed-delete-prev-word"),
    ("^U", "vi-kill-line-prev"), ("^P", "openmarket-older"), ("^N", "openmarket-newer"),
  ]

  private static let inViInsertion: [(String, String)] = [
    ("^F", "openmarket-forward"), ("^W", "ed-delete-prev-word"), ("^?", "ed-delete-prev-char"),
    ("^H", "ed-delete-prev-char"), ("^P", "openmarket-older"), ("^N", "openmarket-newer"),
  ]

  /// Behind the last character there is no place to go in vi's command mode.
  private static let inViCommands: [(String, String)] = [
    ("\u{1B}[C", "ed-next-char"), ("\u{1B}OC", "ed-next-char"), ("\u{1B}[F", "ed-move-to-end"),
    ("\u{1B}OF", "ed-move-to-end"), ("\u{1B}[4~", "ed-move-to-end"), ("\u{1B}[8~", "ed-move-to-end"),
    ("\u{80}", "ed-unassigned"), ("k", "openmarket-older"), ("j", "openmarket-newer"),
  ]

  /// Whether some key binding knows the escape sequence.
  func isBound(_ sequence: [UInt8]) -> Bool {
    let known = boundSequences ?? listBoundSequences()
    boundSequences = known
    return known.contains(sequence)
  }

  /// Asks libedit for its bindings; it prints `"^[[A"          ->  ed-prev-history`.
  private func listBoundSequences() -> Set<[UInt8]> {
    guard let list = TextStream() else { return [] }
    edit_set_stream(editLine, 1, list.file)
    edit_list_bindings(editLine)
    edit_set_stream(editLine, 1, output.file)
    let keys = list.take().split(separator: "\n").compactMap { line -> [UInt8]? in
      guard line.hasPrefix("\"^["),
        let end = line.range(of: "\"", range: line.index(after: line.startIndex)..<line.endIndex)
      else { return nil }
      return Self.bytes(ofKey: line[line.index(after: line.startIndex)..<end.lowerBound])
    }
    return Set(keys)
  }

  private static func bytes(ofKey key: Substring) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = key.utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "^"), let control = rest.popFirst() {
        bytes.append(control ^ 0x40)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }
}
