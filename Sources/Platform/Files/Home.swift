import Foundation

/// Where the program keeps things: one folder with `--home`, the XDG base directories otherwise.
///
/// Source: XDG Base Directory Specification 0.8; an XDG variable that is not absolute is ignored, as it says.
package struct Home: Hashable, Sendable {
  package var configuration: String
  package var state: String
  package var data: String
  package var cache: String

  /// Everything under one folder.
  package init(folder: String) {
    configuration = folder + "/config"
    state = folder + "/state"
    data = folder + "/data"
    cache = folder + "/cache"
  }

  package init(environment: [String: String]) {
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
  /// Lines of the person's own, run at every start when the file is there.
  package var startupFile: String { configuration + "/startup.market" }
  package var settingsFile: String { configuration + "/settings.market" }
  package var aliasesFile: String { configuration + "/aliases.market" }
  package var historyFile: String { state + "/history" }
  /// Texts that are being changed in an editor.
  package var editFolder: String { state + "/edit" }
  package var journalFolder: String { state + "/journal" }
  /// Every call of every session.
  package var callsFile: String { state + "/calls.sqlite" }
  /// What whole scans saw of markets, version by version.
  package var versionsFile: String { data + "/versions.sqlite" }
  package var demoFolder: String { data + "/demo" }
  /// What this program wrote for the person, so that nothing else is overwritten unasked.
  package var writtenFile: String { state + "/written.jsonl" }
  /// The cells of exports as they were written, for the imports of those files.
  package var exportsFolder: String { data + "/exports" }
  package var snapshotsFolder: String { data + "/snapshots" }
  /// Plans that wait for their time.
  package var salesFolder: String { data + "/sales" }
}
