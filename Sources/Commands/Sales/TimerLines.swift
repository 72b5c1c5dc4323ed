import Text

/// Lines for the system's timers that run `due apply` unattended, with the path of this program.
struct TimerLines {
  /// The line for `crontab -e`, which runs every ten minutes.
  let crontab: String
  /// The command that creates a systemd timer for the user.
  let systemd: String

  /// Creates the lines.
  ///
  /// If `needsOutliers` is true, they contain the word `outliers`, which a plan with unusual changes requires.
  init(_ program: [String], needsOutliers: Bool) {
    let line =
      program.map(POSIXWord.quoted).joined(separator: " ") + " -c 'due apply yes\(needsOutliers ? " outliers" : "")'"
    // In a crontab an unescaped % ends the command.
    crontab = "*/10 * * * * " + line.replacing("%", with: "\\%")
    systemd = "systemd-run --user --unit=openmarket-due --on-calendar='*:0/10' " + line
  }
}
