import CEditLine
import Foundation
import Glibc

/// The person's own key bindings: the file `EDITRC` names, or `.editrc` at home.
///
/// Read by us, line by line, and not by `el_source`: so a broken line can be named, and `bind -v` does not take
/// our bindings away. Lines may be meant for one program only: `openmarket:bind ^T ed-transpose-chars`.
enum EditRC {
  /// Larger files are no settings.
  private static let limit = 1 << 20

  /// Whether there are such lines, and those that could not be understood, with what libedit says of them; the others
  /// are in force.
  static func apply(
    to editLine: OpaquePointer, errors: TextStream, rebind: () -> Void
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
      if startsKeyMapsAnew(line) { rebind() }
    }
    return (true, troubles)
  }

  private static var path: String? {
    if let named = getenv("EDITRC") { return String(cString: named) }
    return getenv("HOME").map { String(cString: $0) + "/.editrc" }
  }

  private static func contents(of path: String) -> String? {
    // A pipe in its place must not hold the prompt.
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
    return line.withWide { wide in
      var count: Int32 = 0
      var words: UnsafeMutablePointer<UnsafePointer<wchar_t>?>?
      guard tok_wstr(tokenizer, wide, &count, &words) == 0, count > 0 else { return -1 }
      return el_wparse(editLine, count, words)
    }
  }

  private static func startsKeyMapsAnew(_ line: String) -> Bool {
    let words = line.split(whereSeparator: \.isWhitespace)
    let command = words.first?.split(separator: ":").last
    return command == "bind" && words.dropFirst().contains { ["-v", "-e"].contains($0) }
  }
}
