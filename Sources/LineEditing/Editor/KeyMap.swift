import CEditLine
import Glibc

/// Which key does what: ours, then the person's own, and libedit's for the rest.
final class KeyMap {
  private let editLine: OpaquePointer
  private let buffer: LineBuffer
  private let errors: TextStream
  private let list: TextStream
  /// The escape sequences that some key binding knows; others are dropped, for libedit would type their tails.
  /// Asked of libedit when the first sequence comes; nil until then and after keys were bound anew.
  private var boundSequences: Set<[UInt8]>?
  /// The beginnings of keys of several characters that a line of `.editrc` bound, but for those with Esc.
  private var beginnings: Set<[wchar_t]> = []
  private var troubles: [String] = []

  /// - Parameters:
  ///   - errors: where libedit says what it does not understand.
  ///   - list: where it prints its bindings.
  init(_ editLine: OpaquePointer, errors: TextStream, list: TextStream) {
    (self.editLine, self.errors, self.list) = (editLine, errors, list)
    buffer = LineBuffer(editLine)
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
  func configure(_ keys: Keys) {
    _ = keys.rawValue.withWide { edit_set_editor(editLine, $0) }
    bindKeys()
    let editrc = EditRC.apply(to: editLine, errors: errors, rebind: bindKeys)
    troubles = editrc.troubles
    // A line of it may bind a key to any command of libedit's.
    beginnings = []
    if editrc.isThere { replaceCommands() }
    for flag in ["-isig", "-ixon", "-icrnl", "-inlcr"] {
      _ = "-d".withWide { mode in flag.withWide { edit_set_tty(editLine, mode, $0) } }
    }
    boundSequences = nil
  }

  /// Lines of `.editrc` that are not understood, told once.
  func takeTroubles() -> [String] {
    defer { troubles = [] }
    return troubles
  }

  /// Whether some key binding knows the escape sequence.
  func isBound(_ sequence: [UInt8]) -> Bool {
    let known =
      boundSequences
      ?? Set(KeyBindings.list(of: editLine, from: list).map { Array($0.key.utf8) }.filter { $0.first == 0x1B })
    boundSequences = known
    return known.contains(sequence)
  }

  /// Whether libedit would wait for more characters behind these.
  func isBeginning(_ characters: [wchar_t]) -> Bool { beginnings.contains(characters) }

  private func bindKeys() {
    let mode = buffer.mode
    let everywhere = KeyTable.common + KeyTable.cursorKeys.flatMap { [("\u{1B}[" + $0, $1), ("\u{1B}O" + $0, $1)] }
    for (key, command) in everywhere {
      bind(key, command)
      if mode == .vi { bindInCommandMode(key, command) }
    }
    switch mode {
    case .emacs:
      bind("\u{80}", "ed-ignore")
      for (key, command) in KeyTable.inEmacs { bind(key, command) }
    case .vi:
      bind("\u{80}", "vi-command-mode")
      // libedit's own map types them.
      for key in "ABCFGKLOQSTXYZ\\]^_" { bind("^\(key)", "openmarket-beep") }
      for (key, command) in everywhere { bind(key, command) }
      for (key, command) in KeyTable.inViInsertion { bind(key, command) }
      for (key, command) in KeyTable.inViCommands { bindInCommandMode(key, command) }
    }
  }

  private func bind(_ key: String, _ command: String) {
    _ = key.withWide { key in command.withWide { edit_bind(editLine, key, $0) } }
  }

  private func bindInCommandMode(_ key: String, _ command: String) {
    _ = key.withWide { key in command.withWide { edit_bind_vi_command(editLine, key, $0) } }
  }

  private func replaceCommands() {
    for binding in KeyBindings.list(of: editLine, from: list) {
      let key = binding.key.unicodeScalars.map { wchar_t(bitPattern: $0.value) }
      if key.first != 0x1B { for count in 1..<max(1, key.count) { beginnings.insert(Array(key[..<count])) } }
      guard let ours = KeyTable.replacements[binding.command] else { continue }
      // The codes for libedit's own commands with a character behind them.
      if let first = binding.key.unicodeScalars.first, (0x80..<0xA0).contains(first.value) { continue }
      binding.isOfViCommands ? bindInCommandMode(binding.key, ours) : bind(binding.key, ours)
    }
  }
}
