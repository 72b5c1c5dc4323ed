import Presentation
import TestSupport
import Testing
import Text

/// The complete output for users.
struct TerminalRendererTests {
  @Test(arguments: [40, 80, 120, 200], MessageLanguage.allCases)
  func terminalOutputEqualsGolden(width: Int, language: MessageLanguage) throws {
    try Golden("terminal-\(width)-\(language.rawValue)").check(
      texts(RenderOptions(language: language, width: width, isTerminal: true)))
  }

  @Test func coloredOutputEqualsGolden() throws {
    let text = texts(RenderOptions(width: 80, colors: true, isTerminal: true)).replacing("\u{1B}", with: "␛")
    try Golden("terminal-80-colours").check(text)
  }

  @Test func asciiOutputEqualsGolden() throws {
    try Golden("terminal-80-ascii").check(texts(RenderOptions(width: 80, usesASCII: true, isTerminal: true)))
  }

  @Test(arguments: MessageLanguage.allCases)
  func pipedOutputEqualsGolden(language: MessageLanguage) throws {
    try Golden("pipe-\(language.rawValue)").check(texts(RenderOptions(language: language)))
  }

  private func texts(_ options: RenderOptions) -> String {
    Samples.all.map { "# " + $0.name + "\n" + TerminalRenderer().render($0.report, options) }.joined(separator: "\n")
  }
}
