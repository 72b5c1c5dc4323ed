import Platform
import Shell

extension Home {
  /// Where `--home` says, else where `OPENMARKET_HOME` says, else the XDG directories.
  init(_ option: String?, _ environment: [String: String]) {
    let folder = option ?? environment["OPENMARKET_HOME"].flatMap { $0.isEmpty ? nil : $0 }
    self = folder.map { Home(folder: $0) } ?? Home(environment: environment)
  }
}
