import CommandLanguage
import Presentation
import ShellRuntime
import Text

/// `echo`: prints its words with the values of their variables.
package struct EchoCommand: Command {
  package static let declaration = CommandDeclaration(
    "echo", group: .scripting, summary: LocalizedText("print text and values", ko: "텍스트와 값을 출력"), traits: .pipesText,
    parameters: [
      Parameter(
        "TEXT", .rest(required: false), kind: .text,
        summary: LocalizedText("words, joined with single spaces", ko: "단어들; 한 칸씩 띄워 출력"))
    ],
    examples: [
      .init("echo _.name costs _.price", "prints values of the last product", ko: "마지막 상품의 값"),
      .init("echo _.name | wc -m", "pipes the text to a program", ko: "텍스트를 프로그램에 넘김"),
      .init("echo \"@3 is '$_.name'\"", "in double quotes, only $ is replaced", ko: "큰따옴표 안에서는 $만 치환"),
    ])

  private let text: String

  package init(_ invocation: ParsedCommand) { text = invocation.all("TEXT").joined(separator: " ") }

  package func run(in scope: inout CommandScope) -> CommandResult {
    .text(LocalizedText(same: StyledText(text)))
  }
}
