import Engine
import Language
import Marketplace
import Shell

extension Launch {
  /// Reads the everyday options without the library, which learns of its declarations by reflection: that took longer
  /// than all the rest before the prompt (3 of 8 ms). Nil for a word that is not among them: `OpenMarket` reads, explains or
  /// refuses everything, and a test holds the two together.
  init?(plain words: [String]) {
    self.init()
    var words = words[...]
    while let word = words.popFirst() {
      if Launch.isFlag(word, in: &self) { continue }
      guard let value = words.popFirst(), !value.hasPrefix("-"), take(word, value) else { return nil }
    }
  }

  private static func isFlag(_ word: String, in launch: inout Launch) -> Bool {
    switch word {
    case "--yes": launch.yes = true
    case "--read-only": launch.options.readOnly = true
    case "--keep-going":
      launch.manner.keepsGoing = true
      launch.options.keepGoing = true
    case "--no-color": launch.options.noColor = true
    case "--ascii": launch.options.ascii = true
    default: return false
    }
    return true
  }

  private mutating func take(_ option: String, _ value: String) -> Bool {
    switch option {
    case "-c": sources.append(.line(value))
    case "-f": sources.append(.file(value))
    case "--home": home = value
    case "--profile": options.profile = value
    case "--url": options.url = value
    case "--lang": options.language = value
    case "--replay": replay = value
    case "--api":
      guard let edition = Edition(rawValue: value) else { return false }
      options.edition = edition
    case "--format":
      guard let format = OutputFormat(rawValue: value) else { return false }
      options.format = format
    default: return false
    }
    return true
  }
}
