import Assistance
import Catalog
import Engine
import Foundation
import Language
import LineEditing
import Platform
import Synchronization
import Text

/// A console that writes to the process's standard output and standard error.
package struct DescriptorConsole: Console {
  private let output: Int32
  private let error: Int32
  package let outputIsTerminal: Bool
  package let errorIsTerminal: Bool
  package let supportsHyperlinks: Bool
  private let statusLine: StatusLine?

  package init(output: Int32 = STDOUT_FILENO, error: Int32 = STDERR_FILENO) {
    self.output = output
    self.error = error
    outputIsTerminal = isatty(output) == 1
    errorIsTerminal = isatty(error) == 1
    supportsHyperlinks = outputIsTerminal && TerminalFeatures.known.hasLinks
    statusLine = errorIsTerminal && TerminalKind.movesCursor ? StatusLine(error) : nil
  }

  package var width: Int? {
    guard outputIsTerminal || errorIsTerminal else { return nil }
    return size.flatMap { $0.ws_col > 0 ? Int($0.ws_col) : nil } ?? 80
  }

  package var height: Int? {
    guard outputIsTerminal, let rows = size?.ws_row, rows > 0 else { return nil }
    return Int(rows)
  }

  package var cellPixelSize: CellSize {
    guard let size, size.ws_col > 0, size.ws_row > 0, size.ws_xpixel >= size.ws_col, size.ws_ypixel >= size.ws_row
    else { return .default }
    return .init(width: Int(size.ws_xpixel / size.ws_col), height: Int(size.ws_ypixel / size.ws_row))
  }

  private var size: winsize? {
    var size = winsize()
    return ioctl(outputIsTerminal ? output : error, UInt(TIOCGWINSZ), &size) == 0 ? size : nil
  }

  /// - Throws: `OutputError`.
  package func writeOutput(_ text: String) throws { try writeOutput(Array(text.utf8)) }

  /// - Throws: `OutputError`.
  package func writeOutput(_ bytes: [UInt8]) throws {
    if outputIsTerminal { statusLine?.clear() }
    try Descriptor.write(bytes, to: output)
  }

  package func writeMessage(_ text: String) {
    statusLine?.clear()
    // An error of the error output can't be reported.
    do { try Descriptor.write(text, to: error) } catch { TerminalHangup.raiseIfNeeded(self.error) }
  }

  package func showStatus(_ text: String?) { statusLine?.show(text) }

  package func showSpinner(_ frame: String?) { statusLine?.turn(frame) }
}

/// The transient status line at the bottom of the terminal, cleared before any other output.
///
/// A status text (a count, a countdown) takes precedence over the spinner.
package final class StatusLine: Sendable {
  private struct State {
    var status: String?
    var spinnerFrame: String?
    var drawn: String?
  }

  private let descriptor: Int32
  private let state = Mutex(State())

  package init(_ descriptor: Int32) { self.descriptor = descriptor }

  package func show(_ text: String?) { change { $0.status = text } }

  package func turn(_ frame: String?) { change { $0.spinnerFrame = frame } }

  /// Clears the line for other output.
  package func clear() {
    change {
      $0.status = nil
      $0.spinnerFrame = nil
    }
  }

  private func change(_ alter: (inout State) -> Void) {
    state.withLock { state in
      alter(&state)
      let text = state.status ?? state.spinnerFrame
      guard text != state.drawn else { return }
      // A status line that can't be drawn isn't an error of the command.
      do { try Descriptor.write("\r\u{1B}[K" + (text ?? ""), to: descriptor) } catch { TerminalHangup.raiseIfNeeded(descriptor) }
      state.drawn = text
    }
  }
}

/// Prompts through the line editor.
package struct EditorPrompt: UserPrompt {
  private let editor: LineEditor

  package init(_ editor: LineEditor) { self.editor = editor }

  package func answer(to question: String) async -> String? {
    switch await editor.readField(FormField(prompt: question, discardsTypeahead: true)) {
    case .text(let text): text
    case .up, .down, .cancelled, .notText, .tooLong: nil
    }
  }

  package func secret(_ prompt: String) async -> String? {
    switch await editor.readSecret(prompt: prompt) {
    case .line(let line): line
    case .interrupted, .endOfFile, .invalidUTF8, .tooLong, .unreadable, .editor: nil
    }
  }

  package func field(_ field: FormQuestion) async -> FormAnswer {
    let answer = await editor.readField(
      FormField(
        prompt: field.prompt, initial: field.initial, isInForm: field.isInForm,
        discardsTypeahead: field.discardsTypeahead, surroundingRows: field.rows, placeholder: field.rule, validationError: field.problem,
        counter: { field.counter($0) ?? "" },
        completer: { Self.choices(field, $0, $1) }))
    return switch answer {
    case .text(let text): .text(text)
    case .up(let text): .up(text)
    case .down(let text): .down(text)
    case .cancelled, .notText, .tooLong: .left
    }
  }

  package func endForm() async { await editor.eraseForm() }

  /// Returns the completions for the text after the last comma.
  private static func choices(_ field: FormQuestion, _ line: String, _ cursor: Int) -> LineEditing.CompletionResult {
    let typed = String(String.UnicodeScalarView(line.unicodeScalars.prefix(cursor)))
    let scalars = Array(typed.unicodeScalars)
    var start = scalars.lastIndex(of: ",").map { $0 + 1 } ?? 0
    while start < cursor, scalars[start] == " " { start += 1 }
    return LineEditing.CompletionResult(
      range: start..<cursor, candidates: field.candidates(typed).map { CompletionCandidate($0.text, endsWord: false) })
  }
}
