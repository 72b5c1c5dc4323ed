import CEditLine
import Foundation
import Glibc

/// The key bindings: this program's, then the user's, and libedit's for all other keys.
final class KeyMap {
  private let editLine: OpaquePointer
  private let buffer: LineBuffer
  private let errors: MemoryStream
  private let list: MemoryStream
  /// The escape sequences that are bound.
  ///
  /// Others are dropped, because libedit would insert their ends as text.
  ///
  /// Queried from libedit when the first sequence arrives; `nil` before that and after keys were bound again.
  private var boundSequences: Set<[UInt8]>?
  /// The prefixes of key sequences without Esc: Ctrl-X, and those bound in `.editrc`.
  private var prefixes: Set<[wchar_t]> = []
  private var diagnostics: [String] = []

  /// Creates the bindings of an editor.
  ///
  /// libedit writes its messages to `errors` and lists its bindings to `list`.
  init(_ editLine: OpaquePointer, errors: MemoryStream, list: MemoryStream) {
    (self.editLine, self.errors, self.list) = (editLine, errors, list)
    buffer = LineBuffer(editLine)
    for function in EditorFunction.all {
      edit_add_function(
        editLine, Self.leakedWideString(function.name), Self.leakedWideString(function.help), function.body)
    }
  }

  /// Copies a text that is never freed, because libedit stores the pointer.
  private static func leakedWideString(_ text: String) -> UnsafePointer<wchar_t> {
    let wide = text.unicodeScalars.map { wchar_t(bitPattern: $0.value) } + [0]
    let copy = UnsafeMutablePointer<wchar_t>.allocate(capacity: wide.count)
    copy.initialize(from: wide, count: wide.count)
    return UnsafePointer(copy)
  }

  /// Applies our bindings, then the user's.
  ///
  /// After a line of `.editrc` that resets the key maps ours are applied again.
  func configure(_ keys: EditingStyle) {
    _ = keys.rawValue.withWCharString { edit_set_editor(editLine, $0) }
    bindKeys()
    let editrc = EditRC.apply(to: editLine, errors: errors, rebind: bindKeys)
    diagnostics = editrc.diagnostics
    prefixes = keys == .emacs ? [[0x18]] : []
    // A line of the file may bind a key to any command of libedit.
    if editrc.isThere { replaceCommands() }
    for flag in ["-isig", "-ixon", "-icrnl", "-inlcr"] {
      _ = "-d".withWCharString { mode in flag.withWCharString { edit_set_tty(editLine, mode, $0) } }
    }
    boundSequences = nil
  }

  /// Returns the lines of `.editrc` that were not understood, once.
  func takeDiagnostics() -> [String] {
    defer { diagnostics = [] }
    return diagnostics
  }

  /// Returns true if the escape sequence is bound.
  func isBound(_ sequence: [UInt8]) -> Bool {
    let known =
      boundSequences
      ?? Set(KeyBinding.list(of: editLine, from: list).map { Array($0.key.utf8) }.filter { $0.first == 0x1B })
    boundSequences = known
    return known.contains(sequence)
  }

  /// Returns true if libedit would wait for more characters after these.
  func isBeginning(_ characters: [wchar_t]) -> Bool { prefixes.contains(characters) }

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
      for (key, command) in KeyTable.emacs { bind(key, command) }
    case .vi:
      bind("\u{80}", "vi-command-mode")
      // libedit's own map inserts them.
      for key in "ABCFGKLOQSTXYZ\\]^_" { bind("^\(key)", "openmarket-beep") }
      for (key, command) in everywhere { bind(key, command) }
      for (key, command) in KeyTable.viInsert { bind(key, command) }
      for (key, command) in KeyTable.viCommand { bindInCommandMode(key, command) }
    }
  }

  private func bind(_ key: String, _ command: String) {
    _ = key.withWCharString { key in command.withWCharString { edit_bind(editLine, key, $0) } }
  }

  private func bindInCommandMode(_ key: String, _ command: String) {
    _ = key.withWCharString { key in command.withWCharString { edit_bind_vi_command(editLine, key, $0) } }
  }

  private func replaceCommands() {
    for binding in KeyBinding.list(of: editLine, from: list) {
      let key = binding.key.unicodeScalars.map { wchar_t(bitPattern: $0.value) }
      if key.first != 0x1B { for count in 1..<max(1, key.count) { prefixes.insert(Array(key[..<count])) } }
      guard let ours = KeyTable.replacements[binding.command] else { continue }
      // The codes for libedit's own commands that take a character.
      if let first = binding.key.unicodeScalars.first, (0x80..<0xA0).contains(first.value) { continue }
      binding.isOfViCommands ? bindInCommandMode(binding.key, ours) : bind(binding.key, ours)
    }
  }
}
