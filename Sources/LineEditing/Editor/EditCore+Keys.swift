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
    let editrc = EditRC.apply(to: editLine, errors: errors, rebind: bindKeys)
    editrcTroubles = editrc.troubles
    // A line of it may bind a key to any command of libedit's.
    prefixes = []
    if editrc.isThere { replaceCommands() }
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
      bind("\u{80}", "ed-ignore")
      for (key, command) in Self.inEmacs { bind(key, command) }
    case .vi:
      bind("\u{80}", "vi-command-mode")
      // libedit's own map types them.
      for key in "ABCFGKLOQSTXYZ\\]^_" { bind("^\(key)", "openmarket-beep") }
      for (key, command) in Self.common + cursorKeys { bind(key, command) }
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
    ("\u{1B}[3~", "ed-delete-next-char"), ("\u{1B}[1~", "ed-move-to-beg"), ("\u{1B}[7~", "ed-move-to-beg"),
    ("\u{1B}[4~", "openmarket-go-to-end"), ("\u{1B}[8~", "openmarket-go-to-end"),
    ("\u{1B}[1;5C", "openmarket-forward-word"), ("\u{1B}[1;3C", "openmarket-forward-word"),
    ("\u{1B}[1;5D", "ed-prev-word"), ("\u{1B}[1;3D", "ed-prev-word"),
  ]

  /// Behind `ESC [` and `ESC O`, as the terminal's mode is.
  private static let cursorKeys: [(String, String)] = [
    ("A", "openmarket-older"), ("B", "openmarket-newer"), ("C", "openmarket-forward"), ("D", "openmarket-back"),
    ("H", "ed-move-to-beg"), ("F", "openmarket-go-to-end"),
  ]

  private static let inEmacs: [(String, String)] = [
    ("^X", "openmarket-beep"), ("^F", "openmarket-forward"), ("^B", "openmarket-back"),
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
  ]

  private static let inViInsertion: [(String, String)] = [
    ("^F", "openmarket-forward"), ("^W", "openmarket-kill-word-before"), ("^?", "openmarket-delete-before"),
    ("^H", "openmarket-delete-before"), ("^U", "openmarket-kill-to-start"), ("^K", "openmarket-kill-to-end"),
    ("^Y", "openmarket-yank"), ("^A", "openmarket-go-to-start"), ("^E", "openmarket-go-to-end"),
    ("^B", "openmarket-back"), ("^_", "openmarket-undo"), ("^@", "ed-ignore"), ("^P", "openmarket-older"),
    ("^N", "openmarket-newer"), ("^V", "openmarket-quote"),
  ]

  /// Behind the last character there is no place to go in vi's command mode.
  private static let inViCommands: [(String, String)] = [
    ("\u{1B}[C", "ed-next-char"), ("\u{1B}OC", "ed-next-char"), ("\u{1B}[F", "ed-move-to-end"),
    ("\u{1B}OF", "ed-move-to-end"), ("\u{1B}[4~", "ed-move-to-end"), ("\u{1B}[8~", "ed-move-to-end"),
    ("\u{80}", "ed-unassigned"), ("k", "openmarket-older"), ("j", "openmarket-newer"), ("\u{8D}", "vi-next-char"),
    ("\u{8E}", "vi-prev-char"), ("\u{8F}", "vi-to-next-char"), ("\u{90}", "vi-to-prev-char"),
    ("\u{91}", "vi-replace-char"), ("\u{92}", "vi-insert"), ("f", "openmarket-find-next"),
    ("F", "openmarket-find-previous"),
    ("t", "openmarket-find-to-next"), ("T", "openmarket-find-to-previous"), ("r", "openmarket-replace"),
    ("/", "openmarket-vi-search-back"), ("?", "openmarket-vi-search-forward"), ("n", "openmarket-repeat-search"),
    ("N", "openmarket-repeat-search-back"), (":", "openmarket-beep"), ("@", "openmarket-beep"),
    ("v", "openmarket-beep"), ("#", "openmarket-comment"), ("_", "openmarket-last-word"),
    ("G", "openmarket-history-line"), ("K", "openmarket-older"), ("J", "openmarket-newer"),
    ("\u{1B}[D", "ed-prev-char"), ("\u{1B}OD", "ed-prev-char"),
    ("+", "openmarket-newer"), ("-", "openmarket-older"),
  ]

  /// Commands of libedit that read characters past us, write a prompt into the line, run a program or end the line, and
  /// what is bound in their place, whoever bound them.
  private static let replacements = [
    "ed-quoted-insert": "openmarket-quote", "em-meta-next": "ed-ignore", "em-inc-search-prev": "openmarket-search-back",
    "em-inc-search-next": "openmarket-search-forward", "vi-search-prev": "openmarket-vi-search-back",
    "vi-search-next": "openmarket-vi-search-forward", "vi-repeat-search-next": "openmarket-repeat-search",
    "vi-repeat-search-prev": "openmarket-repeat-search-back", "ed-command": "openmarket-beep",
    "vi-alias": "openmarket-beep", "vi-histedit": "openmarket-beep", "vi-comment-out": "openmarket-comment",
    "vi-history-word": "openmarket-last-word", "vi-to-history-line": "openmarket-history-line",
    "ed-search-prev-history": "openmarket-older", "ed-search-next-history": "openmarket-newer",
    "vi-next-char": "openmarket-find-next", "vi-prev-char": "openmarket-find-previous",
    "vi-to-next-char": "openmarket-find-to-next", "vi-to-prev-char": "openmarket-find-to-previous",
    "vi-replace-char": "openmarket-replace", "ed-prev-history": "openmarket-older",
    "ed-next-history": "openmarket-newer", "ed-newline": "openmarket-enter", "ed-end-of-file": "openmarket-end",
    "em-delete-or-list": "openmarket-end", "vi-list-or-eof": "openmarket-end", "ed-clear-screen": "openmarket-clear",
    "ed-redisplay": "openmarket-redisplay",
  ]

  private func replaceCommands() {
    for binding in KeyBindings.list(of: editLine, from: silence) {
      let key = binding.key.unicodeScalars.map { wchar_t(bitPattern: $0.value) }
      if key.first != 0x1B { for count in 1..<max(1, key.count) { prefixes.insert(Array(key[..<count])) } }
      guard let ours = Self.replacements[binding.command] else { continue }
      // The codes for libedit's own commands with a character behind them.
      if let first = binding.key.unicodeScalars.first, (0x80..<0xA0).contains(first.value) { continue }
      binding.isOfViCommands ? bindInCommandMode(binding.key, ours) : bind(binding.key, ours)
    }
  }

  /// Whether some key binding knows the escape sequence.
  func isBound(_ sequence: [UInt8]) -> Bool {
    let known =
      boundSequences
      ?? Set(
        KeyBindings.list(of: editLine, from: silence).map { Array($0.key.utf8) }.filter { $0.first == 0x1B })
    boundSequences = known
    return known.contains(sequence)
  }
}

