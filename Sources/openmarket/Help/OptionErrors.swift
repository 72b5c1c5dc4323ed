import Text

/// What is wrong with the options of the program, in the reader's language. ArgumentParser words it in English alone; a
/// line of it that is not known here stays as it is.
enum OptionErrors {
  static func worded(_ text: String, _ tongue: MessageLanguage) -> String {
    switch tongue {
    case .english: text
    case .korean:
      // The line of help is the parser's own and English; `--help` has it in Korean.
      text.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("Help:") }
        .map { korean(String($0)) }.joined(separator: "\n")
    }
  }

  private static func korean(_ line: String) -> String {
    if let match = line.wholeMatch(of: /Error: (.*)/) { return "오류: " + problem(String(match.1)) }
    if let match = line.wholeMatch(of: /Usage: (.*)/) { return "사용법: \(match.1)" }
    if let match = line.wholeMatch(of: /\s+See '(.*)' for more information\./) {
      return "  자세한 내용은 '\(match.1)'에서 볼 수 있습니다."
    }
    return line
  }

  private static func problem(_ text: String) -> String {
    if let match = text.wholeMatch(of: /Unknown option '(.*?)'(?:\. Did you mean '(.*)'\?)?/) {
      return "옵션 '\(match.1)'\(Particle.topic.after(String(match.1))) 없습니다."
        + (match.2.map { " '\($0)'\(Particle.object.after(String($0))) 뜻하셨나요?" } ?? "")
    }
    if let match = text.wholeMatch(of: /Missing value for '(.*)'/) { return "'\(match.1)' 옵션에 값이 필요합니다." }
    if let match = text.wholeMatch(of: /The value '(.*)' is invalid for '(.*?)'.*/) {
      return "'\(match.2)' 옵션에 '\(match.1)' 값은 쓸 수 없습니다."
    }
    if let match = text.wholeMatch(of: /Unexpected argument '(.*)'/) { return "'\(match.1)' 인자는 받지 않습니다." }
    if let match = text.wholeMatch(of: /(\d+) unexpected arguments: (.*)/) { return "인자 \(match.2) 등은 받지 않습니다." }
    if let match = text.wholeMatch(of: /Missing expected argument '(.*)'/) { return "'\(match.1)' 인자가 필요합니다." }
    if let match = text.wholeMatch(of: /(--\S+) is one of (.*), not '(.*)'\./) {
      return "\(match.1) 옵션에는 \(match.2) 중 하나를 씁니다. '\(match.3)' 값은 쓸 수 없습니다."
    }
    if let match = text.wholeMatch(of: /--fail is a rate such as 0.2 or 20%, not '(.*)'\./) {
      return "--fail 옵션에는 0.2나 20% 같은 비율을 씁니다. '\(match.1)' 값은 쓸 수 없습니다."
    }
    if let match = text.wholeMatch(of: /(--\S+) is (\S+) to (\d+%?|1, or 0% to 100%)( milliseconds)?(, or a file)?\./) {
      let end = match.3 == "1, or 0% to 100%" ? "1, 또는 0%부터 100%" : String(match.3)
      return "\(match.1) 옵션의 값은 \(match.2)부터 \(end)까지\(match.4 == nil ? "" : "(밀리초)")"
        + (match.5 == nil ? "입니다." : "이거나 파일입니다.")
    }
    if let match = text.wholeMatch(of: /--vendors is a number, or a file that can be read; '(.*)' is neither\./) {
      return "--vendors 옵션의 값은 숫자이거나 읽을 수 있는 파일입니다. '\(match.1)' 값은 쓸 수 없습니다."
    }
    if text == "--vendors: names and identifiers come once each." {
      return "--vendors: 이름과 식별자는 한 번씩만 나와야 합니다."
    }
    if let match = text.wholeMatch(of: /--vendors: (\S+) knows no vendors; each product has a password\./) {
      return "--vendors: \(match.1) 버전에는 판매자가 없고 상품마다 비밀번호가 있습니다."
    }
    return text
  }
}
