/// Which of the two editions of 2021.
enum CampKind: String, Sendable {
  case camp1
  case camp2
}
