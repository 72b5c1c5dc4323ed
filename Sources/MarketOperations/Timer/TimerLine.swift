import Platform
import Presentation
import ShellRuntime
import Text

/// The line that the system's timer runs every five minutes: this program with this home and profile, and `timer run`.
package struct TimerLine: Hashable, Sendable {
  /// The program with its home folder, as words.
  package var program: [String]
  package var profile: String?
  /// A Boolean value that indicates that sales with unusual values are applied too.
  package var allowsOutliers: Bool
  /// The variables that the system's timer doesn't have, or has with another value: folders of the home, the time zone, and
  /// `PATH`, in which recurring lines and `secret_command` find their programs.
  package var variables: [Variable]

  /// An environment variable.
  package struct Variable: Hashable, Sendable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The time between two runs, in seconds.
  package static let interval: Int64 = 5 * 60
  /// The longest command of Vixie cron, which cuts off the rest.
  private static let maximumCronBytes = 990

  package init(program: [String], profile: String?, allowsOutliers: Bool = false, variables: [Variable] = []) {
    self.program = program
    self.profile = profile
    self.allowsOutliers = allowsOutliers
    self.variables = variables
  }

  /// Creates the line that starts a program with a profile.
  package init(_ program: RunningProgram, profile: String?, allowsOutliers: Bool) {
    var names = ["PATH", "TZ"]
    if !program.commandLine.contains("--home") {
      names += ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"]
    }
    self.init(
      program: program.commandLine, profile: profile, allowsOutliers: allowsOutliers,
      variables: names.compactMap { name in
        program.environment[name].flatMap {
          $0.isEmpty || name == "PATH" && !TimerLine.isUsable($0) ? nil : Variable(name, $0)
        }
      })
  }

  /// Returns whether a crontab and a unit can contain a text.
  private static func isUsable(_ text: String) -> Bool {
    !text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F || $0 == "\\" }
  }

  private var words: [String] {
    program + (profile.map { ["--profile", $0] } ?? []) + ["-c", "timer run" + (allowsOutliers ? " outliers" : "")]
  }

  /// The words for a POSIX shell.
  private var command: String { words.map(POSIXWord.quoted).joined(separator: " ") }

  /// The line for a POSIX shell, with the variables in front.
  package var shell: String { shell(with: variables) }

  private func shell(with variables: [Variable]) -> String {
    (variables.map { $0.name + "=" + POSIXWord.quoted($0.value) } + [command]).joined(separator: " ")
  }

  /// The line of a crontab.
  ///
  /// An unescaped `%` ends the command there. A backslash is removed by some versions of cron and left by others, so that a
  /// path with one can't be written. A `PATH` that is too long is left out; then programs are found in that of cron.
  ///
  /// - Throws: `CommandError` for a path that a crontab can't contain.
  package func crontab() throws(CommandError) -> String {
    try check(forbidding: "\\")
    func escaped(_ variables: [Variable]) -> String { shell(with: variables).replacing("%", with: "\\%") }
    var line = escaped(variables)
    if line.utf8.count > TimerLine.maximumCronBytes { line = escaped(variables.filter { $0.name != "PATH" }) }
    guard line.utf8.count <= TimerLine.maximumCronBytes else {
      throw CommandError(
        .usageError,
        .failure(
          "The line is too long for a crontab: \(line.utf8.count) bytes.",
          ko: "crontab에 넣기에는 줄이 너무 깁니다: \(line.utf8.count)바이트."
        ).next("Use a home folder with a shorter path.", ko: "경로가 더 짧은 홈 폴더를 쓰세요."))
    }
    return "*/5 * * * * " + line
  }

  /// The service unit of systemd.
  ///
  /// - Throws: `CommandError` for a path that a unit can't contain.
  package func serviceUnit() throws(CommandError) -> String {
    try check()
    var lines = [
      TimerLine.mark, "[Unit]", "Description=openmarket: sales and recurring lines", "", "[Service]", "Type=oneshot",
    ]
    for variable in variables {
      lines.append("Environment=" + TimerLine.unitWord(variable.name + "=" + variable.value, isCommand: false))
    }
    lines.append("ExecStart=/bin/sh -c " + TimerLine.unitWord("exec " + command, isCommand: true))
    return lines.map { $0 + "\n" }.joined()
  }

  /// The timer unit of systemd.
  package static let timerUnit = [
    mark, "[Unit]", "Description=openmarket: sales and recurring lines, every 5 minutes", "", "[Timer]",
    "OnCalendar=*:0/5", "AccuracySec=15s", "", "[Install]", "WantedBy=timers.target",
  ].map { $0 + "\n" }.joined()

  /// The first line of the unit files that `timer on` writes.
  package static let mark = "# Written by openmarket (timer on). Removed by: timer off"

  /// Returns a word of a unit file in double quotes (systemd.syntax, systemd.service).
  ///
  /// `%` begins a specifier, and in a command `$` a variable.
  package static func unitWord(_ text: String, isCommand: Bool) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", "\"": result += "\\" + String(scalar)
      case "%": result += "%%"
      case "$" where isCommand: result += "$$"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// - Throws: `CommandError` for a word with a line break, another control character, or one of `others`.
  private func check(forbidding others: String = "") throws(CommandError) {
    let texts = words + variables.map(\.value)
    guard
      let text = texts.first(where: { text in
        text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F || others.unicodeScalars.contains($0) }
      })
    else { return }
    throw CommandError(
      .usageError,
      .failure(
        "A timer of the system cannot run this: \(.value(text))", ko: "시스템의 타이머로 실행할 수 없습니다: \(.value(text))"
      ).because(
        others.isEmpty
          ? LocalizedText("It contains a control character.", ko: "제어 문자가 들어 있습니다.")
          : LocalizedText("It contains a control character or a backslash.", ko: "제어 문자나 역슬래시가 들어 있습니다.")
      ).next("Use another home folder: \(.command("--home DIR"))", ko: "다른 홈 폴더를 쓰세요: \(.command("--home DIR"))"))
  }
}
