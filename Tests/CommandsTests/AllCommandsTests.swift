import CommandLanguage
import Commands
import Foundation
import Shell
import ShellRuntime
import Testing

/// The list contains every command with a unique name, and every example can be parsed.
@Suite struct AllCommandsTests {
  @Test func everyDeclaredCommandIsInTheList() throws {
    let sources = (#filePath as NSString).deletingLastPathComponent + "/../../Sources/"
    let files = try ["Commands"].flatMap { room in
      try FileManager.default.subpathsOfDirectory(atPath: sources + room).map { sources + room + "/" + $0 }
    }
    var inFolder: [String] = []
    for file in files where file.hasSuffix(".swift") {
      let text = try String(contentsOfFile: file, encoding: .utf8)
      for declared in text.ranges(of: "static let declaration = CommandDeclaration(") {
        let owner = text[..<declared.lowerBound].matches(of: /(?:^|\n)(?:package )?struct (\w+)/).last
        inFolder.append(try #require(owner.map { String($0.1) }))
      }
    }
    #expect(inFolder.sorted() == AllCommands.all.map { String(describing: $0) }.sorted())
  }

  @Test func namesAndAliasesAreUnique() {
    let names = AllCommands.all.flatMap { [$0.declaration.name] + $0.declaration.aliases }
    #expect(Set(names).count == names.count)
  }

  @Test(arguments: AllCommands.all.flatMap { $0.declaration.examples.flatMap(\.lines) })
  func everyExampleIsParsed(_ line: String) throws {
    for invocation in try AllCommands.grammar.read(line, variables: { _ in NamedValue(word: "1") }) {
      _ = try AllCommands.registry.command(invocation)
    }
  }
}
