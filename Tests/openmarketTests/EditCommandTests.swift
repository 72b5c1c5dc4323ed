import Foundation
import TerminalTesting
import TestSupport
import Testing

/// `edit` with editors of every kind: no input is lost, and nothing unintended is sent.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct EditCommandTests {
  private let home: TemporaryHome

  init() throws { home = try TemporaryHome() }

  /// Starts a prompt whose editor is a script; `$1` is the file.
  private func shell(editor script: String, variable: String? = nil) throws -> TerminalShell {
    let path = home.path + "/my editor"
    try ExecutableFile.write("#!/bin/sh\ncd '\(home.path)'\n" + script + "\n", to: path)
    return try TerminalShell(
      ["--lang", "en"], home: home,
      environment: [
        "VISUAL": variable ?? "/bin/sh '\(path)'", "EDITOR": "/bin/false", "OPENMARKET_SECRET": nil, "HOME": home.path,
      ], columns: 160, rows: 60)
  }

  private var kept: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: home.path + "/home/state/edit")) ?? []
  }

  @Test func editedValueIsSentAsPatch() throws {
    let shell = try shell(
      editor: """
        cp "$1" seen.txt; ls -l "$1" | cut -c 1-10 > mode.txt; ls -ld "$(dirname "$1")" | cut -c 1-10 >> mode.txt
        env > env.txt; sed -i -e 's/^stock: .*/stock: 77/' -e 's/^name: .*/name: 돌 등잔/' "$1"
        """)
    try shell.type("edit 138\r")
    try shell.wait(for: "Apply?")
    let screen = shell.program.screen.text
    #expect(screen.contains("update 138 ") && screen.contains("→ 돌 등잔") && screen.contains("→ 77"), "\(screen)")
    #expect(!screen.contains("(undo)"))
    try shell.say("y")
    #expect(shell.program.screen.text.contains("(undo)"))
    #expect(kept.isEmpty)
    #expect(try String(contentsOfFile: home.path + "/mode.txt", encoding: .utf8) == "-rw-------\ndrwx------\n")
    #expect(try String(contentsOfFile: home.path + "/seen.txt", encoding: .utf8).hasPrefix("# Product 138: "))
    #expect(!(try String(contentsOfFile: home.path + "/env.txt", encoding: .utf8)).contains("SECRET"))
    try shell.say("undo yes")
    try shell.wait(for: "138")
    #expect(try shell.leave() == 0)
  }

  /// The editor is on the terminal also while the output goes to a file.
  @Test func editorIsOnTheTerminalWhileTheOutputIsRedirected() throws {
    let script = try home.file("my editor", "test -t 1 && sed -i 's/^stock: .*/stock: 77/' \"$1\"\n")
    let program = try TerminalProgram(
      "/bin/sh",
      [
        "-c", "exec '\(builtProgram("openmarket"))' --home '\(home.path)/home' -c 'edit 138' > '\(home.path)/out'",
      ],
      environment: ["VISUAL": "/bin/sh '\(script)'", "HOME": home.path])
    try program.wait("the question") { $0.screen.row.hasPrefix("Apply? [y/N]") && $0.readsKeys }
    try program.type("y\r")
    #expect(try program.exitCode() == 0, "\(program.screen)")
    let output = try String(contentsOfFile: home.path + "/out", encoding: .utf8)
    #expect(output.contains("stock        77\n"), "\(output)")
  }

  /// One row for each product: one is changed, one is deleted and its product not changed, and the errors of all rows
  /// are shown at once at the top.
  @Test func severalProductsAreEditedAsRows() throws {
    let shell = try shell(
      editor: """
        if [ ! -e first.txt ]; then
          cp "$1" first.txt; sed -i -e '/^ *138 /s/19000/19,00/' -e '/^ *132 /s/20700/x/' "$1"; exit
        fi
        cp "$1" second.txt; sed -i -e '/^ *138 /s/19,00/18500/' -e '/^ *132 /d' -e '/^ *126 /s/| *52 |/| 50 |/' "$1"
        """)
    try shell.type("edit where vendor=me and id>=120 columns price,stock\r")
    try shell.wait(for: "Apply?")
    let screen = shell.program.screen.text
    #expect(screen.contains("  1 │ 138 │ 먹색 요리책") && screen.contains("→ ₩18,500"), "\(screen)")
    #expect(screen.contains("  2 │ 126 │ ") && screen.contains("52 → 50") && !screen.contains("132"), "\(screen)")
    try shell.say("y")
    let first = try String(contentsOfFile: home.path + "/first.txt", encoding: .utf8)
    #expect(
      first.contains(
        """
        #  id | price | stock | (name)
          138 | 19000 |    25 | 먹색 요리책
          132 | 20700 |    41 | 먹색 요가 볼
          126 | 52000 |    52 | 먹색 접이식 키보드
          120 | 48000 |    40 | 먹색 리넨 셔츠

        """), "\(first)")
    let second = try String(contentsOfFile: home.path + "/second.txt", encoding: .utf8)
    #expect(
      second.hasPrefix(
        """
        #! product 138: Invalid value for price: 19,00.
        #! Commas group three digits, as in 9,900. Decimals follow a point: 19.00.
        #! product 132: Invalid value for price: x.
        #! Write a price as 12900 or 19.99: up to 15 digits, up to 2 decimals.
        # 4 products
        """), "\(second.prefix(300))")
    #expect(kept.isEmpty)
    try shell.say("clear")
    try shell.say("ls where vendor=me and id>=120 columns id,price,stock as csv")
    #expect(
      shell.program.screen.text.contains("138,18500,25\n132,20700,41\n126,52000,50\n120,48000,40"),
      "\(shell.program.screen)")
    #expect(try shell.leave() == 0)
  }

  /// After a refusal, a cancellation or a failure of the editor, the rows are saved.
  @Test(arguments: [("n", "77", "Canceled"), ("", "x", "Invalid value for stock: x.")])
  func rowsAreSavedAfterARefusal(_ answer: String, _ stock: String, _ says: String) throws {
    let shell = try shell(editor: "sed -i '/^ *138 /s/| *[0-9x]* | \\(.*\\)$/| \(stock) | \\1/' \"$1\"")
    if answer.isEmpty {
      try shell.say("edit mine columns stock")
    } else {
      try shell.type("edit mine columns stock\r")
      try shell.wait(for: "Apply?")
      try shell.say(answer)
    }
    #expect(shell.program.screen.text.contains(says), "\(shell.program.screen)")
    let file = try #require(kept.first)
    // Rows that can be read are kept as a script.
    #expect(file.hasPrefix(answer == "n" ? "edit-" : "products-"))
    let text = try String(contentsOfFile: home.path + "/home/state/edit/" + file, encoding: .utf8)
    #expect(text.contains(answer == "n" ? "patch 138 stock=77" : "138 | x | 먹색 요리책"), "\(text)")
    try shell.say("clear")
    try shell.say("log as csv")
    #expect(!shell.program.screen.text.contains("138"), "\(shell.program.screen)")
    #expect(try shell.leave() == 0)
  }

  @Test(arguments: [
    ("edit mine columns price,vendor", "vendor cannot be edited as a column."),
    ("edit mine columns price,price", "Duplicate column"),
    ("edit 138 colums price", "Unexpected argument for edit: colums."), ("edit 139,138 columns price", "is not yours"),
    ("edit where id=0 columns price", "No matching products."),
  ])
  func unsupportedRowEditsAreRefused(_ line: String, _ says: String) throws {
    let shell = try shell(editor: "touch opened")
    try shell.say(line)
    #expect(shell.program.screen.text.contains(says), "\(shell.program.screen)")
    #expect(!FileManager.default.fileExists(atPath: home.path + "/opened"))
    #expect(kept.isEmpty)
    #expect(try shell.leave() == 0)
  }

  @Test func invalidEditIsReopenedWithTheReason() throws {
    let shell = try shell(
      editor: """
        if [ ! -e first.txt ]; then cp "$1" first.txt; sed -i 's/^price: .*/price: 19,99/' "$1"; exit; fi
        cp "$1" second.txt; sed -i 's/^price: 19,99/price: 21000/' "$1"
        """)
    try shell.type("edit 138\r")
    try shell.wait(for: "Apply?")
    try shell.say("y")
    try shell.wait(for: "(undo)")
    let second = try String(contentsOfFile: home.path + "/second.txt", encoding: .utf8)
    #expect(
      second.hasPrefix(
        "#! Invalid value for price: 19,99.\n#! Commas group three digits, as in 9,900. Decimals follow a point: 19.99.\n# Product 138"
      ),
      "\(second.prefix(200))")
    #expect(second.contains("price: 19,99\n"))
    #expect(kept.isEmpty)
    #expect(try shell.leave() == 0)
  }

  @Test func withoutYesNothingIsSentAndTheTextIsSaved() throws {
    let shell = try shell(editor: #"sed -i 's/^stock: .*/stock: 77/' "$1""#)
    try shell.type("edit 138\r")
    try shell.wait(for: "Apply?")
    try shell.say("n")
    #expect(!shell.program.screen.text.contains("(undo)"), "\(shell.program.screen)")
    #expect(kept.count == 1)
    try shell.say("clear")
    try shell.say("log as csv")
    #expect(!shell.program.screen.text.contains("138"), "\(shell.program.screen)")
    #expect(try shell.leave() == 0)
  }

  /// The editor scripts, the message, and whether the text is saved.
  static let ends: [(name: String, script: String, says: String, keeps: Bool)] = [
    ("gives up", #"sed -i 's/^price: .*/price: x/' "$1""#, "Invalid value for price: x.", true),
    ("fails", #"echo mine >> "$1"; exit 1"#, "Canceled in the editor.", true),
    ("is killed", #"stty raw -echo < /dev/tty; kill -9 $$"#, "It was killed by signal 9.", true),
    ("changes nothing", "sleep 0.4", "code --wait", true),
    ("saves it unchanged", #"sleep 0.4; touch "$1""#, "Nothing to change", true),
    ("empties the file", #"sleep 0.4; : > "$1""#, "Nothing to change", false),
    ("leaves a link", #"rm "$1"; ln -s /etc/hostname "$1""#, "Cannot read", true),
    ("takes the file away", #"rm "$1""#, "Cannot read", false),
    ("leaves no text", #"printf 'name: \377\n' > "$1""#, "It is not valid UTF-8.", true),
  ]

  @Test(arguments: EditCommandTests.ends.indices) func failedEditorLosesNoTextAndSendsNothing(_ index: Int) throws {
    let (name, script, says, keeps) = Self.ends[index]
    let shell = try shell(editor: script)
    let modes = shell.program.modeLine
    try shell.say("edit 138")
    #expect(shell.program.screen.text.replacing("\n", with: " ").contains(says), "\(name): \(shell.program.screen)")
    #expect(!shell.program.screen.text.contains("(undo)"))
    #expect(kept.count == (keeps ? 1 : 0), "\(name): \(shell.program.screen)")
    if keeps {
      let text = shell.program.screen.text.replacing("\n", with: "")
      #expect(kept.contains { text.contains($0) }, "\(name): \(shell.program.screen)")
    }
    #expect(shell.program.modeLine == modes)
    try shell.say("clear")
    try shell.say("log as csv")
    #expect(!shell.program.screen.text.contains("138"), "\(name): \(shell.program.screen)")
    #expect(try shell.leave() == 0)
  }

  @Test(arguments: [
    ("/nowhere/editor", "No such file or directory"), ("vi -- x", "It must not contain --"), ("'vi", "unclosed quote"),
  ])
  func unusableEditorIsNamed(variable: String, says: String) throws {
    let shell = try shell(editor: "", variable: variable)
    try shell.say("edit 138")
    #expect(shell.program.screen.text.contains(says), "\(shell.program.screen)")
    #expect(try shell.leave() == 0)
  }

  @Test func productOfAnotherVendorIsRefusedBeforeEditing() throws {
    let shell = try shell(editor: "touch opened")
    try shell.say("edit 139")
    #expect(shell.program.screen.text.contains("is not yours"))
    #expect(!FileManager.default.fileExists(atPath: home.path + "/opened"))
    #expect(try shell.leave() == 0)
  }

  @Test func editInAScriptRefersToPatch() throws {
    let result = try openmarket(["--home", home.path + "/home", "-c", "edit 138"])
    #expect(result.code == 4)
    #expect(result.err == "error: edit needs a terminal.\n  hint: In a script, use `patch`.\n")
    let walk = try openmarket(["--home", home.path + "/home", "-c", "walk mine"])
    #expect(walk.code == 4)
    #expect(
      walk.err
        == "error: walk needs a terminal.\n  hint: In a script, use `patch`, or `import` for different values per product.\n"
    )
  }
}
