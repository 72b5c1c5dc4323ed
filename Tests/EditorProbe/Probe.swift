import Foundation
import Glibc
import LineEditing

/// Runs a `LineEditor` on a pseudoterminal for tests: prompts for lines and prints the results, one per line.
///
/// Some lines are commands of its own: `secret`, `field`, `form`, `notice`, `sleep`, `history`, `troubles`, `vi`,
/// `emacs`, `quit`. Completing a word after `trap ` ends it with a trap while the editor owns the terminal.
@main
struct Probe {
  private let editor: LineEditor
  private let arguments: [String]

  static func main() async {
    var arguments = Array(CommandLine.arguments.dropFirst())
    if let index = arguments.firstIndex(of: "--append") {
      return await append(arguments.dropFirst(index + 1))
    }
    if arguments.contains("--plain") { return plain() }
    let history = arguments.firstIndex(of: "--history").map { arguments[$0 + 1] }
    arguments.removeAll { $0 == history }
    var options = LineEditor.Options(
      historyFile: history, keys: arguments.contains("--vi") ? .vi : .emacs,
      colors: arguments.contains("--colors"), suggestions: arguments.contains("--suggestions"), output: 1)
    if arguments.contains("--marks") { options.features = .known }
    let editor = LineEditor(
      options,
      help: LineEditorDelegate(
        completer: complete, highlighter: arguments.contains("--colors") ? paint : nil,
        isUnfinished: { $0.hasSuffix("\\") || $0.count(where: { $0 == "\"" }) % 2 == 1 },
        hint: { $0 == "pick " ? "ITEM [COLOUR]" : "" }, maySuggest: { !$0.hasPrefix("delete") },
        expansion: { $0 == "gs" ? (0..<2, "show 상품") : nil },
        explanation: { line, cursor in line.isEmpty ? "" : "about \(line) at \(cursor)" }, prefix: "dry", canEdit: true)
    )
    TerminalRestoration.install()
    await Probe(editor: editor, arguments: arguments).run()
  }

  private func run() async {
    let signals = SignalDispatcher.stream([SIGWINCH, SIGINT, SIGTERM, SIGUSR1])
    let watch = Task {
      for await signal in signals {
        if signal == SIGWINCH { editor.handleSIGWINCH() }
        if signal == SIGINT { say("SIGINT") }
        if signal == SIGUSR1 { editor.printAbovePrompt("주문 notice") }
        if signal == SIGTERM { await editor.stop() }
      }
    }
    defer { watch.cancel() }
    let right = arguments.contains("--right") ? "demo" : ""
    let prompt = arguments.contains("--styled") ? "\u{1B}[1;32mshop\u{1B}[0m 가게> " : "> "
    let title = arguments.contains("--marks") ? "demo \u{1B}\u{7}가게" : ""
    var count: Int32 = 0
    var initial = ""
    while true {
      let input = await editor.readLine(
        prompt: prompt, right: right, title: title, after: count == 0 ? nil : count, initial: initial)
      initial = ""
      if case .editor(let text) = input { initial = text + " edited" }
      say(Self.spelled(input))
      guard case .line(let line) = input else {
        if input == .endOfFile { break } else { continue }
      }
      if line == "quit" { break }
      if !line.contains("secret="), !line.isEmpty {
        await editor.remember(line, at: arguments.contains("--times") ? Int64(count) * 60_000 : nil)
      }
      await act(line)
      await editor.recordExitStatus(line == "fail" ? 1 : 0)
      count += 1
    }
    await editor.stop()
    say("bye")
  }

