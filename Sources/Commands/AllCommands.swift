import CommandLanguage
import ShellRuntime

/// The list of all commands.
///
/// A test compares it with the files in the folder.
package enum AllCommands {
  package static let all: [any Command.Type] = [
    LsCommand.self, NextCommand.self, PrevCommand.self, FirstCommand.self, LastCommand.self, RefreshCommand.self,
    ShowCommand.self, ImageCommand.self, SearchCommand.self,
    ChartCommand.self,
    NewCommand.self, PatchCommand.self, EditCommand.self, WalkCommand.self, RmCommand.self,
    ExportCommand.self, ImportCommand.self, RecipeCommand.self, PullCommand.self, PushCommand.self,
    CopyCommand.self, PlanCommand.self, ApproveCommand.self, ApplyCommand.self, SaleCommand.self, DueCommand.self,
    EveryCommand.self, TimerCommand.self,
    LoginCommand.self, LogoutCommand.self, WhoamiCommand.self, VendorsCommand.self, ProfileCommand.self,
    HandoverCommand.self,
    LogCommand.self, UndoCommand.self, RedoCommand.self, StatusCommand.self, ResumeCommand.self, ForgetCommand.self,
    DupesCommand.self,
    HealthCommand.self, RawCommand.self, GetCommand.self, ExplainCommand.self, CallsCommand.self,
    ContractCommand.self, ApiCommand.self, ModelCommand.self, ClassCommand.self,
    SqlCommand.self, ChangesCommand.self, SnapshotCommand.self, DiffCommand.self, CompareCommand.self,
    RestoreCommand.self, ReportCommand.self,
    LetCommand.self, EchoCommand.self, EachCommand.self, IfCommand.self, TestCommand.self, AssertCommand.self,
    FinallyCommand.self,
    ExpectCommand.self, SourceCommand.self, AliasCommand.self,
    SaveCommand.self,
    WeatherCommand.self, PlaceCommand.self,
    FormatCommand.self, SetCommand.self, SessionCommand.self, DoctorCommand.self, HistoryCommand.self, HelpCommand.self,
    LearnCommand.self, ClearCommand.self,
    QuitCommand.self,
  ]

  package static let registry = CommandRegistry(all)

  package static var grammar: CommandParser { registry.grammar }
}
