import Catalog
import Text

/// The answer to `ls > out.csv`: there is no `>`, because inside `where` it compares.
enum Redirection {
  static func hint(_ file: String, at range: Range<Int>?) -> Misread {
    let shown = "to " + (file.isEmpty ? "FILE" : Quoting.quote(file))
    return Misread(
      Wording("\(.command(">")) does not write to a file here.", ko: "여기서 \(.command(">")) 기호는 파일에 쓰지 않습니다."),
      next: Wording("Write \(.command(shown)).", ko: "\(.command(shown)), 이렇게 적습니다."), at: range)
  }
}
