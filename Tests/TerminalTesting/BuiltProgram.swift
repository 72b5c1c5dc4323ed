import Foundation

/// Returns the path of a program of this package, which is in the folder of the running tests.
package func builtProgram(_ name: String) -> String {
  let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
  let beside = URL(filePath: tests).deletingLastPathComponent()
  let path = beside.appending(path: name).path
  if FileManager.default.isExecutableFile(atPath: path) { return path }
  // The helper that runs the tests is in another folder; the test bundle itself is an argument.
  for argument in CommandLine.arguments where argument.contains(".xctest") {
    let folder = URL(filePath: argument).deletingLastPathComponent()
    return folder.appending(path: name).path
  }
  return path
}
