import Logging

/// The server's log goes nowhere: the terminal belongs to the shell.
enum Quiet {
  static let logger = Logger(label: "openmarket.market") { _ in SwiftLogNoOpLogHandler() }
}
