import Platform
import Shell
import ShellRuntime

extension ScriptRunner {
  /// Runs one script, as `run(_:)` runs each of its sources, and returns the exit status of the first failure.
  package func run(_ input: ScriptInput, named name: String) async -> ExitStatus {
    var script = script(input, named: name)
    return await script.run()?.status ?? .success
  }
}
