import Catalog
import CommandLanguage
import Commands
import Foundation
import ShellRuntime
import Text

/// The check of a line that an agent wants planned.
///
/// It is one command that changes products. Nothing in it may answer a question for a person, run something else or read
/// a file that the agent could not read in the working folder. A table there can only name pictures below its own folder.
struct PlannedLine {
  private let line: String
  private let plansFolder: String

  init(_ line: String, plansFolder: String) {
    self.line = line
    self.plansFolder = plansFolder
  }

  private static let answers = ["yes", "outliers", "again", "unproven"]

  /// - Throws: `ParseError` if the line can't be planned.
  func check(in scope: CommandScope) throws {
    guard !line.contains("!!"), !line.contains("\n") else { throw refusal("!!") }
    let invocation = try PlanMaker(line).command(in: scope).invocation
    for word in PlannedLine.answers where invocation.has(word) { throw refusal(word) }
    if invocation.clauses.file != nil || invocation.clauses.namesStandardOutput { throw refusal("to") }
    if invocation.clauses.pipe != nil { throw refusal("|") }
    guard invocation.prefixes.isEmpty else { throw refusal(line.split(separator: " ").first.map(String.init) ?? "") }
    let declaration = scope.context.program.commands.declaration(of: invocation)
    for parameter in declaration?.effectiveParameters ?? [] where parameter.kind == .file || parameter.kind == .files {
      for path in invocation.all(parameter.name).flatMap({ $0.split(separator: ",") }) { try check(path: String(path)) }
    }
    for assignment in invocation.assignments {
      if assignment.name == ProductField.images.rawValue {
        for path in assignment.imagePaths { try check(path: path) }
      } else if assignment.isFile {
        try check(path: assignment.value)
      }
    }
  }

  /// Throws for a file outside the working folder and the folder of plans, also through a symbolic link.
  private func check(path: String) throws(ParseError) {
    let base = FileManager.default.currentDirectoryPath
    let whole = path.utf8.first == UInt8(ascii: "/") ? path : base + "/" + path
    let real = URL(fileURLWithPath: whole).resolvingSymlinksInPath().standardizedFileURL.path
    let allowed = [base, plansFolder].map {
      URL(fileURLWithPath: $0).resolvingSymlinksInPath().standardizedFileURL.path
    }
    guard path.utf8.first != UInt8(ascii: "~"), path != "-", allowed.contains(where: { real.hasPrefix($0 + "/") })
    else {
      throw ParseError(
        LocalizedText(
          "The file \(.value(path)) is outside the working folder.", ko: "\(.value(path)) 파일은 작업 폴더 밖에 있습니다."))
    }
  }

  private func refusal(_ word: String) -> ParseError {
    ParseError(
      LocalizedText(
        "A planned line cannot contain \(.command(word)).", ko: "계획할 명령에는 \(.command(word), .object) 쓸 수 없습니다."),
      suggestion: LocalizedText(
        "Plan one command that changes products, such as \(.command("patch 42 price=1000")). A person answers the questions.",
        ko: "\(.command("patch 42 price=1000"))처럼 상품을 변경하는 명령 하나를 계획하세요. 질문에는 사람이 답합니다."))
  }
}
