import Engine
import Shell

/// What the program was asked on its command line.
struct Launch: Hashable {
  var options = StartOptions()
  var home: String?
  var sources: [Source] = []
  var manner = Script.Manner()
  var yes = false
  var reports = RunReports()
  /// The recording that answers instead of a server.
  var replay: String?
}
