import BuildInformation
import Foundation

/// The version of the program, and what it was built from.
enum Version {
  static let number = "0.2.0"

  /// The text of `--version`: one line each for program, revision, Swift and libraries.
  ///
  /// Swift and libraries are known only in a packaged build.
  static var description: String {
    let facts = [
      ("revision", String(cString: openmarket_revision())),
      ("Swift", String(cString: openmarket_swift())),
      ("libraries", String(cString: openmarket_libraries())),
    ]
    let compiler = facts[1].1.isEmpty ? "Swift \(compilerGeneration)" : nil
    return
      (["openmarket \(number)"] + facts.filter { !$0.1.isEmpty }.map { "\($0.0) \($0.1)" }
      + [compiler].compactMap { $0 })
      .joined(separator: "\n")
  }

  private static var compilerGeneration: String {
    #if compiler(>=6.3)
      "6.3 or later"
    #else
      "6.2"
    #endif
  }
}
