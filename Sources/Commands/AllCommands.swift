import Engine
import Exploration
import Language

/// The list of all commands.
///
/// A test compares it with the files in the folder.
package enum AllCommands {
  package static let list: [any Command.Type] = [
    List.self, Next.self, Previous.self, First.self, Last.self, Refresh.self, Show.self, Image.self, Search.self,
    Chart.self,
    New.self, Patch.self, Edit.self, Walk.self, Remove.self,
    Export.self, Import.self, MakePlan.self, ApplyPlan.self, MakeSale.self, ShowDue.self,
    Login.self, Logout.self, WhoAmI.self, ShowVendors.self, ChooseProfile.self,
    ShowLog.self, Undo.self, Redo.self, Status.self, Resume.self, Dupes.self,
    Health.self, Raw.self, Get.self, Explain.self, Calls.self,
    Contract.self,
    SQL.self, Changes.self, TakeSnapshot.self, Diff.self, Restore.self,
    Let.self, Echo.self, Each.self, If.self, TestCommand.self, Assert.self, Expect.self, RunScript.self, Alias.self,
    Save.self,
    ShowWeather.self, ChoosePlace.self,
    ChooseFormat.self, ChooseSetting.self, ShowSession.self, ShowHistory.self, ShowHelp.self, Clear.self, Quit.self,
  ]

  package static let registry = CommandRegistry(list)

  package static var grammar: Grammar { registry.grammar }
}
