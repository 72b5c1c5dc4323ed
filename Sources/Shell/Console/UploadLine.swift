import Presentation

/// How much of a picture is on its way, while it is: `↑ 512 KB / 1.4 MB`.
package struct UploadLine: Sendable {
  private let console: any Console
  private let mark: String

  package init(_ console: any Console, ascii: Bool) {
    self.console = console
    mark = ascii ? "^" : "↑"
  }

  package func show(sent: Int, of total: Int) {
    let text = "\(mark) \(HumanNumber.bytes(sent)) / \(HumanNumber.bytes(total))"
    console.status(sent < total ? text : nil)
  }
}
