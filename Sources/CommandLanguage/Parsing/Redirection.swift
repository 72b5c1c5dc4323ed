import Text

/// The error for `ls > out.csv`.
///
/// There is no redirection with `>`, because in conditions it is a comparison.
enum Redirection {
  /// Returns the error for `ls >= 3`, which compares nothing.
  static func comparison(_ text: String, at range: Range<Int>?) -> ParseError {
    ParseError(
      LocalizedText("Missing field before \(.command(text)).", ko: "\(.command(text)) 앞에 필드가 없습니다."),
      suggestion: LocalizedText(
        "Write a condition as \(.command("where stock >= 3")).", ko: "조건은 \(.command("where stock >= 3"))처럼 씁니다."),
      at: range)
  }

  static func hint(_ file: String, at range: Range<Int>?) -> ParseError {
    let shown = "to " + (file.isEmpty ? "FILE" : Quoting.quote(file))
    return ParseError(
      LocalizedText("\(.command(">")) cannot be used to save output.", ko: "\(.command(">"))로는 파일에 저장할 수 없습니다."),
      suggestion: LocalizedText("Use \(.command(shown)) instead.", ko: "이렇게 적습니다: \(.command(shown))"), at: range)
  }
}
