import Presentation
import Testing
import Text

/// Everything people see, as whole texts.
struct GoldenTests {
  @Test(arguments: [40, 80, 120, 200], MessageLanguage.allCases)
  func onATerminal(width: Int, tongue: MessageLanguage) throws {
    try Golden.check(
      texts(RenderOptions(tongue: tongue, width: width, isTerminal: true)), "terminal-\(width)-\(tongue.rawValue)")
  }

  @Test func inColour() throws {
    let text = texts(RenderOptions(width: 80, colors: true, isTerminal: true)).replacing("\u{1B}", with: "␛")
    try Golden.check(text, "terminal-80-colours")
  }

  @Test func inPlainLetters() throws {
    try Golden.check(texts(RenderOptions(width: 80, ascii: true, isTerminal: true)), "terminal-80-ascii")
  }

  @Test(arguments: MessageLanguage.allCases)
  func inAPipe(tongue: MessageLanguage) throws {
    try Golden.check(texts(RenderOptions(tongue: tongue)), "pipe-\(tongue.rawValue)")
  }

  private func texts(_ options: RenderOptions) -> String {
    Samples.all.map { "# " + $0.name + "\n" + TerminalRenderer().render($0.report, options) }.joined(separator: "\n")
  }
}
