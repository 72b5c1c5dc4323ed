import Presentation
import Text

extension Context {
  /// Says where in a script a failing line stands; nothing for a single `-c` line, which is in plain sight.
  package func sayPlace(of line: String?, at number: Int, in name: String, _ session: Session) {
    guard name != "-c" else { return }
    guard let line else {
      say(.note("\(.value(name)), line \(number)", ko: "\(.value(name)), \(number)번째 줄"), session)
      return
    }
    say(
      .note(
        "\(.value(name)), line \(number): \(.command(line))", ko: "\(.value(name)), \(number)번째 줄: \(.command(line))"),
      session)
  }
}
