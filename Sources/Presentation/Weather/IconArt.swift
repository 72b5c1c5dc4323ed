/// Pictures of the sky in five lines of ASCII.
enum IconArt {
  static let width = 11

  static func lines(_ icon: SkyIcon, _ isNight: Bool) -> [String] {
    switch icon {
    case .clear where isNight: ["     _.", "   .' /", "   | |", "   '. \\", "     `-'"]
    case .clear: ["   \\ | /", "    .-.", " - (   ) -", "    `-'", "   / | \\"]
    case .fewClouds: ["  \\ |", "  .-.__", " -( (  ).", "  (_____)", ""]
    case .clouds: ["", "    .--.", "  .(    ).", " (___.___)", ""]
    case .overcast: ["   .--.", " .(  .--.", "(__.(    ).", "  (___.___)", ""]
    case .shower: ["   .--.", " .(    ).", "(___.___)", "  '  '  '", " '  '  '"]
    case .rain: ["   .--.", " .(    ).", "(___.___)", "  / / / /", " / / / /"]
    case .thunder: ["   .--.", " .(    ).", "(___.___)", "   /_ /_", "   /  /"]
    case .snow: ["   .--.", " .(    ).", "(___.___)", "  *  *  *", "   *  *"]
    case .mist: ["", " _ - _ - _", "  _ - _ -", " _ - _ - _", ""]
    case .unknown: ["    .-.", "   '   )", "      /", "     '", "     o"]
    }
  }
}
