/// The four editions of the API over one store, by the names the command line uses.
package enum ServedEdition: String, Hashable, Sendable, CaseIterable {
  /// January 2021: items with passwords, `/items/1`.
  case camp1
  /// May 2021: as `camp1` with other answers to a delete and to errors.
  case camp2
  /// December 2021 to August 2022: `/api/products`, snake_case.
  case training
  /// From October 2022: `/api/products`, camelCase paging, `search_value`, deletion through `archived`.
  case open
}