/// vi's two modes, which libedit tells nobody.
extension EditCore {
  /// Whether vi's command mode is on. libedit's refresh puts a cursor that stands behind the text back onto the last
  /// character in that mode alone; the fields of its own record are changed for the moment and put back.
  var isInViCommands: Bool {
    guard mode == .vi, let info = el_wline(editLine) else { return false }
    let record = UnsafeMutablePointer(mutating: info)
    guard let start = UnsafeMutablePointer(mutating: record.pointee.buffer) else { return false }
    let (cursor, last, first) = (record.pointee.cursor, record.pointee.lastchar, start.pointee)
    if last == UnsafePointer(start) {
      start.pointee = 0x78
      record.pointee.lastchar = UnsafePointer(start + 1)
    }
    record.pointee.cursor = record.pointee.lastchar
    edit_refresh(editLine)
    let isClamped = record.pointee.cursor < record.pointee.lastchar
    start.pointee = first
    (record.pointee.cursor, record.pointee.lastchar) = (cursor, last)
    return isClamped
  }

  /// vi's `$` on an empty line leaves the cursor before the buffer, and the next insertion would write there.
  func keepCursorInLine() {
    guard let info = el_wline(editLine)?.pointee, info.cursor < info.buffer else { return }
    el_cursor(editLine, 1)
  }

  /// What shows vi's mode by the shape of the cursor: a block for commands, a bar for the insertion.
  func cursorShape() -> String {
    guard mode == .vi, TerminalKind.shapesCursor else { return shapeAtEnd() }
    let shape = isInViCommands ? "\u{1B}[2 q" : "\u{1B}[6 q"
    defer { shownShape = shape }
    return shape == shownShape ? "" : shape
  }

  /// Gives back the shape the person has set.
  func shapeAtEnd() -> String {
    defer { shownShape = "" }
    return shownShape.isEmpty ? "" : "\u{1B}[0 q"
  }
}
