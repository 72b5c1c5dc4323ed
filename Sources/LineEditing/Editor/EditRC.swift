import CEditLine
import Dispatch
import Foundation
import Glibc

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
  ) -> (isThere: Bool, diagnostics: [String]) {
    guard let path, let text = contents(of: path), let tokenizer = tok_winit(nil) else { return (false, []) }
    defer { tok_wend(tokenizer) }
    var diagnostics: [String] = []
    for (number, line) in text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let line = String(line).trimmingCharacters(in: .whitespacesAndNewlines)
      if line.isEmpty || line.hasPrefix("#") { continue }
      _ = errors.take()
      let result = run(line, editLine: editLine, tokenizer: tokenizer)
      let said = errors.take().trimmingCharacters(in: .whitespacesAndNewlines)
      if result != 0 || !said.isEmpty { diagnostics.append("\(path):\(number + 1): \(said.isEmpty ? line : said)") }
      if resetsKeymap(line) { rebind() }
    }
    return (true, diagnostics)
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

  private static func run(_ line: String, editLine: OpaquePointer, tokenizer: OpaquePointer) -> Int32 {
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

/// The configuration of an editor.
///
/// It is fixed at the start except for the `set…` functions.
package struct EditorOptions: Sendable {
  /// The path of the history file, or `nil` to remember lines for this session only.
  package var historyFile: String?
  package var keys: EditingStyle
  /// The program name before the colon of lines in `.editrc` that are for this program only.
  package var programName: String
  package var colors: Bool
  package var suggestions: Bool
  /// The descriptor to read keys from; must be a terminal.
  package var input: Int32
  /// The descriptor to draw on: standard error, because standard output is for data.
  package var output: Int32
  /// The supported features of the terminal beyond colors.
  package var features = TerminalFeatures.none

  package init(
    historyFile: String? = nil, keys: EditingStyle = .emacs, programName: String = "openmarket", colors: Bool = true,
    suggestions: Bool = true, input: Int32 = 0, output: Int32 = 2
  ) {
    self.historyFile = historyFile
    self.keys = keys
    self.programName = programName
    self.colors = colors
    self.suggestions = suggestions
    self.input = input
    self.output = output
  }
}
