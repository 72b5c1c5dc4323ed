import Engine
import Text

/// The lines that let a timer of the system begin and end sales while nobody is there, complete with the program's path.
struct TimerLines {
  /// For `crontab -e`: every ten minutes.
  let crontab: String
  /// A timer of systemd in the user's session.
  let systemd: String

  /// - Parameter needsOutliers: a plan is out of the ordinary, so that it is applied only with that word.
  init(_ program: [String], needsOutliers: Bool) {
    let line =
      program.map(TimerLines.quoted).joined(separator: " ") + " -c 'due apply yes\(needsOutliers ? " outliers" : "")'"
    // A % ends the command of a line of crontab.
    crontab = "*/10 * * * * " + line.replacing("%", with: "\\%")
    systemd = "systemd-run --user --unit=openmarket-due --on-calendar='*:0/10' " + line
  }

  /// Returns the word as a shell reads it.
  private static func quoted(_ word: String) -> String {
    let isPlain = word.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || ("0"..."9").contains($0) || "/._-+@:".unicodeScalars.contains($0)
    }
    return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }
}
