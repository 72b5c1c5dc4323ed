import CommandLanguage
import Foundation
import Pacing
import Platform
import Shell
import ShellRuntime
import Testing
import Text

/// The choices of `set` and `format` apply to the next session of the home.
@Suite(.timeLimit(Trial.limit)) struct SettingsKeptTests {
  @Test func areThereInTheNextSession() async throws {
    try await House.visit { house in
      for line in [
        "set page-size 5", "set page-size 7", "set lang ko", "format json", "set tips off", "set pager off here",
      ] {
        #expect(await house.say(line) == "")
      }
      let session = try house.reopened()
      #expect(session.settings.pageSize == 7)
      #expect(session.settings.language == .korean)
      #expect(session.settings.format == .json)
      #expect(!session.settings.tips)
      #expect(session.settings.pager)
      let text = try String(contentsOfFile: house.home.settingsFile, encoding: .utf8)
      #expect(text == "set page-size 7\nset lang ko\nformat json\nset tips off\n")
      #expect(
        try FileManager.default.attributesOfItem(atPath: house.home.settingsFile)[.posixPermissions] as? Int == 0o600)
    }
  }

  /// Options and a terminal without colors take precedence; the confirmation setting belongs to the profile.
  @Test func optionsWin() async throws {
    try await House.visit { house in
      try Files.createDirectory((house.home.settingsFile as NSString).deletingLastPathComponent)
      try
        "# mine\nset lang ko\nset confirm never\nset colors on\nset nothing x\nformat csv\nset page-size 900000\nrubbish\n"
        .write(
          toFile: house.home.settingsFile, atomically: true, encoding: .utf8)
      let plain = try house.reopened()
      #expect(plain.settings.language == .korean && plain.settings.format == .csv && plain.settings.pageSize == nil)
      #expect(plain.server.confirm.value == .always)
      var options = SessionOptions()
      options.language = "en"
      options.format = .table
      options.noColor = true
      let told = try house.reopened(options)
      #expect(told.settings.language == .english && told.settings.format == .table && !told.settings.colors)
      #expect(await house.say("set tips off") == "")
      #expect(try String(contentsOfFile: house.home.settingsFile, encoding: .utf8).hasPrefix("# mine\nset lang ko\n"))
    }
  }

  /// Settings of a script aren't saved.
  @Test func scriptsKeepNothing() async throws {
    try await House.visit { house in
      try house.bring("quiet.market", "set tips off\nformat json\n")
      _ = await house.say("source ~/quiet.market")
      #expect(try house.reopened().settings.tips)
      await house.shell.begin(script: "lines.market", isReported: false)
      _ = await house.say("set page-size 3")
      #expect(try house.reopened().settings.pageSize == nil)
    }
  }
}
