import Foundation

/// The path of a program of this package, built beside the running tests.
package func builtProgram(_ name: String) -> String {
  let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
  let beside = URL(filePath: tests).deletingLastPathComponent()
  let path = beside.appending(path: name).path
  if FileManager.default.isExecutableFile(atPath: path) { return path }
  // The test bundle's helper runs from elsewhere; the bundle itself is named by an argument.
  for argument in CommandLine.arguments where argument.contains(".xctest") {
    let folder = URL(filePath: argument).deletingLastPathComponent()
    return folder.appending(path: name).path
  }
  return path
}