  private func act(_ line: String) async {
    switch line {
    case "secret": say(Self.spelled(await editor.readSecret(prompt: "secret: ")))
    case "field":
      let answer = await editor.readField(
        FormField(
          prompt: "name: ", initial: "pen", validationError: { $0.count < 3 ? "at least 3" : nil },
          isForbidden: { $0.count > 6 },
          counter: { "\($0.count)/6" }))
      say("\(answer)")
    case "form": await form()
    case "notice":
      Task.detached { editor.printAbovePrompt("주문 notice") }
    case "sleep":
      say("sleeping")
      try? await Task.sleep(for: .seconds(60))
    case "bare": _ = "no line end".withCString { write(1, $0, 11) }
    case "forget": say("forgot \(await editor.forget(["forget", "secret words"]))")
    case "history": say("[" + (await editor.history()).joined(separator: "|") + "]")
    case "troubles":
      let troubles = await editor.drainErrors()
      say("\(troubles.history)")
      for trouble in troubles.editrc { say(trouble) }
    case "vi": await editor.setKeys(.vi)
    case "emacs": await editor.setKeys(.emacs)
    default: break
    }
  }

  /// Prompts for a form of three fields and reports how it was left.
  private func form() async {
    var texts = ["", "", ""]
    var place = 0
    while texts.indices.contains(place) {
      let (now, at) = (texts, place)
      let answer = await editor.readField(
        FormField(
          prompt: "field \(at + 1): ", initial: now[at], isInForm: true,
          surroundingRows: { columns in
            let rows = (0..<3).map { String("field \($0 + 1): \(now[$0])".prefix(columns - 1)) }
            return (["form"] + rows[..<at], rows[(at + 1)...] + ["keys"])
          },
          placeholder: "a rule", validationError: { $0 == "no" ? "not no" : nil }, completer: Self.complete))
      switch answer {
      case .text(let text): (texts[at], place) = (text, at + 1)
      case .up(let text): (texts[at], place) = (text, max(0, at - 1))
      case .down(let text): (texts[at], place) = (text, min(2, at + 1))
      case .cancelled, .notText, .tooLong: return say("\(answer)")
      }
    }
    await editor.eraseForm()
    say("\(texts)")
  }

  private static func complete(_ line: String, _ cursor: Int) -> CompletionResult {
    let before = String(String.UnicodeScalarView(line.unicodeScalars.prefix(cursor)))
    if before == "trap " { fatalError("as it was asked") }
    if before == "deep " { _ = depth(of: 0) }
    if before == "exit " { exit(7) }
    let word = before.split(separator: " ", omittingEmptySubsequences: false).last.map(String.init) ?? ""
    let all =
      before.hasPrefix("many ")
      ? (1...100).map { CompletionCandidate("item\($0)") }
      : [
        CompletionCandidate("list", description: "상품 목록"), CompletionCandidate("listen", description: "wait for news"),
        CompletionCandidate("한글상품", description: "Hangul"), CompletionCandidate("한글값"),
        CompletionCandidate("name=", endsWord: false),
      ]
    let start = cursor - word.unicodeScalars.count
    return CompletionResult(range: start..<cursor, candidates: all.filter { $0.text.hasPrefix(word) })
  }

  /// Overflows the stack.
  @inline(never) private static func depth(of number: Int) -> Int {
    number < 0 ? 0 : depth(of: number + 1) + getpid().hashValue % 2
  }

  /// Paints the first word in bold cyan.
  private static func paint(_ line: String) -> [HighlightedRange] {
    [HighlightedRange(0..<line.unicodeScalars.prefix { $0 != " " }.count, style: "1;36")]
  }

  private static func spelled(_ input: Input) -> String {
    guard case .line(let text) = input else { return "\(input)" }
    return text.utf8.count > 2_000 ? "line of \(text.utf8.count)" : "line <\(Self.visible(text))>"
  }

  private static func visible(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\n" ? "⏎" : $0 == "\r" ? "␍" : $0 }))
  }

  private static func append(_ arguments: ArraySlice<String>) async {
    let words = Array(arguments)
    let editor = LineEditor(LineEditor.Options(historyFile: words[0]))
    for number in 1...(Int(words[2]) ?? 0) { await editor.remember("\(words[1]) 줄 \(number)") }
    await editor.stop()
  }

  private static func plain() {
    var lines = LineReader()
    while let input = lines.next() { say(spelled(input)) }
  }
}

private func say(_ text: String) {
  var bytes = Array((text + "\n").utf8)[...]
  while !bytes.isEmpty {
    let count = bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
    if count <= 0 { return }
    bytes = bytes.dropFirst(count)
  }
}
