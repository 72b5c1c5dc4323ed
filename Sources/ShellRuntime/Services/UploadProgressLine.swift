import Platform
import Presentation

/// A status line that shows the progress of an upload: `↑ 512 KB / 1.4 MB`.
package struct UploadProgressLine: Sendable {
  private let console: any Console
  private let mark: String

  package init(_ console: any Console, ascii: Bool) {
    self.console = console
    mark = ascii ? "^" : "↑"
  }

  /// - Parameter sent: in bytes; nil when there is no more to tell.
  package func show(sent: Int?, of total: Int) {
    guard let sent, sent < total else { return console.showStatus(nil) }
    let text = "\(mark) \(NumberFormatting.bytes(sent)) / \(NumberFormatting.bytes(total))"
    console.showStatus(text)
  }
}
