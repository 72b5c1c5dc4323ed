import Catalog
import Engine
import Foundation
import Language
import OrderedCollections
import Platform
import Presentation
import Text

/// `save`: the commands of this session as a script.
package struct Save: Command {
  package static let declaration = Declaration(
    "save", group: .scripting,
    summary: Wording("write this session as a script", ko: "이 세션을 스크립트로 저장"),
    traits: [.leftOutOfScripts],
    parameters: [
      Parameter(
        "FILE", .positional(required: true), .file, Wording("where to; ends in .market", ko: "저장할 곳; .market으로 끝남")),
      Parameter(
        "N-M", .positional(required: false), .text,
        Wording("only these commands, as history session counts", ko: "history session 번호로 이 명령만")),
      Parameter(
        "expect", .flag, .none,
        Wording("what was seen becomes assertions, products made become variables", ko: "본 것은 확인문으로, 만든 상품은 변수로")),
      .replacing,
    ],
    examples: [
      .init("save monday.market", "every command that did what it was asked", ko: "제대로 끝난 모든 명령"),
      .init("save test.market 3-10 expect", "commands 3 to 10, as a test", ko: "3번부터 10번까지, 테스트로"),
    ])

  private let file: String
  private let range: ClosedRange<Int>
  private let expecting: Bool
  private let replaces: Bool

  package init(_ invocation: Invocation) throws {
    file = invocation.text("FILE") ?? ""
    expecting = invocation.has("expect")
    replaces = invocation.has("replace")
    guard let text = invocation.text("N-M") else {
      range = 1...Int.max
      return
    }
    guard let match = text.wholeMatch(of: /([1-9][0-9]{0,8})(-([1-9][0-9]{0,8}))?/), let first = Int(match.1),
      let last = Int(match.3 ?? match.1), first <= last
    else {
      throw ParseError(
        Wording("\(.value(text)) is no range of commands.", ko: "\(.value(text)), 명령의 범위가 아닙니다."),
        next: Wording(
          "It looks like \(.value("3-10")); \(.command("history session")) shows the numbers.",
          ko: "\(.value("3-10"))처럼 씁니다. 번호는 \(.command("history session"))에서 봅니다."))
    }
    range = first...last
  }

  package func run(
    _ session: inout Session, _ execution: inout Execution, in context: Context
  ) async throws -> Report {
    let script = SavedScript(
      session.deeds.all.filter { range.contains($0.number) }, names: session.place.fieldNames,
      taken: Array(session.variables.keys), expecting: expecting,
      grammar: context.commands.grammar)
    guard script.count > 0 else {
      throw Failure(
        .misread,
        .failure("There is nothing to save yet; no file was written.", ko: "저장할 것이 없어 파일을 쓰지 않았습니다."))
    }
    let target = UserFile(file, context)
    try await target.admit(replacing: replaces, session)
    try target.write(Data(script.text.utf8))
    let path = target.path
    return .message(
      Message(
        .success,
        script.count == 1
          ? Wording("One command written to \(.value(path)).", ko: "명령 하나를 \(.value(path))에 썼습니다.")
          : Wording(
            "\(script.count) commands written to \(.value(path)).", ko: "명령 \(script.count)개를 \(.value(path))에 썼습니다.")
      ).next(
        "\(.command("source \(Quoting.quote(file))")) runs them.",
        ko: "\(.command("source \(Quoting.quote(file))"))로 실행합니다."))
  }
}
