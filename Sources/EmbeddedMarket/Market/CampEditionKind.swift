/// One of the two editions of 2021.
enum CampEditionKind: String, Sendable {
  case camp1
  case camp2
}
