import ShellRuntime

/// The result of previewing a plan and asking for confirmation.
package enum Approval {
  case approved(ApprovedPlan)
  /// The writes are only shown: in a dry run, and if only requests are printed.
  case shown(CommandResult)
}
