import CommandLanguage
import Platform
import Presentation
import ShellRuntime
import Text

/// History expansion: `!!` is replaced by the previous line, as in bash; `\watch 5` repeats it, as in psql.
///
/// A previous line that may write isn't expanded. The user must recall it with the arrow keys and see it. One that may
/// contain a secret isn't either: it isn't stored, so that the user types it again.
struct HistoryExpansion {
  private let line: String
  private let previous: String?
  private let scope: CommandScope

  init(_ line: String, after previous: String?, in scope: CommandScope) {
    self.line = line
    self.previous = previous
    self.scope = scope
  }

  private var grammar: CommandParser { scope.grammar }

  /// The line to run, unchanged if it contains nothing to expand.
  ///
  /// - Throws: `CommandError` if there is no previous line, or if it may write.
  var text: String {
    get throws {
      guard line.contains("!!") || line.contains("\\") else { return line }
      let segments = (try? grammar.segments(of: line)) ?? []
      let ranges = segments.flatMap(\.words).filter { $0.bare == "!!" }.map(\.range)
      guard ranges.isEmpty else { return try replacing(ranges, dry: HistoryExpansion.isHarmless(segments)) }
      guard let words = segments.first?.words, segments.count == 1, words.first?.bare == "\\watch", words.count < 3
      else { return line }
      return "watch " + (words.count == 2 ? words[1].text : "2") + " " + (try earlier(isHarmless: true))
    }
  }

  private func replacing(_ ranges: [Range<Int>], dry isHarmless: Bool) throws -> String {
    var scalars = Array(line.unicodeScalars)
    let earlier = Array(try earlier(isHarmless: isHarmless).unicodeScalars)
    for range in ranges.reversed() { scalars.replaceSubrange(range, with: earlier) }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text)
  }

  /// Returns whether the line can't write: `dry !!` and `curl !!` never do.
  private static func isHarmless(_ segments: [CommandSource]) -> Bool {
    segments.allSatisfy { segment in
      guard segment.words.contains(where: { $0.bare == "!!" }) else { return true }
      return ["dry", "curl", "swift"].contains(segment.words.first?.bare)
    }
  }

  private func earlier(isHarmless: Bool) throws -> String {
    guard let previous else {
      throw CommandError(.usageError, .failure("There is no previous line.", ko: "앞에 입력한 명령이 없습니다."))
    }
    guard !scope.holdsSecret(previous) else {
      throw CommandError(
        .usageError,
        .failure(
          "The previous line may contain a secret, so it is not repeated.",
          ko: "앞의 명령에는 시크릿이 있을 수 있어 반복하지 않습니다."
        ).next("Type it again.", ko: "다시 입력하세요."))
    }
    let isSingle = ((try? grammar.segments(of: previous)) ?? []).count == 1
    if grammar.mayWrite(previous), !isHarmless || !isSingle {
      throw CommandError(
        .blocked,
        .failure(
          "The previous line may change products, so it is not repeated automatically: \(.command(previous))",
          ko: "앞의 명령은 상품을 변경할 수 있어 자동으로 반복하지 않습니다: \(.command(previous))"
        ).next("Press Up to get it back.", ko: "다시 불러오려면 위쪽 화살표 키를 누르세요."))
    }
    return previous
  }
}
