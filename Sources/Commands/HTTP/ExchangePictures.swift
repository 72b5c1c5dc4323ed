import Presentation
import Text

/// The pictures of stored requests as files for a curl command, in the order in which they were sent.
struct ExchangePictures {
  private var stored: ArraySlice<String?>
  private var missing: [String] = []

  /// - Parameter stored: The paths in the journal, with `nil` for those that are no longer stored.
  init(_ stored: [String?]) { self.stored = stored[...] }

  /// Returns the path of the next picture, or a name that asks the user for the file.
  mutating func path(of name: String) -> String {
    if let path = stored.popFirst() ?? nil { return path }
    let path = "SUPPLY-THIS-FILE-" + name
    missing.append(path)
    return path
  }

  /// Returns the report of curl commands that have the paths, after a note about pictures to be supplied.
  func curlReport(of commands: [String], json: String) -> Report {
    let lines = commands.flatMap { $0.split(separator: "\n").map { [Figure.Run(Sanitizer.sanitized(String($0)))] } }
    let table = Table([.init("curl", LocalizedText("curl", ko: "curl"))], rows: commands.map { [.text($0)] })
    let report = Report.drawing(Figure(lines, table: table, json: json))
    if missing.isEmpty { return report }
    let names = missing.joined(separator: ", ")
    let note = Message.note(
      "The log no longer has the file \(.value(names)).", ko: "로그에 \(.value(names)) 파일이 남아 있지 않습니다."
    ).next(
      "Before you run the command, replace this name by the path of your file.",
      ko: "명령을 실행하기 전에 이 이름을 직접 준비한 파일의 경로로 바꾸세요.")
    return .group([.message(note), report])
  }
}
