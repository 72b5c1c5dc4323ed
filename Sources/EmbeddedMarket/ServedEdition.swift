/// The four editions of the API, by their names on the command line.
package enum ServedEdition: String, Hashable, Sendable, CaseIterable {
  /// January 2021: items with passwords, `/items/1`.
  case camp1
  /// May 2021: like `camp1`, with other responses to a delete and to errors.
  case camp2
  /// December 2021 to August 2022: `/api/products`, snake_case.
  case training
  /// From October 2022: `/api/products`, camelCase paging, `search_value`, deletion through `archived`.
  case open

  /// Indicates whether products belong to vendors; otherwise each has its own password.
  package var hasVendors: Bool {
    switch self {
    case .camp1, .camp2: false
    case .training, .open: true
    }
  }
}
