import CommandLanguage
import Platform
import Synchronization
import WriteJournal

/// The program that runs: its console and its user, its environment, its commands and what it is called.
package struct RunningProgram: Sendable {
  package var console: any Console
  package let spinner: Spinner
  /// The interface for prompts, or `nil` if there is no user to ask.
  package var asker: (any UserPrompt)?
  /// The state of Ctrl-C.
  package var interruption = InterruptController()
  /// A Boolean value that indicates a session at the prompt, as opposed to `-c` and scripts.
  package var isInteractive = false
  /// The approval of every change in advance, given by the program's option `--yes`.
  package var assumesYes: Bool
  /// The warnings that are given once.
  package let warned = GivenWarnings()
  package var environment: Environment
  /// The name of the agent that runs this program, or `nil`; see `AgentVariable`.
  package var agent: String?
  /// The name of the account that runs this program, as the system knows it, or `nil` if it has none.
  ///
  /// `$USER` isn't asked, because anyone can set it.
  package var account: @Sendable () -> String? = { nil }
  /// The actor and the approver of a plan that a command executes on behalf of another actor, or `nil`.
  package var attribution: Attribution?
  /// The command line that starts this program with this home folder, as a system timer needs it.
  package var commandLine = ["openmarket"]
  /// The version of this program.
  package var version: @Sendable () -> String = { "openmarket" }
  /// The commands of the shell.
  package let commands: CommandRegistry
  /// Runs the lines that a command contains.
  package let lines: any LineEvaluator
  /// The time after which the program of `secret_command` is terminated.
  package var secretTimeout = SecretCommand.timeout

  package init(
    commands: CommandRegistry, lines: any LineEvaluator, console: any Console, asker: (any UserPrompt)? = nil,
    environment: Environment = [:], assumesYes: Bool = false, clock: ProgramClock = ProgramClock()
  ) {
    self.commands = commands
    self.lines = lines
    self.console = console
    let spinner = Spinner(console, sleep: clock.pause)
    self.spinner = spinner
    self.asker = asker.map { SpinnerHidingPrompt($0, spinner) }
    self.environment = environment
    agent = AgentVariable.agent(in: environment)
    self.assumesYes = assumesYes
  }
}

/// The warnings that a run of the program has given and doesn't repeat.
package final class GivenWarnings: Sendable {
  private let given = Mutex<Set<String>>([])

  /// Returns whether a warning wasn't given yet, which counts as given from now on.
  package func isFirst(_ warning: String) -> Bool { given.withLock { $0.insert(warning).inserted } }
}
