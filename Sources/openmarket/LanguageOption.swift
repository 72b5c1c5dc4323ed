import ArgumentParser

/// The language and the form of the errors of a command line that could not be read: that ends the parser before its other options are known.
struct LanguageOption: ParsableArguments {
  @Option var lang: String?
  @Option var errors: String?
  @ArgumentParser.Argument(parsing: .allUnrecognized) var rest: [String] = []

  /// The options, or `nil` if not even these could be read.
  static var value: LanguageOption? {
    // Otherwise parsing these options would also print the completion script.
    let words = CommandLine.arguments.dropFirst().filter {
      !$0.hasPrefix("--generate-completion-script") && !["--help", "-h"].contains($0)
    }
    return try? LanguageOption.parse(Array(words))
  }
}
