import Foundation

/// The folders of the program: one folder with `--home`, otherwise the XDG base directories.
///
/// As XDG Base Directory Specification 0.8 requires, a variable that is not an absolute path is ignored.
package struct AppDirectories: Hashable, Sendable {
  package var configuration: String
  package var state: String
  package var data: String
  package var cache: String

  /// Creates the folders within one folder.
  package init(folder: String) {
    configuration = folder + "/config"
    state = folder + "/state"
    data = folder + "/data"
    cache = folder + "/cache"
  }

  package init(environment: Environment) {
    let person = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? NSHomeDirectory()
    func base(_ variable: String, _ fallback: String) -> String {
      let folder = environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? person + "/" + fallback
      return folder + "/openmarket"
    }
    configuration = base("XDG_CONFIG_HOME", ".config")
    state = base("XDG_STATE_HOME", ".local/state")
    data = base("XDG_DATA_HOME", ".local/share")
    cache = base("XDG_CACHE_HOME", ".cache")
  }

  package var profilesFile: String { configuration + "/profiles.toml" }
  package var credentialsFile: String { configuration + "/credentials.toml" }
  /// The user's own commands, run at every start.
  package var startupFile: String { configuration + "/startup.market" }
  package var settingsFile: String { configuration + "/settings.market" }
  package var aliasesFile: String { configuration + "/aliases.market" }
  package var reportsFile: String { configuration + "/reports.toml" }
  /// The recipes for the files of suppliers.
  package var recipesFile: String { configuration + "/recipes.toml" }
  package var historyFile: String { state + "/history" }
  /// The folder of texts being changed in an editor.
  package var editorDirectory: String { state + "/edit" }
  package var journalFolder: String { state + "/journal" }
  /// The log of the HTTP exchanges of all sessions.
  package var callsFile: String { state + "/calls.sqlite" }
  /// The versions of the markets, recorded by complete scans.
  package var versionsFile: String { data + "/versions.sqlite" }
  /// The list of descriptions that were proven, with the servers.
  package var provenDescriptionsFile: String { state + "/proven-markets" }
  /// The progress of `learn`.
  package var learningFile: String { state + "/learn.toml" }
  package var demoDirectory: String { data + "/demo" }
  /// The market of `serve`, so that a class doesn't write into the one of the shell.
  package var servedDirectory: String { data + "/served" }
  /// The market of `serve --api FILE`, which each described API has for itself, because its products may have one currency.
  package func servedDirectory(of name: String) -> String { servedDirectory + "/" + name }
  /// The market of `serve --lesson`, which each lesson has for itself.
  package func lessonDirectory(_ name: String) -> String { data + "/lessons/" + name }
  /// The list of files that this program wrote for the user, so that no other file is overwritten without asking.
  package var writtenFilesIndex: String { state + "/written.jsonl" }
  /// The cells of exported files as they were written, for the import of those files.
  package var exportsFolder: String { data + "/exports" }
  /// The ids of products that were copied to other markets.
  package var copiesFolder: String { data + "/copies" }
  /// The recurring lines, which `every` adds and the timer runs.
  package var recurringLinesFile: String { configuration + "/every.toml" }
  /// The folder of the record of the timer, which is locked while the timer runs.
  package var timerFolder: String { state + "/timer" }
  /// The folder of scheduled plans.
  package var scheduledPlansDirectory: String { data + "/sales" }
}

/// The environment variables of the process as they were when it began, or those of a test.
package struct Environment: Sendable, ExpressibleByDictionaryLiteral {
  package private(set) var dictionary: [String: String]

  package init(_ values: [String: String]) { self.dictionary = values }

  package init(dictionaryLiteral elements: (String, String)...) {
    dictionary = Dictionary(elements) { first, _ in first }
  }

  package static func current() -> Environment { Environment(ProcessInfo.processInfo.environment) }

  /// A Boolean value that indicates that the program runs in continuous integration, where a job may have files of its own.
  ///
  /// GitHub, GitLab, Jenkins and others set `CI`.
  package var isContinuousIntegration: Bool { !["", "0", "false"].contains(self["CI"]?.lowercased() ?? "") }

  /// The value of a variable, `nil` where it is not set.
  package subscript(name: String) -> String? {
    get { dictionary[name] }
    set { dictionary[name] = newValue }
  }
}
