import EmbeddedMarket
import Foundation
import MarketAPI
import Platform
import ShellRuntime
import ShellTesting
import TestSupport
import Testing

/// A shop in git: pulled, committed, changed, reviewed, pushed, reverted and pushed again.
@Suite(.timeLimit(Trial.limit)) struct PushCommandTests {
  /// The market is exactly as it was after the revert, but for the numbers of products that were deleted in between.
  @Test func revertedPushRestoresTheMarket() async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writePictures()
      let story = Story(sandbox)
      await story.say("pull ~/shop mine")
      try await story.git("init -q -b main .", "config core.autocrlf false", "add .", "commit -q -m pulled")
      let before = await sandbox.data("ls mine all as csv columns name,description,price,discount,currency,stock").data
      // Numbers, names and the order of pictures are the same in every run; their names in the folder depend on content.
      await story.shell("sed -i 's/^stock = .*/stock = 7/' products/000006-*.toml")
      await story.shell("sed -i 's/^discount = 0$/discount = 100/' products/000012-*.toml")
      await story.shell("rm products/000018-*.toml")
      await story.shell("cp ~/cup.png pictures/cup.png")
      await story.shell(
        """
        printf 'name = "새 컵"\\nprice = 1500\\ncurrency = "KRW"\\nimages = ["pictures/cup.png"]\\ndescription = "설명이 충분히 깁니다"\\n' > products/cup.toml
        """)
      try await story.git("add .", "diff --cached --stat=70 --no-renames -- products")
      await story.say("status ~/shop")
      await story.say("push ~/shop deletes yes")
      try await story.git("add .", "commit -q -m changed")
      await story.say("push ~/shop deletes yes")
      try await story.git("revert --no-edit HEAD", "status --short")
      await story.say("push ~/shop deletes yes")
      try await story.git("status --short")
      await story.say("pull ~/shop")
      try await story.git("status --short")
      let after = await sandbox.data("ls mine all as csv columns name,description,price,discount,currency,stock").data
      #expect(lines(before) == lines(after))
      try Golden("folder-git").check(story.text)
    }
  }

  /// Changes on both sides of a folder, and every word that decides them.
  @Test func everyConflictOptionEqualsGolden() async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writePictures()
      let story = Story(sandbox)
      await story.say("status ~/shop")
      await story.say("push ~/shop")
      await story.say("pull ~/shop 6,12,18,24 dry")
      await story.say("pull ~/shop 6,12,18,24")
      // Both sides change a value of 6, the market another one; 12 is deleted there, 18 here; 24 changes alike.
      for line in ["patch 6 stock=8 price=75000 yes", "rm 12 yes", "patch 18 stock=9 yes", "patch 24 stock=7 yes"] {
        _ = await sandbox.run(line)
      }
      await story.shell(
        "sed -i 's/^stock = .*/stock = 7/' products/000006-*.toml products/000012-*.toml products/000024-*.toml")
      await story.shell("rm products/000018-*.toml")
      for line in [
        "status ~/shop", "dry pull ~/shop keep server", "pull ~/shop", "push ~/shop yes", "push ~/shop deletes yes",
        "dry push ~/shop deletes keep file fail-on deletes", "dry push ~/shop keep file fail-on deletes",
        "push ~/shop dry keep file fail-on any", "push ~/shop keep file keep server", "push ~/shop mine",
        "pull ~/shop theirs", "pull ~/shop mine keep mine", "push ~/shop deletes keep file yes",
        "status ~/shop as csv", "undo yes", "status ~/shop", "pull ~/shop keep server", "status ~/shop",
      ] { await story.say(line) }
      await story.shell("grep -c '' products/*.toml")
      for line in [
        "dry patch 6 stock=1 fail-on any", "dry patch 6 stock=1 fail-on deletes", "dry rm 6 fail-on deletes",
        "snapshot s", "diff s fail-on any", "patch 6 stock=1 yes", "diff s fail-on deletes", "diff s fail-on any",
        "diff s fail-on sometimes",
      ] { await story.say(line) }
      try Golden("folder-conflicts").check(story.text)
    }
  }

  /// Pictures of products that exist: replaced where the edition can, otherwise the thumbnail is chosen, or it is said.
  @Test(arguments: [ServedEdition.camp2, .training])
  func pictureChangesOfAFolderEqualGolden(_ edition: ServedEdition) async throws {
    var options = SessionOptions()
    options.edition = Edition(rawValue: edition.rawValue)
    try await Sandbox.with(options: options, edition: edition, served: { $0.startsEmpty = true }) { sandbox in
      try sandbox.writePictures()
      let story = Story(sandbox)
      _ = await sandbox.run(
        "new name='A cup of tea' description='A description of it' price=100 currency=USD images=~/cup.png,~/big.png yes"
      )
      await story.say("pull ~/shop")
      await story.shell(
        "awk '/^images/ {getline a; getline b; print; print b; print a; next} 1' products/000001-*.toml > x")
      await story.shell("cat x > products/000001-a-cup-of-tea.toml; rm x")
      await story.say("push ~/shop yes")
      await story.say("status ~/shop")
      await story.shell("cp ~/cup.png pictures/other.png; printf 'x' >> pictures/other.png")
      await story.shell("sed -i 's#pictures/.*png#pictures/other.png#' products/000001-*.toml")
      await story.say("push ~/shop yes")
      await story.say("status ~/shop")
      try Golden("folder-pictures-\(edition.rawValue)").check(story.text)
    }
  }

  private func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init).sorted() }

  private final class Story {
    private let sandbox: Sandbox
    private(set) var text = ""

    init(_ sandbox: Sandbox) { self.sandbox = sandbox }

    func say(_ line: String) async { text += "> \(line)\n" + (await sandbox.run(line)) }

    func git(_ lines: String...) async throws {
      for line in lines {
        await shell("git " + line, as: "git \(line)")
      }
    }

    func shell(_ line: String, as shown: String? = nil) async {
      text += "$ \(shown ?? line)\n"
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = ["-c", line]
      process.currentDirectoryURL = URL(fileURLWithPath: sandbox.folder + "/shop")
      process.environment = [
        "HOME": sandbox.folder, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.com", "GIT_COMMITTER_NAME": "a",
        "GIT_COMMITTER_EMAIL": "a@example.com", "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.quotePath",
        "GIT_CONFIG_VALUE_0": "false",
      ]
      let pipe = Pipe()
      process.standardOutput = pipe
      process.standardError = pipe
      guard (try? process.run()) != nil else { return text += "cannot run\n" }
      let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      let said = String(decoding: bytes, as: UTF8.self).replacing(#/\[main [0-9a-f]+\]/#, with: "[main COMMIT]")
        .replacing(#/ Date: .*\n/#, with: "")
      text += said
      if process.terminationStatus != 0 { text += "= \(process.terminationStatus)\n" }
    }
  }
}
