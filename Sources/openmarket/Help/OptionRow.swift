import Catalog
import Marketplace
import Text

/// One line of `--help`: related options and their description.
struct OptionRow: Sendable {
  struct Name: Sendable {
    /// The name with its dashes.
    var name: String
    /// The placeholder of the value, or `nil` for a flag.
    var value: String?

    var text: String { value.map { name + " " + $0 } ?? name }
  }

  var names: [Name]
  var summary: LocalizedText

  /// Creates a row from texts, such as `OptionRow(["--url URL", "--api EDITION"], …)`.
  init(_ texts: [String], _ english: StyledText, ko korean: StyledText) {
    names = texts.map { text in
      let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
      return Name(name: parts[0], value: parts.count > 1 ? parts[1] : nil)
    }
    summary = LocalizedText(english, ko: korean)
  }
}

/// Every option of the program and of `serve`, for `--help` and the manual page.
///
/// A test compares them with the parser.
extension OptionRow {
  static let program: [OptionRow] = [
    OptionRow(["--profile NAME"], "where to work; the command profile keeps them", ko: "연결할 곳; profile 명령으로 만들어 둠"),
    OptionRow(
      ["--url URL", "--api EDITION"], "any server: \(Edition.names)",
      ko: "아무 서버나: \(Edition.names)"),
    OptionRow(["--home DIR"], "keep everything under this folder", ko: "모든 파일을 이 폴더 아래에 둠"),
    OptionRow(
      ["-c LINE", "-f FILE"], "run a line, a script (- is standard input); leave",
      ko: "줄이나 스크립트(-는 표준 입력)를 실행하고 종료"),
    OptionRow(
      ["--keep-going", "--check"], "go on after a failure; read the script, send nothing", ko: "실패해도 계속; 검사만 하고 보내지 않음"),
    OptionRow(["--replay FILE"], "answer from a HAR file, open no connection", ko: "HAR 파일에서 응답하고 연결하지 않음"),
    OptionRow(["--tap", "--junit FILE"], "outcomes as TAP, as a JUnit file", ko: "결과를 TAP으로, JUnit 파일로"),
    OptionRow(
      ["--format FORMAT"], "table, json, jsonl, csv, tsv or markdown", ko: "table, json, jsonl, csv, tsv, markdown"),
    OptionRow(["--lang en|ko"], "the language of everything said to you", ko: "메시지 언어"),
    OptionRow(
      ["--yes", "--read-only"], "write without asking; write nothing at all", ko: "확인 없이 변경; 아무것도 변경하지 않음"),
    OptionRow(
      ["--no-retry"], "send every read once; so do --tap and --junit", ko: "읽기를 한 번만 보냄; --tap과 --junit도 같음"),
    OptionRow(
      ["--insecure-http"], "send secrets over plain http to other machines", ko: "다른 컴퓨터에도 http로 시크릿을 보냄"),
    OptionRow(["--no-color", "--ascii"], "no colours, no drawn lines", ko: "색 없이, 선 그림 없이"),
    OptionRow(["--version", "-h", "--help"], "the version, this text", ko: "버전, 이 도움말"),
    OptionRow(
      ["--generate-completion-script SHELL"], "for bash, zsh or fish", ko: "bash, zsh, fish의 자동 완성"),
    OptionRow(["--generate-manual"], "all of help as a manual page", ko: "도움말 전체를 매뉴얼 페이지로"),
  ]

  static let serve: [OptionRow] = [
    OptionRow(["--port N"], "8080 or the next free one; 0 picks any", ko: "없으면 8080이나 다음 빈 포트; 0이면 아무 포트"),
    OptionRow(["--host ADDRESS"], "the address to listen on; 0.0.0.0 for all", ko: "수신 주소; 0.0.0.0이면 모두"),
    OptionRow(
      ["--api EDITION"], "the edition to speak: \(Edition.names)",
      ko: "사용할 버전: \(Edition.names)"),
    OptionRow(["--vendors N|FILE"], "vendors for a class, by number or by name", ko: "수업에 쓸 판매자의 수나 이름 파일"),
    OptionRow(["--data DIR"], "the folder that keeps the market's data", ko: "마켓의 데이터를 두는 폴더"),
    OptionRow(["--home DIR"], "keep everything under this folder", ko: "모든 파일을 이 폴더 아래에 둠"),
    OptionRow(["--strict"], "enforce the documented limits with 400", ko: "문서의 한도를 넘으면 400으로 거절"),
    OptionRow(["--empty"], "start without products", ko: "상품 없이 시작"),
    OptionRow(["--quirks"], "do what the real servers did wrong", ko: "실제 서버의 오류까지 재현"),
    OptionRow(["--log"], "print a line for each request", ko: "요청마다 한 줄 출력"),
    OptionRow(
      ["--slow MS", "--fail RATE"], "late answers; 503 for a part, such as 20%", ko: "응답 지연; 20%처럼 일부에 503"),
    OptionRow(["-h", "--help"], "this text", ko: "이 도움말"),
  ]
}
