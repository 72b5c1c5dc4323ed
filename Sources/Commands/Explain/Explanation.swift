import CommandLanguage
import MarketAPI
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// The analysis of a rejection: the request, the response, the violated rules, the meaning and the next step.
struct Explanation {
  enum Section: String, CaseIterable {
    // In data they have the names of the headings.
    case line = "command"
    case sent = "request"
    case answer = "response"
    case breaks = "problem"
    case means = "meaning"
    case next = "hint"

    var title: LocalizedText {
      switch self {
      case .line: LocalizedText("command", ko: "입력")
      case .sent: LocalizedText("request", ko: "요청")
      case .answer: LocalizedText("response", ko: "응답")
      case .breaks: LocalizedText("problem", ko: "어긴 규칙")
      case .means: LocalizedText("meaning", ko: "의미")
      case .next: LocalizedText("hint", ko: "해결 방법")
      }
    }
  }

  private let entries: [(Section, LocalizedText)]

  init(_ refused: FailedCommand, _ edition: Edition, limits: LimitPolicy) {
    var points: [(Section, LocalizedText)] = []
    if let line = refused.line { points.append((.line, LocalizedText(same: "\(.command(line))"))) }
    guard let exchange = refused.exchange, let reply = exchange.reply else {
      self.entries = points + Explanation.localFailure(refused.message)
      return
    }
    let sent = SentRequest(exchange.request, edition)
    points.append((.sent, sent.wording))
    let answer = ErrorResponse(reply, to: sent, edition)
    points.append((.answer, answer.wording))
    let breaches = EditionRules(edition).breaches(of: sent)
    for breach in breaches { points.append((.breaks, breach.wording)) }
    if breaches.isEmpty {
      points.append(
        (
          .breaks,
          LocalizedText(
            "The request breaks no known rule of edition \(edition).",
            ko: "요청에서 알려진 \(edition) API 버전의 규칙을 어긴 것은 없습니다.")
        ))
    }
    // Of a response that may contain a token, only the message printed at that time is available.
    if answer.isHidden { points += (refused.message?.reasons ?? []).map { (.means, $0) } }
    for meaning in answer.meanings { points.append((.means, meaning)) }
    for step in answer.steps(breaches, limits: limits) { points.append((.next, step)) }
    self.entries = points
  }

  /// Returns the points of an error in this program; nothing was sent.
  private static func localFailure(_ message: Message?) -> [(Section, LocalizedText)] {
    guard let message else {
      return [(.answer, LocalizedText("No server response was involved.", ko: "서버가 거부한 응답은 없습니다."))]
    }
    let means = LocalizedText(
      "The server did not refuse this. openmarket stopped it or failed itself.", ko: "서버가 거부한 것이 아니라 이 프로그램에서 멈췄습니다.")
    return [(.answer, message.what)] + message.reasons.map { (.breaks, $0) } + [(.means, means)]
      + message.nextSteps.map { (.next, $0) }
  }

  func drawing(_ options: RenderOptions) -> Figure {
    let language = options.language
    let column = (Section.allCases.map { options.cells.of($0.title[language].plain) }.max() ?? 0) + 2
    let width = max(20, ((options.isTerminal ? options.width : nil) ?? 100_000) - column)
    var last: Section?
    var lines: [[Figure.Run]] = []
    for (part, text) in entries {
      let title = part == last ? "" : part.title[language].plain
      for (place, line) in Figure.paragraph(text[language], width: width, options).enumerated() {
        let head = options.cells.aligned(place == 0 ? title : "", to: column)
        lines.append([Figure.Run(head, .dim)] + line)
      }
      last = part
    }
    let table = Table(
      [.init("part", LocalizedText("part", ko: "구분")), .init("text", LocalizedText("text", ko: "내용"))],
      rows: entries.map { [.text($0.0.rawValue), .localized($0.1)] })
    return Figure(lines, table: table)
  }
}
