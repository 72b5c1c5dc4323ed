import ArgumentParser

/// The language of a command line that could not be read: that ends the parser before its other options are known.
struct LanguageOption: ParsableArguments {
  @Option var lang: String?
  @ArgumentParser.Argument(parsing: .allUnrecognized) var rest: [String] = []

  static var value: String? {
    // Otherwise parsing these options would also print the completion script.
    let words = CommandLine.arguments.dropFirst().filter {
      !$0.hasPrefix("--generate-completion-script") && !["--help", "-h"].contains($0)
    }
    return try? LanguageOption.parse(Array(words)).lang
  }
}
