import Catalog
import Text

extension Parameter {
  /// What every command that prints takes besides its own.
  package static let ofPrinting: [Parameter] = [
    Parameter(
      "as", .option, .choice(OutputFormat.allCases.map(\.rawValue)),
      Wording("the format, for this command only", ko: "이 명령에만 쓸 형식")),
    Parameter("to", .option, .file, Wording("write the data to a file", ko: "데이터를 파일에 씀")),
  ]

  /// What every command that writes takes besides its own.
  package static let ofWriting: [Parameter] = [
    Parameter("yes", .flag, .none, Wording("do not ask", ko: "묻지 않음")),
    Parameter("outliers", .flag, .none, Wording("outliers are meant", ko: "튀는 값도 그대로 진행")),
    Parameter("note", .option, .text, Wording("a note kept in the log", ko: "기록에 남길 메모")),
    Parameter(
      "jobs", .option, .number(1...8),
      Wording("writes side by side in a batch, 4 by default", ko: "묶음에서 나란히 쓸 개수, 기본 4")),
    Parameter("rate", .option, .rate, Wording("writes a second at most, 5/s", ko: "초당 최대 쓰기 수, 5/s")),
    Parameter(
      "stop-after", .option, .number(1...10_000),
      Wording("failures that end a batch, 5 by default", ko: "묶음을 끝낼 실패 수, 기본 5")),
  ]

  static let ofWatching = Parameter(
    "until", .option, .expression, Wording("stops watching when it holds", ko: "조건이 맞으면 그침"))
}

extension Declaration {
  /// Its own parameters and those that come with printing and writing; its own win.
  package var allParameters: [Parameter] {
    var result = parameters
    let implied = (prints ? Parameter.ofPrinting : []) + (writes ? Parameter.ofWriting : [])
    for parameter in implied where !parameters.contains(where: { $0.name == parameter.name }) {
      result.append(parameter)
    }
    return result
  }

  /// Options and flags: what is read by its word.
  package var worded: [Parameter] {
    allParameters.filter { $0.place == .option || $0.place == .flag }
  }

  /// What is read by its place, in order.
  package var placed: [Parameter] {
    parameters.filter { parameter in
      switch parameter.place {
      case .positional, .rest: true
      case .option, .flag, .assignments: false
      }
    }
  }

  package var assigned: Parameter? { parameters.first { $0.place == .assignments } }
}
