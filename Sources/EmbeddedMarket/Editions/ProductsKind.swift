/// Which of the two editions with vendors.
enum ProductsKind: Sendable {
  case training
  case open

  var spelling: any ProductsSpelling {
    switch self {
    case .training: TrainingSpelling()
    case .open: OpenSpelling()
    }
  }

  func document(base: String) -> JSON {
    switch self {
    case .training: OpenAPIDocument.training(base: base)
    case .open: OpenAPIDocument.open(base: base)
    }
  }
}
