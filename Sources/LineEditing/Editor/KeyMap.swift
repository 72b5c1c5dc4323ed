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
  /// libedit writes its messages to `errorOutput` and lists its bindings to `list`.
  init(_ editLine: OpaquePointer, errors: MemoryStream, list: MemoryStream) {
    (self.editLine, self.errors, self.list) = (editLine, errors, list)
    buffer = LineBuffer(editLine)
    for function in EditorFunction.all {
      edit_add_function(editLine, Self.leakedWideString(function.name), Self.leakedWideString(function.help), function.body)
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
    diagnostics = editrc.troubles
    prefixes = keys == .emacs ? [[0x18]] : []
    // A line of the file may bind a key to any command of libedit.
    if editrc.isThere { replaceCommands() }
    for flag in ["-isig", "-ixon", "-icrnl", "-inlcr"] {
      _ = "-d".withWCharString { mode in flag.withWCharString { edit_set_tty(editLine, mode, $0) } }
    }
    boundSequences = nil
  }

  /// Returns the lines of `.editrc` that were not understood, once.
  func takeTroubles() -> [String] {
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

/// The user's key bindings: the file that `EDITRC` names, or `.editrc` in the home folder.
///
/// It is read line by line instead of with `el_source`, so that an invalid line can be reported and `bind -v` does not
/// remove our bindings. Lines may be meant for one program only: `openmarket:bind ^T ed-transpose-chars`.
enum EditRC {
  /// The maximum size of the file in bytes.
  private static let limit = 1 << 20

  /// Applies the file.
  ///
  /// Returns whether it exists, and the lines that were not understood with libedit's messages; all other lines are in
  /// effect.
  static func apply(
    to editLine: OpaquePointer, errors: MemoryStream, rebind: () -> Void
  ) -> (isThere: Bool, troubles: [String]) {
    guard let path, let text = contents(of: path), let tokenizer = tok_winit(nil) else { return (false, []) }
    defer { tok_wend(tokenizer) }
    var troubles: [String] = []
    for (number, line) in text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let line = String(line).trimmingCharacters(in: .whitespacesAndNewlines)
      if line.isEmpty || line.hasPrefix("#") { continue }
      _ = errors.take()
      let result = run(line, editLine, tokenizer)
      let said = errors.take().trimmingCharacters(in: .whitespacesAndNewlines)
      if result != 0 || !said.isEmpty { troubles.append("\(path):\(number + 1): \(said.isEmpty ? line : said)") }
      if resetsKeymap(line) { rebind() }
    }
    return (true, troubles)
  }

  private static var path: String? {
    if let named = getenv("EDITRC") { return String(cString: named) }
    return getenv("HOME").map { String(cString: $0) + "/.editrc" }
  }

  private static func contents(of path: String) -> String? {
    // Nonblocking: a FIFO in place of the file must not delay the prompt.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= limit else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    let count = read(file, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  private static func run(_ line: String, _ editLine: OpaquePointer, _ tokenizer: OpaquePointer) -> Int32 {
    tok_wreset(tokenizer)
    return line.withWCharString { wide in
      var count: Int32 = 0
      var words: UnsafeMutablePointer<UnsafePointer<wchar_t>?>?
      guard tok_wstr(tokenizer, wide, &count, &words) == 0, count > 0 else { return -1 }
      return el_wparse(editLine, count, words)
    }
  }

  private static func resetsKeymap(_ line: String) -> Bool {
    let words = line.split(whereSeparator: \.isWhitespace)
    let command = words.first?.split(separator: ":").last
    return command == "bind" && words.dropFirst().contains { ["-v", "-e"].contains($0) }
  }
}
