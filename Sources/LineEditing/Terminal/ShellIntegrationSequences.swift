import Glibc

/// The codes sent around a line: the marks of prompt and output, and the window title.
struct ShellIntegrationSequences {
  private static let longestTitle = 80

  private let features: TerminalFeatures
  private var hasTitle = false

  init(_ features: TerminalFeatures) { self.features = features }

  /// Returns the codes before a prompt.
  ///
  /// `status` is that of the previous line, or `nil`.
  mutating func beforePrompt(title: String, status: Int32?) -> String {
    var text = ""
    if features.hasTitle, !title.isEmpty {
      let clean = title.unicodeScalars.filter { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) && $0 != "\\" }
      // The previous title is saved and restored at the end.
      text += (hasTitle ? "" : "\u{1B}[22;2t") + "\u{1B}]2;" + String(String(clean).prefix(Self.longestTitle)) + "\u{7}"
      hasTitle = true
    }
    guard features.hasMarks else { return text }
    if let status { text += "\u{1B}]133;D;\(status)\u{7}" }
    // The editor draws the prompt again after a resize, so the terminal need not erase it.
    return text + "\u{1B}]133;A;redraw=0\u{7}"
  }

  /// Returns the mark after Enter: output follows.
  var beforeOutput: String { features.hasMarks ? "\u{1B}]133;C\u{7}" : "" }

  /// Returns the code that restores the previous title.
  mutating func atEnd() -> String {
    defer { hasTitle = false }
    return hasTitle ? "\u{1B}[23;2t" : ""
  }
}
