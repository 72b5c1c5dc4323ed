import CommandLanguage
import Foundation
import Platform
import Presentation
import Shell
import ShellRuntime
import ShellTesting
import TestSupport
import Testing
import Text

/// The choices of `set` and `format` apply to the next session of the home.
@Suite(.timeLimit(Trial.limit)) struct SettingStoreTests {
  @Test func settingsApplyToTheNextSession() async throws {
    try await Sandbox.with { sandbox in
      for line in [
        "set page-size 5", "set page-size 7", "set lang ko", "format json", "set tips off", "set pager off here",
      ] {
        #expect(await sandbox.run(line) == "")
      }
      let session = try sandbox.reopened()
      #expect(session.settings.pageSize == 7)
      #expect(session.settings.language == .korean)
      #expect(session.settings.format == .json)
      #expect(!session.settings.tips)
      #expect(session.settings.pager)
      let text = try String(contentsOfFile: sandbox.home.settingsFile, encoding: .utf8)
      #expect(text == "set page-size 7\nset lang ko\nformat json\nset tips off\n")
      #expect(
        try FileManager.default.attributesOfItem(atPath: sandbox.home.settingsFile)[.posixPermissions] as? Int == 0o600)
    }
  }

  /// Options and a terminal without colors take precedence; the confirmation setting belongs to the profile.
  @Test func optionsTakePrecedence() async throws {
    try await Sandbox.with { sandbox in
      try Files.createDirectory((sandbox.home.settingsFile as NSString).deletingLastPathComponent)
      try "# mine\nset lang ko\n\nset colors on # always\nformat csv\n"
        .write(
          toFile: sandbox.home.settingsFile, atomically: true, encoding: .utf8)
      let plain = try sandbox.reopened()
      #expect(plain.settings.language == .korean && plain.settings.format == .csv && plain.settings.pageSize == nil)
      #expect(plain.server.confirm.value == .always)
      var options = SessionOptions()
      options.language = "en"
      options.format = .table
      options.noColor = true
      let told = try sandbox.reopened(options)
      #expect(told.settings.language == .english && told.settings.format == .table && !told.settings.colors)
      #expect(await sandbox.run("set tips off") == "")
      #expect(try String(contentsOfFile: sandbox.home.settingsFile, encoding: .utf8).hasPrefix("# mine\nset lang ko\n"))
    }
  }

  /// A mistake in a file of settings ends the start with exit code 2 and names the nearest word, so that nothing is
  /// written with other settings than the user's.
  @Test(arguments: [
    (
      "profiles.toml", "[profiles.demo]\nconfirm = 'bulk'\nacess = 'ro'\n",
      "Line 3: unknown key acess (did you mean access?)."
    ),
    (
      "profiles.toml", "[profile.shop]\nurl = 'https://shop.example'\n",
      "Line 1: unknown key profile (did you mean profiles?)."
    ),
    ("profiles.toml", "access = 'ro'\n", "Line 1: access belongs below a heading [profiles.NAME]."),
    (
      "profiles.toml", "[profiles.demo.place]\nlatitude = 1\nlongitude = 2\nnme = 'x'\n",
      "Line 4: unknown key nme (did you mean name?)."
    ),
    ("profiles.toml", "[profiles.shop]\napi = 'opne'\n", "Line 2: api must be one of camp1, camp2, training, open."),
    ("profiles.toml", "[profiles.shop]\ntimeout = 0\n", "Line 2: timeout must be from 1 to 3600."),
    ("profiles.toml", "default = 3\n", "Line 1: default must be a quoted string."),
    ("credentials.toml", "[vendors.demo]\nsecrt = 'x'\n", "Line 2: unknown key (did you mean secret?)."),
    (
      "settings.market", "set lang en\n\nset pagesize 10\n",
      "Line 3: unknown setting pagesize (did you mean page-size?)."
    ),
    ("settings.market", "sett lang ko\n", "Line 1: unknown word sett (did you mean set?)."),
    ("settings.market", "set limits serber\n", "Line 1: invalid value for limits: serber (did you mean server?)."),
    ("settings.market", "format jsno\n", "Line 1: invalid value for format: jsno (did you mean json?)."),
    ("settings.market", "set confirm never\n", "Line 1: confirm belongs to a profile"),
    ("settings.market", "patch 42 stock=1 yes\n", "Line 1: expected set NAME VALUE or format NAME."),
    ("aliases.market", "# mine\nalais x = ls\n", "Line 2: unknown word alais (did you mean alias?)."),
    ("aliases.market", "alias ls = quit\n", "Line 1: ls is a command, or no name for one."),
    ("aliases.market", "rubbish\n", "Line 1: expected alias NAME = LINE."),
  ])
  func invalidSettingsFileEndsTheStart(_ file: String, _ text: String, _ reason: String) async throws {
    try await Sandbox.with { sandbox in
      try Files.createDirectory(sandbox.home.configuration)
      try Files.write(Data(text.utf8), to: sandbox.home.configuration + "/" + file, mode: 0o600)
      do {
        _ = try sandbox.reopened()
        Issue.record("\(text) was accepted")
      } catch {
        let failure = CommandError(describing: error)
        let reasons = failure.message.reasons.map { $0[.english].plain }
        #expect(failure.exitStatus == .usageError && reasons.contains { $0.hasPrefix(reason) }, "\(reasons)")
      }
    }
  }

  /// Settings of a script aren't saved.
  @Test func settingsOfAScriptAreNotStored() async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writeFile("quiet.market", "set tips off\nformat json\n")
      _ = await sandbox.run("source ~/quiet.market")
      #expect(try sandbox.reopened().settings.tips)
      await sandbox.shell.begin(script: "lines.market", isReported: false)
      _ = await sandbox.run("set page-size 3")
      #expect(try sandbox.reopened().settings.pageSize == nil)
    }
  }
}
