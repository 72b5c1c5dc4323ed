/// Questions where there is no cursor to move: the terminal prints, and the kernel edits.
extension LineEditor {
  func askPlainly(_ prompt: String) -> Input {
    options.whenFirstWaiting.take()?()
    let lines = CookedLines(input: options.input, output: options.output, mailbox: mailbox)
    var text = ""
    var prompt = StyledPrompt.withoutStyles(prompt)
    while true {
      switch lines.ask(prompt) {
      case .line(let line):
        text += line
        if text.utf8.count > LineLimit.bytes { return .tooLong }
        if !help.isUnfinished(text) { return .line(text) }
        text += "\n"
        prompt = "> "
      case let other: return other
      }
    }
  }

  func askPlainField(_ field: FieldQuestion) -> Input {
    let lines = CookedLines(input: options.input, output: options.output, mailbox: mailbox)
    let rule = field.rule.isEmpty ? "" : "(\(field.rule)) "
    let shown = field.initial.isEmpty ? "" : "[\(field.initial)] "
    while true {
      let answer = lines.ask(StyledPrompt.withoutStyles(field.prompt) + rule + shown)
      guard case .line(let typed) = answer else { return answer }
      let text = typed.isEmpty ? field.initial : typed
      let hint = field.accepts(text)
      if hint == nil, !field.refuses(text) { return .line(text) }
      Descriptor.write((hint ?? "?") + "\n", to: options.output)
    }
  }
}
