import Foundation
import MarketOperations
import ShellRuntime
import TestSupport
import Testing

/// The line of a crontab and the units of systemd, for paths with every kind of character.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct TimerLineTests {
  static let paths = [
    "/home/me/shop", "/home/me/my shop", "/home/me/100% wool", "/home/me/it's", "/home/me/$HOME", "/home/me/`id`",
    "/home/me/a\"b", "/home/me/가게", "/home/me/;rm -rf x", "/home/me/a&b|c>d", "/home/me/%%", "/home/me/%h %n",
    "/home/me/'''", "/home/me/~", "/home/me/#1", "/home/me/-x", "/home/me/a=b",
    "/home/me/*?[",
  ]

  private static func line(_ path: String) -> TimerLine {
    TimerLine(
      program: [path + "/openmarket", "--home", path], profile: path, allowsOutliers: true,
      variables: [TimerLine.Variable("TZ", path)])
  }

  private static let printer = "printf '%s\\n' \"$TZ\" \"$@\""

  /// Returns what a program receives: its variable TZ and its arguments.
  private func received(byShell line: String) throws -> [String] {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", line]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .map(
        String.init)
  }

  /// Makes a program in a folder with such a name that prints its variable TZ and its arguments.
  private func withProgram(_ name: String, _ body: (String) throws -> Void) throws {
    let folder = NSTemporaryDirectory() + "timer-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let inner = folder + "/" + name.dropFirst("/home/me/".count)
    try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: true)
    try ExecutableFile.write("#!/bin/sh\n\(Self.printer)\n", to: inner + "/openmarket")
    try body(inner)
  }

  /// Returns the command as cron passes it to the shell (crontab(5)): `\%` is `%`, and an unescaped one ends it.
  private func cronCommand(_ line: String) throws -> String {
    let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: false)
    try #require(fields.count == 6 && fields[..<5].joined(separator: " ") == "*/5 * * * *")
    var command = ""
    var isEscaped = false
    for scalar in fields[5].unicodeScalars {
      if isEscaped {
        // Vixie cron also removes a backslash before a backslash.
        #expect(scalar != "\\")
        command += (scalar == "%" ? "" : "\\") + String(scalar)
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else {
        #expect(scalar != "%")
        command.unicodeScalars.append(scalar)
      }
    }
    return command + (isEscaped ? "\\" : "")
  }

  @Test(arguments: paths) func cronStartsTheProgramWithItsWords(_ path: String) throws {
    try withProgram(path) { folder in
      let command = try cronCommand(Self.line(folder).crontab())
      #expect(
        try received(byShell: command)
          == [folder, "--home", folder, "--profile", folder, "-c", "timer run outliers"])
    }
  }

  /// Returns the text of a word of a unit file, as systemd.syntax(7) and systemd.service(5) say.
  private func word(_ text: String, isCommand: Bool) throws -> String {
    try #require(text.hasPrefix("\"") && text.hasSuffix("\"") && text.count > 1)
    var result = ""
    var rest = text.dropFirst().dropLast().unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\\":
        guard let next = rest.popFirst() else { return "an open escape in " + text }
        #expect("\\\"".unicodeScalars.contains(next))
        result.unicodeScalars.append(next)
      case "%",
        "$" where isCommand:
        let next = rest.popFirst()
        #expect(next == scalar)
        result.unicodeScalars.append(scalar)
      case "\"": Issue.record("an open quote in \(text)")
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  @Test(arguments: paths) func systemdStartsTheProgramWithItsWords(_ path: String) throws {
    try withProgram(path) { folder in
      let lines = try Self.line(folder).serviceUnit().split(separator: "\n").map(String.init)
      let start = try #require(lines.first { $0.hasPrefix("ExecStart=/bin/sh -c ") })
      let command = try word(String(start.dropFirst("ExecStart=/bin/sh -c ".count)), isCommand: true)
      let setting = try #require(lines.first { $0.hasPrefix("Environment=") })
      let variable = try word(String(setting.dropFirst("Environment=".count)), isCommand: false)
      #expect(variable == "TZ=" + folder)
      #expect(
        try received(byShell: "TZ='set'; export TZ; " + command)
          == ["set", "--home", folder, "--profile", folder, "-c", "timer run outliers"])
    }
  }

  private static let verifier = "/usr/bin/systemd-analyze"

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: verifier), "systemd-analyze is missing"), arguments: paths
  )
  func unitsAreVerified(_ path: String) throws {
    try withProgram(path) { folder in
      let units = NSTemporaryDirectory() + "units-" + UUID().uuidString
      defer { try? FileManager.default.removeItem(atPath: units) }
      try FileManager.default.createDirectory(atPath: units, withIntermediateDirectories: true)
      try Self.line(folder).serviceUnit().write(
        toFile: units + "/openmarket-1.service", atomically: false, encoding: .utf8)
      try TimerLine.timerUnit.write(toFile: units + "/openmarket-1.timer", atomically: false, encoding: .utf8)
      for unit in ["openmarket-1.service", "openmarket-1.timer"] {
        let process = Process()
        process.executableURL = URL(filePath: Self.verifier)
        process.arguments = ["--user", "verify", units + "/" + unit]
        var environment = ProcessInfo.processInfo.environment
        environment["XDG_RUNTIME_DIR"] = units
        process.environment = environment
        let pipe = Pipe()
        process.standardError = pipe
        process.standardOutput = pipe
        try process.run()
        let said = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        // Faults of other units of the machine are not ours.
        let ours = said.split(separator: "\n").filter { $0.contains("openmarket-1") }
        #expect(ours.isEmpty, "\(said)")
      }
    }
  }

  @Test(arguments: ["/a\nb", "/a\rb", "/a\u{1}b", "/a\u{7F}b"]) func controlCharactersAreRefused(_ path: String) {
    #expect(throws: CommandError.self) { try Self.line(path).crontab() }
    #expect(throws: CommandError.self) { try Self.line(path).serviceUnit() }
  }

  @Test func backslashIsRefusedInACrontabAlone() throws {
    #expect(throws: CommandError.self) { try Self.line("/a\\b").crontab() }
    let unit = try Self.line("/a\\b").serviceUnit()
    #expect(unit.contains("Environment=\"TZ=/a\\\\b\""), "\(unit)")
  }

  @Test func lineThatCronCutsOffIsRefused() throws {
    _ = try TimerLine(program: ["/" + String(repeating: "a", count: 900)], profile: nil).crontab()
    #expect(throws: CommandError.self) {
      try TimerLine(program: ["/" + String(repeating: "a", count: 1_000)], profile: nil).crontab()
    }
  }
}
